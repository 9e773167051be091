import type { TradedSecond } from "./ticker.ts";

/** Seconds of one block: few at first, since most markets trade seldom, and enough later that a block's head costs nothing. */
const BLOCK_MIN = 8;
const BLOCK_MAX = 1_024;

const INT64_MAX = (1n << 63n) - 1n;

/** Names of a second's amounts, in the order in which they lie. */
const AMOUNTS = ["open", "high", "low", "close", "volume", "value", "volumeBuy"] as const;

interface Block {
  readonly seconds: Float64Array;
  readonly amounts: BigInt64Array;
  used: number;
}

/**
 * Traded seconds, the oldest first: a market that never rests has 86,400 of them in a ticker's window. They lie in typed memory, 64
 * bytes each, a quarter of what objects take.
 */
export class SecondQueue {
  readonly #blocks: Block[] = [];
  /** Seconds of the first block that are gone. */
  #head = 0;
  /** Those of which an amount does not fit 64 bits. Sums of a second know no bound, though nobody has seen one so large. */
  readonly #large = new Map<number, TradedSecond>();

  /** When the oldest was; Infinity when there is none. */
  get firstSecond(): number {
    return this.#blocks[0]?.seconds[this.#head] ?? Number.POSITIVE_INFINITY;
  }

  first(): TradedSecond | undefined {
    const block = this.#blocks[0];
    if (block === undefined) return undefined;
    const second = block.seconds[this.#head] as number;
    const large = this.#large.get(second);
    if (large !== undefined) return large;
    const at = this.#head * AMOUNTS.length;
    const [open, high, low, close, volume, value, volumeBuy] = block.amounts.subarray(
      at,
      at + AMOUNTS.length,
    ) as unknown as [...[bigint, bigint, bigint, bigint], ...[bigint, bigint, bigint]];
    return { second, open, high, low, close, volume, value, volumeBuy };
  }

  /** Adds a second, which is later than all others. */
  push(traded: TradedSecond): void {
    let block = this.#blocks.at(-1);
    if (block === undefined || block.used === block.seconds.length) {
      const size = Math.min(BLOCK_MAX, 2 * (block?.used ?? BLOCK_MIN / 2));
      block = { seconds: new Float64Array(size), amounts: new BigInt64Array(size * AMOUNTS.length), used: 0 };
      this.#blocks.push(block);
    }
    const at = block.used * AMOUNTS.length;
    block.seconds[block.used++] = traded.second;
    if (AMOUNTS.some((name) => traded[name] > INT64_MAX)) this.#large.set(traded.second, traded);
    else for (const [index, name] of AMOUNTS.entries()) block.amounts[at + index] = traded[name];
  }

  /** Takes away the oldest. */
  shift(): void {
    const [block] = this.#blocks;
    if (block === undefined) return;
    if (this.#large.size > 0) this.#large.delete(block.seconds[this.#head] as number);
    if (++this.#head < block.used) return;
    this.#blocks.shift();
    this.#head = 0;
  }
}
