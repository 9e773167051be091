import { DEAL_LEGS, type DealLeg, EVENT, POSTING_FLAG, POSTING_WORDS } from "../event.ts";
import * as money from "../money/int64.ts";
import { SlotIndex } from "../store/slot-index.ts";
import * as tables from "../store/table.ts";
import type { WordBuffer } from "../words.ts";
import { CELL, cellKey, VENUE } from "./cell.ts";
import { POSTING } from "./posting.ts";

/** The posting of a leg of a deal, as `post` takes it. */
export function tradePosting(leg: DealLeg): number {
  return POSTING.trade | (DEAL_LEGS.indexOf(leg) << (POSTING_FLAG.legShift - POSTING_FLAG.kindShift));
}

/**
 * The units that the posting under way adds to the two parts of a cell; see trading/draft.ts for why they stand in
 * memory, and for its length.
 */
const added = new BigInt64Array(16);
const addedHalves = new Int32Array(added.buffer);

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { SLOT } = tables;
const WORDS = POSTING_WORDS;
const HEAD = EVENT.posting | (POSTING_WORDS << 8);

/**
 * Every unit of every asset, in cells whose sum per asset is 0: what users and the venue hold, and the outside world as
 * the negative of all of it. A cell has an available and a frozen part; it is never removed, so its slot is its
 * identity. A change is always a posting, which goes out as an event.
 */
export class Ledger extends tables.Table {
  count = 0;
  private readonly index = new SlotIndex(this);
  /** Fee cells by asset id, looked up once: every deal pays into two of them. */
  private readonly feeCells: number[] = [];
  /** As those, of futures markets by market id: every deal that closes is paid from one. */
  private readonly clearingCells: number[] = [];

  constructor() {
    super(4);
  }

  /** The spot cell of a user, made on first use. */
  spotCell(userId: number, assetId: number): number {
    return this.cell(CELL.spot, userId, assetId, assetId, 0);
  }

  /** A cell of the venue itself. */
  venueCell(kind: number, assetId: number): number {
    return this.cell(kind, VENUE, assetId, assetId, 0);
  }

  /** The units that a cell of the venue holds available; 0 when there is no such cell. For readers, which make none. */
  heldByVenue(kind: number, assetId: number): bigint {
    const cell = this.index.find(cellKey(kind, VENUE, assetId));
    return cell < 0 ? 0n : this.available(cell);
  }

  /** The cell, made on first use. `place` tells cells of one kind and owner apart. */
  cell(kind: number, userId: number, place: number, assetId: number, marketId: number): number {
    const found = this.index.find(cellKey(kind, userId, place));
    if (found >= 0) return found;
    const cell = this.count++;
    this.makeRoom(cell);
    this.i32[(cell & SLOT) * 8 + 4] = userId;
    this.i32[(cell & SLOT) * 8 + 5] = assetId;
    this.i32[(cell & SLOT) * 8 + 6] = kind | (marketId << 16);
    this.i32[(cell & SLOT) * 8 + 7] = place;
    this.index.insert(cell);
    return cell;
  }

  /** The spot cell of a user, or -1 when the user never held the asset. */
  findSpotCell(userId: number, assetId: number): number {
    return this.index.find(cellKey(CELL.spot, userId, assetId));
  }

  /** The cell with this key, or -1. */
  find(key: number): number {
    return this.index.find(key);
  }

  /** The units of an asset that the venue holds for everybody together: the negative of the outside world's cell. */
  custody(assetId: number): bigint {
    const outside = this.index.find(cellKey(CELL.outside, VENUE, assetId));
    return outside < 0 ? 0n : -this.available(outside);
  }

  /** Where the fees of an asset go. */
  feeCell(assetId: number): number {
    const known = this.feeCells[assetId];
    if (known !== undefined) return known;
    const cell = this.venueCell(CELL.fee, assetId);
    this.feeCells[assetId] = cell;
    return cell;
  }

  /** The cell that pays the profits of a futures market. */
  clearingCell(marketId: number, assetId: number): number {
    const known = this.clearingCells[marketId];
    if (known !== undefined) return known;
    const cell = this.cell(CELL.clearing, VENUE, marketId, assetId, marketId);
    this.clearingCells[marketId] = cell;
    return cell;
  }

  /** Takes over the cells of a snapshot. */
  load(bytes: Uint8Array): void {
    this.count = this.loadRows(bytes);
    this.index.reserve(this.count);
    for (let cell = 0; cell < this.count; cell++) this.index.insert(cell);
  }

  /** Adds to the two parts of a cell and writes the journal line; `posting` is one of POSTING or a leg of a deal. */
  post(events: WordBuffer, cell: number, available: bigint, frozen: bigint, posting: number, ref: number): void {
    added[0] = available;
    added[1] = frozen;
    this.write(events, cell, posting, ref);
  }

  /** Moves `amount` from available to frozen, or back when negative. */
  freeze(events: WordBuffer, cell: number, amount: bigint, ref: number): void {
    added[1] = amount;
    this.move(events, cell, ref);
  }

  private move(events: WordBuffer, cell: number, ref: number): void {
    added[0] = int64(0n - (added[1] as bigint));
    // The sign bit tells a release, which is 1, from a freeze, which is 0.
    this.write(events, cell, (addedHalves[3] as number) >>> 31, ref);
  }

  private write(events: WordBuffer, cell: number, posting: number, ref: number): void {
    const row = (cell & SLOT) * 4;
    const available = added[0] as bigint;
    const frozen = added[1] as bigint;
    const availableAfter = int64((this.i64[row] as bigint) + available);
    const frozenAfter = int64((this.i64[row + 1] as bigint) + frozen);
    this.i64[row] = availableAfter;
    this.i64[row + 1] = frozenAfter;
    const at = events.open(WORDS);
    const { i32, i64 } = events;
    i32[at * 2] = HEAD;
    i32[at * 2 + 1] = this.assetId(cell);
    i32[at * 2 + 2] = this.userId(cell);
    i32[at * 2 + 3] = this.marks(cell) | (posting << 8);
    i64[at + 2] = available;
    i64[at + 3] = frozen;
    i64[at + 4] = availableAfter;
    i64[at + 5] = frozenAfter;
    events.f64[at + 6] = ref;
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength;
  }

  // Fields of a row: 0 available, 1 frozen, 2 user + asset, 3 marks + place.

  available(cell: number): bigint {
    return this.i64[(cell & SLOT) * 4] as bigint;
  }
  frozen(cell: number): bigint {
    return this.i64[(cell & SLOT) * 4 + 1] as bigint;
  }
  keyOf(cell: number): number {
    return cellKey(this.marks(cell) & 255, this.userId(cell), this.i32[(cell & SLOT) * 8 + 7] as number);
  }
  userId(cell: number): number {
    return this.i32[(cell & SLOT) * 8 + 4] as number;
  }
  assetId(cell: number): number {
    return this.i32[(cell & SLOT) * 8 + 5] as number;
  }
  /** Cell kind in the low 8 bits, market above bit 16: ready to be joined to a posting's bits. */
  marks(cell: number): number {
    return this.i32[(cell & SLOT) * 8 + 6] as number;
  }
}
