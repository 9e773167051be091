/**
 * Fees in the deduction currency: anyone who has switched it on pays the fee of a fill there, at a discount, if the
 * account has enough of it. All of this is off the hot path: executions come here only while somebody has it on.
 * Source: domain 2.6.
 */
import { USER_FLAG } from "../accounts/user.ts";
import { isMarketOrder } from "../command.ts";
import { DEAL_FLAG } from "../event.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Market } from "../listing/market.ts";
import { type Price, priceBetween } from "../listing/price-between.ts";
import { int64 } from "../money/int64.ts";
import { divCeil } from "../money/rounding.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import { freezeOf } from "./value.ts";

const RATE_ONE = 100_000_000n;

/** Sides of an execution whose fee is deducted, as its deal tells of them; 0 = neither. */
const DEDUCTS = { taker: DEAL_FLAG.takerDeducts, maker: DEAL_FLAG.makerDeducts } as const;

/**
 * Decides which sides of the trade pay by deduction, the taker first: notes what, and takes away their ordinary fee.
 * Never split: what cannot be paid whole is paid as ever.
 */
export function decideDeductions(state: State, scratch: Scratch, market: Market): number {
  const { trade } = scratch;
  const { ccy } = state.deduction;
  noteReserve(state, scratch);
  const asset = ccy === undefined ? undefined : state.assetByCcy.get(ccy);
  const price = asset === undefined ? undefined : priceBetween(state, asset.id, market.quoteAssetId);
  if (asset === undefined || price === undefined) return 0;
  trade.deductionAssetId = asset.id;
  trade.takerDeduction = 0n;
  trade.makerDeduction = 0n;
  const taker = deducts(state, scratch, market, price, true) ? DEDUCTS.taker : 0;
  return taker | (deducts(state, scratch, market, price, false) ? DEDUCTS.maker : 0);
}

/** Posts what was decided and adds it to the fills of its orders, which have been noted. */
export function payDeductions(state: State, { trade }: Scratch, sides: number): void {
  const { orders, fills, seats, ledger, events } = state;
  const { deductionAssetId: assetId, dealId } = trade;
  for (const side of [DEDUCTS.taker, DEDUCTS.maker]) {
    if ((sides & side) === 0) continue;
    const slot = side === DEDUCTS.taker ? trade.taker : trade.maker;
    const units = side === DEDUCTS.taker ? trade.takerDeduction : trade.makerDeduction;
    const cell = ledger.spotCell(seats.userId(orders.seat(slot)), assetId);
    ledger.post(events, cell, int64(0n - units), 0n, POSTING.fee, dealId);
    ledger.post(events, ledger.feeCell(assetId), units, 0n, POSTING.fee, dealId);
    const row = orders.fillRow(slot);
    fills.setDiscountFee(row, int64(fills.discountFee(row) + units));
  }
  state.deduction.chargedAssetId = assetId;
}

/** Whether one side pays by deduction; then it is noted, and the side's ordinary fee is gone. */
function deducts(state: State, scratch: Scratch, market: Market, price: Price, isTaker: boolean): boolean {
  const { trade } = scratch;
  const { orders, seats, users, ledger } = state;
  const slot = isTaker ? trade.taker : trade.maker;
  const userId = seats.userId(orders.seat(slot));
  const rateE8 = isTaker ? orders.takerFeeRateE8(slot) : orders.makerFeeRateE8(slot);
  if ((users.flags(userId) & USER_FLAG.feeDeduction) === 0 || rateE8 === 0) return false;
  const cell = ledger.findSpotCell(userId, trade.deductionAssetId);
  if (cell < 0) return false;
  const fee = deductedFee(state, scratch, market, price, rateE8);
  const sells = orders.side(slot) === 1;
  const ordinary = sells ? trade.quoteFee : trade.baseFee;
  if (sells) trade.quoteFee = 0n;
  else trade.baseFee = 0n;
  if (availableAfter(state, scratch, market, cell) < fee) {
    if (sells) trade.quoteFee = ordinary;
    else trade.baseFee = ordinary;
    return false;
  }
  if (isTaker) trade.takerDeduction = fee;
  else trade.makerDeduction = fee;
  return true;
}

/** ceil(value * rate * (1 - discount) / price) in units of the deduction currency; of any size. */
function deductedFee(state: State, { trade }: Scratch, market: Market, price: Price, rateE8: number): bigint {
  const { assets, deduction } = state;
  const coinScale = assets[trade.deductionAssetId]?.scale as number;
  const quoteScale = assets[market.quoteAssetId]?.scale as number;
  const share = BigInt(rateE8) * (RATE_ONE - BigInt(deduction.discountE8));
  const dividend = trade.value * share * price.denominator * 10n ** BigInt(coinScale);
  return divCeil(dividend, RATE_ONE * RATE_ONE * price.numerator * 10n ** BigInt(quoteScale));
}

/**
 * Returns the units that will be available in a cell once the trade and the fees decided so far are posted, without the
 * units that the rest of the taker's order still gives or freezes: the currency of the fee may be that of the market.
 */
function availableAfter(state: State, scratch: Scratch, market: Market, cell: number): bigint {
  const { trade } = scratch;
  const { orders, seats, ledger } = state;
  const takerSeat = orders.seat(trade.taker);
  const makerSeat = orders.seat(trade.maker);
  const takerSells = orders.side(trade.taker) === 1;
  const buyerSeat = takerSells ? makerSeat : takerSeat;
  const sellerSeat = takerSells ? takerSeat : makerSeat;
  let units = ledger.available(cell);
  if (seats.givingCell(takerSeat, orders.side(trade.taker)) === cell)
    units -= given(scratch, takerSells) + restOf(state, scratch, market);
  if (seats.baseCell(buyerSeat) === cell) units += trade.units - trade.baseFee;
  if (seats.quoteCell(sellerSeat) === cell) units += trade.value - trade.quoteFee;
  // The maker is asked second: what the taker pays out of the same cell is spoken for.
  if (seats.userId(takerSeat) === ledger.userId(cell)) units -= trade.takerDeduction;
  return units;
}

/** Returns the units that the taker gives in this trade. */
function given({ trade }: Scratch, takerSells: boolean): bigint {
  return takerSells ? trade.units : trade.value;
}

/** Counts the trade off what a market order may still give. */
function noteReserve({ orders }: State, scratch: Scratch): void {
  const { trade } = scratch;
  if (isMarketOrder(orders.flags(trade.taker))) {
    trade.reserved = int64(trade.reserved - given(scratch, orders.side(trade.taker) === 1));
  }
}

/**
 * Returns the units that the taker may still give after this trade: of a limited order the freeze of its rest, unless
 * it rests already.
 */
function restOf({ orders }: State, { trade }: Scratch, market: Market): bigint {
  // What trades while a market takes bids is its opening auction.
  if (market.status === "bidding") return 0n;
  const flags = orders.flags(trade.taker);
  if (isMarketOrder(flags)) return trade.reserved;
  return freezeOf(market, flags, orders.price(trade.taker), int64(orders.left(trade.taker) - trade.lots));
}
