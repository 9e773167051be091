/**
 * A set of slots of one table, a byte each: where most slots of a large table are in it, a tenth of what a Set takes.
 */
export class SlotSet {
  private members = new Uint8Array(64);
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(slot: number): boolean {
    return this.members[slot] === 1;
  }

  add(slot: number): void {
    if (this.has(slot)) return;
    if (slot >= this.members.length) {
      const grown = new Uint8Array(Math.max(slot + 1, this.members.length * 2));
      grown.set(this.members);
      this.members = grown;
    }
    this.members[slot] = 1;
    this.count++;
  }
}
