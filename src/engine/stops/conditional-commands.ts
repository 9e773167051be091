/**
 * Placing stop orders with trails and orders that belong together, and cancelling a group. Source: domain 2.20, and 2.1
 * and 2.11 for the checks.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import { ACCOUNTS, type Account, FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { type Refusal, refusalOf } from "../refusal.ts";
import type { State } from "../state.ts";
import { refuseCancelling, refuseLocked } from "../trading/check.ts";
import { expectIceberg, refuseDisplay, tellIceberg } from "../trading/iceberg.ts";
import { NONE, placeOf } from "../trading/order.ts";
import { enterAccepted } from "../trading/place.ts";
import type { CancelGroup, PlaceConditional } from "./command-schemas.ts";
import { emitStop } from "./emit-stop.ts";
import { endGroup } from "./grouped.ts";
import { GROUP_KINDS } from "./groups.ts";
import { type ReadLeg, readLeg } from "./leg.ts";
import { enterStop, isFromBelow, refuseAmount, refuseCount, refusePrices, refuseStopOf } from "./stop-commands.ts";
import { STOP_FLAG } from "./stop-event.ts";

/** The numbers of orders that a command of each shape places. */
const LEGS: Readonly<Record<string, number>> = { single: 1, oco: 2, bracket: 3 };

/** Orders that belong together as they are to be placed: what rests or trades at once, and what waits. */
interface Plan {
  readonly userId: number;
  readonly market: Market;
  readonly shape: string;
  readonly order: ReadLeg | undefined;
  readonly stops: readonly ReadLeg[];
}

/** Places a trail, an iceberg, a pair or a bracket: all of it, or none. */
export function placeConditional(state: State, command: PlaceConditional): Answer {
  const plan = planOf(state, command);
  if ("refusal" in plan) return plan;
  const { userId, market, shape, order, stops } = plan;
  for (const leg of stops) {
    const refusal = refuseStopLeg(state, plan, leg);
    if (refusal !== 0) return refusedBy(refusal);
  }
  const [first] = stops;
  const tooMany = first === undefined ? 0 : refuseCount(state, userId, market, first.flags, stops.length);
  if (tooMany !== 0) return refusedBy(tooMany);
  const refusal = order === undefined ? 0 : refuseOrderLeg(state, userId, market, order);
  if (refusal !== 0) return refusedBy(refusal);

  // Nothing is refused below this line.
  const { groups } = state.stops;
  const groupId = shape === "single" ? 0 : groups.nextId++;
  const orderId = order === undefined ? 0 : state.nextOrderId;
  const slots = stops.map((leg) => enterLeg(state, plan, leg, groupId));
  const stopIds = slots.map((slot) => state.stops.stopId(slot));
  const kind = GROUP_KINDS.find((one) => one === shape);
  if (kind !== undefined) groups.enter({ id: groupId, kind, orderId, stopIds });
  for (const slot of slots) emitStop(state, slot, "put");
  if (order !== undefined) {
    const isGrouped = kind === undefined ? 0 : FLAG.grouped;
    const { display, clientId } = order;
    const flags = market.settlement.orderFlags(order.flags) | isGrouped | expectIceberg(state, display);
    const seat = state.seats.find(userId, market.id, placeOf(flags));
    enterAccepted(state, state.scratch, userId, market, seat, flags, clientId);
    if (display > 0n) tellIceberg(state, userId, market.id, orderId, display);
  }
  return accepted({ groupId, orderId, stopIds });
}

/** Cancels all that is left of a group of the caller; anybody else's is as if it were not there. */
export function cancelGroup(state: State, { userId, groupId, marketType }: CancelGroup): Answer {
  const { stops } = state;
  const group = stops.groups.find(groupId);
  const slot = group === undefined ? NONE : stops.find(group.stopIds[0] as number);
  const market = slot === NONE ? undefined : (state.markets[stops.marketId(slot)] as Market);
  const isOwn = market !== undefined && stops.userId(slot) === userId;
  if (group === undefined || !isOwn || (marketType ?? market.settlement.marketType) !== market.settlement.marketType) {
    return refused("order_not_found", "There is no such group, or nothing is left of it.");
  }
  const refusal = refuseCancelling(state, market.settlement.marketType) || refuseLocked(state, market);
  if (refusal !== 0) return refusedBy(refusal);
  const { orderId, stopIds } = group;
  endGroup(state, group);
  return accepted({ groupId, orderId, stopIds });
}

