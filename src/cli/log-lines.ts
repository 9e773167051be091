/** The structured log of a venue on standard error: as JSON for programs, as lines for people. */
import { writeSync } from "node:fs";
import { type Logger, pino } from "pino";
import { printable } from "../gateway/request/clean-text.ts";
import type { LogFormat, LogLevel } from "../venue/settings.ts";

const STDERR = 2;
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;

/** The fields that entries have besides their figures. */
interface Entry {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly percent?: number;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/** Each entry is written at once, so that the last ones before an end are not lost. */
export function logTo(format: LogFormat, level: LogLevel): Logger {
  const destination = pino.destination({ fd: STDERR, sync: true });
  if (format === "json") return pino({ level, base: null }, destination);
  return pino({ level, base: null }, { write: (entry: string) => writeLine(lineOf(entry)) });
}

/**
 * An entry as a line for people: the time of day on this machine, the level where it is more than a note, the sentence,
 * and the figures behind it. Names that strangers claim and words of other servers are among them, which must not
 * command a terminal or look like further entries.
 */
export function lineOf(entry: string): string {
  const { level, time, msg = "", percent, err, ...figures } = JSON.parse(entry) as Entry;
  const clock = new Date(time).toLocaleTimeString("en-GB", CLOCK);
  const label = pino.levels.labels[level] ?? "";
  const told = Object.entries(figures).map(
    ([name, value]) => `${name}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`,
  );
  const progress = percent === undefined ? [] : [`${percent} %`];
  const line = printable([clock, ...(label === "info" ? [] : [label]), msg, ...progress, ...told].join(" ").trimEnd());
  return err?.stack === undefined ? `${line}\n` : `${line}\n${stackText(err.stack, err.message ?? "")}\n`;
}

/** The places of a stack on lines of their own, its message on one. */
function stackText(stack: string, message: string): string {
  return stack
    .replace(message, () => printable(message))
    .split("\n")
    .map(printable)
    .join("\n");
}

/** A venue goes on when nobody reads any more what it prints. */
function writeLine(line: string): void {
  try {
    writeSync(STDERR, line);
  } catch {
    // The reader is gone, or slower than a pipe holds.
  }
}
