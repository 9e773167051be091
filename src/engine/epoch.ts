import { noteBandIndex } from "./listing/index-freshness.ts";
import { NewerProgram } from "./newer.ts";
import { holds, RULES_VERSION } from "./rules-version.ts";
import type { State } from "./state.ts";
import { noteOwing } from "./wallet/owing.ts";

/**
 * Puts the rules of this version in force from here on; false when older ones would come back. What a version needs of
 * the state beside its number is changed here, once. Throws NewerProgram for rules that this program does not have.
 */
export function beginEpoch(state: State, rulesVersion: number): boolean {
  if (rulesVersion > RULES_VERSION) {
    const versions = { of: "rules version", found: rulesVersion, known: RULES_VERSION };
    throw new NewerProgram(`The log, from seq ${state.seq} on,`, versions);
  }
  if (rulesVersion < state.rulesVersion) return false;
  state.rulesVersion = rulesVersion;
  // 2: indexes that nobody speaks of get stale, and spot prices are held to those that are fresh. Marks stay until
  // their next index or sample; funds have lost nothing yet; no market is interrupted before an operator says when.
  for (const market of state.markets) {
    noteBandIndex(state, market);
    // What waits, and for what, is another by other rules.
    state.waiting.add(market.id);
    state.stops.dirty.add(market.id);
    state.futures.exits.dirty.add(market.id);
  }
  state.nextDueMs = Math.min(state.nextDueMs, state.timeMs);
  // 3: keys that were made before get the numbers that those made from now on have.
  if (holds(state, "numberedKeys")) state.keys.numberAll();
  // 5: who holds what a chain could take back, or owes it, is asked before it trades.
  if (holds(state, "reversibleStays")) {
    for (let userId = 1; userId < state.users.count; userId++) noteOwing(state, userId);
  }
  return true;
}
