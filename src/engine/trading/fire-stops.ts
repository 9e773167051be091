/**
 * Stop orders that the price has reached become orders, after the command that moved it is done. Source: domain 2.11.
 */
import { encodeCommand } from "../command.ts";
import { STEP_WORDS } from "../event.ts";
import { settleFutures } from "../futures/after-command.ts";
import type { Market } from "../listing/market.ts";
import { mayTrade } from "../listing/status.ts";
import type { State } from "../state.ts";
import { WordBuffer } from "../words.ts";
import { emitStop, readStop } from "./emit-stop.ts";
import { type OrderOutcome, placeOrder } from "./place.ts";

const outcome: OrderOutcome = { refusal: 0, orderEvent: -1 };

/** What triggers are compared with, in ticks: the latest price, before the first deal the index; 0 while there is neither. */
export function stopReference(state: State, market: Market): bigint {
  const latest = state.lastPrice[market.id] as bigint;
  return latest === 0n ? market.index.price : latest;
}

/** Whether stop orders of the market are looked at: while it takes no orders they wait. */
export function firesStops(state: State, market: Market): boolean {
  return market.status === "online" && mayTrade(state, market);
}

/** Whether the price has reached the trigger of a waiting stop order. */
export function isStopDue(state: State, slot: number): boolean {
  const { stops, markets } = state;
  const market = markets[stops.marketId(slot)] as Market;
  const reference = Number(stopReference(state, market));
  if (reference === 0 || !firesStops(state, market)) return false;
  const { direction } = readStop(state, slot);
  return direction === "higher" ? reference <= stops.trigger(slot) : reference >= stops.trigger(slot);
}

/** Fires what is due in one market: what trades there moves no other price. */
export function fireStopsIn(state: State, marketId: number): void {
  const market = state.markets[marketId];
  if (market === undefined || !state.stops.mayFire(marketId, state.lastPrice[marketId] as bigint)) return;
  fireDue(state, [market]);
}

/** Fires what is due anywhere: after a command or a time that may have let markets trade again. */
export function fireStopsEverywhere(state: State): void {
  fireDue(state, state.markets);
}

/** All that are due, in ascending id, then all that these have made due. It ends, because each fires once. */
function fireDue(state: State, markets: readonly Market[]): void {
  let candidates = markets;
  while (candidates.length > 0) {
    const due: number[] = [];
    candidates = candidates.filter((market) => collectDue(state, market, due));
    for (const slot of state.stops.byId(due)) fire(state, slot);
    if (!state.futures.isTouched) continue;
    // Liquidations come before further stop orders, and can move the price of any futures market.
    settleFutures(state, false);
    candidates = due.length > 0 ? state.markets : candidates;
  }
}

/** Adds what is due in a market; whether that is anything. */
function collectDue(state: State, market: Market, due: number[]): boolean {
  const reference = stopReference(state, market);
  if (reference === 0n || !firesStops(state, market)) return false;
  const before = due.length;
  state.stops.collect(market.id, Number(reference), due);
  return due.length > before;
}

/** Lets a stop order become an order, exactly as if its user placed it now; whether it is accepted or not, it is gone. */
function fire(state: State, slot: number): void {
  const { stops, events } = state;
  const record = new WordBuffer(16);
  encodeCommand(record, { ...readStop(state, slot), kind: "place_order" });
  const orderId = state.nextOrderId;
  outcome.refusal = 0;
  events.reserve(STEP_WORDS);
  placeOrder(state, record, 0, outcome);
  stops.setUpdatedAt(slot, state.timeMs);
  if (outcome.refusal === 0) emitStop(state, slot, "active_success", orderId);
  else emitStop(state, slot, "active_fail", 0, outcome.refusal);
  stops.remove(slot);
}
