import type { CancelAllOrders, CancelByClientId, CancelOrder, ModifyOrder } from "../../../../src/engine/command.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { isLocked } from "../listing/listing.ts";
import { phase } from "../maintenance/windows.ts";
import { lending } from "../margin/account.ts";
import { least } from "../model/numbers.ts";
import type { ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { endResting, freezeOf, giver, rest, statusAtRest, unrest } from "./book.ts";
import { bandFault, firstAgainst, lotsFault, meets, priceFault, standing } from "./checks.ts";
import { insolvencyOf, marginFault, take } from "./placing.ts";
import { displayFault, showNext } from "./slices.ts";

/** Domain 2.10. */
export function modify(venue: ModelVenue, command: ModifyOrder): Refusal | undefined {
  const market = venue.markets[command.marketId];
  if (market === undefined) return "market_not_found";
  const order = ordersOf(market).find(({ orderId }) => orderId === command.orderId);
  if (order === undefined || !isTheirs(order, command)) return "order_not_found";
  const stands = standing(venue, market, command.userId, "modify", undefined, order);
  if (stands !== undefined) return stands;
  if (command.amount === undefined && command.price === undefined) return "nothing_to_modify";
  const amount = command.amount ?? order.amount;
  const price = command.price ?? order.price;
  const fault = lotsFault(market, amount);
  if (fault !== undefined) return fault;
  const tooSmall = command.amount === undefined ? undefined : displayFault(market.minAmount, order.display, amount);
  if (tooSmall !== undefined) return tooSmall;
  if (amount <= order.filledLots) return "amount_below_filled";
  const left = amount - order.filledLots;
  const priced = priceFault(market, price) ?? bandFault(market, order, price);
  if (priced !== undefined) return priced;
  const more = freezeOf(market, { ...order, price, left }) - freezeOf(market, order);
  if (more > giver(venue, market, order).available) return "insufficient_balance";
  const underMargined = marginFault(venue, market, { ...order, price, amount: left });
  if (underMargined !== undefined) return underMargined;
  const insolvent = insolvencyOf(venue, market, { ...order, price, amount: left }, 0n, 0n);
  if (insolvent !== undefined) return insolvent;
  const best = firstAgainst(market, order.side);
  const meetsBest = best !== undefined && meets(order.side, price, best.price);
  if (meetsBest && order.type === "maker_only" && price !== order.price) return "would_take";
  const crosses = meetsBest && market.status === "online";

  if (amount === order.amount && price === order.price) {
    venue.outcome.order = venue.tell("modify", order);
    return undefined;
  }
  unrest(venue, market, order);
  const keepsPlace = price === order.price && amount < order.amount;
  if (!keepsPlace) order.prio = venue.nextPrio++;
  Object.assign(order, { price, amount, left, updatedAt: venue.timeMs });
  if (crosses) {
    venue.outcome.order = take(venue, market, order, "modify");
    return undefined;
  }
  if (keepsPlace) order.shown = least(order.shown, left);
  else showNext(order);
  rest(venue, market, order);
  order.status = statusAtRest(order);
  venue.outcome.order = venue.tell("modify", order);
  return undefined;
}

/** Domain 2.15. */
export function cancelOne(venue: ModelVenue, command: CancelOrder): Refusal | undefined {
  const market = venue.markets[command.marketId];
  if (market === undefined) return "market_not_found";
  const order = ordersOf(market).find(({ orderId }) => orderId === command.orderId);
  if (order === undefined || !isTheirs(order, command)) return "order_not_found";
  const refusal = cancelFault(venue, market);
  if (refusal !== undefined) return refusal;
  venue.outcome.order = endResting(venue, market, order);
  return undefined;
}

export function cancelAll(venue: ModelVenue, command: CancelAllOrders): Refusal | undefined {
  const market = venue.markets[command.marketId];
  if (market === undefined) return "market_not_found";
  if (command.account === "margin" && !lending(venue).terms.has(market.id)) return "margin_not_available";
  const refusal = cancelFault(venue, market);
  if (refusal !== undefined) return refusal;
  const mine = ordersOf(market).filter(
    ({ userId, account, side }) =>
      userId === command.userId && account === command.account && (command.side === undefined || side === command.side),
  );
  for (const order of oldestFirst(mine)) endResting(venue, market, order);
  return undefined;
}

export function cancelByClientId(venue: ModelVenue, command: CancelByClientId): Refusal | undefined {
  const { marketId, userId, clientId, account } = command;
  const refusal = cancelFault(venue);
  if (refusal !== undefined) return refusal;
  const mine = venue.markets
    .filter(({ id }) => marketId === undefined || id === marketId)
    .flatMap(ordersOf)
    .filter(
      (order) => order.userId === userId && order.clientId === clientId && clientId !== "" && order.account === account,
    );
  const free = mine.filter((order) => !isLocked(venue.markets[order.marketId] as ModelMarket, venue.timeMs));
  if (free.length === 0) return mine.length === 0 ? "order_not_found" : "auction_locked";
  for (const order of oldestFirst(free)) endResting(venue, venue.markets[order.marketId] as ModelMarket, order);
  return undefined;
}

/** What forbids cancels: maintenance (domain 2.13), and in a market the second phase of its auction (2.12). */
export function cancelFault(venue: ModelVenue, market?: ModelMarket): Refusal | undefined {
  if (phase(venue) === "maintenance") return "maintenance";
  return market !== undefined && isLocked(market, venue.timeMs) ? "auction_locked" : undefined;
}

/** Whose order it is, and in which account where that is said. */
function isTheirs(
  order: ModelOrder,
  { userId, account }: { readonly userId: number; readonly account?: string | undefined },
): boolean {
  return order.userId === userId && (account === undefined || account === order.account);
}

function ordersOf(market: ModelMarket): ModelOrder[] {
  return [...market.buys, ...market.sells];
}

function oldestFirst(orders: ModelOrder[]): ModelOrder[] {
  return orders.sort((first, second) => first.orderId - second.orderId);
}
