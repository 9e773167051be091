/** `bourse scenario run`: plays a scenario file and says what happened to whom. */
import { writeFileSync } from "node:fs";
import { AdminClient } from "../../cli/admin-client.ts";
import { CliError, EXIT } from "../../cli/exit.ts";
import { table } from "../../cli/output.ts";
import { formatDecimal } from "../../engine/money/decimal.ts";
import { readNamedFile } from "../../log/plain-file.ts";
import { junitOf } from "../scenario/living/junit.ts";
import { isLiving, type LivingScenario, parseLivingScenario } from "../scenario/living/living-scenario.ts";
import { type Progress, playLive } from "../scenario/living/play.ts";
import { stepText } from "../scenario/living/words.ts";
import { type Played, play } from "../scenario/run.ts";
import { parseScenario, type Scenario } from "../scenario/scenario.ts";

/** A bot that is not heard of for so long between two ticks does not need another. */
const PACE_MS_MAX = 60_000;

/** A scenario is written by a person; more is something else. */
const SCENARIO_MIB_MAX = 16;

export interface ScenarioOptions {
  readonly json?: boolean;
  readonly on?: string;
  readonly token?: string;
  readonly data?: string;
  readonly bot?: string;
  readonly pace: string;
  readonly junit?: string;
}

export async function runScenario(file: string, options: ScenarioOptions): Promise<void> {
  const text = readNamedFile(file, SCENARIO_MIB_MAX).toString("utf8");
  if (isLiving(text)) {
    await runLiving(file, text, options);
    return;
  }
  if (options.on !== undefined || options.junit !== undefined) {
    const message = "This scenario names no bot, so it is played on an engine of its own; leave out --on and --junit.";
    throw new CliError(message, { exitCode: EXIT.usage });
  }
  const scenario = parseScenario(text);
  const played = play(scenario);
  process.stdout.write(options.json === true ? `${jsonOf(scenario, played)}\n` : reportText(scenario, played));
  if (played.missed.length > 0)
    throw new CliError(`What was expected did not come true:\n  ${played.missed.join("\n  ")}`);
}

async function runLiving(file: string, text: string, options: ScenarioOptions): Promise<void> {
  const scenario = parseLivingScenario(text);
  const { on, token, data, bot, junit, json } = options;
  const paceMs = Number(options.pace);
  if (!(Number.isInteger(paceMs) && paceMs >= 0 && paceMs <= PACE_MS_MAX)) {
    throw new CliError(`Say a pace from 0 to ${PACE_MS_MAX} ms instead of ${options.pace}.`, { exitCode: EXIT.usage });
  }
  if (on === undefined && data === undefined) {
    const message =
      "This scenario looks at a bot on a living venue: name the venue's operators' interface with --on URL, or " +
      "its --data DIR.";
    throw new CliError(message, { exitCode: EXIT.usage });
  }
  const client = AdminClient.of({
    ...(on === undefined ? {} : { admin: on }),
    ...(token === undefined ? {} : { token }),
    ...(data === undefined ? {} : { data }),
  });
  const played = await playLive(scenario, {
    operator: client,
    bot,
    file,
    paceMs,
    onProgress: json === true ? () => {} : stepTeller(scenario),
  });
  if (junit !== undefined) writeFileSync(junit, junitOf(scenario.title, played));
  const { checks, notes, durationMs } = played;
  const missed = checks.filter(({ ok }) => !ok).map(({ sentence }) => sentence);
  if (json === true) {
    const rows = checks.map(({ timeMs, ...check }) => ({ time_ms: timeMs, ...check }));
    const told = notes.map(({ timeMs, text: note }) => ({ time_ms: timeMs, text: note }));
    const { title } = scenario;
    const report = { title, ok: missed.length === 0, duration_ms: durationMs, checks: rows, notes: told, missed };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } else {
    const rows = checks.map(({ step, name, ok }) => [`${step}`, ok ? "yes" : "NO", name]);
    process.stdout.write(`${scenario.title}\n\n${table(["step", "came true", "expected"], rows)}`);
  }
  if (missed.length > 0) throw new CliError(`What was expected did not come true:\n  ${missed.join("\n  ")}`);
}

/** Says on standard error which step is played, and so what is waited for. */
function stepTeller({ steps }: LivingScenario): (progress: Progress) => void {
  let told = 0;
  return ({ step }) => {
    const playing = steps[step - 1];
    if (step === told || playing === undefined) return;
    told = step;
    process.stderr.write(`Step ${step} of ${steps.length}: ${stepText(playing)}\n`);
  };
}

function jsonOf({ title }: Scenario, { entries, ends, money, missed, commands }: Played): string {
  const happened = entries.map(({ timeMs, ...entry }) => ({ time_ms: timeMs, ...entry }));
  const accounts = ends.map(({ paidIn, ...end }) => ({ ...end, paid_in: paidIn }));
  const balance = money.map(({ ccy, scale, paidIn, held }) => ({
    ccy,
    paid_in: formatDecimal(paidIn, scale),
    held: formatDecimal(held, scale),
  }));
  return JSON.stringify({ title, commands, happened, accounts, money: balance, missed });
}

function reportText({ title, about, startMs }: Scenario, played: Played): string {
  const rows = played.entries.map(({ timeMs, who, market, what, money }) =>
    who === "" ? ["", "", `— ${what}`, ""] : [sinceText(timeMs - startMs), `${who} ${market}`.trim(), what, money],
  );
  const ends = played.ends.map(({ who, ccy, paidIn, cash, margin, unrealized, change }) => [
    who,
    ccy,
    paidIn,
    cash,
    margin,
    unrealized,
    change,
  ]);
  const money = played.money
    .filter(({ paidIn }) => paidIn > 0n)
    .map(({ ccy, scale, paidIn, held }) => `${formatDecimal(held, scale)} ${ccy} of ${formatDecimal(paidIn, scale)}`);
  return [
    `${title}\n${about === "" ? "" : `${about}\n`}\n`,
    columns(rows),
    "\n",
    table(["who", "ccy", "paid in", "cash", "margin", "unrealized", "change"], ends),
    `\nAll money is there after each of ${played.commands} commands: ${money.join(", ")}.\n`,
  ].join("");
}

/** Hours, minutes and seconds since the start. */
function sinceText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Rows whose last column stands to the right, as money does. */
function columns(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0));
  const widths = [width(0), width(1), width(2), width(3)] as const;
  return rows
    .map(([time = "", who = "", what = "", money = ""]) =>
      (
        `${time.padEnd(widths[0])}  ${who.padEnd(widths[1])}  ` +
        `${what.padEnd(widths[2])}  ${money.padStart(widths[3])}`
      ).trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
