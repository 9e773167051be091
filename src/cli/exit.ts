import { printable } from "../gateway/request/clean-text.ts";
import { HistoryFault } from "../history/fault.ts";
import { LogFault } from "../log/errors.ts";
import { failureCodeOf, sqliteCodeOf } from "../log/sqlite-error.ts";

/** How a call of the command line ends; docs/reference/admin.md lists the codes. */
export const EXIT = {
  ok: 0,
  /** The venue refused, cannot be reached, or failed. */
  failed: 1,
  /** The command line or the settings are wrong. */
  usage: 2,
  /**
   * A person has to act before the next start: the log or what was computed from it is not what it must be, or the disk
   * has no room.
   */
  damaged: 3,
} as const;

/** Ends the call with a sentence on standard error and an exit code. */
export class CliError extends Error {
  readonly exitCode: number;
  /** The venue's own code, when it was the venue that refused. */
  readonly code: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number; readonly code?: number } = {}) {
    const { exitCode = EXIT.failed, code, ...rest } = options;
    super(message, rest);
    this.exitCode = exitCode;
    this.code = code;
  }
}

/** How a call ends that did not go well. */
export interface End {
  readonly sentence: string;
  readonly exitCode: number;
  readonly code?: number | undefined;
}

/**
 * Returns the text for standard error: a line for people, or for programs a JSON object. Standard output holds answers
 * only.
 */
export function complaintText({ sentence, exitCode, code }: End, asJson: boolean): string {
  // It may quote what another server or a file said. The stack of what nobody expected has lines of its own.
  if (!asJson) return `bourse: ${sentence.split("\n").map(printable).join("\n")}\n`;
  // The code has a field of its own there.
  const message = sentence.replace(`Refused with code ${code}: `, "");
  return `${JSON.stringify({ ...(code === undefined ? {} : { code }), message, exit_code: exitCode })}\n`;
}

/** Codes of the errors that carry a sentence for the operator, with how the call ends for them. */
const EXIT_OF: Readonly<Record<string, number>> = {
  SETTINGS: EXIT.usage,
  FILE_REFUSED: EXIT.usage,
  SCENARIO: EXIT.usage,
  ETCD_UNFIT: EXIT.usage,
  COPY_REFUSED: EXIT.damaged,
  FORGET_REFUSED: EXIT.failed,
  HISTORY_SETTING: EXIT.usage,
  HISTORY_UNREACHABLE: EXIT.failed,
  HISTORY_AHEAD: EXIT.damaged,
  OPERATOR_FILES: EXIT.failed,
  DATA_FOLDER: EXIT.failed,
  DIRECTORY_REFUSED: EXIT.failed,
  DISK_FULL: EXIT.damaged,
  BACKUP: EXIT.failed,
  MARK_NOT_KEPT: EXIT.failed,
  FORK: EXIT.failed,
  BACKUP_UNSOUND: EXIT.damaged,
  SECRET_VAULT: EXIT.failed,
  data_dir_locked: EXIT.failed,
  clock_behind: EXIT.failed,
  clock_ahead: EXIT.failed,
  archive_refused: EXIT.failed,
  log_damaged: EXIT.damaged,
  replay_diverged: EXIT.damaged,
  newer_program: EXIT.damaged,
  rules_missing: EXIT.damaged,
};

/** Returns the sentence about an error, and how the call ends for it. An error that nobody expected is shown whole. */
export function endOf(error: unknown): End {
  if (error instanceof CliError) return { sentence: error.message, exitCode: error.exitCode, code: error.code };
  if (!(error instanceof Error)) return { sentence: String(error), exitCode: EXIT.failed };
  const known = EXIT_OF[(error as { code?: string }).code ?? ""];
  if (known !== undefined) return { sentence: error.message, exitCode: known };
  // What their codes are is the disk's business; their sentences are for the operator.
  if (error instanceof LogFault || error instanceof HistoryFault) {
    return { sentence: error.message, exitCode: EXIT.failed };
  }
  const system = systemSentence(error);
  if (system !== undefined) return { sentence: system, exitCode: EXIT.failed };
  return { sentence: error.stack ?? error.message, exitCode: EXIT.failed };
}

/** Returns a sentence for an error that the machine often refuses with; undefined for all others. */
function systemSentence(
  error: NodeJS.ErrnoException & { address?: string; port?: number; setting?: string },
): string | undefined {
  // A full or read-only disk shows first where the directory is locked and its files are opened.
  if (sqliteCodeOf(error) !== undefined) {
    return `A file of the data directory cannot be used (${failureCodeOf(error)}: ${error.message}).`;
  }
  const { code, address, port, path, setting = "port" } = error;
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${address} is in use; choose another one with --${setting}, or 0 for any that is free.`;
    case "EADDRNOTAVAIL":
      return (
        `This machine has no address ${address} to listen on; name one that it has with ` +
        `--${setting.replace("port", "host")}.`
      );
    case "ENOTFOUND":
      return (
        "The host to listen on is not known; name an address of this machine with " +
        `--${setting.replace("port", "host")}.`
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
      if (path !== undefined)
        return `This user may not use ${path}: give it to the user who runs bourse, or name another place.`;
      // What is written has no path in its error.
      return port === undefined
        ? `A file cannot be written (${error.message}): let this user write there, or name another place.`
        : `This user may not listen on port ${port} of ${address}; choose one from 1024 on with --${setting}.`;
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full: make room, and try again.";
    case "EIO":
      return `The disk failed (${error.message}). Look at what the system's log says of it.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${path} is no directory: move it away, or name another place.`;
    default:
      return undefined;
  }
}
