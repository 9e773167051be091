import type { Market } from "../listing/market.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { Scratch } from "../scratch.ts";
import { SpotSettlement } from "../spot/settlement.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { REBATE_CELL, REBATE_POSTING } from "./codes.ts";
import { type RebateSpec, rebates } from "./rebates-state.ts";

/** A spot market that pays its makers out of a fund, as far as that reaches. */
class RebateSettlement extends SpotSettlement {
  override execute(state: State, scratch: Scratch, market: Market): void {
    const { maker, lots } = scratch.trade;
    // The order is gone once it is filled.
    const userId = maker === NONE ? NONE : state.seats.userId(state.orders.seat(maker));
    super.execute(state, scratch, market);
    if (userId > 0) pay(state, scratch, market, userId, lots);
  }
}

export const rebateSettlement = new RebateSettlement();

function pay(state: State, { trade }: Scratch, market: Market, userId: number, lots: bigint): void {
  const { ledger, events } = state;
  const { assetId, unitsPerLot } = rebates.of(state).get(market.id) as RebateSpec;
  const fund = ledger.venueCell(REBATE_CELL.rebate_fund, assetId);
  const wanted = lots * BigInt(unitsPerLot);
  const units = wanted < ledger.available(fund) ? wanted : ledger.available(fund);
  if (units === 0n) return;
  const { dealId } = trade;
  ledger.post(events, fund, -units, 0n, REBATE_POSTING.maker_rebate, dealId);
  ledger.post(events, ledger.spotCell(userId, assetId), units, 0n, REBATE_POSTING.maker_rebate, dealId);
  emitRareEvent(state, {
    type: "rebate_paid",
    marketId: market.id,
    dealId,
    userId,
    assetId,
    units: units.toString(),
  });
}
