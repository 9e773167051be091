/** The latest lines of the process's log. */
import type { LogLevelName, LogLine } from "../../admin/backend.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { oneOf, optional, text } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";

/** Quiet to loud. */
const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"] as const satisfies readonly LogLevelName[];
const TEXT_CHARS_MAX = 128;

const listLines = call({
  method: "GET",
  path: "/admin/log-lines",
  verbs: { "log-line list": "Show what the process wrote to its log lately, secrets hidden." },
  fields: {
    level: optional(oneOf(LEVELS), "this level and louder ones; all unless given"),
    text: optional(text("TEXT", 1, TEXT_CHARS_MAX), "only lines that hold this text, in capitals or not"),
    ...pageFields,
  },
  serve({ log }, { level = "trace", text: wanted = "", ...page }) {
    const least = LEVELS.indexOf(level);
    const found = wanted.toLowerCase();
    const fits = (line: LogLine) =>
      LEVELS.indexOf(line.level) >= least && `${line.message}\n${line.details}`.toLowerCase().includes(found);
    return pageOf("lines", Iterator.from(log.newest()).filter(fits), page, lineRow);
  },
});

function lineRow({ lineId, timeMs, ...line }: LogLine): object {
  return { line_id: lineId, time: timeMs, ...line };
}

export const LOG_CALLS: readonly AdminCall[] = [listLines];
