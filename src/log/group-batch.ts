import { hash } from "node:crypto";
import { CHAIN_HEADER_BYTES, HASH_BYTES, type LogEnd, type LogGroup, sameBytes, writeChainHeader } from "./chain.ts";
import { LogDamaged } from "./errors.ts";
import { damageFrom, isHash, type LogFile } from "./log-file.ts";
import { isContentError } from "./sqlite-error.ts";

/**
 * A batch ends with the group that reaches this many payload bytes. Large enough to make the hand-over to another
 * thread cheap.
 */
const BATCH_PAYLOAD_BYTES = 512 * 1024;
const BATCH_GROUPS_MAX = 1024;

/** Groups start at multiples of this many bytes inside a batch. */
const ALIGNMENT_BYTES = 8;

/** Numbers kept per group in `index`: first seq, count, time, offset of the payload in `bytes`, its length. */
type IndexRow = readonly [firstSeq: number, count: number, timeMs: number, payloadAt: number, payloadLength: number];
const INDEX_FIELDS = 5;

/**
 * Verified groups in one block of memory, fit to be transferred between threads: each lies as it is hashed
 * (previous hash, first seq, count, time, payload), so that verifying costs no further copy.
 */
export interface GroupBatch {
  readonly groupCount: number;
  readonly index: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the chain stands after the last group of the batch. */
  readonly end: LogEnd;
}

/** A group as stored, with its place in the hash chain. The bytes are views of the batch it came in. */
export interface StoredGroup extends LogGroup {
  readonly hash: Uint8Array;
}

/** Columns of log_group in the order of the schema. */
type Row = readonly [unknown, unknown, unknown, unknown, unknown, unknown];

/** Reads a log in order, verifying hashes and gaplessness, and holds no transaction open between two batches. */
export class BatchReader {
  readonly #log: LogFile;
  readonly #select;
  #end: LogEnd;
  #lastKey: number;

  /** Starts behind `after`, which is trusted: the genesis, or the end of a group that was read before. */
  constructor(log: LogFile, after: LogEnd) {
    this.#log = log;
    this.#end = after;
    // From the beginning, rows with keys that no log has must come out too.
    this.#lastKey = after.lastSeq === 0 ? Number.MIN_SAFE_INTEGER : after.lastSeq;
    this.#select = damageFrom(this.#place(), () =>
      log.database.prepare("SELECT * FROM log_group WHERE first_seq > ? ORDER BY first_seq"),
    );
    this.#select.setReturnArrays(true);
  }

  /**
   * The next groups; undefined at the end of what is committed by now. Throws LogDamaged when the very next group is
   * unsound, so that all groups before it have been handed out.
   */
  next(): GroupBatch | undefined {
    const rows = damageFrom(this.#place(), () => this.#readRows());
    if (rows.length === 0) return undefined;
    const batch = emptyBatch(rows);
    let offset = 0;
    let groupCount = 0;
    for (const row of rows) {
      const complaint = this.#admit(row, batch, groupCount, offset);
      if (complaint !== undefined) {
        if (groupCount > 0) break;
        throw new LogDamaged(complaint, { ...this.#place(), firstSeq: row.firstSeq });
      }
      offset += packedBytes(row);
      groupCount++;
    }
    return { ...batch, groupCount, end: this.#end };
  }

  #readRows(): GroupRow[] {
    const rows: GroupRow[] = [];
    let payloadBytes = 0;
    try {
      for (const row of this.#select.iterate(this.#lastKey) as unknown as Iterable<Row>) {
        const group = this.#checkTypes(row);
        rows.push(group);
        payloadBytes += group.payload.length;
        if (payloadBytes >= BATCH_PAYLOAD_BYTES || rows.length === BATCH_GROUPS_MAX) break;
      }
    } catch (error) {
      // The rows before the damage are verified first; the next call meets it again and can then name its place.
      const damaged = error instanceof LogDamaged || isContentError(error);
      if (rows.length === 0 || !damaged) throw error;
    }
    return rows;
  }

  #checkTypes([firstSeq, count, timeMs, prevHash, rowHash, payload]: Row): GroupRow {
    const sound = typeof firstSeq === "number" && typeof count === "number" && typeof timeMs === "number";
    if (!sound || !isHash(prevHash) || !isHash(rowHash) || !(payload instanceof Uint8Array)) {
      const place = typeof firstSeq === "number" ? { ...this.#place(), firstSeq } : this.#place();
      throw new LogDamaged("the group's columns are not of the log's types", place);
    }
    return { firstSeq, count, timeMs, prevHash, hash: rowHash, payload };
  }

  /** Writes one row into the batch at `offset` and verifies it there. Returns what is wrong with it, as a clause. */
  #admit(row: GroupRow, batch: PackedRows, at: number, offset: number): string | undefined {
    const expectedSeq = this.#end.lastSeq + 1;
    if (row.firstSeq !== expectedSeq) return `seq ${expectedSeq} should follow; commands are missing`;
    if (row.count < 1) return `its count is ${row.count}`;
    if (!sameBytes(row.prevHash, this.#end.lastHash)) return "its previous hash is not the hash of the group before it";
    const payloadAt = offset + CHAIN_HEADER_BYTES;
    writeChainHeader(batch.bytes, offset, row.prevHash, row);
    batch.bytes.set(row.payload, payloadAt);
    const actual = hash("sha256", batch.bytes.subarray(offset, payloadAt + row.payload.length), "buffer");
    if (!sameBytes(actual, row.hash)) return "its hash is not that of its count, time and payload";
    batch.index.set([row.firstSeq, row.count, row.timeMs, payloadAt, row.payload.length], at * INDEX_FIELDS);
    this.#end = { lastSeq: row.firstSeq + row.count - 1, lastHash: row.hash };
    this.#lastKey = row.firstSeq;
    return undefined;
  }

  #place() {
    return { file: this.#log.path, lastSoundSeq: this.#end.lastSeq };
  }
}

interface GroupRow extends StoredGroup {
  readonly prevHash: Uint8Array;
}

type PackedRows = Pick<GroupBatch, "index" | "bytes">;

/** Room for the given rows. */
function emptyBatch(rows: readonly GroupRow[]): PackedRows {
  const length = rows.reduce((sum, row) => sum + packedBytes(row), 0);
  return { index: new Float64Array(rows.length * INDEX_FIELDS), bytes: new Uint8Array(length) };
}

/** Bytes that a row takes in a batch, up to where the next one starts. */
function packedBytes(row: GroupRow): number {
  return Math.ceil((CHAIN_HEADER_BYTES + row.payload.length) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

/** The groups of a batch in order, as views of its bytes. */
export function* groupsOf(batch: GroupBatch): Generator<StoredGroup> {
  for (let at = 0; at < batch.groupCount; at++) {
    const fields = batch.index.subarray(at * INDEX_FIELDS, (at + 1) * INDEX_FIELDS);
    const [firstSeq, count, timeMs, payloadAt, payloadLength] = fields as unknown as IndexRow;
    const payload = batch.bytes.subarray(payloadAt, payloadAt + payloadLength);
    yield { firstSeq, count, timeMs, payload, hash: hashOfGroup(batch, at) };
  }
}

/** A group's hash stands as the previous hash of the next one; the last group's is the end of the batch. */
function hashOfGroup(batch: GroupBatch, at: number): Uint8Array {
  if (at === batch.groupCount - 1) return batch.end.lastHash;
  const start = (batch.index[(at + 1) * INDEX_FIELDS + 3] as number) - CHAIN_HEADER_BYTES;
  return batch.bytes.subarray(start, start + HASH_BYTES);
}
