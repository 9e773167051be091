/** The invariants of pools between two commands. Source: domain 10, numbers 6, 26 and 27. */
import type { Market } from "../listing/market.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { bestLevel, type Curve } from "./curve.ts";
import { EARNING, type Pool } from "./pool.ts";
import { claimsOf } from "./provider.ts";
import { poolLevels } from "./quotes.ts";
import { curveOf } from "./reserves.ts";

export function checkPools(state: State, { expect }: Census): void {
  for (const market of state.markets) {
    if (market.pool !== undefined) new PoolCheck(state, market, market.pool, expect).look();
  }
}

class PoolCheck {
  private readonly state: State;
  private readonly market: Market;
  private readonly pool: Pool;
  private readonly expect: Census["expect"];

  constructor(state: State, market: Market, pool: Pool, expect: Census["expect"]) {
    this.state = state;
    this.market = market;
    this.pool = pool;
    this.expect = expect;
  }

  look(): void {
    this.checkShares();
    this.checkPots();
    this.checkQuotes(curveOf(this.state, this.market, this.pool));
    this.checkBeside();
  }

  private that(holds: boolean, what: () => string): void {
    this.expect(holds, () => `The pool of ${this.market.name} ${what()}.`);
  }

  /** 26: Σ shares = Z; without shares there is nothing in it. */
  private checkShares(): void {
    const { pool, state } = this;
    let sum = 0n;
    for (const [userId, { shares, addedAt }] of pool.providers) {
      sum += shares;
      this.that(shares > 0n && state.users.has(userId), () => `has user ${userId} with ${shares} shares`);
      this.that(addedAt <= state.timeMs, () => `has an addition of user ${userId} from the future`);
    }
    this.that(sum === pool.shares, () => `has ${pool.shares} shares, and its providers ${sum}`);
    const { base, quote, baseOffset, quoteOffset } = curveOf(state, this.market, pool);
    const isEmpty = [base, quote, baseOffset, quoteOffset].every((units) => units === 0n);
    this.that(pool.shares > 0n || isEmpty, () => `has no shares and holds ${base} and ${quote} units`);
    const isWithoutOffsets = baseOffset === 0n && quoteOffset === 0n;
    this.that(pool.type === "finite" || isWithoutOffsets, () => "has offsets and no range");
    this.that(
      (pool.type === "finite") === (pool.range !== undefined),
      () => "has a range that it should not have, or none",
    );
  }

  /** Checks that the pots hold the claims of the providers. */
  private checkPots(): void {
    const { pool, state } = this;
    const claimed = [0n, 0n];
    for (const provider of pool.providers.values()) {
      const claims = claimsOf(pool, provider);
      for (const each of [EARNING.dividendBase, EARNING.dividendQuote]) {
        claimed[each] = (claimed[each] as bigint) + (claims[each] as bigint);
      }
    }
    for (const [each, pot] of [pool.cells.basePot, pool.cells.quotePot].entries()) {
      const has = state.ledger.available(pot);
      this.that((claimed[each] as bigint) <= has, () => `owes ${claimed[each]} units of dividends and has ${has}`);
    }
  }

  /** 27: best ask > ρ > best bid, on the grid, by a formula of its own. */
  private checkQuotes(curve: Curve): void {
    const { unitsPerLot: u, unitsPerLotTick: c } = curve.grid;
    const wholeBase = curve.base + curve.baseOffset;
    const wholeQuote = curve.quote + curve.quoteOffset;
    const ask = bestLevel(curve, 1, 0n);
    const bid = bestLevel(curve, 0, (1n << 63n) - 1n);
    for (const level of [ask, bid]) {
      if (level === undefined) continue;
      const spare = level.price.toString().replace(/0+$/, "").length;
      this.that(spare <= this.pool.gridDigits && level.lots > 0n, () => `quotes ${level.lots} lots at ${level.price}`);
    }
    if (ask !== undefined) {
      this.that(ask.price * c * wholeBase > wholeQuote * u, () => `asks ${ask.price}, which is not above its price`);
      this.that(ask.lots * u <= curve.base, () => `asks ${ask.price} for more than it has`);
    }
    if (bid !== undefined) {
      this.that(bid.price * c * wholeBase < wholeQuote * u, () => `bids ${bid.price}, which is not below its price`);
      this.that(bid.lots * bid.price * c <= curve.quote, () => `bids ${bid.price} for more than it can pay`);
    }
  }

  /** 6: what it quotes crosses no order. */
  private checkBeside(): void {
    const { state, market } = this;
    const { bestPrice } = state.books[market.id] ?? { bestPrice: [] };
    const first = (side: number) => poolLevels(state, market, side).next().value as { price: bigint } | undefined;
    const [bid, ask] = [first(0), first(1)];
    const isUncrossed =
      (bid === undefined || bid.price < (bestPrice[1] as bigint)) &&
      (ask === undefined || ask.price > (bestPrice[0] as bigint));
    this.that(isUncrossed, () => `quotes ${bid?.price} and ${ask?.price} across the orders of its market`);
  }
}
