/** The access that a heap needs to the rows in it: stop orders, or exits of positions. */
export interface TriggerRows {
  /** Ticks, below 2^53. */
  trigger(slot: number): number;
  /** Its id, which decides between equal triggers. */
  keyOf(slot: number): number;
  /** Where in its heap a row stands. */
  place(slot: number): number;
  setPlace(slot: number, place: number): void;
}

/**
 * Rows that wait for one price of one market to move in one direction, with the one that fires next on top: of those
 * that wait for the price to fall the highest trigger, of those that wait for it to rise the lowest. Adding and
 * removing cost a few steps, looking whether any is due costs one, and naming those that are costs by their number, not
 * by how many wait.
 */
export class TriggerHeap {
  private readonly table: TriggerRows;
  private readonly rises: boolean;
  private readonly slots: number[] = [];

  constructor(table: TriggerRows, rises: boolean) {
    this.table = table;
    this.rises = rises;
  }

  get size(): number {
    return this.slots.length;
  }

  /** The row that fires next; -1 when none waits. */
  get top(): number {
    return this.slots[0] ?? -1;
  }

  at(place: number): number | undefined {
    return this.slots[place];
  }

  /** All of them, in no order. */
  get rows(): readonly number[] {
    return this.slots;
  }

  insert(slot: number): void {
    this.slots.push(slot);
    this.raise(this.slots.length - 1, slot);
  }

  remove(slot: number): void {
    const place = this.table.place(slot);
    const last = this.slots.pop() as number;
    if (last === slot) return;
    this.raise(place, last);
    this.lower(this.table.place(last), last);
  }

  /** Puts a row where it belongs whose trigger has changed. */
  reorder(slot: number): void {
    this.raise(this.table.place(slot), slot);
    this.lower(this.table.place(slot), slot);
  }

  /** Adds to `due` every row that fires when the price is `price`. */
  collect(price: number, due: number[], place = 0): void {
    const slot = this.slots[place];
    if (slot === undefined) return;
    const trigger = this.table.trigger(slot);
    if (this.rises ? price < trigger : price > trigger) return;
    due.push(slot);
    this.collect(price, due, place * 2 + 1);
    this.collect(price, due, place * 2 + 2);
  }

  /** As `collect`, of rows of which `isDue` holds: where it does not, it holds of none below either. */
  collectWhere(isDue: (slot: number) => boolean, due: number[], place = 0): void {
    const slot = this.slots[place];
    if (slot === undefined || !isDue(slot)) return;
    due.push(slot);
    this.collectWhere(isDue, due, place * 2 + 1);
    this.collectWhere(isDue, due, place * 2 + 2);
  }

  /** Whether `slot` stands above `other`. */
  precedes(slot: number, other: number): boolean {
    const trigger = this.table.trigger(slot);
    const rival = this.table.trigger(other);
    if (trigger !== rival) return this.rises ? trigger < rival : trigger > rival;
    return this.table.keyOf(slot) < this.table.keyOf(other);
  }

  private raise(from: number, slot: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const rival = this.slots[above] as number;
      if (!this.precedes(slot, rival)) break;
      this.put(place, rival);
      place = above;
    }
    this.put(place, slot);
  }

  private lower(from: number, slot: number): void {
    let place = from;
    for (let below = place * 2 + 1; below < this.slots.length; below = place * 2 + 1) {
      const right = this.slots[below + 1];
      if (right !== undefined && this.precedes(right, this.slots[below] as number)) below++;
      const rival = this.slots[below] as number;
      if (!this.precedes(rival, slot)) break;
      this.put(place, rival);
      place = below;
    }
    this.put(place, slot);
  }

  private put(place: number, slot: number): void {
    this.slots[place] = slot;
    this.table.setPlace(slot, place);
  }
}
