import { EVENT, POSTING_WORDS } from "../event.ts";
import { int64 } from "../money/int64.ts";
import { growF64, growI32, growI64, nextCapacity } from "../store/columns.ts";
import { SlotIndex } from "../store/slot-index.ts";
import type { WordBuffer } from "../words.ts";
import { CELL, cellKey, VENUE } from "./cell.ts";

/** Positions of POSTING_KINDS. */
export const POSTING = { freeze: 0, release: 1, trade: 2, fee: 3, deposit: 4, adjust: 5 } as const;

const FROZEN_BIT = 1 << 7;

/**
 * Every unit of every asset, in cells whose sum per asset is 0: what users and the venue hold, and the outside world as
 * the negative of all of it. A cell is never removed, so its slot is its identity. `parts[2 * cell]` is available,
 * `parts[2 * cell + 1]` frozen; a change is always a posting, which goes out as an event.
 */
export class Ledger {
  count = 0;
  parts = new BigInt64Array(0);
  key = new Float64Array(0);
  userId = new Int32Array(0);
  assetId = new Int32Array(0);
  /** Cell kind in the low 7 bits, market above bit 16: ready to be joined to a posting's bits. */
  marks = new Int32Array(0);
  private readonly index = new SlotIndex();

  /** The spot cell of a user, made on first use. */
  spotCell(userId: number, assetId: number): number {
    return this.cell(CELL.spot, userId, assetId, assetId, 0);
  }

  /** A cell of the venue itself. */
  venueCell(kind: number, assetId: number): number {
    return this.cell(kind, VENUE, assetId, assetId, 0);
  }

  /** The cell, made on first use. `place` tells cells of one kind and owner apart. */
  cell(kind: number, userId: number, place: number, assetId: number, marketId: number): number {
    const found = this.index.find(this.key, cellKey(kind, userId, place));
    return found >= 0 ? found : this.add(cellKey(kind, userId, place), userId, assetId, kind | (marketId << 16));
  }

  /** The spot cell of a user, or -1 when the user never held the asset. */
  findSpotCell(userId: number, assetId: number): number {
    return this.index.find(this.key, cellKey(CELL.spot, userId, assetId));
  }

  /** What the venue holds of an asset for everybody together: the negative of the outside world's cell. */
  custody(assetId: number): bigint {
    const outside = this.index.find(this.key, cellKey(CELL.outside, VENUE, assetId));
    return outside < 0 ? 0n : -this.available(outside);
  }

  /** Adds a row; only `cell` and a restored snapshot make new ones. */
  add(key: number, userId: number, assetId: number, marks: number): number {
    if (this.count === this.key.length) this.grow(nextCapacity(this.count));
    const cell = this.count++;
    this.key[cell] = key;
    this.userId[cell] = userId;
    this.assetId[cell] = assetId;
    this.marks[cell] = marks;
    this.index.insert(this.key, cell);
    return cell;
  }

  available(cell: number): bigint {
    return this.parts[cell * 2] as bigint;
  }

  frozen(cell: number): bigint {
    return this.parts[cell * 2 + 1] as bigint;
  }

  /** Posts `delta` to one part (0 available, 1 frozen) of a cell and writes the journal line. */
  post(events: WordBuffer, cell: number, part: number, delta: bigint, posting: number, ref: number): void {
    const balance = int64((this.parts[cell * 2 + part] as bigint) + delta);
    this.parts[cell * 2 + part] = balance;
    events.reserve(POSTING_WORDS);
    const at = events.length;
    const { i32, i64 } = events;
    i32[at * 2] = EVENT.posting | (POSTING_WORDS << 8);
    i32[at * 2 + 1] = this.assetId[cell] as number;
    i32[at * 2 + 2] = this.userId[cell] as number;
    i32[at * 2 + 3] = (this.marks[cell] as number) | (part === 1 ? FROZEN_BIT : 0) | (posting << 8);
    i64[at + 2] = delta;
    i64[at + 3] = balance;
    events.f64[at + 4] = ref;
    events.length = at + POSTING_WORDS;
  }

  /** Moves `amount` from available to frozen, or back when negative. */
  freeze(events: WordBuffer, cell: number, amount: bigint, ref: number): void {
    const posting = amount < 0n ? POSTING.release : POSTING.freeze;
    this.post(events, cell, 0, int64(-amount), posting, ref);
    this.post(events, cell, 1, amount, posting, ref);
  }

  get byteLength(): number {
    const { parts, key, userId, assetId, marks, index } = this;
    return (
      parts.byteLength + key.byteLength + userId.byteLength + assetId.byteLength + marks.byteLength + index.byteLength
    );
  }

  private grow(capacity: number): void {
    this.parts = growI64(this.parts, capacity * 2);
    this.key = growF64(this.key, capacity);
    this.userId = growI32(this.userId, capacity);
    this.assetId = growI32(this.assetId, capacity);
    this.marks = growI32(this.marks, capacity);
  }
}
