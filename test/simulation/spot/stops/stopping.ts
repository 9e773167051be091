import type {
  CancelStopByClientId,
  CancelStopOrder,
  ModifyStopOrder,
  PlaceStopOrder,
} from "../../../../src/engine/command.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { isLocked } from "../listing/listing.ts";
import { lookAfterMargin } from "../margin/liquidation.ts";
import type { ModelEvent, ModelMarket, ModelStop } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { cancelFault } from "../orders/changing.ts";
import { isFar, isTrading, lotsFault, priceFault, quoteFault, reference, standing } from "../orders/checks.ts";
import { accountFault, placeOrder } from "../orders/placing.ts";
import { displayFault } from "../orders/slices.ts";
import { endOthers, leaveGroup, protectsEntry } from "./groups.ts";
import { activate, followPrices, isTrail, priceOf } from "./trailing.ts";

const WAITING_MAX = 100;

/** Domain 2.11. */
export function placeStop(venue: ModelVenue, command: PlaceStopOrder): Refusal | undefined {
  const market = venue.listed(command.marketId);
  if (market === undefined || venue.user(command.userId) === undefined) return "market_not_found";
  const barred = accountFault(venue, market, command);
  if (barred !== undefined) return barred;
  const { userId, marketId, account, side, type, amountIn, amount, price, trigger, hidden, stpMode, clientId } =
    command;
  const fault = standing(venue, market, userId, "stop", type, undefined) ?? stopFault(market, command);
  if (fault !== undefined) return fault;
  const mine = venue.stops.filter(
    (stop) => stop.userId === userId && stop.marketId === marketId && stop.account === account,
  );
  if (mine.length >= WAITING_MAX) return "too_many_stop_orders";
  const stop: ModelStop = {
    stopId: venue.nextStopId++,
    userId,
    marketId,
    account: account as "spot" | "margin",
    side,
    type,
    amountIn,
    hidden,
    // What is placed while bids are taken ignores self-trade protection. Domain 2.7.
    stpMode: market.status === "bidding" ? "none" : stpMode,
    clientId,
    createdAt: venue.timeMs,
    price,
    amount,
    trigger,
    direction: directionOf(market, side, trigger),
    updatedAt: venue.timeMs,
  };
  venue.stops.push(stop);
  venue.outcome.stop = tell(venue, "put", stop);
  return undefined;
}

export function modifyStop(venue: ModelVenue, command: ModifyStopOrder): Refusal | undefined {
  const market = venue.markets[command.marketId];
  if (market === undefined) return "market_not_found";
  const stop = findStop(venue, command);
  if (stop === undefined) return "order_not_found";
  const stands = standing(venue, market, command.userId, "modify", undefined, undefined);
  if (stands !== undefined) return stands;
  const { amount, price, trigger } = command;
  if (amount === undefined && price === undefined && trigger === undefined) return "nothing_to_modify";
  if (stop.type === "market" && price !== undefined) return "market_order_price";
  if (isTrail(stop) && trigger !== undefined) return "order_not_modifiable";
  if (protectsEntry(venue, stop) && amount !== undefined) return "order_not_modifiable";
  const next = {
    ...stop,
    amount: amount ?? stop.amount,
    price: price ?? stop.price,
    trigger: trigger ?? stop.trigger,
  };
  const keepsAmount = stop.groupId !== undefined && amount === undefined;
  const changed = () => amountFault(market, next) ?? displayFault(market.minAmount, next.display ?? 0n, next.amount);
  const fault = (keepsAmount ? undefined : changed()) ?? (isTrail(stop) ? undefined : pricesFault(market, next));
  if (fault !== undefined) return fault;
  if (trigger !== undefined && stop.waits !== "sleeps") next.direction = directionOf(market, stop.side, trigger);
  Object.assign(stop, next, { updatedAt: venue.timeMs });
  venue.outcome.stop = tell(venue, "modify", stop);
  return undefined;
}

export function cancelStop(venue: ModelVenue, command: CancelStopOrder): Refusal | undefined {
  const market = venue.markets[command.marketId];
  if (market === undefined) return "market_not_found";
  const stop = findStop(venue, command);
  if (stop === undefined) return "order_not_found";
  const refusal = cancelFault(venue, market);
  if (refusal !== undefined) return refusal;
  venue.outcome.stop = endStop(venue, stop);
  return undefined;
}

