import { createHash, hash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { NewerProgram } from "../engine/newer.ts";
import { RULES_VERSION } from "../engine/rules-version.ts";
import { FORM_9 } from "../engine/snapshot/form-9.ts";
import { readUint32, readUint64, sameBytes, writeUint32, writeUint64 } from "./chain.ts";
import { syncDirectory } from "./directory.ts";
import { openPlainFile } from "./plain-file.ts";

/**
 * A snapshot file: a header of 72 bytes, 8 bytes of length per chunk, the header's SHA-256, then the chunks. Header
 * fields, big-endian: magic (8), version (4), number of chunks (4), seq (8), time (8), state hash (32), form of the
 * state (4), version of the rules (4). The state hash is the SHA-256 over the chunks.
 *
 * The version's upper half counts layouts of the file. In the first the last two fields were missing, and the lower
 * half was the form; its rules are of version 1.
 */
const MAGIC = Buffer.from("BOURSNAP");
const LAYOUT = 2;
/** Layouts count up: one that is further ahead than this is damage and no newer program's. */
const LAYOUTS_AHEAD = 32;
const VERSION_AT = 8;
const CHUNK_COUNT_AT = 12;
const SEQ_AT = 16;
const TIME_AT = 24;
const STATE_HASH_AT = 32;
const FORM_AT = 64;
const RULES_AT = 68;
const LENGTHS_AT = 72;
const HASH_BYTES = 32;

/** The first layout: where its lengths begin, and the only form in it that can still be read. */
const FIRST_LENGTHS_AT = 64;
const FIRST_RULES = 1;

/** Bytes read or written at a time: small enough to be hashed while still in the processor's cache. */
const PIECE_BYTES = 256 * 1024;

/**
 * A snapshot is synced each time this much of it was written. A single sync at the end would make the log's own syncs
 * wait until all of it is on the disk (measured: 30 to 60 ms for 120 MB).
 */
const SYNC_EVERY_BYTES = 2 * 1024 * 1024;

/** Bounds the header that a reader takes before its checksum is known to be right. */
const CHUNKS_MAX = 65_536;

const SNAPSHOTS_KEPT = 2;
const FILE_NAME = /^snapshot-(\d{16})\.bourse$/;
const UNFINISHED_SUFFIX = ".unfinished";

const REMOVED = "it was removed meanwhile";
/** Why a snapshot is passed over after an upgrade; nothing is wrong with it. */
export const OLDER_FORM = "it was written by an older program, in a form that this one no longer reads";

/** The description of a snapshot in its header. `stateHash` is SHA-256 over the chunks, as 64 hexadecimal digits. */
export interface SnapshotMeta {
  /** Sequence number of the last command that the state contains. */
  readonly seq: number;
  readonly timeMs: number;
  readonly stateHash: string;
  /** Hashes of one form can be compared, of two forms they cannot; see SNAPSHOT_FORM of the engine. */
  readonly form: number;
  /** The rules that held. */
  readonly rulesVersion: number;
}

/** The data that a snapshot is written from; its hash follows. */
export type SnapshotContent = Omit<SnapshotMeta, "stateHash"> & { readonly chunks: readonly Uint8Array[] };

/** A snapshot file whose header is sound; the body is not read yet. */
export interface SnapshotHead extends SnapshotMeta {
  readonly file: string;
}

/** A whole snapshot. Each chunk begins its own buffer, so that typed arrays can be laid over it. */
export interface Snapshot extends SnapshotHead {
  readonly chunks: readonly Uint8Array[];
}

/** A snapshot file that was passed over, and why, as a clause. */
export interface UnsoundSnapshot {
  readonly file: string;
  readonly reason: string;
}

/**
 * Writes a snapshot beside the older ones and returns its head: written under another name, synced, renamed, the
 * directory synced. Then only the newest two are kept. Whatever stops it midway leaves the older ones untouched.
 */
export function writeSnapshot(dir: string, snapshot: SnapshotContent): SnapshotHead {
  const head = writeFile(dir, snapshotName("snapshot", snapshot.seq), snapshot);
  removeOldSnapshots(dir);
  return head;
}

/** Writes the snapshot that a log begins with whose older commands are in an archive. It stays, however many follow. */
export function writeBaseSnapshot(dir: string, snapshot: SnapshotContent): SnapshotHead {
  return writeFile(dir, snapshotName("snapshot-base", snapshot.seq), snapshot);
}

/** The snapshot that a log begins with whose commands up to `seq` are in an archive; undefined when it is not there. */
export function baseSnapshot(dir: string, seq: number): SnapshotHead | undefined {
  const file = join(dir, snapshotName("snapshot-base", seq));
  const header = withFile(file, (descriptor, size) => readHeader(descriptor, size, file));
  return typeof header === "string" ? undefined : { file, ...header.meta };
}

/** Removes the snapshots that an earlier archive left the log to begin with. */
export function removeBasesBefore(dir: string, seq: number): void {
  for (const name of readdirSync(dir)) {
    if (/^snapshot-base-\d{16}\.bourse$/.test(name) && name < snapshotName("snapshot-base", seq))
      rmSync(join(dir, name));
  }
}

/**
 * Removes the snapshots of states behind `seq`: a log that ends before them would be taken for one that lost its end.
 */
export function removeSnapshotsAfter(dir: string, seq: number): void {
  for (const file of snapshotFiles(dir)) if (basename(file) > snapshotName("snapshot", seq)) rmSync(file);
  syncDirectory(dir);
}

/** Puts a sound snapshot from another folder among those of `dir`. */
export function keepSnapshot(dir: string, file: string): void {
  const kept = join(dir, basename(file));
  if (existsSync(kept)) return;
  const unfinished = kept + UNFINISHED_SUFFIX;
  copyFileSync(file, unfinished);
  renameSync(unfinished, kept);
}

export function snapshotName(kind: "snapshot" | "snapshot-base", seq: number): string {
  return `${kind}-${String(seq).padStart(16, "0")}.bourse`;
}

function writeFile(dir: string, name: string, snapshot: SnapshotContent): SnapshotHead {
  const file = join(dir, name);
  const unfinished = file + UNFINISHED_SUFFIX;
  const stateHash = hashChunks(snapshot.chunks);
  const descriptor = openSync(unfinished, "w", 0o600);
  try {
    let unsyncedBytes = 0;
    for (const piece of piecesOf(encodeHeader(snapshot, stateHash), ...snapshot.chunks)) {
      for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at, piece.length - at);
      unsyncedBytes += piece.length;
      if (unsyncedBytes < SYNC_EVERY_BYTES) continue;
      fdatasyncSync(descriptor);
      unsyncedBytes = 0;
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
  syncDirectory(dir);
  const { seq, timeMs, form, rulesVersion } = snapshot;
  return { file, seq, timeMs, stateHash: stateHash.toString("hex"), form, rulesVersion };
}

/**
 * All snapshots of `dir`, newest first: the heads of those whose header is sound, and the others. Throws NewerProgram
 * when a newer program wrote one.
 */
export function listSnapshots(dir: string): { heads: SnapshotHead[]; unsound: UnsoundSnapshot[] } {
  const heads: SnapshotHead[] = [];
  const unsound: UnsoundSnapshot[] = [];
  for (const file of snapshotFiles(dir)) {
    const header = withFile(file, (descriptor, size) => readHeader(descriptor, size, file));
    if (header === REMOVED) continue;
    if (typeof header === "string") unsound.push({ file, reason: header });
    else heads.push({ file, ...header.meta });
  }
  return { heads, unsound };
}

/** Reads a snapshot and verifies it against its own hash. Returns the reason, as a clause, when it is unsound. */
export function readSnapshot(file: string): Snapshot | string {
  return withFile(file, (descriptor, size) => {
    const header = readHeader(descriptor, size, file);
    if (typeof header === "string") return header;
    const chunks = readChunks(descriptor, header);
    if (typeof chunks === "string") return chunks;
    return { file, ...header.meta, chunks };
  });
}

interface Header {
  readonly meta: SnapshotMeta;
  readonly chunkLengths: readonly number[];
  readonly bodyOffset: number;
}

function encodeHeader(snapshot: SnapshotContent, stateHash: Buffer): Uint8Array {
  const checksumAt = LENGTHS_AT + snapshot.chunks.length * 8;
  const bytes = new Uint8Array(checksumAt + HASH_BYTES);
  bytes.set(MAGIC, 0);
  writeUint32(bytes, VERSION_AT, LAYOUT << 16);
  writeUint32(bytes, CHUNK_COUNT_AT, snapshot.chunks.length);
  writeUint64(bytes, SEQ_AT, snapshot.seq);
  writeUint64(bytes, TIME_AT, snapshot.timeMs);
  bytes.set(stateHash, STATE_HASH_AT);
  writeUint32(bytes, FORM_AT, snapshot.form);
  writeUint32(bytes, RULES_AT, snapshot.rulesVersion);
  snapshot.chunks.forEach((chunk, at) => {
    writeUint64(bytes, LENGTHS_AT + at * 8, chunk.length);
  });
  bytes.set(hash("sha256", bytes.subarray(0, checksumAt), "buffer"), checksumAt);
  return bytes;
}

/** Reads and checks the header, and that the file has the length it promises. */
function readHeader(descriptor: number, size: number, file: string): Header | string {
  const fixed = new Uint8Array(FIRST_LENGTHS_AT);
  if (readSync(descriptor, fixed, 0, fixed.length, 0) < fixed.length) return "it is shorter than its header";
  if (!sameBytes(fixed.subarray(0, MAGIC.length), MAGIC)) return "it does not begin as a snapshot does";
  const version = readUint32(fixed, VERSION_AT);
  const layout = version >>> 16;
  const formOfFirst = version & 0xffff;
  if (layout > LAYOUT && layout <= LAYOUT + LAYOUTS_AHEAD) {
    throw new NewerProgram(`The snapshot ${file}`, { of: "layout", found: layout, known: LAYOUT });
  }
  if (layout === 1 && formOfFirst !== FORM_9) return OLDER_FORM;
  if (layout < 1 || layout > LAYOUT || (layout === LAYOUT && formOfFirst !== 0)) return "its header is damaged";
  const chunkCount = readUint32(fixed, CHUNK_COUNT_AT);
  if (chunkCount > CHUNKS_MAX) return "its header is damaged";
  const lengthsAt = layout === 1 ? FIRST_LENGTHS_AT : LENGTHS_AT;
  const checksumAt = lengthsAt + chunkCount * 8;
  const bytes = Buffer.alloc(checksumAt + HASH_BYTES);
  if (readSync(descriptor, bytes, 0, bytes.length, 0) < bytes.length) return "it is shorter than its header";
  if (!sameBytes(hash("sha256", bytes.subarray(0, checksumAt), "buffer"), bytes.subarray(checksumAt))) {
    return "its header is damaged";
  }
  const chunkLengths = Array.from({ length: chunkCount }, (_, at) => readUint64(bytes, lengthsAt + at * 8));
  const bodyBytes = chunkLengths.reduce((sum, length) => sum + length, 0);
  if (size !== bytes.length + bodyBytes) return "its length is not the one that its header promises";
  const rulesVersion = layout === 1 ? FIRST_RULES : readUint32(bytes, RULES_AT);
  if (rulesVersion > RULES_VERSION) {
    const versions = { of: "rules version", found: rulesVersion, known: RULES_VERSION };
    throw new NewerProgram(`The snapshot ${file}`, versions);
  }
  const meta = {
    seq: readUint64(bytes, SEQ_AT),
    timeMs: readUint64(bytes, TIME_AT),
    stateHash: bytes.subarray(STATE_HASH_AT, STATE_HASH_AT + HASH_BYTES).toString("hex"),
    form: layout === 1 ? formOfFirst : readUint32(bytes, FORM_AT),
    rulesVersion,
  };
  return { meta, chunkLengths, bodyOffset: bytes.length };
}

/** Reads the chunks piece by piece, hashing each piece as it comes. */
function readChunks(descriptor: number, header: Header): Uint8Array[] | string {
  const hasher = createHash("sha256");
  const chunks: Uint8Array[] = [];
  let position = header.bodyOffset;
  for (const length of header.chunkLengths) {
    const chunk = new Uint8Array(length);
    for (const piece of piecesOf(chunk)) {
      if (readSync(descriptor, piece, 0, piece.length, position) < piece.length) return "it ended while it was read";
      hasher.update(piece);
      position += piece.length;
    }
    chunks.push(chunk);
  }
  return hasher.digest("hex") === header.meta.stateHash ? chunks : "its content does not have the hash that it states";
}

function hashChunks(chunks: readonly Uint8Array[]): Buffer {
  const hasher = createHash("sha256");
  for (const piece of piecesOf(...chunks)) hasher.update(piece);
  return hasher.digest();
}

function* piecesOf(...chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/**
 * Reads a file, which a venue at work may have removed since it was listed. Gives the reason, as a clause, where it is
 * no file.
 */
function withFile<T>(file: string, use: (descriptor: number, size: number) => T): T | string {
  let descriptor: number | string;
  try {
    descriptor = openPlainFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return REMOVED;
    throw error;
  }
  if (typeof descriptor === "string") return `it is ${descriptor}, and no file`;
  try {
    return use(descriptor, fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}

/** Paths of the finished snapshot files, newest first; the names sort as their sequence numbers do. */
function snapshotFiles(dir: string): string[] {
  const names = readdirSync(dir).filter((name) => FILE_NAME.test(name));
  return names
    .sort()
    .reverse()
    .map((name) => join(dir, name));
}

/** Gives an unsound snapshot another name: it no longer counts as one, and a person can still look at it. */
export function setSnapshotAside(file: string): void {
  renameSync(file, `${file}.unsound`);
}

/** Keeps the newest two files and removes what interrupted writes left behind. */
function removeOldSnapshots(dir: string): void {
  for (const file of snapshotFiles(dir).slice(SNAPSHOTS_KEPT)) rmSync(file);
  for (const name of readdirSync(dir)) {
    if (name.startsWith("snapshot-") && name.endsWith(UNFINISHED_SUFFIX)) rmSync(join(dir, name));
  }
}
