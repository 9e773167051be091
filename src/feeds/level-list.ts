/** Levels per block. Small enough that moving half of it is nothing, large enough that blocks are few. */
const BLOCK_LEVELS = 256;

interface Block {
  readonly prices: BigInt64Array;
  readonly lots: BigInt64Array;
  count: number;
}

/**
 * The levels of one side of a market in order of price: sorted blocks in a sorted list, so that a change costs the same
 * near the best price and far from it, and walking costs one step per level.
 */
export class LevelList {
  readonly #blocks: Block[] = [];
  /** The last block that became empty: a side with a single level that moves would make a new one each time. */
  #spare: Block | undefined;
  #size = 0;

  /** Number of levels. */
  get size(): number {
    return this.#size;
  }

  /** Sets what rests at a price; 0 lots take the level away. */
  set(price: bigint, lots: bigint): void {
    const blockAt = this.#blockOf(price);
    const block = this.#blocks[blockAt];
    if (block === undefined) {
      if (lots > 0n) this.#begin(price, lots);
      return;
    }
    const at = positionIn(block, price);
    const found = at < block.count && block.prices[at] === price;
    if (found && lots > 0n) block.lots[at] = lots;
    else if (found) this.#remove(blockAt, block, at);
    else if (lots > 0n) this.#insert(blockAt, block, at, price, lots);
  }

  /** Calls `visit` with each level from the lowest price up, or from the highest down, until it returns false. */
  walk(direction: "up" | "down", visit: (price: bigint, lots: bigint) => boolean): void {
    const step = direction === "up" ? 1 : -1;
    const blocks = this.#blocks;
    for (let blockAt = step > 0 ? 0 : blocks.length - 1; blockAt >= 0 && blockAt < blocks.length; blockAt += step) {
      const { prices, lots, count } = blocks[blockAt] as Block;
      for (let at = step > 0 ? 0 : count - 1; at >= 0 && at < count; at += step) {
        if (!visit(prices[at] as bigint, lots[at] as bigint)) return;
      }
    }
  }

  /** Position of the last block that starts at or below `price`; the first block when none does, -1 without blocks. */
  #blockOf(price: bigint): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (((this.#blocks[middle] as Block).prices[0] as bigint) <= price) low = middle + 1;
      else high = middle;
    }
    return Math.min(Math.max(low - 1, 0), this.#blocks.length - 1);
  }

  #begin(price: bigint, lots: bigint): void {
    const block = this.#spare ?? emptyBlock();
    this.#spare = undefined;
    block.prices[0] = price;
    block.lots[0] = lots;
    block.count = 1;
    this.#blocks.push(block);
    this.#size = 1;
  }

  #insert(blockAt: number, block: Block, at: number, price: bigint, lots: bigint): void {
    if (block.count === BLOCK_LEVELS) {
      this.#split(blockAt, block);
      this.set(price, lots);
      return;
    }
    block.prices.copyWithin(at + 1, at, block.count);
    block.lots.copyWithin(at + 1, at, block.count);
    block.prices[at] = price;
    block.lots[at] = lots;
    block.count++;
    this.#size++;
  }

  #remove(blockAt: number, block: Block, at: number): void {
    block.prices.copyWithin(at, at + 1, block.count);
    block.lots.copyWithin(at, at + 1, block.count);
    block.count--;
    this.#size--;
    if (block.count > 0) return;
    this.#blocks.splice(blockAt, 1);
    this.#spare = block;
  }

  #split(blockAt: number, block: Block): void {
    const half = BLOCK_LEVELS / 2;
    const upper = emptyBlock();
    upper.prices.set(block.prices.subarray(half));
    upper.lots.set(block.lots.subarray(half));
    upper.count = BLOCK_LEVELS - half;
    block.count = half;
    this.#blocks.splice(blockAt + 1, 0, upper);
  }
}

/** Where `price` stands in the block, or would stand. */
function positionIn({ prices, count }: Block, price: bigint): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((prices[middle] as bigint) < price) low = middle + 1;
    else high = middle;
  }
  return low;
}

function emptyBlock(): Block {
  return { prices: new BigInt64Array(BLOCK_LEVELS), lots: new BigInt64Array(BLOCK_LEVELS), count: 0 };
}
