/**
 * How much room the disk of a data directory has. Below one threshold the venue takes only cancels, below a lower one
 * it takes nothing, and it does not start; a reserve that is kept in a file is given up then, so that what is under way
 * can still be written. When there is room again, both end by themselves.
 */
import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
export const MIB = 1024 * 1024;
/** Of the lower threshold: enough for what two groups of commands and a snapshot's head take. */
const RESERVE_SHARE = 0.5;
/** A level is left only when there is a tenth more room than it asks for, so that the venue does not go to and fro. */
const AMPLE = 1.1;
const LOOK_EVERY_MS = 1_000;
const CHUNK_BYTES = MIB;
const RESERVE = "reserve";

export type DiskLevel = "ample" | "low" | "full";

export interface DiskBounds {
  /** Bytes; 0: never. */
  readonly low: number;
  readonly min: number;
}

export interface DiskWatchOptions {
  readonly folder: string;
  readonly bounds: DiskBounds;
  /** Called after every look, and at once when the level changes. */
  onLook(level: DiskLevel, before: DiskLevel): void;
}

/** A start has no room. The message is a sentence for the operator. */
export class DiskFull extends Error {
  readonly code = "DISK_FULL";
}

/** Bytes that this process may still write in a folder. */
export function freeBytesAt(folder: string): number {
  // A data directory that is still to be made lies on the disk of what it is made in.
  if (!existsSync(folder) && dirname(folder) !== folder) return freeBytesAt(dirname(folder));
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Throws DiskFull where a venue would have to stop right after its start. */
export function refuseFullDisk(folder: string, { min }: DiskBounds): void {
  const free = freeBytesAt(folder) + reserveAt(folder);
  if (free >= min) return;
  throw new DiskFull(
    `The disk of ${folder} has ${inMib(free)} MiB free, and a start needs ${inMib(min)} MiB: make room, or move ` +
      "the data directory to a larger disk. The setting disk-min says how much is needed.",
  );
}

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #level: DiskLevel = "ample";
  #free: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#free = freeBytesAt(options.folder);
  }

  get level(): DiskLevel {
    return this.#level;
  }

  /** Bytes at the last look, the reserve aside. */
  get free(): number {
    return this.#free;
  }

  start(): void {
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const { folder, bounds, onLook } = this.#options;
    this.#free = freeBytesAt(folder);
    const before = this.#level;
    // What the reserve holds is room, too: giving it up must not look like room that has come back.
    this.#level = levelOf(this.#free + reserveAt(folder), bounds, before);
    if (this.#level === "full") rmSync(join(folder, RESERVE), { force: true });
    else if (this.#level === "ample") this.#keepReserve();
    onLook(this.#level, before);
  }

  /** A reserve that cannot be written is none; the next look tries again. */
  #keepReserve(): void {
    const { folder, bounds } = this.#options;
    const bytes = Math.floor(bounds.min * RESERVE_SHARE);
    if (bytes === 0 || reserveAt(folder) >= bytes || this.#free - bytes < bounds.low) return;
    const path = join(folder, RESERVE);
    try {
      const file = openSync(path, "w", 0o600);
      try {
        const zeros = Buffer.alloc(CHUNK_BYTES);
        for (let left = bytes; left > 0; left -= CHUNK_BYTES) writeSync(file, zeros, 0, Math.min(left, CHUNK_BYTES));
      } finally {
        closeSync(file);
      }
    } catch {
      rmSync(path, { force: true });
    }
  }
}

function levelOf(free: number, { low, min }: DiskBounds, before: DiskLevel): DiskLevel {
  const isBelow = (bound: number, isIn: boolean) => free < (isIn ? bound * AMPLE : bound);
  if (isBelow(min, before === "full")) return "full";
  return isBelow(low, before !== "ample") ? "low" : "ample";
}

function reserveAt(folder: string): number {
  return statSync(join(folder, RESERVE), { throwIfNoEntry: false })?.size ?? 0;
}

function inMib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
