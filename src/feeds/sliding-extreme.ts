/** The best of the values of a sliding window, at constant cost per value however long the window is. */
export class SlidingExtreme {
  readonly #isBetter: (one: bigint, other: bigint) => boolean;
  /** Values that nothing later beats, best first, from `#head` on. */
  #candidates: { readonly second: number; readonly value: bigint }[] = [];
  #head = 0;

  constructor(kind: "highest" | "lowest") {
    this.#isBetter = kind === "highest" ? (one, other) => one > other : (one, other) => one < other;
  }

  /** The best value in the window; undefined when it is empty. */
  get value(): bigint | undefined {
    return this.#candidates[this.#head]?.value;
  }

  /** Adds a value at the end of the window; seconds never fall. */
  add(second: number, value: bigint): void {
    const candidates = this.#candidates;
    while (candidates.length > this.#head && !this.#isBetter((candidates.at(-1) as { value: bigint }).value, value)) {
      candidates.pop();
    }
    candidates.push({ second, value });
  }

  /** Moves the start of the window up to `second`. */
  expireBefore(second: number): void {
    let head = this.#candidates[this.#head];
    while (head !== undefined && head.second < second) head = this.#candidates[++this.#head];
    if (this.#head * 2 > this.#candidates.length) {
      this.#candidates = this.#candidates.slice(this.#head);
      this.#head = 0;
    }
  }
}
