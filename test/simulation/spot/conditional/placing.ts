/** Trailing stops, pairs and brackets once more, as they are placed. Domain 2.20. */
import type { Refusal } from "../../../../src/engine/refusal.ts";
import type { Leg, PlaceConditional } from "../../../../src/engine/stops/command-schemas.ts";
import type { ModelMarket, ModelStop } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { reference, standing } from "../orders/checks.ts";
import { accountFault, orderFault, placeOrder, type Wish } from "../orders/placing.ts";
import { displayFault } from "../orders/slices.ts";
import { groups } from "../stops/groups.ts";
import { amountFault, pricesFault, tell } from "../stops/stopping.ts";

const WAITING_MAX = 100;

export function placeConditional(
  venue: ModelVenue,
  { userId, marketId, account: named, shape, legs }: PlaceConditional,
): Refusal | undefined {
  const market = venue.listed(marketId);
  if (market === undefined || venue.user(userId) === undefined) return "market_not_found";
  const account = named as "spot" | "margin";
  const read = legs.map((leg) => readLeg(venue, market, { userId, account }, leg));
  if (read.some((leg) => leg === undefined)) return "invalid_command";
  const all = read as ModelLeg[];
  const stops = all.filter(({ isStop }) => isStop);
  const order = all.find(({ isStop }) => !isStop);
  if (shape === "bracket") {
    const [entry, profit, loss] = all as [ModelLeg, ModelLeg, ModelLeg];
    if (entry.isStop || !profit.isStop || isTrailing(profit) || profit.stop.trigger === 0n) return "invalid_command";
    const floor = isTrailing(loss) ? 0n : loss.stop.trigger;
    const { side, trigger } = profit.stop;
    if (side === "sell" ? trigger <= floor : floor !== 0n && trigger >= floor) return "invalid_command";
  } else if (
    (stops.length === 0 && (shape !== "single" || order?.wish.display === 0n)) ||
    (order !== undefined && !["limit", "maker_only"].includes(order.wish.type))
  ) {
    return "invalid_command";
  }
  for (const leg of stops) {
    const fault =
      accountFault(venue, market, { userId, account }) ??
      standing(venue, market, userId, "stop", leg.stop.type, undefined) ??
      (shape === "bracket" ? undefined : (amountFault(market, leg.stop) ?? smallDisplay(market, leg))) ??
      (isTrailing(leg) && leg.stop.trigger === 0n ? undefined : pricesFault(market, leg.stop));
    if (fault !== undefined) return fault;
  }
  const mine = venue.stops.filter(
    (stop) => stop.userId === userId && stop.marketId === marketId && stop.account === account,
  );
  if (mine.length + stops.length > WAITING_MAX) return "too_many_stop_orders";
  const fault = order && (orderFault(venue, order.wish) ?? smallDisplay(market, order));
  if (fault !== undefined) return fault;

  const own = groups(venue);
  const groupId = shape === "single" ? 0 : ++own.count;
  const entered = stops.map(({ stop }, at): ModelStop => {
    const isExit = shape === "bracket";
    const isAtOnce = stop.trigger === 0n;
    const rises = isAtOnce ? stop.side === "buy" : (stop.side === "sell") === (at === 0);
    return {
      ...stop,
      stopId: venue.nextStopId++,
      groupId,
      amount: isExit ? 0n : stop.amount,
      direction: isExit || isAtOnce ? (rises ? "lower" : "higher") : stop.direction,
      waits: isExit ? "sleeps" : isAtOnce ? "to begin" : "for price",
    };
  });
  venue.stops.push(...entered);
  const orderId = order === undefined ? undefined : venue.nextOrderId;
  if (shape !== "single") own.all.push({ id: groupId, kind: shape as "oco" | "bracket", orderId, stops: [...entered] });
  for (const stop of entered) tell(venue, "put", stop);
  if (order !== undefined) placeOrder(venue, order.wish);
  venue.outcome.order = undefined;
  return undefined;
}

function smallDisplay({ minAmount }: ModelMarket, { wish }: ModelLeg) {
  return displayFault(minAmount, wish.display ?? 0n, wish.amount);
}

interface ModelLeg {
  readonly isStop: boolean;
  readonly wish: Wish;
  /** Without its ids. */
  readonly stop: ModelStop;
}

const isTrailing = ({ stop }: ModelLeg) => (stop.trail as bigint) > 0n || (stop.trailRateE8 as number) > 0;

function readLeg(
  venue: ModelVenue,
  market: ModelMarket,
  owner: { readonly userId: number; readonly account: "spot" | "margin" },
  leg: Leg,
): ModelLeg | undefined {
  const { side, type, stpMode, hidden, clientId } = leg as Wish & Leg;
  const trail = leg.trail === undefined ? 0n : units(leg.trail);
  const trailRateE8 = leg.trailRate === undefined ? 0 : Math.round(Number(leg.trailRate) * 1e8);
  const isTrailed = leg.trail !== undefined || leg.trailRate !== undefined;
  const activation = leg.activation === undefined ? 0n : units(leg.activation);
  const triggerType = leg.triggerType === "index_price" ? "index_price" : "latest_price";
  if (trailRateE8 > 50_000_000) return undefined;
  if (leg.trail !== undefined) {
    const now = triggerType === "index_price" ? market.index : reference(market);
    const from = activation > 0n ? activation : now;
    if (trail <= 0n || (from > 0n && trail * 2n > from) || trail > market.maxPrice) return undefined;
  }
  const trigger = isTrailed ? activation : leg.trigger === undefined ? 0n : units(leg.trigger);
  const price = leg.price === undefined ? 0n : units(leg.price);
  const common = { ...owner, marketId: market.id, side, type, amountIn: "base", hidden, clientId, price } as const;
  const amount = units(leg.amount);
  const display = leg.display === undefined ? 0n : units(leg.display);
  if (leg.display !== undefined) {
    if (hidden || (type !== "limit" && type !== "maker_only") || display <= 0n) return undefined;
    if (amount > 0n && display >= amount) return undefined;
  }
  const looked = triggerType === "index_price" ? market.index : reference(market);
  return {
    isStop: isTrailed || leg.trigger !== undefined,
    wish: { ...common, stpMode, amount, display },
    stop: {
      ...common,
      stpMode: market.status === "bidding" ? "none" : stpMode,
      stopId: 0,
      createdAt: venue.timeMs,
      updatedAt: venue.timeMs,
      amount,
      trigger,
      direction: (looked === 0n ? side === "buy" : looked < trigger) ? "lower" : "higher",
      trail,
      trailRateE8,
      display,
      activation: isTrailed ? trigger : 0n,
      extreme: 0n,
      triggerType,
    },
  };
}

/** A decimal with all the decimals that it may have; below 0 there is none. */
function units(text: string): bigint {
  return text.startsWith("-") ? -1n : BigInt(text.replace(".", ""));
}
