import type { Market } from "../listing/market.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import type { Quotes } from "../trading/quotes.ts";
import type { PoolLevel } from "./curve.ts";
import { payWithPool, shareFees } from "./fill.ts";
import type { Pool } from "./pool.ts";
import { bestPoolLevel, poolLevelBefore, poolLevels } from "./quotes.ts";

/** A pool as matching meets it. */
class PoolQuotes implements Quotes {
  private readonly pool: Pool;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  levels(state: State, market: Market, side: number): Iterator<PoolLevel, undefined> {
    return poolLevels(state, market, side);
  }

  best(state: State, market: Market, side: number): PoolLevel | undefined {
    return bestPoolLevel(state, market, this.pool, side);
  }

  before(state: State, market: Market, side: number, price: bigint): PoolLevel | undefined {
    return poolLevelBefore(state, market, this.pool, side, price);
  }

  pay(state: State, scratch: Scratch, takerSells: boolean): void {
    payWithPool(state, scratch, this.pool, takerSells);
  }

  shareFees(state: State, scratch: Scratch, market: Market): void {
    shareFees(state, scratch, market, this.pool);
  }

  note(): void {
    this.pool.note();
  }
}

/** Begins the quotes of a pool beside the orders of its market. */
export function openPool(state: State, market: Market, pool: Pool): void {
  market.pool = pool;
  market.quotes = new PoolQuotes(pool);
  state.pooled.add(market.id);
}