export function cancelStopsByClientId(venue: ModelVenue, command: CancelStopByClientId): Refusal | undefined {
  const { marketId, userId, clientId, account } = command;
  const refusal = cancelFault(venue);
  if (refusal !== undefined) return refusal;
  const mine = venue.stops.filter(
    (stop) =>
      stop.userId === userId &&
      stop.clientId === clientId &&
      clientId !== "" &&
      account === stop.account &&
      (marketId === undefined || stop.marketId === marketId),
  );
  const free = mine.filter((stop) => !isLocked(venue.markets[stop.marketId] as ModelMarket, venue.timeMs));
  if (free.length === 0) return mine.length === 0 ? "order_not_found" : "auction_locked";
  for (const stop of free) endStop(venue, stop);
  return undefined;
}

/** Cancels a stop order. */
export function endStop(venue: ModelVenue, stop: ModelStop): ModelStop {
  leaveGroup(venue, stop);
  venue.stops.splice(venue.stops.indexOf(stop), 1);
  stop.updatedAt = venue.timeMs;
  return tell(venue, "cancel", stop);
}

/** Every stop order that the price has reached becomes an order, by ascending id, again and again until none is due. */
export function fireStops(venue: ModelVenue): void {
  const { order, stop: told } = venue.outcome;
  for (;;) {
    lookAfterMargin(venue);
    followPrices(venue, (stop) => tell(venue, "modify", stop));
    const due = venue.stops.filter((stop) => isDue(venue, stop));
    if (due.length === 0) break;
    for (const stop of due) {
      // An earlier one may have cancelled it, or interrupted the market.
      if (!venue.stops.includes(stop)) continue;
      if (!isTrading(venue, venue.markets[stop.marketId] as ModelMarket)) continue;
      if (activate(stop)) continue;
      endOthers(venue, stop);
      venue.stops.splice(venue.stops.indexOf(stop), 1);
      venue.outcome.order = undefined;
      const refusal = placeOrder(venue, stop);
      stop.updatedAt = venue.timeMs;
      const event = refusal === undefined ? "active_success" : "active_fail";
      const placed = venue.outcome.order as { readonly orderId: number } | undefined;
      tell(venue, event, stop, placed?.orderId ?? 0, refusal);
    }
  }
  venue.outcome.order = order;
  venue.outcome.stop = told;
}

function isDue(venue: ModelVenue, stop: ModelStop): boolean {
  const market = venue.markets[stop.marketId] as ModelMarket;
  const price = priceOf(market, stop);
  if (price === 0n || !isTrading(venue, market)) return false;
  if (stop.waits === "to begin" || stop.waits === "sleeps") return false;
  return stop.direction === "higher" ? price <= stop.trigger : price >= stop.trigger;
}

function directionOf(market: ModelMarket, side: "buy" | "sell", trigger: bigint): "higher" | "lower" {
  const price = reference(market);
  if (price === 0n) return side === "buy" ? "lower" : "higher";
  return price >= trigger ? "higher" : "lower";
}

type Asked = Pick<ModelStop, "side" | "type" | "amountIn" | "amount" | "price" | "trigger">;

export function stopFault(market: ModelMarket, wish: Asked): Refusal | undefined {
  return amountFault(market, wish) ?? pricesFault(market, wish);
}

export function amountFault(market: ModelMarket, { amountIn, amount }: Asked): Refusal | undefined {
  if (amountIn === "base") return lotsFault(market, amount);
  return amount < 0n ? "amount_off_grid" : undefined;
}

export function pricesFault(market: ModelMarket, wish: Asked): Refusal | undefined {
  const { side, type, amountIn, amount, price, trigger } = wish;
  if (type !== "market") {
    const fault = priceFault(market, price);
    if (fault !== undefined) return fault;
  }
  if (trigger <= 0n) return "trigger_off_grid";
  if (trigger > market.maxPrice) return "trigger_too_high";
  if (amountIn === "quote") {
    const fault = quoteFault(market, amount, trigger);
    if (fault !== undefined) return fault;
  }
  return type !== "market" && isFar(side, price, trigger) ? "price_far_from_trigger" : undefined;
}

function findStop(venue: ModelVenue, command: ModifyStopOrder | CancelStopOrder): ModelStop | undefined {
  const { stopId, userId, marketId, account } = command;
  const stop = venue.stops.find((candidate) => candidate.stopId === stopId);
  const isTheirs =
    stop?.userId === userId && stop.marketId === marketId && (account === undefined || account === stop.account);
  return isTheirs ? stop : undefined;
}

export function tell(
  venue: ModelVenue,
  event: Extract<ModelEvent, { kind: "stop" }>["event"],
  stop: ModelStop,
  orderId = 0,
  refusal?: Refusal,
): ModelStop {
  const copy = { ...stop };
  venue.report({ kind: "stop", event, stop: copy, orderId, refusal });
  return copy;
}
