/**
 * Carries out the consequences that prices and accounts have once a command is done, round by round: accounts that
 * fail, then stop orders, then exits of positions, until nothing more fires. It ends, because everything that fires is
 * gone. Source: domain 11.3.
 */
import { REFERENCE } from "./command.ts";
import type { Markets } from "./part.ts";
import { PARTS } from "./parts.ts";
import type { State } from "./state.ts";
import { followedPrice } from "./trading/reference-price.ts";

/**
 * After a command that may have opened markets or moved prices anywhere; whether it has traded, which moves latest
 * prices.
 */
export function runTriggers(state: State, hasTraded: boolean): void {
  settleIn(state, hasTraded ? state.markets : "dirty", true);
}

/** After a command in one market: what trades there moves no other price. */
export function runTriggersIn(state: State, marketId: number): void {
  const market = state.markets[marketId];
  settleIn(state, market === undefined ? [] : [market], false);
}

/** As `runTriggersIn`, where nothing has happened to futures accounts. */
export function fireIn(state: State, marketId: number): void {
  const market = state.markets[marketId];
  if (market === undefined) return;
  // Where there are no positions one price matters, and one comparison says that nobody waits for it; but a trail may
  // have been woken that follows the index.
  const last = state.lastPrice[marketId] as bigint;
  if (!market.settlement.keepsPositions && !state.stops.dirty.has(marketId)) {
    const followed = followedPrice(state, market, REFERENCE.latest_price, last);
    if (!state.stops.mayFire(marketId, REFERENCE.latest_price, last, followed)) return;
  }
  settleIn(state, [market], false);
}

/** With `everywhere` prices count that moved before, too: what was suspended may go on. */
function settleIn(state: State, markets: Markets, everywhere: boolean): void {
  let looked = markets;
  const dealsAtFirst = state.nextDealId;
  for (let isFirst = true, hasFired = true; hasFired; isFirst = false) {
    const dealsBefore = state.nextDealId;
    for (const part of PARTS) part.lookAfterAccounts?.(state, isFirst && everywhere);
    // An account that fails may trade in every market that it holds something of.
    if (state.nextDealId !== dealsBefore) looked = state.markets;
    hasFired = false;
    for (const part of PARTS) {
      // What has fired may have moved latest prices, which make nothing dirty.
      if (looked === "dirty" && state.nextDealId !== dealsAtFirst) looked = state.markets;
      if (part.fire?.(state, looked) === true) hasFired = true;
    }
  }
}
