import type { DealEvent, EngineEvent, RareEvent } from "../../../../src/engine/event.ts";
import type { Market } from "../../../../src/engine/listing/market.ts";
import type { Court, Law } from "../laws/law.ts";

const DAY_MS = 86_400_000;
/**
 * How far from the index a pool may stand to which honest people add, and what of an addition may be lost as it comes
 * back.
 */
const FAR = 0.06;
const LOST = 0.0011;
const ONE = 1n << 64n;

/** What a pool was before a command. */
interface Before {
  readonly x: bigint;
  readonly y: bigint;
  readonly shares: bigint;
}

/** What a provider may count on: what he has earned by the fees of each deal, in 2^-64 of a unit, base and quote. */
type Earned = [base: bigint, quote: bigint];

/**
 * A2 of pools, no victim: what stands behind a share never becomes less, by trades, additions or removals; dividends
 * are those of the deals that were made while a share was there, half of each fee; and nobody takes part for less than
 * a day, but in an auction.
 */
export class Shares implements Law {
  private readonly court: Court;
  private before = new Map<number, Before>();
  /** By market and user. */
  private readonly earned = new Map<string, Earned>();
  private readonly addedAt = new Map<string, number>();
  private found: string[] = [];

  constructor(court: Court) {
    this.court = court;
  }

  look(): void {
    this.found = [];
    this.before = new Map();
    for (const market of this.pooled()) this.before.set(market.id, this.standOf(market));
  }

  see(event: EngineEvent): void {
    if (event.kind === "deal") this.share(event);
    else if (event.kind === "json") this.hear(event.event);
  }

  judge(): string[] {
    for (const market of this.pooled()) this.hold(market);
    return this.found;
  }

  /** Half of every fee of a market with a pool, for those who are in it. */
  private share({ marketId, taker, maker }: DealEvent): void {
    const market = this.court.stage.state.markets[marketId] as Market;
    const { pool, baseAssetId } = market;
    if (pool === undefined || pool.shares === 0n) return;
    for (const { fee, feeAssetId } of [taker, maker]) {
      const half = fee / 2n;
      for (const [userId, { shares }] of pool.providers) {
        const earned = this.earnedOf(marketId, userId);
        earned[feeAssetId === baseAssetId ? 0 : 1] += (half * shares * ONE) / pool.shares;
      }
    }
  }

  private hear(event: RareEvent): void {
    const { stage } = this.court;
    if (event.type === "liquidity_added") {
      this.addedAt.set(`${event.marketId} ${event.userId}`, stage.state.timeMs);
      if (this.court.isHonest(event.userId)) this.add(stage.state.markets[event.marketId] as Market);
    }
    if (event.type === "dividend_paid") {
      const earned = this.earnedOf(event.marketId, event.userId);
      const paid = [BigInt(event.base) * ONE, BigInt(event.quote) * ONE] as const;
      for (const at of [0, 1] as const) {
        if (paid[at] > earned[at])
          this.found.push(`A1: user ${event.userId} is paid dividends that no fee of his time explains.`);
        earned[at] -= paid[at];
      }
    }
    if (event.type === "liquidity_removed") {
      const market = stage.state.markets[event.marketId] as Market;
      const addedAt = this.addedAt.get(`${event.marketId} ${event.userId}`) ?? 0;
      const isOfAuction = market.status === "bidding" && addedAt > market.biddingAt;
      if (market.delisted || isOfAuction || stage.state.timeMs - addedAt >= DAY_MS) return;
      this.found.push(`A1: user ${event.userId} was in the pool of ${market.name} for less than a day.`);
    }
  }

  /**
   * Anyone who adds to a pool that has been moved gives some of it to who moves it back: the more, the narrower its
   * range.
   */
  private add(market: Market): void {
    const { pool, unitsPerLot, unitsPerLotTick, index } = market;
    const { ledger, rulesVersion } = this.court.stage.state;
    if (pool === undefined || rulesVersion < 4 || index.price === 0n) return;
    const { x, y } = this.standOf(market);
    const price = (Number(index.price) * Number(unitsPerLotTick)) / Number(unitsPerLot);
    const [X, Y, ox, oy] = [x, y, pool.baseOffset, pool.quoteOffset].map(Number) as [number, number, number, number];
    const far = Math.abs(Y / X / price - 1);
    // What trades leave where the curve meets the index, or ends before it.
    const at = Math.min(Math.max(Math.sqrt((X * Y) / price), ox), (X * Y) / Math.max(oy, 1));
    const there = (at - ox) * price + (X * Y) / at - oy;
    const here = Number(ledger.available(pool.cells.base)) * price + Number(ledger.available(pool.cells.quote));
    if (far > FAR) this.found.push(`A2: an honest addition to the pool of ${market.name} is made far from its index.`);
    if (1 - there / here > LOST) {
      this.found.push(
        `A2: an honest addition to the pool of ${market.name} loses more than a thousandth as it comes back.`,
      );
    }
  }

  /** Behind a share stands the root of X times Y: it falls by no more than offsets are rounded. */
  private hold(market: Market): void {
    const was = this.before.get(market.id);
    const is = this.standOf(market);
    if (was === undefined || was.shares === 0n || is.shares === 0n) return;
    const slack = 4n;
    if ((is.x + slack) * (is.y + slack) * was.shares * was.shares >= was.x * was.y * is.shares * is.shares) return;
    this.found.push(`A2: behind a share of the pool of ${market.name} stands less than before.`);
  }

  private standOf({ pool }: Market): Before {
    const { ledger } = this.court.stage.state;
    if (pool === undefined) return { x: 0n, y: 0n, shares: 0n };
    const { cells, baseOffset, quoteOffset, shares } = pool;
    return { x: ledger.available(cells.base) + baseOffset, y: ledger.available(cells.quote) + quoteOffset, shares };
  }

  private earnedOf(marketId: number, userId: number): Earned {
    const key = `${marketId} ${userId}`;
    const known = this.earned.get(key) ?? [0n, 0n];
    this.earned.set(key, known);
    return known;
  }

  private pooled(): Market[] {
    return this.court.stage.state.markets.filter(({ pool, delisted }) => pool !== undefined && !delisted);
  }
}
