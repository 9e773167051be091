/**
 * The outlook of the order, were it sent now: its value and fee, how deep it would reach, the position that it leads
 * to.
 */
import { type Accessor, createMemo } from "solid-js";
import type { OrderSide } from "../api/records.ts";
import { moneyOf } from "../market/markets.ts";
import { compare, type Decimal, minus, over, plus, times } from "../number/decimal.ts";
import { positionsIn } from "../panels/positions-store.ts";
import type { Draft } from "./draft.ts";
import { type Fill, fillOf, fillOfValue, liquidationPrice, shareOf } from "./estimate.ts";
import type { FeeRates } from "./fees.ts";
import { crossBacking, levelsFor, valuedAt } from "./funds.ts";
import { leverageIn, maintenanceRate } from "./leverage.ts";
import { isHedged } from "./position-mode.ts";

/** A market order beyond this part of the visible depth says what price it would reach. */
const DEEP_SHARE = "0.2";

export interface Outlook {
  /** In the money of the market. */
  readonly value: Accessor<Decimal | undefined>;
  /** At most. */
  readonly fee: Accessor<{ readonly amount: Decimal; readonly ccy: string } | undefined>;
  /** The fill that an order at the market would have in the book as it stands. */
  readonly fill: Accessor<Fill | undefined>;
  /** The fill of a market order of some size, where it reaches far. */
  readonly reach: Accessor<Fill | undefined>;
  readonly position: Accessor<NextPosition | undefined>;
  /**
   * The price at which that position would be liquidated; "none" where no price is bad enough, undefined while it is
   * not known.
   */
  readonly liquidationAt: Accessor<Decimal | "none" | undefined>;
}

/** The position as it would be once the order has filled. */
type NextPosition =
  | { readonly reduces: true }
  | {
      readonly reduces: false;
      readonly whole: Decimal;
      /** The cost of the whole of it. */
      readonly cost: Decimal;
      readonly isLong: boolean;
      readonly ownId: number | undefined;
      /**
       * Returns the money behind it at a leverage, where its margin is isolated: the margin of the position that it
       * grows from is kept.
       */
      readonly isolatedBacking: (leverage: number) => Decimal;
    };

export function createOutlook(draft: Draft, rates: Accessor<FeeRates>): Outlook {
  const { market, side, isFutures, isInQuote, knownAmount } = draft;
  const value = createMemo(() => {
    const amount = knownAmount();
    if (amount === undefined || isInQuote()) return amount;
    const at = valuedAt(draft, side());
    if (at === undefined) return undefined;
    return market().isInverse ? over(amount, at, 12) : times(amount, at);
  });
  const base = () => {
    const amount = knownAmount();
    if (amount === undefined || !isInQuote()) return amount;
    const at = valuedAt(draft, side());
    return at === undefined ? undefined : over(amount, at, 12);
  };
  const fee = createMemo(() => {
    const worth = value();
    if (worth === undefined) return undefined;
    const rate = draft.type() === "maker_only" ? rates().maker : rates().taker;
    if (isFutures() || side() === "sell") return { amount: times(worth, rate), ccy: moneyOf(market()) };
    const received = base();
    return received === undefined ? undefined : { amount: times(received, rate), ccy: market().baseCcy };
  });
  const fill = createMemo(() => {
    const amount = knownAmount();
    if (!draft.isMarket() || draft.isStop() || draft.isTrail() || amount === undefined) return undefined;
    const levels = levelsFor(side());
    return isInQuote() ? fillOfValue(levels, amount) : fillOf(levels, amount);
  });
  const reach = createMemo(() => {
    const met = fill();
    if (met === undefined || (met.isWhole && compare(shareOf(levelsFor(side()), met.amount), DEEP_SHARE) < 0))
      return undefined;
    return met;
  });
  const position = createMemo(() => nextPosition(draft, side()));
  const liquidationAt = createMemo(() => {
    const [to, terms, now] = [position(), leverageIn(market()), market()];
    if (to === undefined || to.reduces || terms === undefined) return undefined;
    const rate = maintenanceRate(now, to.whole);
    if (rate === undefined) return undefined;
    const { whole: amount, cost, isLong, ownId, isolatedBacking } = to;
    const backing = terms.mode === "isolated" ? isolatedBacking(terms.leverage) : crossBacking(now, ownId);
    if (backing === undefined) return undefined;
    const { isInverse, tick } = now;
    return liquidationPrice({ isLong, isInverse, amount, cost, backing, rate, tick }) ?? "none";
  });
  return { value, fee, fill, reach, position, liquidationAt };
}

function nextPosition(draft: Draft, side: OrderSide): NextPosition | undefined {
  const [at, amount, { market, isInverse }] = [valuedAt(draft, side), draft.knownAmount(), draft.market()];
  if (!draft.isFutures() || at === undefined || amount === undefined) return undefined;
  const wanted = side === "buy" ? "long" : "short";
  const held = positionsIn(market).find((each) => (isHedged() ? each.side === wanted : true));
  if (held !== undefined && held.side !== wanted && compare(amount, held.open_interest) <= 0) return { reduces: true };
  const own = held?.side === wanted ? held : undefined;
  const added = held !== undefined && own === undefined ? minus(amount, held.open_interest) : amount;
  const whole = own === undefined ? added : plus(added, own.open_interest);
  const worthOf = (lots: Decimal, price: Decimal) => (isInverse ? over(lots, price, 18) : times(lots, price));
  const cost = plus(worthOf(added, at), own?.settle_value ?? "0");
  const isolatedBacking = (leverage: number) =>
    plus(over(worthOf(added, at), `${leverage}`, 12), own?.margin_avbl ?? "0");
  return { reduces: false, whole, cost, isLong: side === "buy", ownId: own?.position_id, isolatedBacking };
}
