import type { PlaceOrder } from "../../../../src/engine/command.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { ratesOf } from "../accounts/people.ts";
import { refuseBorrower } from "../credit/part.ts";
import { reachOf } from "../listing/interruption.ts";
import { accountOf, bears, isFresh, isSure, lending } from "../margin/account.ts";
import type { ModelMarket, ModelOrder, ModelUser } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { finish, giver, rest, statusAtRest } from "./book.ts";
import {
  against,
  bandFault,
  firstAgainst,
  lotsFault,
  marketBound,
  meets,
  priceFault,
  quoteFault,
  standing,
} from "./checks.ts";
import { match } from "./matching.ts";
import { neededTo } from "./needs.ts";
import { showNext } from "./slices.ts";
import { fairPrice, isSureToStaySolvent, resultFault } from "./solvency.ts";

const OPEN_ORDERS_MAX = 1000;
/** The rates of the margin insurance fund. */
const FUND = { level: undefined, makerRate: 0n, takerRate: 0n };

/** What an order asks for, be it a client's or that of a stop order that fires. */
export type Wish = Omit<PlaceOrder, "kind"> & { readonly display?: bigint | undefined };
type Asked = Pick<ModelOrder, "userId" | "account" | "side" | "price" | "amount">;

/** Domain 2.1 and 2.2. */
export function placeOrder(venue: ModelVenue, wish: Wish): Refusal | undefined {
  const refusal = orderFault(venue, wish);
  if (refusal !== undefined) return refusal;
  venue.outcome.order = enter(venue, venue.markets[wish.marketId] as ModelMarket, wish);
  return undefined;
}

/** What there is against an order. */
export function orderFault(venue: ModelVenue, wish: Wish): Refusal | undefined {
  const market = venue.listed(wish.marketId);
  if (market === undefined || venue.user(wish.userId) === undefined) return "market_not_found";
  return accountFault(venue, market, wish) ?? wishFault(venue, market, wish);
}

/** Makes an order that has nothing against it, and lets it trade. */
export function enter(venue: ModelVenue, market: ModelMarket, wish: Wish): ModelOrder {
  const { userId, marketId, account, side, type, amountIn, amount, price, hidden, stpMode, clientId } = wish;
  const rates = ratesOf(venue, venue.user(userId) ?? FUND, market);
  const order: ModelOrder = {
    orderId: venue.nextOrderId++,
    userId,
    marketId,
    account: account as "spot" | "margin",
    side,
    type,
    amountIn,
    hidden,
    stpMode,
    clientId,
    display: wish.display ?? 0n,
    shown: 0n,
    makerFeeRateE8: type === "market" ? 0 : Number(rates.maker),
    takerFeeRateE8: Number(rates.taker),
    createdAt: venue.timeMs,
    status: "open",
    prio: venue.nextPrio++,
    price,
    amount,
    left: amount,
    filledLots: 0n,
    filledValue: 0n,
    baseFee: 0n,
    quoteFee: 0n,
    discountFee: 0n,
    lastFilledLots: 0n,
    lastFilledPrice: 0n,
    updatedAt: venue.timeMs,
  };
  return take(venue, market, order, "put");
}

/** Row 2 of a margin order. */
export function accountFault(
  venue: ModelVenue,
  market: ModelMarket,
  { userId, account }: Pick<Wish, "userId" | "account">,
) {
  if (account !== "margin") return undefined;
  const { terms, liquidations } = lending(venue);
  if (!terms.has(market.id)) return "margin_not_available";
  const own = accountOf(venue, userId, market);
  if (own === undefined) return "margin_account_missing";
  return liquidations.has(own) ? "margin_liquidating" : undefined;
}

/** Whether the account could bear the order filled whole at its price. Domain 3.1. */
export function marginFault(venue: ModelVenue, market: ModelMarket, wish: Asked): Refusal | undefined {
  // A pool changes what is paid, not what is reckoned with.
  const { taker } = ratesOf(venue, venue.user(wish.userId) as ModelUser, { ...market, pool: undefined });
  if (bears(venue, market, wish, wish.price, wish.amount, taker)) return undefined;
  return isFresh(market) ? "margin_worth_at_risk" : "margin_waits_for_index";
}

