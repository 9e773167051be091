/** `bourse scenario run`: plays a scenario file and says what happened to whom. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { formatDecimal } from "../engine/money/decimal.ts";
import { type Played, play } from "../scenario/run.ts";
import { parseScenario, type Scenario } from "../scenario/scenario.ts";
import { CliError, EXIT } from "./exit.ts";
import { table } from "./output.ts";

interface RunOptions {
  readonly json?: boolean;
}

export function addScenarioVerb(program: Command): void {
  const scenario = program
    .command("scenario")
    .summary("play out what happens to traders when prices move")
    .description("Play scenario files: users, orders, prices and hours in a file, and what came of it as a table.");
  scenario
    .command("run <FILE>")
    .summary("play one file")
    .description(
      "Play a scenario file on an engine of its own, without a venue, and print what happened to whom. After every command " +
        "all invariants must hold and all money must be there to the last unit. Ends with code 1 when something expected did not come true, with 2 when the file is no scenario.",
    )
    .option("--json", "print one JSON object instead of tables")
    .action((file: string, options: RunOptions) => runScenario(file, options));
}

function runScenario(file: string, options: RunOptions): void {
  const scenario = parseScenario(textOf(file));
  const played = play(scenario);
  process.stdout.write(options.json === true ? `${jsonOf(scenario, played)}\n` : reportText(scenario, played));
  if (played.missed.length > 0)
    throw new CliError(`What was expected did not come true:\n  ${played.missed.join("\n  ")}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CliError(`The file ${file} cannot be read.`, { exitCode: EXIT.usage, cause: error });
  }
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
      `${time.padEnd(widths[0])}  ${who.padEnd(widths[1])}  ${what.padEnd(widths[2])}  ${money.padStart(widths[3])}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
