/** What a place of damage is called: a row of the log, an offset of a file, or the file as a whole. */
export interface DamagePlace {
  /** Path of the damaged file. */
  readonly file: string;
  /** First sequence number of the damaged group, where a row of the log is meant. */
  readonly firstSeq?: number;
  /** Byte offset inside the file, where it is known. */
  readonly offset?: number;
  /** Last sequence number that is known to be sound; 0 when none is. */
  readonly lastSoundSeq: number;
}

/** Stored data is not what was written. The venue refuses to start on it: a person must look. */
export class LogDamaged extends Error {
  readonly code = "log_damaged";
  readonly place: DamagePlace;
  /** What differs, as a clause without the place. */
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
  return `The log is damaged at ${where}: ${what}. The last sound seq is ${place.lastSoundSeq}.`;
}

/** The step of the log writer that failed. */
export type LogStep = "open" | "commit" | "witness" | "checkpoint" | "worker";

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

  constructor(dir: string, holderPid: number | undefined) {
    const who = holderPid === undefined ? "another process" : `the process with id ${holderPid}`;
    super(`The data directory ${dir} is in use by ${who}. Two venues must never write one log.`);
    this.name = "DataDirLocked";
  }
}

/** The machine computed another state than the one recorded for this seq: code and log do not belong together. */
export class ReplayDiverged extends Error {
  readonly code = "replay_diverged";
  readonly seq: number;

  constructor(seq: number, file: string, expected: string, actual: string) {
    super(`The state at seq ${seq} has hash ${actual}, but ${file} recorded ${expected}.`);
    this.name = "ReplayDiverged";
    this.seq = seq;
  }
}
