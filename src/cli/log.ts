/** `bourse log`: every command of a log in words, also while a venue writes it. */
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { BeginEpoch } from "../engine/command.ts";
import { logPaths } from "../log/data-dir.ts";
import { LogReader } from "../log/reader.ts";
import { DATA_DEFAULT, defaultDataDir, IN_MEMORY } from "../venue/settings.ts";
import { whatText, whoText } from "./command-text.ts";
import { CliError, EXIT } from "./exit.ts";
import { type LoggedCommand, LogView } from "./log-view.ts";

interface LogOptions {
  readonly data?: string;
  readonly from: number;
  readonly to: number;
  readonly follow?: boolean;
  readonly outcomes?: boolean;
  readonly json?: boolean;
}

/** How soon new commands show up. */
const FOLLOW_MS = 200;
/** Text that is handed over at once. */
const CHUNK_CHARS = 65_536;
/** Room for who asked, so that what they asked begins in one column. */
const WHO_CHARS = 18;

export function addLogVerb(program: Command): void {
  const seq = (text: string) => {
    if (!/^[1-9]\d{0,15}$/.test(text)) throw new InvalidArgumentError(`A seq is a whole number from 1, not ${text}.`);
    return Number(text);
  };
  program
    .command("log")
    .summary("show the commands of a log")
    .description(
      "Show every command of a log in words; a venue may be writing it meanwhile. What is shown is verified.",
    )
    .option("--data <DIR>", `the venue's data directory (${DATA_DEFAULT})`)
    .addOption(new Option("--from <SEQ>", "first command").argParser(seq).default(1))
    .addOption(
      new Option("--to <SEQ>", "last command; the end unless given")
        .argParser(seq)
        .default(Number.MAX_SAFE_INTEGER, "the end"),
    )
    .option("--follow", "go on as new commands come in")
    .option("--outcomes", "say what came of every order, too")
    .option("--json", "one JSON object a line, with every field as it is stored")
    .action(showLog);
}

async function showLog(options: LogOptions): Promise<void> {
  const dir = dataDirWithLog(options.data);
  const { from, to, follow, outcomes = false, json } = options;
  const reader = new LogReader(dir);
  try {
    const view = new LogView(reader, dir, { from, to, outcomes });
    const text = json === true ? jsonLine : (logged: LoggedCommand) => line(view, logged);
    for (;;) {
      await writeAll(view.read(), text);
      if (follow !== true || view.isDone) return;
      await pause(FOLLOW_MS);
    }
  } finally {
    reader.close();
  }
}

/** The data directory, when a venue has written a log there. */
export function dataDirWithLog(given: string | undefined): string {
  const dir = given ?? defaultDataDir();
  if (dir === IN_MEMORY) throw new CliError("A venue in memory leaves no log behind.", { exitCode: EXIT.usage });
  if (!existsSync(logPaths(dir).log)) throw new CliError(`There is no venue's log in ${dir}.`);
  return dir;
}

async function writeAll(commands: Iterable<LoggedCommand>, text: (logged: LoggedCommand) => string): Promise<void> {
  let chunk = "";
  try {
    for (const logged of commands) {
      chunk += text(logged);
      if (chunk.length < CHUNK_CHARS) continue;
      await write(chunk);
      chunk = "";
    }
  } finally {
    // What was read before some damage is shown, too.
    if (chunk !== "") await write(chunk);
  }
}

/** Waits for a reader that is slower than the log. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

function line({ state }: LogView, { seq, timeMs, command, outcome }: LoggedCommand): string {
  const time = new Date(timeMs).toISOString();
  const result = outcome === undefined ? "" : `  -> ${outcome}`;
  return (
    `${String(seq).padStart(8)}  ${time}  ${whoText(state, command).padEnd(WHO_CHARS)}  ` +
    `${whatText(state, command)}${result}\n`
  );
}

function jsonLine({ seq, timeMs, command, outcome }: LoggedCommand): string {
  const integers = (_name: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
  const stamp = { seq, time_ms: timeMs, time: new Date(timeMs).toISOString() };
  const rest = command.kind === "begin_epoch" ? epochWords(command) : { command, outcome };
  return `${JSON.stringify({ ...stamp, ...rest }, integers)}\n`;
}

/** Where other rules begin: no action of anybody, so it is no command to a reader. */
function epochWords({ rulesVersion, before, after }: BeginEpoch) {
  return {
    kind: "epoch",
    rules_version: rulesVersion,
    state_hash_before: before.hash,
    state_hash_after: after.hash,
  };
}
