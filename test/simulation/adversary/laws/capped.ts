import type { EngineEvent } from "../../../../src/engine/event.ts";
import { mayLiquidate } from "../../../../src/engine/futures/liquidation/may-liquidate.ts";
import { positionsIn } from "../../../../src/engine/futures/positions/account-sums.ts";
import type { FuturesSpec } from "../../../../src/engine/futures/positions/contract.ts";
import { valueAt } from "../worth.ts";
import type { Court, Law } from "./law.ts";

const HOUR_MS = 3_600_000;
const ONE_E8 = 100_000_000n;

/**
 * A1 of funding: no position stays that did not pay all that it owed, so that no leg diverts the funding of others.
 * Source: domain 4.12.
 */
export class Capped implements Law {
  private readonly court: Court;
  private hour = 0;
  /** Lots of positions before a command that may collect, by id. */
  private readonly held = new Map<number, bigint>();
  private readonly paid = new Map<number, bigint>();
  private readonly rates: { readonly marketId: number; readonly rateE8: number; readonly mark: bigint }[] = [];

  constructor(court: Court) {
    this.court = court;
  }

  look(timeMs: number): void {
    this.held.clear();
    this.paid.clear();
    this.rates.length = 0;
    const hour = Math.floor(timeMs / HOUR_MS);
    if (hour === this.hour) return;
    this.hour = hour;
    const { state } = this.court.stage;
    const { positions } = state.futures;
    for (const { id, futures } of state.markets) {
      if (futures === undefined) continue;
      for (const slot of positionsIn(state, id)) {
        if (positions.userId(slot) > 0) this.held.set(positions.positionId(slot), positions.amount(slot));
      }
    }
  }

  see(event: EngineEvent): void {
    if (event.kind === "position" && event.reason === "funding") {
      this.paid.set(event.positionId, (this.paid.get(event.positionId) ?? 0n) - event.pnl);
    } else if (event.kind === "json" && event.event.type === "funding_collected") {
      const { marketId, rateE8, mark } = event.event;
      this.rates.push({ marketId, rateE8, mark: BigInt(mark) });
    }
  }

  judge(): string[] {
    const { state } = this.court.stage;
    if (state.rulesVersion < 5 || this.rates.length === 0) return [];
    const { positions } = state.futures;
    const found: string[] = [];
    for (const { marketId, rateE8, mark } of this.rates) {
      const market = state.markets[marketId] as (typeof state.markets)[number];
      if (market.delisted || !mayLiquidate(state, market)) continue;
      const open = [...positionsIn(state, marketId)];
      // Without anybody to receive nobody pays.
      if (!open.some((slot) => positions.isShort(slot) !== rateE8 < 0)) continue;
      for (const slot of open) {
        const lots = this.held.get(positions.positionId(slot));
        if (lots === undefined || positions.isShort(slot) !== rateE8 < 0) continue;
        const least = lots < positions.amount(slot) ? lots : positions.amount(slot);
        const due = (valueAt(market.futures as FuturesSpec, mark, least) * BigInt(Math.abs(rateE8))) / ONE_E8;
        const paid = this.paid.get(positions.positionId(slot)) ?? 0n;
        if (paid + 2n < due)
          found.push(`A1: a position in ${market.name} paid ${paid} of ${due} units of funding, and stays.`);
      }
    }
    return found;
  }
}
