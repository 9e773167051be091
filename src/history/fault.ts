/** The step of history that failed. */
export type HistoryStep = "open" | "append" | "query" | "worker";

/**
 * The disk, the file or the worker thread failed under history. Nothing acknowledged is lost: history is a view, and
 * what it lacks is written again from the log at the next start.
 */
export class HistoryFault extends Error {
  /**
   * SQLITE_ and the result code of SQLite (13 full, 11 corrupt: sqlite.org/rescode.html), or a system code such as
   * EACCES.
   */
  readonly code: string;
  readonly step: HistoryStep;

  constructor(step: HistoryStep, code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "HistoryFault";
    this.code = code;
    this.step = step;
  }
}

/** Why a history in a database cannot be used as it is. */
export type HistoryRefusal = "HISTORY_SETTING" | "HISTORY_AHEAD" | "HISTORY_UNREACHABLE";

/** A start cannot use the history's database. The message is a sentence for the operator. */
export class HistoryRefused extends Error {
  readonly code: HistoryRefusal;

  constructor(code: HistoryRefusal, message: string) {
    super(message);
    this.name = "HistoryRefused";
    this.code = code;
  }
}

/** History has too much to do to answer now; the caller may try again later. */
export class HistoryBusy extends Error {
  readonly code = "history_busy";

  constructor(message: string) {
    super(message);
    this.name = "HistoryBusy";
  }
}

const SQLITE_ERROR = 1;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** The `code` of a fault for what was thrown. */
export function faultCodeOf(error: unknown): string {
  const result = sqliteResultOf(error);
  if (result !== undefined) return `SQLITE_${result}`;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "UNKNOWN";
}

/**
 * True when the file's content is wrong, and not the disk, a lock or the memory. SQLITE_ERROR counts: the statements of
 * history are fixed, so only tables that are not ours keep them from running.
 */
export function isContentError(error: unknown): boolean {
  const result = sqliteResultOf(error);
  if (result === undefined) return false;
  const primary = result & 0xff;
  return primary === SQLITE_ERROR || primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB;
}

/** Whether SQLite threw this; else it is a bug, or a question that makes no sense. */
export function isSqliteError(error: unknown): boolean {
  return sqliteResultOf(error) !== undefined;
}

function sqliteResultOf(error: unknown): number | undefined {
  const result = (error as { errcode?: unknown } | null)?.errcode;
  return typeof result === "number" ? result : undefined;
}
