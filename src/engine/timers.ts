import { type Due, isBefore } from "./due.ts";
import { STEP_WORDS } from "./event.ts";
import { scheduleStatus } from "./listing/schedule.ts";
import { PARTS } from "./parts.ts";
import type { State } from "./state.ts";

/**
 * Does what is due by `state.timeMs`: first what says whether anything may trade, then the rest in the order of
 * its times, at one time by rank, then in order of listing. What comes again and again, such as funding, comes as often as
 * it was missed. Source: domain 11.3.
 */
export function runDue(state: State): void {
  state.nextDueMs = Number.POSITIVE_INFINITY;
  for (const part of PARTS) part.beforeDue?.(state);
  for (let due = earliest(state); due !== undefined && due.atMs <= state.timeMs; due = earliest(state)) {
    state.events.reserve(STEP_WORDS);
    due.run();
  }
  schedule(state);
}

/** Makes sure that the engine wakes up for what is due next. */
export function schedule(state: State): void {
  for (const market of state.markets) scheduleStatus(state, market);
  scheduleVenue(state);
}

/** As `schedule`, of what is due of no market. */
export function scheduleVenue(state: State): void {
  for (const part of PARTS) {
    for (const { atMs } of part.due?.(state) ?? []) state.nextDueMs = Math.min(state.nextDueMs, atMs);
  }
}

/** What is due next of all, if anything is to come. */
function earliest(state: State): Due | undefined {
  let first: Due | undefined;
  const look = (due: Due) => {
    if (first === undefined || isBefore(due, first)) first = due;
  };
  for (const part of PARTS) part.due?.(state).forEach(look);
  for (const market of state.markets) {
    if (market.delisted) continue;
    for (const part of PARTS) part.dueIn?.(state, market).forEach(look);
  }
  return first;
}

/** Whether something that had to wait, for a market to open or for its index, can be done now. */
export function isOverdue(state: State): boolean {
  return PARTS.some((part) => part.isOverdue?.(state));
}

/** Lets time pass. */
export function tick(state: State): void {
  for (const part of PARTS) part.tick?.(state);
}
