/** Runs a program against a venue of a fixed world with the kit between them. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { pino } from "pino";
import { chanceFor } from "../../venue/fixed-world.ts";
import { newAdminToken } from "../../venue/operator-files.ts";
import { IN_MEMORY, settingsOf } from "../../venue/settings.ts";
import { startVenue } from "../../venue/venue.ts";
import { Kit } from "./kit.ts";
import { Relay } from "./relay.ts";
import { type Report, reportOf } from "./report.ts";
import type { Fault } from "./rules.ts";

export interface RunOptions {
  readonly command: readonly [string, ...string[]];
  /** After so long the program is told to end. */
  readonly seconds: number;
  readonly patienceMs: number;
  readonly silenceMs: number;
  readonly faults: ReadonlySet<Fault>;
  readonly seed: number;
}

/** The program cannot be run. The message is a sentence for who started the kit. */
export class NoProgram extends Error {
  readonly code = "NO_PROGRAM";
}

/** Characters that are kept of what the program wrote last to standard error, for the evidence. */
const SAID_CHARS = 2_000;
/** A program that was told to end has so long. */
const END_MS = 3_000;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const JUMP_MS = 60_000;
const START_TIME = "2026-01-01T00:00:00Z";

export async function run(terms: RunOptions): Promise<Report> {
  // A venue is not started for nothing.
  if (!isThere(terms.command[0])) throw new NoProgram(`There is no program ${terms.command[0]}.`);
  const settings = settingsOf({
    past: "0",
    data: IN_MEMORY,
    port: "0",
    "start-time": START_TIME,
    accounts: "fixed",
    seed: String(terms.seed),
    // What the live venue refuses a program must not get used to here.
    strict: "on",
    "log-level": "silent",
  });
  await using opened = new AsyncDisposableStack();
  let fault: Error | undefined;
  const venue = await startVenue(settings, pino({ level: "silent" }), (error) => {
    fault = error;
  });
  opened.defer(() => venue.stop());
  const [account] = venue.devAccounts;
  if (account === undefined) throw new Error("The venue has no sample account.");
  const token = newAdminToken(chanceFor(settings, "the operator's token"));
  const kit = new Kit({ ...terms, secretKey: account.secret_key, jumpClock: () => jump(venue, token) });
  const relay = await Relay.open(venue.url, kit);
  opened.defer(() => relay.close());
  const environment = {
    BOURSE_URL: relay.url,
    BOURSE_WS_URL: relay.url.replace(/^http/, "ws"),
    BOURSE_ACCESS_ID: account.access_id,
    BOURSE_SECRET_KEY: account.secret_key,
  };
  const startedMs = performance.now();
  const end = await ended(terms, environment);
  kit.finish(end);
  if (fault !== undefined) throw fault;
  const program = { command: terms.command.join(" "), exit_code: end.code, ended_by_itself: end.byItself };
  return reportOf(kit, (performance.now() - startedMs) / 1_000, program);
}

/** Whether a program is where its path says, or else in a folder where programs are looked for. */
function isThere(file: string): boolean {
  if (file.includes(sep) || file.includes("/")) return existsSync(file);
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, file)));
}

interface End {
  readonly byItself: boolean;
  readonly code: number | null;
  readonly signal: string | null;
  readonly said: string;
}

/** Runs the program to its end, or to the end of its time. What it writes goes to standard error. */
async function ended({ command: [file, ...args], seconds }: RunOptions, environment: object): Promise<End> {
  const env = { ...process.env, ...environment };
  // With a group of its own, so that what it starts ends with it.
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const killNow = () => endGroup(child, "SIGKILL");
  process.once("exit", killNow);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => {
      process.stderr.write(piece);
      if (stream === child.stderr) said = `${said}${piece}`.slice(-SAID_CHARS);
    });
  }
  let byItself = true;
  let hardly: NodeJS.Timeout | undefined;
  const endIt = () => {
    byItself = false;
    endGroup(child, "SIGTERM");
    hardly = setTimeout(killNow, END_MS);
  };
  const late = setTimeout(endIt, seconds * 1_000);
  // Anyone who does not want to wait gets a report of what was seen.
  for (const signal of SIGNALS) process.once(signal, endIt);
  try {
    return await new Promise<End>((resolve, reject) => {
      child.once("error", (cause) => {
        reject(new NoProgram(`The program ${file} cannot be run: ${cause.message}.`, { cause }));
      });
      child.once("exit", (code, signal) => resolve({ byItself, code, signal, said: lastError(said) }));
    });
  } finally {
    clearTimeout(late);
    clearTimeout(hardly);
    process.off("exit", killNow);
    for (const signal of SIGNALS) process.off(signal, endIt);
    killNow();
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}

/** The line of what was written that names an error. */
function lastError(said: string): string {
  const line = said.split("\n").findLast((each) => /error|exception|panic/i.test(each) && !/^\s+at /.test(each));
  return line === undefined ? "" : `: ${line.trim()}`;
}

/** Moves the venue's clock ahead; gives what it is ahead of the machine by then. */
async function jump(
  { url, adminUrl }: { readonly url: string; readonly adminUrl: string },
  token: string,
): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ advance_ms: JUMP_MS });
  await fetch(`${adminUrl}/admin/clock`, { method: "POST", headers, body });
  const askedMs = Date.now();
  const { data } = (await (await fetch(`${url}/v2/time`)).json()) as { data: { timestamp: number } };
  return data.timestamp - (askedMs + Date.now()) / 2;
}