/** Returns the orders that a command asks for, read, or the reason why it cannot be meant. */
function planOf(state: State, { userId, marketId, account, shape, legs }: PlaceConditional): Plan | Answer {
  const market = state.markets[marketId];
  if (market === undefined || market.delisted || !state.users.has(userId)) {
    return refused("market_not_found", "There is no such market.");
  }
  if (!(ACCOUNTS as readonly string[]).includes(account)) return invalid("market_type is not one that there is");
  const most = Object.hasOwn(LEGS, shape) ? LEGS[shape] : undefined;
  if (most === undefined || legs.length !== most) return invalid("the number of orders does not fit");
  const read: ReadLeg[] = [];
  for (const leg of legs) {
    const one = readLeg(state, market, account as Account, leg);
    if (typeof one === "string") return invalid(one, legs.length);
    read.push(one);
  }
  const order = read.find(({ isStop }) => !isStop);
  const stops = read.filter(({ isStop }) => isStop);
  const fault = shape === "bracket" ? bracketFault(read) : pairFault(shape, stops, order);
  return fault === undefined ? { userId, market, shape, order, stops } : invalid(fault, legs.length);
}

/** A pair may have one order that rests: of one that could not, one side would be over at once. */
function pairFault(shape: string, stops: readonly ReadLeg[], order: ReadLeg | undefined): string | undefined {
  const isIceberg = shape === "single" && order !== undefined && order.display > 0n;
  if (stops.length === 0 && !isIceberg) {
    const least = "at least one of the orders must have a trigger or a trail";
    return shape === "single" ? `${least}, or a display_amount` : least;
  }
  if (order !== undefined && !order.canRest) return "an order without a trigger must be of type limit or maker_only";
  return undefined;
}

/** The two that protect an entry are stop orders on the other side, the take profit on the side of profit. */
function bracketFault([entry, profit, loss]: readonly ReadLeg[]): string | undefined {
  if (entry === undefined || profit === undefined || loss === undefined) return "a bracket has three orders";
  if (entry.isStop) return "the entry of a bracket must have no trigger and no trail";
  if (!profit.isStop || profit.trigger === 0n || profit.isTrail) return "the take profit must have a trigger";
  if (!loss.isStop) return "the stop loss must have a trigger or a trail";
  const sells = (entry.flags & FLAG.sell) === 0;
  for (const exit of [profit, loss]) {
    if (((exit.flags & FLAG.sell) !== 0) !== sells) return "take profit and stop loss must be on the other side";
  }
  const floor = loss.isTrail ? 0n : loss.trigger;
  const isBetter = sells ? profit.trigger > floor : floor === 0n || profit.trigger < floor;
  return isBetter ? undefined : "the take profit must lie on the side of profit of the stop loss";
}

/**
 * Checks a stop order of the plan; 0 = nothing to object. What protects an entry has its amount from what is filled.
 */
function refuseStopLeg(state: State, { userId, market, shape }: Plan, leg: ReadLeg): number {
  return (
    refuseStopOf(state, userId, market, leg.flags) ||
    (shape === "bracket" ? 0 : refuseAmount(state, market, leg) || refuseDisplay(market, leg.display, leg.amount)) ||
    // A trail without an activation price has no trigger yet.
    (leg.isTrail && leg.trigger === 0n ? 0 : refusePrices(state, market, leg))
  );
}

/** Drafts the order that is placed at once, and checks it as any order. */
function refuseOrderLeg(state: State, userId: number, market: Market, leg: ReadLeg): number {
  const { scratch } = state;
  const { settlement } = market;
  const flags = settlement.orderFlags(leg.flags);
  const refusal = settlement.refuseAccount(state, market, flags) || settlement.refuseUser(state, userId, market, flags);
  if (refusal !== 0) return refusal;
  scratch.draft.isFired = false;
  scratch.draft.left = leg.amount;
  scratch.draft.price = leg.price;
  const seat = state.seats.find(userId, market.id, placeOf(flags));
  return (
    settlement.refuseOrder(state, scratch, userId, market, seat, flags) ||
    refuseDisplay(market, leg.display, leg.amount)
  );
}

/** Makes a stop order of the plan wait. */
function enterLeg(state: State, { userId, market, shape, stops }: Plan, leg: ReadLeg, groupId: number): number {
  const isExit = shape === "bracket";
  const sells = (leg.flags & FLAG.sell) !== 0;
  // A take profit waits for the side of profit and a stop loss for the other, wherever the price stands now.
  const isAtOnce = leg.isTrail && leg.trigger === 0n;
  const rises = isAtOnce ? !sells : isExit ? sells === (leg === stops[0]) : isFromBelow(state, market, leg);
  const flags =
    leg.flags |
    STOP_FLAG.conditional |
    (rises ? STOP_FLAG.lower : 0) |
    (isAtOnce ? STOP_FLAG.follows : 0) |
    (isExit ? STOP_FLAG.dormant : 0);
  const { trail, trailRateE8, display } = leg;
  const condition = { trail, trailRateE8, activation: leg.isTrail ? Number(leg.trigger) : 0, groupId, display };
  return enterStop(state, userId, market, { ...leg, flags, amount: isExit ? 0n : leg.amount }, leg.clientId, condition);
}

function refusedBy(number: number): Answer {
  return refused(refusalOf(number) as Refusal, "");
}

function invalid(fault: string, orders = 2): Answer {
  const what = orders === 1 ? "The order cannot be placed" : "The orders cannot be placed together";
  return refused("invalid_command", `${what}: ${fault}.`);
}
