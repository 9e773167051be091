import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import type { Message } from "./socket-client.ts";

/**
 * A book as a client keeps it from depth pushes, and as it checks it: by the checksum over the texts that it was sent.
 */
export class LocalBook {
  readonly #bids = new Map<string, string>();
  readonly #asks = new Map<string, string>();
  pushes = 0;

  /** Takes in the data of a depth push; the checksum must be that of the book which comes of it. */
  apply({ is_full, depth }: Message): void {
    this.pushes++;
    if (is_full) {
      this.#bids.clear();
      this.#asks.clear();
    } else assert.ok(this.pushes > 1, "the first push is whole");
    for (const [side, rows] of [
      [this.#bids, depth.bids],
      [this.#asks, depth.asks],
    ]) {
      for (const [price, amount] of rows) {
        if (amount !== "0") side.set(price, amount);
        else assert.ok(side.delete(price), `a row that is not there is taken away: ${price}`);
      }
    }
    assert.equal(this.checksum, depth.checksum);
  }

  get asks(): [price: string, amount: string][] {
    return [...this.#asks].sort(([one], [other]) => Number(one) - Number(other));
  }

  get bids(): [price: string, amount: string][] {
    return [...this.#bids].sort(([one], [other]) => Number(other) - Number(one));
  }

  get checksum(): number {
    return crc32([...this.bids, ...this.asks].flat().join(":"));
  }
}
