/** Changes the positions of both sides by an execution in a futures market. Source: domain 4.2 and 4.6. */
import { aimOf, FLAG, TYPE } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import { feeOn } from "../../money/rate.ts";
import type { Scratch } from "../../scratch.ts";
import type { State } from "../../state.ts";
import { increase, type Part, reduce } from "../positions/change-position.ts";
import { type FuturesSpec, tradeValue } from "../positions/contract.ts";
import { heldLots } from "../positions/futures-seat.ts";
import type { FinishedType } from "../positions/position-event.ts";
import { isReducing, refreshFreeze } from "./held-order.ts";
import { cutReducing } from "./reduce-only.ts";

/**
 * Works out the trade's value and fees and lets both positions change, the taker's first. The orders themselves are the
 * caller's; so are their sums, which must not hold the maker's lots meanwhile.
 */
export function fillContract(state: State, scratch: Scratch, market: Market): void {
  const { contract, trade } = scratch;
  const { orders } = state;
  const { taker, maker } = trade;
  trade.value = tradeValue(market.futures as FuturesSpec, trade.price, trade.lots);
  const takerFee = feeOn(trade.value, BigInt(orders.takerFeeRateE8(taker)));
  const makerFee = feeOn(trade.value, BigInt(orders.makerFeeRateE8(maker)));
  // Chosen by a branch: a bigint that is chosen by a condition has to be allocated.
  if (orders.side(taker) === 1) {
    trade.baseFee = makerFee;
    trade.quoteFee = takerFee;
    contract.sellerPnl = changePositions(state, scratch, market, taker, takerFee);
    contract.buyerPnl = changePositions(state, scratch, market, maker, makerFee);
  } else {
    trade.baseFee = takerFee;
    trade.quoteFee = makerFee;
    contract.buyerPnl = changePositions(state, scratch, market, taker, takerFee);
    contract.sellerPnl = changePositions(state, scratch, market, maker, makerFee);
  }
}

/** Brings freezes, and orders that only reduce, into line with the positions after an execution. */
export function settleContract(
  state: State,
  scratch: Scratch,
  market: Market,
  takerRow: number,
  makerRow: number,
): void {
  settleSeat(state, scratch, market, takerRow);
  if (makerRow !== takerRow) settleSeat(state, scratch, market, makerRow);
}

function settleSeat(state: State, { trade }: Scratch, market: Market, row: number): void {
  refreshFreeze(state, row);
  cutReducing(state, market, row, trade.taker);
}

/** How many lots an order that only reduces can trade at most. */
export function reducibleLots(state: State, slot: number): bigint {
  const { orders, futures } = state;
  return heldLots(state, futures.held.row(slot), orders.side(slot) === 0);
}

/** Closes what the order closes and opens with the rest of it. Returns the profit of what was closed. */
function changePositions(state: State, scratch: Scratch, market: Market, slot: number, fee: bigint): bigint {
  const { trade } = scratch;
  const { orders, futures } = state;
  const flags = orders.flags(slot);
  const row = futures.held.row(slot);
  const sells = (flags & FLAG.sell) !== 0;
  const whole: Part = {
    lots: trade.lots,
    value: trade.value,
    price: trade.price,
    fee,
    dealId: trade.dealId,
    orderId: orders.orderId(slot),
  };
  const closing = closingLots(state, row, flags, trade.lots);
  if (closing === 0n) {
    increase(state, market, row, sells, whole);
    return 0n;
  }
  const closed =
    closing === trade.lots ? whole : partOf(scratch, market, whole, closing, feeRate(state, scratch, slot));
  const pnl = reduce(state, market, futures.seats.position(row, !sells), closed, finishedTypeOf(flags));
  if (closing < trade.lots) {
    const rest = { lots: whole.lots - closed.lots, value: whole.value - closed.value, fee: whole.fee - closed.fee };
    increase(state, market, row, sells, { ...whole, ...rest });
  }
  return pnl;
}

/** Of so many lots those that close the position on the other side of the order: in hedge mode all of them or none. */
export function closingLots(state: State, row: number, flags: number, lots: bigint): bigint {
  if ((flags & FLAG.sided) !== 0 && !isReducing(flags)) return 0n;
  const held = heldLots(state, row, (flags & FLAG.sell) === 0);
  return held < lots ? held : lots;
}

/** The part of an execution that closes; what is left of value and fee belongs to what it opens. */
function partOf({ trade }: Scratch, market: Market, whole: Part, lots: bigint, rateE8: number): Part {
  const value = tradeValue(market.futures as FuturesSpec, trade.price, lots);
  const fee = feeOn(value, BigInt(rateE8));
  return { ...whole, lots, value, fee: fee < whole.fee ? fee : whole.fee };
}

function feeRate({ orders }: State, { trade }: Scratch, slot: number): number {
  return slot === trade.taker ? orders.takerFeeRateE8(slot) : orders.makerFeeRateE8(slot);
}

/** How a position ends that an order closes. */
export function finishedTypeOf(flags: number): FinishedType {
  const isMarket = ((flags >> FLAG.typeShift) & FLAG.typeMask) === TYPE.market;
  switch (aimOf(flags)) {
    case "close_all":
      return isMarket ? "market_close_all" : "limit";
    case "take_profit":
      return "take_profit";
    case "stop_loss":
      return "stop_loss";
    case "liquidation":
      return "liq";
    default:
      return isMarket ? "market" : "limit";
  }
}
