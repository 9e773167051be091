/** Names of the SQLite result codes that a log can meet. Source: sqlite.org/rescode.html. */
const RESULT_NAMES: ReadonlyMap<number, string> = new Map([
  [1, "SQLITE_ERROR"],
  [5, "SQLITE_BUSY"],
  [7, "SQLITE_NOMEM"],
  [8, "SQLITE_READONLY"],
  [10, "SQLITE_IOERR"],
  [11, "SQLITE_CORRUPT"],
  [13, "SQLITE_FULL"],
  [14, "SQLITE_CANTOPEN"],
  [19, "SQLITE_CONSTRAINT"],
  [26, "SQLITE_NOTADB"],
  [266, "SQLITE_IOERR_READ"],
  [522, "SQLITE_IOERR_SHORT_READ"],
  [778, "SQLITE_IOERR_WRITE"],
  [1034, "SQLITE_IOERR_FSYNC"],
  [1555, "SQLITE_CONSTRAINT_PRIMARYKEY"],
]);

export const SQLITE_BUSY = 5;
export const SQLITE_IOERR_FSYNC = 1034;

/** The numeric result code of an error thrown by node:sqlite; undefined for any other error. */
export function sqliteCodeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code : undefined;
}

/** The name of what failed: the SQLite result, or the code of a system error such as ENOSPC. */
export function failureCodeOf(error: unknown): string {
  const sqliteCode = sqliteCodeOf(error);
  if (sqliteCode !== undefined) {
    return RESULT_NAMES.get(sqliteCode) ?? RESULT_NAMES.get(sqliteCode & 0xff) ?? `SQLITE_${sqliteCode}`;
  }
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "UNKNOWN";
}

/**
 * True when SQLite says that the file's content is wrong, and not that the disk, the locks or the memory failed.
 * SQLITE_ERROR counts: the statements of the log are fixed, so only a damaged schema makes them fail to compile.
 * ERR_OUT_OF_RANGE is node's refusal of an integer beyond 2^53, which the log never writes.
 */
export function isContentError(error: unknown): boolean {
  const sqliteCode = sqliteCodeOf(error);
  if (sqliteCode === undefined) return (error as { code?: unknown } | null)?.code === "ERR_OUT_OF_RANGE";
  const primary = sqliteCode & 0xff;
  return primary === 1 || primary === 11 || primary === 26 || sqliteCode === 522;
}
