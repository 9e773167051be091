import { hash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { HASH_BYTES, type LogEnd, readUint64, sameBytes, writeUint64 } from "./chain.ts";
import { createPrivateFile, logPaths } from "./data-dir.ts";
import { syncDirectory } from "./directory.ts";
import { LogDamaged } from "./errors.ts";
import { openPlainFile } from "./plain-file.ts";

const MAGIC = Buffer.from("BOURSACK");
const SEQ_AT = 8;
const HASH_AT = 16;
const CHECKSUM_AT = HASH_AT + HASH_BYTES;
const CHECKSUM_BYTES = 16;
const MARKER_BYTES = CHECKSUM_AT + CHECKSUM_BYTES;

/**
 * The commit marker: a small file that is overwritten after a group is durable and before it is reported.
 * It says how far commands may have been acknowledged, and the chain hash there, so that a log which lost its end (an
 * older copy put in its place, a write-ahead log removed) is noticed at the next start.
 *
 * It is not synced: after `kill -9` the system still holds it, and after a power cut it may lag, which only makes the
 * check weaker. It can never run ahead, since the group is on the disk before it is written. 64 bytes at the start of
 * the file lie in one sector, so it is never half written.
 */
export class CommitMarker {
  readonly #descriptor: number;
  readonly #bytes = new Uint8Array(MARKER_BYTES);

  /** Opens the commit marker of `dir`, making it if it is missing. */
  constructor(dir: string) {
    const path = logPaths(dir).commitMarker;
    const isNew = !existsSync(path);
    if (isNew) createPrivateFile(path);
    this.#descriptor = openSync(path, "r+");
    this.#bytes.set(MAGIC, 0);
    if (isNew) syncDirectory(dir);
  }

  /** Records that everything up to `end` may have been acknowledged. */
  write(end: LogEnd): void {
    writeUint64(this.#bytes, SEQ_AT, end.lastSeq);
    this.#bytes.set(end.lastHash, HASH_AT);
    this.#bytes.set(checksumOf(this.#bytes), CHECKSUM_AT);
    const written = writeSync(this.#descriptor, this.#bytes, 0, MARKER_BYTES, 0);
    if (written < MARKER_BYTES) throw new Error(`Only ${written} bytes of the commit marker were written.`);
  }

  sync(): void {
    fsyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Reads the commit marker of `dir`; undefined when there is none. Throws LogDamaged when it is unsound. */
export function readCommitMarker(dir: string): LogEnd | undefined {
  const path = logPaths(dir).commitMarker;
  if (!existsSync(path)) return undefined;
  const bytes = new Uint8Array(MARKER_BYTES);
  const descriptor = openPlainFile(path);
  if (typeof descriptor === "string") throw new LogDamaged(`it is ${descriptor}, and no file`, { file: path });
  const length = readSync(descriptor, bytes, 0, MARKER_BYTES, 0);
  closeSync(descriptor);
  // The process was stopped between making the file and its first write: nothing was acknowledged yet.
  if (length === 0) return undefined;
  const sound = length === MARKER_BYTES && sameBytes(bytes.subarray(CHECKSUM_AT), checksumOf(bytes));
  if (!sound || !sameBytes(bytes.subarray(0, MAGIC.length), MAGIC)) {
    const what = "the commit marker is unsound; remove it only if the log is known to be whole";
    throw new LogDamaged(what, { file: path });
  }
  return { lastSeq: readUint64(bytes, SEQ_AT), lastHash: bytes.slice(HASH_AT, CHECKSUM_AT) };
}

function checksumOf(bytes: Uint8Array): Uint8Array {
  return hash("sha256", bytes.subarray(0, CHECKSUM_AT), "buffer").subarray(0, CHECKSUM_BYTES);
}
