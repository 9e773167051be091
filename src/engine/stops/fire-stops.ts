/**
 * Stop orders that the price has reached become orders, after the command that moved it is done. Source: domain 2.11;
 * the order in which that happens, 11.3, is that of run-triggers.ts.
 */
import { encodeCommand, FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import type { Markets } from "../part.ts";
import type { State } from "../state.ts";
import { expectIceberg, tellIceberg } from "../trading/iceberg.ts";
import { NONE } from "../trading/order.ts";
import { type OrderOutcome, placeOrder } from "../trading/place.ts";
import { firesTriggers, followedPrice, referencePrice } from "../trading/reference-price.ts";
import { WordBuffer } from "../words.ts";
import { emitStop, readStop } from "./emit-stop.ts";
import { endOthers } from "./grouped.ts";
import { REFERENCES } from "./trigger-heaps.ts";

/** The bits of flags that say what an order is for. */
const AIM = FLAG.aimMask << FLAG.aimShift;

/** Whether the price has reached the trigger of a waiting stop order. */
export function isStopDue(state: State, slot: number): boolean {
  const { stops, markets } = state;
  const market = markets[stops.marketId(slot)] as Market;
  const price = referencePrice(state, market, stops.reference(slot));
  if (price === 0n || !firesTriggers(state, market, stops.reference(slot))) return false;
  if (!stops.waitsForPrice(slot)) return isTrailDue(state, market, slot, price);
  const { direction } = readStop(state, slot);
  return direction === "higher" ? price <= stops.trigger(slot) : price >= stops.trigger(slot);
}

/** Whether a trail that has begun has its trigger reached, or a better price than it has seen. */
function isTrailDue(state: State, market: Market, slot: number, price: bigint): boolean {
  const { stops } = state;
  const extreme = stops.extreme(slot);
  if (extreme === 0) return false;
  const followed = followedPrice(state, market, stops.reference(slot), price);
  return stops.sells(slot)
    ? followed <= stops.triggerNow(slot) || followed > extreme
    : followed >= stops.triggerNow(slot) || followed < extreme;
}

/**
 * Fires all that are due in these markets, in ascending id, and none that become due by it; those of a market that is
 * interrupted by one of them go on waiting. A trail that has come to its activation price begins with the next look.
 * Returns whether any was due.
 */
export function fireStops(state: State, markets: Markets): boolean {
  const { stops } = state;
  if (stops.live === 0) return false;
  const ids = dueIn(state, markets, stops).map((slot) => stops.stopId(slot));
  for (const slot of stops.byId(stops.begun.splice(0))) {
    stops.setUpdatedAt(slot, state.timeMs);
    emitStop(state, slot, "modify");
  }
  let hasFired = false;
  for (const stopId of ids.sort((one, other) => one - other)) {
    const slot = stops.find(stopId);
    // One that was triggered before it may have cancelled it.
    if (slot === NONE) continue;
    const market = state.markets[stops.marketId(slot)] as Market;
    if (!firesTriggers(state, market, stops.reference(slot))) continue;
    if (stops.waitsForPrice(slot) && stops.isTrailing(slot)) stops.activate(slot);
    else fire(state, slot);
    hasFired = true;
  }
  return hasFired;
}

/** Stop orders or exits that wait for the prices of markets. */
interface Waiting {
  /** `followed`: the price as trails follow it. */
  mayFire(marketId: number, reference: number, price: bigint, followed: bigint): boolean;
  collect(marketId: number, reference: number, price: number, due: number[], followed: number): void;
  readonly dirty: Set<number>;
}

/**
 * Returns the slots whose triggers prices have reached, in these markets or in all in which that may have happened: in
 * any order.
 */
export function dueIn(state: State, markets: Markets, waiting: Waiting): number[] {
  const due: number[] = [];
  if (markets !== "dirty") for (const market of markets) collectDue(state, market, waiting, due);
  else for (const id of waiting.dirty) collectDue(state, state.markets[id] as Market, waiting, due);
  return due;
}

/**
 * Whether a market in which prices have reached something is looked at with the next command that looks at all that may
 * be.
 */
export function isLookedAt(state: State, market: Market, waiting: Waiting): boolean {
  const isReached = REFERENCES.some((reference) => {
    const price = referencePrice(state, market, reference);
    return price !== 0n && waiting.mayFire(market.id, reference, price, followedPrice(state, market, reference, price));
  });
  return !isReached || waiting.dirty.has(market.id);
}

function collectDue(state: State, market: Market, waiting: Waiting, due: number[]): void {
  let isReached = false;
  for (const reference of REFERENCES) {
    const price = referencePrice(state, market, reference);
    if (price === 0n) continue;
    const followed = followedPrice(state, market, reference, price);
    if (!waiting.mayFire(market.id, reference, price, followed)) continue;
    isReached = true;
    if (!firesTriggers(state, market, reference)) continue;
    waiting.collect(market.id, reference, Number(price), due, Number(followed));
  }
  // What a price has reached while its market takes no orders is looked at again, until it may fire.
  if (isReached) waiting.dirty.add(market.id);
  else waiting.dirty.delete(market.id);
}

/**
 * Turns a stop order into an order, exactly as if its user placed it now; whether it is accepted or not, it is gone.
 */
function fire(state: State, slot: number): void {
  const { stops } = state;
  const record = new WordBuffer(16);
  endOthers(state, slot);
  encodeCommand(record, { ...readStop(state, slot), kind: "place_order" });
  const orderId = state.nextOrderId;
  const { display } = stops.conditionOf(slot);
  record.i32[3] = (record.i32[3] as number) | (stops.flags(slot) & AIM) | expectIceberg(state, display);
  const outcome: OrderOutcome = { refusal: 0, orderEvent: -1 };
  placeOrder(state, state.scratch, record, 0, outcome, true);
  stops.setUpdatedAt(slot, state.timeMs);
  if (outcome.refusal === 0) {
    if (display > 0n) tellIceberg(state, stops.userId(slot), stops.marketId(slot), orderId, display);
    emitStop(state, slot, "active_success", orderId);
  } else {
    state.orders.icebergs.delete(orderId);
    emitStop(state, slot, "active_fail", 0, outcome.refusal);
  }
  stops.remove(slot);
}
