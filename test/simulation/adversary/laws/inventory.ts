import { mayLiquidate } from "../../../../src/engine/futures/liquidation/may-liquidate.ts";
import { positionsOf } from "../../../../src/engine/futures/positions/account-sums.ts";
import type { FuturesSpec } from "../../../../src/engine/futures/positions/contract.ts";
import { gains, valueAt } from "../worth.ts";
import type { Court, Law } from "./law.ts";

/**
 * A1, no drift at the fund's risk: what the venue has taken over is gone by the first mark that reaches the value at
 * which it came in. Source: domain 4.14.
 */
export class Inventory implements Law {
  private readonly court: Court;

  constructor(court: Court) {
    this.court = court;
  }

  judge(): string[] {
    const { state } = this.court.stage;
    if (state.rulesVersion < 5) return [];
    const { accounts, positions, live } = state.futures;
    const found: string[] = [];
    for (const { id } of state.assets) {
      const account = accounts.find(0, id);
      if (account < 0) continue;
      for (const slot of positionsOf(state, account)) {
        const market = state.markets[positions.marketId(slot)] as (typeof state.markets)[number];
        if (market.delisted || !mayLiquidate(state, market)) continue;
        const terms = market.futures as FuturesSpec;
        const value = valueAt(terms, live.mark(market.id), positions.amount(slot));
        const profit = gains(terms, positions.isShort(slot)) * (value - positions.settleCost(slot));
        if (profit < 0n)
          found.push(`A1: the venue holds what it took over in ${market.name} beyond the value at which it came in.`);
      }
    }
    return found;
  }
}
