import { CopyMemory } from "./copy-memory.ts";

/**
 * All bits of a slot. Masked with it, a slot is known to be small, which spares the machine the overflow checks where
 * it works out the place of a field.
 */
export const SLOT = 2 ** 26 - 1;

/** Rows that a table grows by at least, once it has so many. */
const STEP = 1024;

/**
 * Rows of 64-bit words in one piece of memory, seen as int32, float64 and int64. A row is a slot. Keeping a row
 * together costs one or two cache lines where a column for each field would cost ten, and nothing is allocated per row.
 *
 * Tables give each field a small reader and writer, so that nobody else needs to know where it stands.
 */
export abstract class Table {
  protected i32 = new Int32Array(0);
  protected f64 = new Float64Array(0);
  protected i64 = new BigInt64Array(0);
  protected readonly rowWords: number;
  /** Rows that fit before the table has to grow. */
  protected capacity = 0;

  constructor(rowWords: number) {
    this.rowWords = rowWords;
  }

  /**
   * Makes room for row `slot`; new rows are zero. Grows by an eighth, so that at most a ninth stands empty; a small
   * table doubles, so that one with a few rows takes no more than they do, and is copied a few times only on its way.
   */
  protected makeRoom(slot: number): void {
    if (slot < this.capacity) return;
    if (slot > SLOT) throw new Error("A table is full.");
    this.capacity = Math.max(slot + 1, this.capacity + Math.min(Math.max(STEP, this.capacity >> 3), this.capacity));
    const memory = new ArrayBuffer(this.capacity * this.rowWords * 8);
    new Int32Array(memory).set(this.i32);
    this.i32 = new Int32Array(memory);
    this.f64 = new Float64Array(memory);
    this.i64 = new BigInt64Array(memory);
  }

  /** Bytes of the first `count` rows. */
  rowsLength(count: number): number {
    return count * this.rowWords * 8;
  }

  /** The first `count` rows as bytes, copied, for a snapshot. Only for tables whose rows name no slots of their own. */
  rowBytes(count: number, memory = new CopyMemory()): Uint8Array<ArrayBuffer> {
    return memory.copy(this.rowsInPlace(count));
  }

  /** Lays this table over the first `count` rows of another as they stand now, to be read. */
  protected layOver(table: this, count: number, memory: CopyMemory): void {
    const { buffer, byteOffset, byteLength } = memory.view(table.rowsInPlace(count));
    this.capacity = count;
    this.i32 = new Int32Array(buffer, byteOffset, byteLength / 4);
    this.f64 = new Float64Array(buffer, byteOffset, byteLength / 8);
    this.i64 = new BigInt64Array(buffer, byteOffset, byteLength / 8);
  }

  private rowsInPlace(count: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.i32.buffer, this.i32.byteOffset, this.rowsLength(count));
  }

  /** Takes over rows that `rowBytes` gave; returns how many they are. */
  protected loadRows(bytes: Uint8Array): number {
    const count = bytes.byteLength / (this.rowWords * 8);
    if (count > 0) this.makeRoom(count - 1);
    new Uint8Array(this.i32.buffer).set(bytes);
    return count;
  }

  get byteLength(): number {
    return this.i32.byteLength;
  }
}

/** A table whose rows are taken and given back in any order; a slot that was given back is taken again first. */
export abstract class SlotTable extends Table {
  private readonly freeSlots: number[] = [];
  /** Rows that were ever in use. */
  protected highWater = 0;

  /** A row of nobody, as its last owner left it; a new one is zero. */
  protected takeSlot(): number {
    const slot = this.freeSlots.pop() ?? this.highWater++;
    this.makeRoom(slot);
    return slot;
  }

  protected giveSlot(slot: number): void {
    this.freeSlots.push(slot);
  }

  /** Rows in use. */
  protected get taken(): number {
    return this.highWater - this.freeSlots.length;
  }
}
