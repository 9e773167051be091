import type { Market } from "../listing/market.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { flagProtected, type Protection, protections, quotesOf } from "./protections.ts";
import { endResting } from "./resting.ts";

/** Cancels the quotes of those whose limits have just been reached, spot before margin, oldest first. */
export function pullQuotes(state: State): void {
  const own = protections.of(state);
  state.hasTripped = false;
  for (const { userId, marketId, reached } of own.tripped.splice(0)) {
    const { limit, atMs } = reached as NonNullable<Protection["reached"]>;
    flagProtected(state, own, userId);
    emitRareEvent(state, { type: "quotes_pulled", userId, marketId, limit, atMs });
    for (const slot of quotesOf(state, userId, marketId)) endResting(state, state.markets[marketId] as Market, slot);
  }
}
