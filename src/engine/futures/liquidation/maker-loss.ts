/**
 * Whether the owner of a resting order can bear what it loses against the mark when somebody takes it. What rests was
 * asked for that when it was placed, but marks move and money leaves: in an empty market a second account could
 * otherwise buy far below the mark what the first cannot pay for, and the insurance fund would. Source: domain 4.6.
 */
import type { Market } from "../../listing/market.ts";
import { feeOn } from "../../money/rate.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import { canLose } from "../orders/buying-power.ts";
import { closingLots } from "../orders/fill.ts";
import { atMark, backingOfClose, isEquityUnknown, marginOf } from "../positions/account-sums.ts";
import { type FuturesSpec, tradeValue } from "../positions/contract.ts";
import { isFarFromMark, lossAt } from "../positions/loss.ts";

/** Units by which the rounding of values can differ from the exact line in one execution. */
const ROUNDING_SLACK = 4n;

/**
 * Whether so many lots of a resting order leave nothing below 0 of what stands behind them: of the cross account, or of
 * the isolated position that they close or open. `spent` is what the account has lost already.
 */
export function makerCoversFill(state: State, market: Market, slot: number, lots: bigint, spent = 0n): boolean {
  const { orders, futures } = state;
  const { seats } = futures;
  const row = futures.held.row(slot);
  const price = orders.price(slot);
  const sells = orders.side(slot) === 1;
  if (!seats.isIsolated(row)) {
    if (isEquityUnknown(state, seats.account(row), market.id)) return false;
    return canLose(state, seats.account(row), lossAt(state, market, sells, price, lots) + spent);
  }
  const closing = closingLots(state, row, orders.flags(slot), lots);
  if (closing > 0n) {
    const left = backingOfClose(state, seats.position(row, !sells), closing) - spent;
    if (left < lossAt(state, market, sells, price, closing)) return false;
  }
  const opening = lots - closing;
  const margin = tradeValue(market.futures as FuturesSpec, price, opening) / BigInt(seats.leverage(row));
  const held = seats.position(row, sells);
  const equity = held === NONE ? 0n : marginOf(state, held) + atMark(state, held).unrealized;
  return margin + equity - spent >= lossAt(state, market, sells, price, opening);
}

/**
 * Sums the losses of makers in a dry run, so that it leaves out makers who could not bear a fill by then. In doubt it
 * leaves out one too many.
 */
export class MakerLosses {
  private readonly state: State;
  private readonly market: Market;
  /** By account. */
  private spent: Map<number, bigint> | undefined;

  constructor(state: State, market: Market) {
    this.state = state;
    this.market = market;
  }

  /** Trades so many lots of the order in `slot` if the margin of its owner allows it. */
  take(slot: number, lots: bigint): boolean {
    const { state, market } = this;
    const { orders, futures } = state;
    const price = orders.price(slot);
    const sells = orders.side(slot) === 1;
    if (!isFarFromMark(state, market, sells, price)) return true;
    const row = futures.held.row(slot);
    const account = futures.seats.account(row);
    const before = this.spent?.get(account);
    // The margin of an isolated position that has changed would have to be worked out.
    if (before !== undefined && futures.seats.isIsolated(row)) return false;
    if (!makerCoversFill(state, market, slot, lots, before)) return false;
    const value = tradeValue(market.futures as FuturesSpec, price, lots);
    const fee = feeOn(value, BigInt(orders.makerFeeRateE8(slot)));
    this.spent ??= new Map();
    this.spent.set(account, (before ?? 0n) + lossAt(state, market, sells, price, lots) + fee + ROUNDING_SLACK);
    return true;
  }
}
