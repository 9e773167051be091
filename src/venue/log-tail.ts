/** The latest lines of the venue's own log, kept in memory for operators who are not at its machine. */
import type { Logger } from "pino";
import type { AdminLog, LogLevelName, LogLine } from "../gateway/admin/backend.ts";
import { redacted } from "./redaction.ts";

/** A restart and a bad hour fit into as many; at most 8 MiB with lines of the longest kind. */
export const LINES_MAX = 2_000;
/** Characters of a text; a longer one is cut: a stack, or a list of breaches, is in the process's own log. */
export const CHARS_MAX = 2_000;

const LEVELS: readonly LogLevelName[] = ["trace", "debug", "info", "warn", "error", "fatal"];

export class LogTail implements AdminLog {
  readonly #lines: LogLine[] = [];
  #count = 0;

  /** The same logger, of which every line that it writes is kept as well. */
  over(log: Logger): Logger {
    return new Proxy(log, {
      get: (target, name, receiver) => {
        const level = LEVELS.find((each) => each === name);
        const method = Reflect.get(target, name, receiver) as unknown;
        if (level === undefined || typeof method !== "function") return method;
        return (...told: unknown[]) => {
          if (target.isLevelEnabled(level)) this.#keep(level, told);
          method.apply(target, told);
        };
      },
    });
  }

  /** Newest first. */
  *newest(): Iterable<LogLine> {
    for (let at = this.#lines.length - 1; at >= 0; at--) yield this.#lines[at] as LogLine;
  }

  #keep(level: LogLevelName, told: readonly unknown[]): void {
    const [first, second] = told;
    const [details, message] = typeof first === "string" ? [undefined, first] : [first, second];
    this.#lines.push({
      lineId: ++this.#count,
      timeMs: Date.now(),
      level,
      message: cut(redacted(String(message ?? ""))),
      details: details === undefined ? "" : cut(textOf(details)),
    });
    if (this.#lines.length > LINES_MAX) this.#lines.shift();
  }
}

function cut(text: string): string {
  return text.length <= CHARS_MAX ? text : `${text.slice(0, CHARS_MAX - 1)}…`;
}

function textOf(details: unknown): string {
  try {
    return JSON.stringify(details, (name, value: unknown) => {
      if (value instanceof Error) return redacted(`${value.name}: ${value.message}`);
      if (typeof value === "bigint") return String(value);
      return typeof value === "string" ? redacted(value, name) : value;
    });
  } catch {
    return "These details cannot be written as JSON.";
  }
}
