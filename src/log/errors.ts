/** The place of damage: a row of the log, an offset of a file, or the file as a whole. */
export interface DamagePlace {
  /** Path of the damaged file. */
  readonly file: string;
  /** First sequence number of the damaged group, where a row of the log is meant. */
  readonly firstSeq?: number;
  /** Byte offset inside the file, where it is known. */
  readonly offset?: number;
  /** Last sequence number up to which the log is sound; absent when it could not be read at all. */
  readonly lastSoundSeq?: number;
}

/** Stored data is not what was written. The venue refuses to start on it: a person must look. */
export class LogDamaged extends Error {
  readonly code = "log_damaged";
  readonly place: DamagePlace;
  /** The difference, as a clause without the place. */
  readonly what: string;

  constructor(what: string, options: DamagePlace & ErrorOptions) {
    const { cause, ...place } = options;
    super(describeDamage(place, what), cause === undefined ? undefined : { cause });
    this.name = "LogDamaged";
    this.place = place;
    this.what = what;
  }
}

function describeDamage(place: DamagePlace, what: string): string {
  let where = place.file;
  if (place.firstSeq !== undefined) where += `, group with first seq ${place.firstSeq}`;
  if (place.offset !== undefined) where += `, byte offset ${place.offset}`;
  const sound = place.lastSoundSeq === undefined ? "" : ` The last sound seq is ${place.lastSoundSeq}.`;
  return `The log is damaged at ${where}: ${what}.${sound}`;
}

/** The step of the log writer that failed. */
export type LogStep = "open" | "commit" | "commit_marker" | "checkpoint" | "worker" | "agreement";

/** The disk failed under the log. Nothing of the failed group was acknowledged; the venue stops and never retries. */
export class LogFault extends Error {
  /** Name of the underlying failure, such as SQLITE_FULL, SQLITE_IOERR_FSYNC or ENOSPC. */
  readonly code: string;
  readonly step: LogStep;

  constructor(step: LogStep, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LogFault";
    this.code = code;
    this.step = step;
  }
}

/** Another process holds the data directory. */
export class DataDirLocked extends Error {
  readonly code = "data_dir_locked";

  constructor(dir: string, options: { readonly holderPid: number | undefined } & ErrorOptions) {
    const { holderPid, ...rest } = options;
    const who = holderPid === undefined ? "another process" : `the process with id ${holderPid}`;
    super(`The data directory ${dir} is in use by ${who}. Two venues must never write one log.`, rest);
    this.name = "DataDirLocked";
  }
}

/**
 * The machine computed another state than the one recorded for this seq, in a file or in the log: code and log do not
 * belong together.
 */
export class ReplayDiverged extends Error {
  readonly code = "replay_diverged";
  readonly seq: number;

  constructor(seq: number, where: string, expected: string, actual: string) {
    super(`The state at seq ${seq} has hash ${actual}, but ${where} recorded ${expected}.`);
    this.name = "ReplayDiverged";
    this.seq = seq;
  }
}

/** Commands were made under rules that this program no longer has, and what they came to is not kept in a snapshot. */
export class RulesMissing extends Error {
  readonly code = "rules_missing";

  constructor(seq: number, rulesVersion: number, oldest: number, release: string) {
    super(
      `The commands from seq ${seq} on were made under rules version ${rulesVersion}, and this program has ` +
        `rules from version ${oldest} on. ` +
        `Start bourse ${release} once, which has them, stop it cleanly, and start this program again.`,
    );
    this.name = "RulesMissing";
  }
}
