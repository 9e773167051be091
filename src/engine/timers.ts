import { type Due, isBefore } from "./due.ts";
import type { Market } from "./listing/market.ts";
import { scheduleMarket } from "./listing/schedule.ts";
import { PARTS } from "./parts.ts";
import type { State } from "./state.ts";

/**
 * Does what is due by `state.timeMs`: first what says whether anything may trade, then the rest in the order of its
 * times, at one time by rank, then in order of listing. What comes again and again, such as funding, comes as often as
 * it was missed. Source: domain 11.3.
 */
export function runDue(state: State): void {
  state.nextDueMs = Number.POSITIVE_INFINITY;
  for (const part of PARTS) part.beforeDue?.(state);
  let ofMarkets = dueOfMarkets(state);
  for (;;) {
    const ofMarket = ofMarkets.at(-1);
    const due = first(dueOfVenue(state), ofMarket);
    if (due === undefined || due.atMs > state.timeMs) break;
    due.run();
    if (due === ofMarket && due.staysInMarket) putBack(state, ofMarkets, due.id);
    else if (!due.staysInMarket) ofMarkets = dueOfMarkets(state);
  }
  schedule(state);
}

/** Makes sure that the engine wakes up for what is due next. */
export function schedule(state: State): void {
  for (const market of state.markets) scheduleMarket(state, market);
  scheduleVenue(state);
}

/** As `schedule`, of what is due of no market. */
export function scheduleVenue(state: State): void {
  for (const part of PARTS) {
    for (const { atMs } of part.due?.(state) ?? []) state.nextDueMs = Math.min(state.nextDueMs, atMs);
  }
}

/** Returns the next due work of the venue as a whole; undefined when there is none. */
function dueOfVenue(state: State): Due | undefined {
  let next: Due | undefined;
  for (const part of PARTS) for (const due of part.due?.(state) ?? []) next = first(next, due);
  return next;
}

/** Returns the next due work of a market; undefined when there is none. */
function dueOfMarket(state: State, market: Market): Due | undefined {
  if (market.delisted) return undefined;
  let next: Due | undefined;
  for (const part of PARTS) for (const due of part.dueIn?.(state, market) ?? []) next = first(next, due);
  return next;
}

/** Returns the next due work of each market of which something is due by now, the earliest last. */
function dueOfMarkets(state: State): Due[] {
  const all = state.markets.flatMap((market) => dueOfMarket(state, market) ?? []);
  return all.filter(({ atMs }) => atMs <= state.timeMs).sort((left, right) => (isBefore(left, right) ? 1 : -1));
}

/** Puts what comes next of the market of the last one in its place, if that is due by now. */
function putBack(state: State, ofMarkets: Due[], marketId: number): void {
  ofMarkets.pop();
  const due = dueOfMarket(state, state.markets[marketId] as Market);
  if (due === undefined || due.atMs > state.timeMs) return;
  let at = ofMarkets.length;
  while (at > 0 && isBefore(ofMarkets[at - 1] as Due, due)) at--;
  ofMarkets.splice(at, 0, due);
}

/** The one that comes first; of two at one time and rank of one market, `left`. */
function first(left: Due | undefined, right: Due | undefined): Due | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return isBefore(right, left) ? right : left;
}

/** Whether something that had to wait, for a market to open or for its index, can be done now. */
export function isOverdue(state: State): boolean {
  if (PARTS.some((part) => part.isOverdue?.(state))) return true;
  for (const id of state.waiting) {
    const found = PARTS.map((part) => part.isOverdueIn?.(state, state.markets[id] as Market));
    if (found.includes(true)) return true;
    if (!found.includes(false)) state.waiting.delete(id);
  }
  return false;
}

/** Advances time. */
export function tick(state: State): void {
  for (const part of PARTS) part.tick?.(state);
}
