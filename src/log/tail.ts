import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync } from "node:fs";
import { readUint32 } from "./chain.ts";
import { LogDamaged } from "./errors.ts";
import { openPlainFile } from "./plain-file.ts";

// The layout of a write-ahead log. Source: sqlite.org/fileformat2.html, section 4.
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC_LITTLE_ENDIAN = 0x377f0682;
const MAGIC_BIG_ENDIAN = 0x377f0683;
const VERSION = 3_007_000;

/** Frames are read in runs of about this many bytes. */
const READ_BYTES = 1024 * 1024;

/** The findings in the bytes of a write-ahead log before SQLite opens it. Offsets and lengths are in bytes. */
export interface WalInspection {
  /**
   * `clean`: nothing but whole transactions, and perhaps leftovers of earlier generations behind them.
   * `torn`: what follows the last whole transaction was being written when the process or the machine stopped.
   * `doubtful`: as torn, but later frames of the same transaction are there. A power cut writes pages in any order and
   *   leaves this; so does damage to the last transaction. Whether that one was acknowledged decides.
   * `damaged`: a broken frame lies before a later transaction. The writer syncs each before it starts the next, so no
   *   stop of any kind leaves this.
   */
  readonly state: "clean" | "torn" | "doubtful" | "damaged";
  /** End of the last whole transaction: what SQLite will use. 0 when there is none. */
  readonly soundBytes: number;
  /** Bytes of the torn tail, leftovers of earlier generations not counted. */
  readonly tornBytes: number;
  /** Where the first broken byte run begins, for every state but clean. */
  readonly brokenOffset: number;
  /** The fault there, for every state but clean. */
  readonly what: string;
}

const CLEAN_EMPTY: WalInspection = { state: "clean", soundBytes: 0, tornBytes: 0, brokenOffset: 0, what: "" };

interface WalHeader {
  readonly pageBytes: number;
  /** Counts the generations: it grows by one each time the file is begun anew. */
  readonly generation: number;
  readonly salt1: number;
  readonly salt2: number;
  readonly bigEndian: boolean;
  readonly sums: Sums;
}

interface Sums {
  readonly a: number;
  readonly b: number;
}

