/**
 * A whole number of 32 bits beside each row of some table, `initial` until it is set: an array that grows with the rows
 * that are set.
 */
export class IntColumn {
  private readonly initial: number;
  private values: Int32Array;

  constructor(initial: number) {
    this.initial = initial;
    this.values = new Int32Array(64).fill(initial);
  }

  get(row: number): number {
    return this.values[row] ?? this.initial;
  }

  set(row: number, value: number): void {
    if (row >= this.values.length) this.grow(row + 1);
    this.values[row] = value;
  }

  get byteLength(): number {
    return this.values.byteLength;
  }

  private grow(rows: number): void {
    const { values } = this;
    this.values = new Int32Array(Math.max(rows, values.length * 2));
    this.values.set(values);
    this.values.fill(this.initial, values.length);
  }
}
