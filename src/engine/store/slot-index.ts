/** The table under an index, as the index needs it: the key of a row, a whole number below 2^53. */
export interface Keyed {
  keyOf(slot: number): number;
}

/**
 * Spreads every bit of a whole number below 2^53 over the high bits of 32, from which a place is taken: keys made of a
 * user and a place differ little in their low bits.
 */
const hash = (key: number): number => Math.imul((key | 0) ^ Math.imul((key * 2 ** -32) | 0, 0x85ebca6b), 0x9e3779b1);

/**
 * A hash index from numeric keys to slots of a table. The keys themselves live in the table, so an entry costs four
 * bytes. Open addressing with linear probing, at most half full.
 */
export class SlotIndex {
  private readonly rows: Keyed;
  private table = new Int32Array(64).fill(-1);
  private mask = 63;
  /** Turns a hash into a place. */
  private shift = 26;
  private used = 0;

  constructor(rows: Keyed) {
    this.rows = rows;
  }

  /** Where the search for a key begins, and where it goes on; what stands there: a slot, or -1 where it ends. */
  home(key: number): number {
    return hash(key) >>> this.shift;
  }
  after(place: number): number {
    return (place + 1) & this.mask;
  }
  at(place: number): number {
    return this.table[place] as number;
  }

  /** The slot whose key is `key`, or -1. */
  find(key: number): number {
    const { table, mask, rows } = this;
    for (let at = this.home(key); ; at = (at + 1) & mask) {
      const slot = table[at] as number;
      if (slot < 0 || rows.keyOf(slot) === key) return slot;
    }
  }

  /** Enters `slot`, whose key is not yet indexed. */
  insert(slot: number): void {
    this.reserve(++this.used);
    this.put(slot);
  }

  /** Makes room for `count` entries at once. */
  reserve(count: number): void {
    if (count * 2 > this.table.length) this.grow(2 ** (32 - Math.clz32(count * 2 - 1)));
  }

  /** Takes out the slot with `key`, which must be there. */
  remove(key: number): void {
    const { table, mask, rows } = this;
    let place = this.home(key);
    while (rows.keyOf(table[place] as number) !== key) place = (place + 1) & mask;
    this.removeAt(place);
  }

  /** Takes out what stands at a place, and closes the gap so that no probe ends too early. */
  removeAt(place: number): void {
    const { table, mask, rows } = this;
    let gap = place;
    for (let at = (gap + 1) & mask; ; at = (at + 1) & mask) {
      const slot = table[at] as number;
      if (slot < 0) break;
      const home = this.home(rows.keyOf(slot));
      // An entry may move back into the gap unless its home lies cyclically after the gap.
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        table[gap] = slot;
        gap = at;
      }
    }
    table[gap] = -1;
    this.used--;
  }

  /** Entries. */
  get count(): number {
    return this.used;
  }

  get byteLength(): number {
    return this.table.byteLength;
  }

  private put(slot: number): void {
    const { table, mask } = this;
    let at = this.home(this.rows.keyOf(slot));
    while ((table[at] as number) >= 0) at = (at + 1) & mask;
    table[at] = slot;
  }

  private grow(places: number): void {
    const old = this.table;
    this.table = new Int32Array(places).fill(-1);
    this.mask = this.table.length - 1;
    this.shift = Math.clz32(this.mask);
    for (const slot of old) if (slot >= 0) this.put(slot);
  }
}