/** What a spot order would leave its user with, whole at its price, or at the bound of a market order. Domain 6.6. */
export function insolvencyOf(
  venue: ModelVenue,
  market: ModelMarket,
  wish: Asked & Pick<Wish, "type" | "amountIn">,
  needs: bigint,
  bound: bigint,
): Refusal | undefined {
  const price = wish.type === "market" ? bound : wish.price;
  const bought = wish.amount / (price * market.lotTick);
  const inQuote = wish.side === "buy" ? bought : needs / market.lot;
  const lots = wish.type === "market" && wish.amountIn === "quote" ? inQuote : wish.amount;
  const { taker } = ratesOf(venue, venue.user(wish.userId) as ModelUser, market);
  return resultFault(venue, market, { ...wish, price }, lots, taker);
}

/** Lets an order trade, and rest with what is left if it may: of a new one tells `put`, of a changed one `modify`. */
export function take(venue: ModelVenue, market: ModelMarket, order: ModelOrder, event: "put" | "modify"): ModelOrder {
  const best = firstAgainst(market, order.side)?.price ?? 0n;
  const bound = order.type === "market" ? boundOf(venue, market, order, best) : order.price;
  const ended = market.status === "online" && match(venue, market, order, bound);
  if (order.left === 0n || isDust(market, order)) {
    order.status = "filled";
    return venue.tell("finish", order);
  }
  if (ended || (order.type !== "limit" && order.type !== "maker_only")) return finish(venue, order);
  order.status = statusAtRest(order);
  showNext(order);
  rest(venue, market, order);
  return venue.tell(event, order);
}

/**
 * How far a market order trades from the best price. Of a borrower who may only reduce no farther than the indexes, if
 * there is somebody within them. Domain 2.9 and 6.6.
 */
function boundOf(
  venue: ModelVenue,
  market: ModelMarket,
  order: Pick<ModelOrder, "userId" | "account" | "side">,
  best: bigint,
): bigint {
  const bound = marketBound(market, order.side, best);
  if (bound === 0n || order.account !== "spot" || refuseBorrower(venue, order.userId) === undefined) return bound;
  const fair = fairPrice(venue, market, order.side);
  if (fair === undefined || !meets(order.side, fair, best)) return bound;
  return meets(order.side, bound, fair) ? fair : bound;
}

/** Domain 2.3: what is left of a quote amount buys less than a lot at the price of the last fill. */
function isDust(market: ModelMarket, order: ModelOrder): boolean {
  return order.amountIn === "quote" && order.filledLots > 0n && order.left < order.lastFilledPrice * market.lotTick;
}

/** Rows 3 to 9 of domain 2.1. */
function wishFault(venue: ModelVenue, market: ModelMarket, wish: Wish): Refusal | undefined {
  const asked = { ...wish, account: wish.account as "spot" | "margin" };
  const { userId, side, type, price, amount } = wish;
  const stands = standing(venue, market, userId, "place", type, asked);
  if (stands !== undefined) return stands;
  const best = firstAgainst(market, side)?.price;
  const amountFault = wish.amountIn === "quote" ? quoteFault(market, amount, best) : lotsFault(market, amount);
  if (amountFault !== undefined) return amountFault;
  if (type !== "market") {
    const fault = priceFault(market, price) ?? bandFault(market, asked, price);
    if (fault !== undefined) return fault;
  }
  const own = [...market.buys, ...market.sells].filter(
    (order) => order.userId === userId && order.account === wish.account,
  );
  if (own.length >= OPEN_ORDERS_MAX) return "too_many_open_orders";
  const bound = best === undefined ? 0n : boundOf(venue, market, asked, best);
  const needs = neededTo(venue, market, { ...asked, left: amount }, bound);
  if (giver(venue, market, asked).available < needs) return "insufficient_balance";
  const underMargined = type === "market" ? undefined : marginFault(venue, market, asked);
  if (underMargined !== undefined) return underMargined;
  if (type === "market" && bound === 0n) return "no_counter_orders";
  const insolvent = insolvencyOf(venue, market, asked, needs, bound);
  if (insolvent !== undefined) return insolvent;
  if (type === "maker_only" && best !== undefined && meets(side, price, best)) return "would_take";
  if (type === "fok") {
    const reach = reachOf(venue, market, best);
    const isWithin = (at: bigint) => reach === undefined || (at >= reach.low && at <= reach.high);
    let lots = 0n;
    for (const other of against(market, side)) {
      if (!meets(side, price, other.price) || !isWithin(other.price)) break;
      if (isSure(venue, market, other) && isSureToStaySolvent(venue, market, other)) lots += other.left;
    }
    if (lots < amount) return "not_fillable";
  }
  return undefined;
}