/** Inspects the write-ahead log at `path`. A missing or empty file is clean. Changes nothing. */
export function inspectWal(path: string): WalInspection {
  if (!existsSync(path)) return CLEAN_EMPTY;
  const descriptor = openPlainFile(path);
  if (typeof descriptor === "string") throw new LogDamaged(`it is ${descriptor}, and no file`, { file: path });
  try {
    return inspectOpenWal(descriptor, fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}

/** Cuts everything behind the last whole transaction and syncs the file. */
export function cutTail(path: string, inspection: WalInspection): void {
  const descriptor = openSync(path, "r+");
  try {
    ftruncateSync(descriptor, inspection.soundBytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function inspectOpenWal(descriptor: number, size: number): WalInspection {
  if (size === 0) return CLEAN_EMPTY;
  const headerBytes = new Uint8Array(HEADER_BYTES);
  const headerLength = readSync(descriptor, headerBytes, 0, HEADER_BYTES, 0);
  const header = headerLength === HEADER_BYTES ? parseHeader(headerBytes) : undefined;
  if (header === undefined) {
    // The header is written and synced before the first frame, so a broken one with frames behind it was whole once.
    const state = size <= HEADER_BYTES ? "torn" : "damaged";
    return { state, soundBytes: 0, tornBytes: size, brokenOffset: 0, what: "the write-ahead log's header is broken" };
  }
  return walkFrames(descriptor, size, header);
}

function parseHeader(bytes: Uint8Array): WalHeader | undefined {
  const magic = readUint32(bytes, 0);
  if (magic !== MAGIC_LITTLE_ENDIAN && magic !== MAGIC_BIG_ENDIAN) return undefined;
  const bigEndian = magic === MAGIC_BIG_ENDIAN;
  const sums = addToSums({ a: 0, b: 0 }, bytes, 0, 24, bigEndian);
  if (sums.a !== readUint32(bytes, 24) || sums.b !== readUint32(bytes, 28)) return undefined;
  const pageBytes = readUint32(bytes, 8);
  if (readUint32(bytes, 4) !== VERSION || pageBytes < 512 || pageBytes > 65_536) return undefined;
  const generation = readUint32(bytes, 12);
  return { pageBytes, generation, salt1: readUint32(bytes, 16), salt2: readUint32(bytes, 20), bigEndian, sums };
}

/**
 * Follows the cumulative checksums from frame to frame. From the first frame that does not continue them, nothing
 * counts for SQLite; what lies there tells whether that end is natural.
 */
function walkFrames(descriptor: number, size: number, header: WalHeader): WalInspection {
  const frameBytes = FRAME_HEADER_BYTES + header.pageBytes;
  const walk = new FrameWalk(header);
  const framesPerRead = Math.max(1, Math.floor(READ_BYTES / frameBytes));
  const buffer = new Uint8Array(framesPerRead * frameBytes);
  for (let start = HEADER_BYTES; start < size; start += buffer.length) {
    const length = readSync(descriptor, buffer, 0, Math.min(buffer.length, size - start), start);
    for (let at = 0; at < length; at += frameBytes) {
      walk.visit(buffer.subarray(at, Math.min(at + frameBytes, length)), start + at, frameBytes);
    }
  }
  return walk.conclude();
}

class FrameWalk {
  readonly #header: WalHeader;
  #sums: Sums;
  #soundEnd = 0;
  #brokenOffset = -1;
  #tornEnd = 0;
  /** A commit mark of this generation was met at or behind the broken frame. */
  #commitBehindBreak = false;
  #currentBehindBreak = false;
  #damaged = false;

  constructor(header: WalHeader) {
    this.#header = header;
    this.#sums = header.sums;
  }

  visit(frame: Uint8Array, offset: number, frameBytes: number): void {
    const end = offset + frame.length;
    const whole = frame.length === frameBytes;
    const current = frame.length >= FRAME_HEADER_BYTES && this.#isCurrent(frame);
    if (this.#brokenOffset < 0 && whole && current && this.#continuesSums(frame)) {
      if (isCommit(frame)) this.#soundEnd = end;
      else this.#tornEnd = end;
      return;
    }
    const leftover = !current && whole && this.#isLeftover(frame);
    if (this.#brokenOffset < 0) {
      this.#brokenOffset = offset;
    } else if (current) {
      this.#currentBehindBreak = true;
      if (this.#commitBehindBreak) this.#damaged = true;
    }
    if (current && isCommit(frame)) this.#commitBehindBreak = true;
    if (!leftover) this.#tornEnd = end;
  }

  conclude(): WalInspection {
    const soundBytes = this.#soundEnd;
    const transactionStart = soundBytes === 0 ? HEADER_BYTES : soundBytes;
    const tornBytes = Math.max(0, this.#tornEnd - transactionStart);
    const broken = { soundBytes, tornBytes, brokenOffset: this.#brokenOffset };
    if (this.#damaged) return { state: "damaged", ...broken, what: "a broken frame lies before later transactions" };
    if (this.#currentBehindBreak) {
      return { state: "doubtful", ...broken, what: "a broken frame lies inside the last transaction" };
    }
    if (tornBytes === 0) return { ...CLEAN_EMPTY, soundBytes };
    const what = "the last transaction is incomplete";
    return { state: "torn", soundBytes, tornBytes, brokenOffset: transactionStart, what };
  }

  #isCurrent(frame: Uint8Array): boolean {
    return readUint32(frame, 8) === this.#header.salt1 && readUint32(frame, 12) === this.#header.salt2;
  }

  #continuesSums(frame: Uint8Array): boolean {
    const { bigEndian } = this.#header;
    const head = addToSums(this.#sums, frame, 0, 8, bigEndian);
    const sums = addToSums(head, frame, FRAME_HEADER_BYTES, frame.length, bigEndian);
    if (sums.a !== readUint32(frame, 16) || sums.b !== readUint32(frame, 20)) return false;
    this.#sums = sums;
    return true;
  }

  /**
   * Each generation adds one to the first salt, so an earlier generation's frame is known by a slightly smaller one.
   */
  #isLeftover(frame: Uint8Array): boolean {
    const age = (this.#header.salt1 - readUint32(frame, 8)) >>> 0;
    return age >= 1 && age <= this.#header.generation;
  }
}

/** The last frame of a transaction carries the size of the database after it; the others carry zero. */
function isCommit(frame: Uint8Array): boolean {
  return readUint32(frame, 4) !== 0;
}

/** The checksum of a write-ahead log: pairs of 32-bit words, each added crosswise, modulo 2^32. */
function addToSums(sums: Sums, bytes: Uint8Array, start: number, end: number, bigEndian: boolean): Sums {
  let { a, b } = sums;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = start; at < end; at += 8) {
    a = (a + view.getUint32(at, !bigEndian) + b) | 0;
    b = (b + view.getUint32(at + 4, !bigEndian) + a) | 0;
  }
  return { a: a >>> 0, b: b >>> 0 };
}
