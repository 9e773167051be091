import { hash } from "node:crypto";

/**
 * One group of commands that became durable together. `payload` holds `count` records that only the engine can read.
 */
export interface LogGroup {
  /** Sequence number of the first command; the commands are numbered firstSeq .. firstSeq + count - 1. */
  readonly firstSeq: number;
  /** Number of commands, at least 1. */
  readonly count: number;
  /** Time stamp of the whole group, ms since 1970. */
  readonly timeMs: number;
  readonly payload: Uint8Array;
}

/** Where a log ends: its last sequence number (0 when empty) and the hash of its last group (the genesis hash then). */
export interface LogEnd {
  readonly lastSeq: number;
  readonly lastHash: Uint8Array;
}

export const HASH_BYTES = 32;

/** Bytes hashed before the payload: previous hash, first seq, count, time. */
export const CHAIN_HEADER_BYTES = HASH_BYTES + 24;

/**
 * Largest payload of one group. A full HTTP batch is about 20 KB; the bound keeps one commit short and one read small.
 */
export const GROUP_BYTES_MAX = 8 * 1024 * 1024;

const SCRATCH_BYTES = 64 * 1024;
let scratch = new Uint8Array(SCRATCH_BYTES);

/** Sequence number of the last command of `group`. */
export function lastSeqOf(group: { readonly firstSeq: number; readonly count: number }): number {
  return group.firstSeq + group.count - 1;
}

/** The hash that stands before the first group: it makes the logs of two venues differ from their first row on. */
export function genesisHash(formatVersion: number, venueId: string): Uint8Array {
  return hash("sha256", `bourse log ${formatVersion} ${venueId}`, "buffer");
}

/** SHA-256 (previous hash | first seq | count | time | payload), integers as 8 bytes big-endian. */
export function chainHash(prevHash: Uint8Array, group: LogGroup): Uint8Array {
  const length = CHAIN_HEADER_BYTES + group.payload.length;
  if (length > scratch.length) scratch = new Uint8Array(length);
  writeChainHeader(scratch, 0, prevHash, group);
  scratch.set(group.payload, CHAIN_HEADER_BYTES);
  return hash("sha256", scratch.subarray(0, length), "buffer");
}

/** Writes the 56 bytes that are hashed before the payload into `target` at `offset`. */
export function writeChainHeader(
  target: Uint8Array,
  offset: number,
  prevHash: Uint8Array,
  group: { readonly firstSeq: number; readonly count: number; readonly timeMs: number },
): void {
  target.set(prevHash, offset);
  writeUint64(target, offset + HASH_BYTES, group.firstSeq);
  writeUint64(target, offset + HASH_BYTES + 8, group.count);
  writeUint64(target, offset + HASH_BYTES + 16, group.timeMs);
}

/** Writes a safe integer, zero or more, as 8 bytes big-endian. */
export function writeUint64(target: Uint8Array, offset: number, value: number): void {
  writeUint32(target, offset, Math.floor(value / 2 ** 32));
  // `>>> 0` in the byte writer takes the value modulo 2^32, which is the low half.
  writeUint32(target, offset + 4, value);
}

/** Reads 8 bytes big-endian. Values beyond 2^53 lose digits; callers compare the result with a safe integer. */
export function readUint64(source: Uint8Array, offset: number): number {
  return readUint32(source, offset) * 2 ** 32 + readUint32(source, offset + 4);
}

export function writeUint32(target: Uint8Array, offset: number, value: number): void {
  const low = value >>> 0;
  target[offset] = low >>> 24;
  target[offset + 1] = low >>> 16;
  target[offset + 2] = low >>> 8;
  target[offset + 3] = low;
}

export function readUint32(source: Uint8Array, offset: number): number {
  return (
    (((source[offset] as number) << 24) |
      ((source[offset + 1] as number) << 16) |
      ((source[offset + 2] as number) << 8) |
      (source[offset + 3] as number)) >>>
    0
  );
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
