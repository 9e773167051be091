/** The money that there is to order with. */

import type { Level } from "../../../client/sockets.generated.ts";
import type { OrderSide } from "../api/records.ts";
import { bestAsk, bestBid, book } from "../book/book-store.ts";
import { type Market, moneyOf } from "../market/markets.ts";
import { cut, type Decimal, decimalsOf, isDecimal, isPositive, minus, over, plus, times } from "../number/decimal.ts";
import { futuresAvailable, futuresBalanceOf, marginAvailable, spotAvailable } from "../panels/balances-store.ts";
import { positions } from "../panels/positions-store.ts";
import { marketTypeIn } from "./account-choice.tsx";
import type { Draft } from "./draft.ts";
import { fillOf, fillOfValue } from "./estimate.ts";
import type { FeeRates } from "./fees.ts";
import { leverageIn } from "./leverage.ts";
import { firstTrigger } from "./trail.ts";

/** A wish at the market is not known before: what is set aside for it is this much more than the best price. */
const MARKET_RESERVE = "1.01";

/** The levels that an order of this side would meet, best first. */
export function levelsFor(side: OrderSide): readonly Level[] {
  return (side === "buy" ? book()?.asks : book()?.bids) ?? [];
}

/** Returns the price at which the order is valued: its own, or the one that it would meet. */
export function valuedAt(draft: Draft, side: OrderSide): Decimal | undefined {
  const [price, trigger, amount] = [draft.price(), draft.trigger(), draft.knownAmount()];
  if (!draft.isMarket()) return isDecimal(price) && isPositive(price) ? price : undefined;
  if (draft.isStop() && isDecimal(trigger) && isPositive(trigger)) return trigger;
  if (draft.isTrail()) return firstTrigger(draft);
  const best = () => (side === "buy" ? bestAsk() : bestBid());
  if (amount === undefined) return best();
  const met = draft.isInQuote() ? fillOfValue(levelsFor(side), amount) : fillOf(levelsFor(side), amount);
  return met?.average ?? best();
}

/** The currency that an order of this side is paid with. */
export function paidWith(market: Market, side: OrderSide): string {
  if (market.product === "futures") return moneyOf(market);
  return side === "buy" ? market.quoteCcy : market.baseCcy;
}

/** Undefined until the balances have been read. */
export function availableFor(market: Market, side: OrderSide): Decimal | undefined {
  const ccy = paidWith(market, side);
  const type = marketTypeIn(market);
  if (type === "FUTURES") return futuresAvailable(ccy);
  return type === "MARGIN" ? marginAvailable(market.market, ccy) : spotAvailable(ccy);
}

/**
 * The most that can be ordered, in what the amount is counted in; 0 while the venue has not said what leverage holds,
 * or what there is.
 */
export function mostOf(draft: Draft, side: OrderSide, rates: FeeRates): Decimal {
  const at = valuedAt(draft, side);
  if (at === undefined) return "0";
  const market = draft.market();
  const has = availableFor(market, side) ?? "0";
  if (draft.isFutures()) {
    const leverage = leverageIn(market)?.leverage;
    if (leverage === undefined) return "0";
    // Fees come out of the same money, so that a little has to be left.
    const usable = over(times(has, `${leverage}`), plus("1", times(rates.taker, `${2 * leverage}`)), 12);
    return cut(market.isInverse ? times(usable, at) : over(usable, at, 12), market.amountDecimals);
  }
  if (side === "sell") return draft.isInQuote() ? cut(times(has, at), 2) : cut(has, market.amountDecimals);
  if (draft.isInQuote()) return cut(has, decimalsOf(draft.amountStep()));
  return cut(over(has, draft.isMarket() ? times(at, MARKET_RESERVE) : at, 12), market.amountDecimals);
}

/**
 * Returns the money behind a cross position: the account's cross money less what is set aside, and what the others are
 * worth (domain 4.7). Undefined while the balance is not known.
 */
export function crossBacking(market: Market, ownPosition: number | undefined): Decimal | undefined {
  const balance = futuresBalanceOf(moneyOf(market));
  if (balance === undefined) return undefined;
  return positions
    .rows()
    .filter((each) => each.margin_mode === "cross" && each.position_id !== ownPosition && each.market !== market.market)
    .reduce<Decimal>(
      (sum, each) => minus(plus(sum, each.unrealized_pnl), each.maintenance_margin_value),
      minus(balance.cross_balance, balance.frozen),
    );
}
