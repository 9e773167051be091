/**
 * A hash index from numeric keys to slots of a table. The keys themselves live in a column of that table, so an entry costs
 * four bytes. Open addressing with linear probing, at most half full.
 */
export class SlotIndex {
  private table: Int32Array<ArrayBuffer>;
  private mask: number;
  private used = 0;

  constructor(capacity = 64) {
    this.table = new Int32Array(capacity).fill(-1);
    this.mask = capacity - 1;
  }

  /** The slot whose key is `key`, or -1. */
  find(keys: Float64Array, key: number): number {
    const { table, mask } = this;
    for (let at = hash(key) & mask; ; at = (at + 1) & mask) {
      const slot = table[at] as number;
      if (slot < 0 || keys[slot] === key) return slot;
    }
  }

  /** Enters `slot`, whose key is in `keys` and not yet indexed. */
  insert(keys: Float64Array, slot: number): void {
    if (++this.used * 2 > this.table.length) this.grow(keys);
    const { table, mask } = this;
    let at = hash(keys[slot] as number) & mask;
    while ((table[at] as number) >= 0) at = (at + 1) & mask;
    table[at] = slot;
  }

  /** Takes out the slot with `key`, which must be there, and closes the gap so that no probe ends too early. */
  remove(keys: Float64Array, key: number): void {
    const { table, mask } = this;
    let gap = hash(key) & mask;
    while (keys[table[gap] as number] !== key) gap = (gap + 1) & mask;
    for (let at = (gap + 1) & mask; ; at = (at + 1) & mask) {
      const slot = table[at] as number;
      if (slot < 0) break;
      const home = hash(keys[slot] as number) & mask;
      // An entry may move back into the gap unless its home lies cyclically after the gap.
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        table[gap] = slot;
        gap = at;
      }
    }
    table[gap] = -1;
    this.used--;
  }

  get byteLength(): number {
    return this.table.byteLength;
  }

  private grow(keys: Float64Array): void {
    const old = this.table;
    this.table = new Int32Array(old.length * 2).fill(-1);
    this.mask = this.table.length - 1;
    for (const slot of old) {
      if (slot < 0) continue;
      let at = hash(keys[slot] as number) & this.mask;
      while ((this.table[at] as number) >= 0) at = (at + 1) & this.mask;
      this.table[at] = slot;
    }
  }
}

/** Spreads both halves of a whole number below 2^53. */
function hash(key: number): number {
  const low = key | 0;
  const high = (key / 4_294_967_296) | 0;
  const mixed = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
