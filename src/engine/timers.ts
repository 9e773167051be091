import { STEP_WORDS } from "./event.ts";
import { emitHappening } from "./happening.ts";
import { scheduleStatus } from "./listing/list.ts";
import type { Market } from "./listing/market.ts";
import { INDEX_EVERY_MS, recomputeIndex } from "./listing/price-index.ts";
import { runMaintenance } from "./maintenance.ts";
import type { State } from "./state.ts";
import type { Book } from "./trading/book.ts";
import { NONE } from "./trading/order.ts";
import { endResting } from "./trading/resting.ts";
import { endStopsOf } from "./trading/stop-commands.ts";

/**
 * Does what is due by `state.timeMs`: maintenance first, which concerns them all, then by market, since what happens to one
 * does not concern another.
 */
export function runDue(state: State): void {
  state.nextDueMs = Number.POSITIVE_INFINITY;
  runMaintenance(state);
  for (const market of state.markets) {
    if (market.delisted) continue;
    if (market.status === "counting_down" && market.onlineAt <= state.timeMs) {
      market.status = "online";
      emitHappening(state, { type: "market_changed", market: market.name });
    }
    if (market.delistedAt > 0 && market.delistedAt <= state.timeMs) delist(state, market);
    scheduleStatus(state, market);
  }
}

/** On a tick: sources grow stale without any command, so each index is looked at again every few seconds. */
export function refreshIndexes(state: State): void {
  for (const market of state.markets) {
    if (market.delisted || market.index.sources.length === 0) continue;
    if (state.timeMs - market.index.updatedAt >= INDEX_EVERY_MS) recomputeIndex(state, market);
  }
}

/** Cancels every order of the market, buys first, in priority, and every stop order; then the market is in no list any more. */
function delist(state: State, market: Market): void {
  const book = state.books[market.id] as Book;
  for (const side of [0, 1]) {
    for (let slot = book.first(side); slot !== NONE; slot = book.first(side)) {
      state.events.reserve(STEP_WORDS);
      endResting(state, market, slot);
    }
  }
  endStopsOf(state, market);
  market.delisted = true;
  state.forgetName(market);
  emitHappening(state, { type: "market_changed", market: market.name });
}
