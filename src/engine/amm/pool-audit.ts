import type { Audit, Hearing } from "../audit/audit.ts";
import { cellName, spotCellName } from "../audit/ledger-audit.ts";
import { type DealEvent, type EngineEvent, isMadeByPool, type RareEvents } from "../event.ts";
import { CELL, VENUE } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import { AMM_CELL } from "./codes.ts";
import type { Pool } from "./pool.ts";

/** A pool as its events tell of it. */
interface Followed {
  base: bigint;
  quote: bigint;
  shares: bigint;
  readonly sharesOf: Map<number, bigint>;
  /** As of the last command; they change with the shares alone. */
  baseOffset: bigint;
  quoteOffset: bigint;
  /** Shares have changed in the present command: its offsets are not known before its end. */
  isChanged: boolean;
}

/**
 * Follows pools by events alone: gives the reason for what their deals, fees, additions, removals and dividends move,
 * and says where one of them takes something from those who stay. Source: domain 10, numbers 10 and 26.
 */
export class PoolAudit implements Audit {
  private readonly state: State;
  private readonly pools = new Map<number, Followed>();

  constructor(state: State) {
    this.state = state;
    for (const { id, pool } of state.markets) if (pool !== undefined) this.pools.set(id, followed(state, pool));
  }

  take(event: EngineEvent, hearing: Hearing): void {
    if (event.kind === "deal") {
      const pool = this.pools.get(event.marketId);
      if (pool !== undefined) this.deal(event, pool, hearing);
      else if (isMadeByPool(event)) hearing.report(`Deal ${event.dealId} is with a pool that there is not.`);
      return;
    }
    if (event.kind !== "json") return;
    const rareEvent = event.event;
    switch (rareEvent.type) {
      case "pool_set":
        if (!this.pools.has(rareEvent.marketId)) this.pools.set(rareEvent.marketId, emptyPool());
        return;
      case "liquidity_added":
        this.change(rareEvent, 1n, hearing);
        return;
      case "liquidity_removed":
        this.change(rareEvent, -1n, hearing);
        return;
      case "dividend_paid":
        this.explainBoth(rareEvent, -1n, AMM_CELL.amm_pot, hearing);
    }
  }

  end(): void {
    for (const [marketId, followed] of this.pools) {
      const { pool } = this.state.markets[marketId] as Market;
      if (!followed.isChanged || pool === undefined) continue;
      followed.baseOffset = pool.baseOffset;
      followed.quoteOffset = pool.quoteOffset;
      followed.isChanged = false;
    }
  }

  compare(report: (breach: string) => void): void {
    for (const { id, name, pool } of this.state.markets) {
      const told = this.pools.get(id);
      if ((pool === undefined) !== (told === undefined)) report(`Events do not tell whether ${name} has a pool.`);
      if (pool === undefined || told === undefined) continue;
      const stored = followed(this.state, pool);
      const isSame =
        stored.base === told.base &&
        stored.quote === told.quote &&
        stored.shares === told.shares &&
        stored.sharesOf.size === told.sharesOf.size &&
        [...stored.sharesOf].every(([userId, shares]) => told.sharesOf.get(userId) === shares);
      if (!isSame) report(`Events do not tell what the pool of ${name} holds.`);
    }
  }

  /** Half of each fee is the providers'; where the pool is the maker, its product does not fall. */
  private deal(deal: DealEvent, pool: Followed, { explain, report }: Hearing): void {
    for (const { fee, feeAssetId } of [deal.taker, deal.maker]) {
      const part = pool.shares === 0n ? 0n : fee / 2n;
      explain(cellName(CELL.fee, VENUE, 0, feeAssetId), -part);
      explain(cellName(AMM_CELL.amm_pot, VENUE, deal.marketId, feeAssetId), part);
    }
    if (!isMadeByPool(deal)) return;
    const market = this.state.markets[deal.marketId] as Market;
    const sign = deal.side === "buy" ? 1n : -1n;
    const before = product(pool);
    const units = sign * deal.lots * market.unitsPerLot;
    pool.base -= units;
    pool.quote += sign * deal.value;
    explain(cellName(AMM_CELL.amm, VENUE, deal.marketId, market.baseAssetId), -units);
    explain(cellName(AMM_CELL.amm, VENUE, deal.marketId, market.quoteAssetId), sign * deal.value);
    if (deal.maker.fee !== 0n) report(`The pool pays a fee in deal ${deal.dealId}.`);
    if (!pool.isChanged && product(pool) < before)
      report(`Deal ${deal.dealId} takes more out of its pool than it gives.`);
  }

  /**
   * Checks that an addition costs no less than the part of the reserves that it is for, and that a removal gives no
   * more.
   */
  private change(change: RareEvents["liquidity_added"], sign: 1n | -1n, { explain, report }: Hearing): void {
    const pool = this.pools.get(change.marketId);
    if (pool === undefined) {
      report(`Market ${change.marketId} has no pool that could change.`);
      return;
    }
    const [base, quote, shares] = [change.base, change.quote, change.shares].map(BigInt) as [bigint, bigint, bigint];
    this.explainBoth(change, sign, AMM_CELL.amm, { explain });
    const isFair =
      pool.shares === 0n ||
      (sign * (base * pool.shares - shares * pool.base) >= 0n &&
        sign * (quote * pool.shares - shares * pool.quote) >= 0n);
    if (!isFair)
      report(`A change of user ${change.userId}'s shares takes from the other providers of market ${change.marketId}.`);
    pool.base += sign * base;
    pool.quote += sign * quote;
    pool.shares += sign * shares;
    pool.isChanged = true;
    const left = (pool.sharesOf.get(change.userId) ?? 0n) + sign * shares;
    if (left === 0n) pool.sharesOf.delete(change.userId);
    else pool.sharesOf.set(change.userId, left);
    if (left < 0n || (sign < 0n && left !== 0n)) report(`User ${change.userId} is left with ${left} shares.`);
  }

  /** Amounts between a user's spot account and the pool's cells of a kind; to the pool when `sign` is 1. */
  private explainBoth(
    { marketId, userId, base, quote }: { marketId: number; userId: number; base: string; quote: string },
    sign: 1n | -1n,
    kind: number,
    { explain }: Pick<Hearing, "explain">,
  ): void {
    const { baseAssetId, quoteAssetId } = this.state.markets[marketId] as Market;
    for (const [assetId, text] of [
      [baseAssetId, base],
      [quoteAssetId, quote],
    ] as const) {
      const units = sign * BigInt(text);
      explain(spotCellName(userId, assetId), -units);
      explain(cellName(kind, VENUE, marketId, assetId), units);
    }
  }
}

function product({ base, quote, baseOffset, quoteOffset }: Followed): bigint {
  return (base + baseOffset) * (quote + quoteOffset);
}

function emptyPool(): Followed {
  const nothing = { base: 0n, quote: 0n, shares: 0n, baseOffset: 0n, quoteOffset: 0n };
  return { ...nothing, sharesOf: new Map(), isChanged: false };
}

function followed({ ledger }: State, pool: Pool): Followed {
  return {
    base: ledger.available(pool.cells.base),
    quote: ledger.available(pool.cells.quote),
    shares: pool.shares,
    sharesOf: new Map([...pool.providers].map(([userId, { shares }]) => [userId, shares])),
    baseOffset: pool.baseOffset,
    quoteOffset: pool.quoteOffset,
    isChanged: false,
  };
}
