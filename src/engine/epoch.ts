import { NewerProgram } from "./newer.ts";
import { RULES_VERSION } from "./rules-version.ts";
import type { State } from "./state.ts";

/**
 * Lets the rules of this version hold from here on; false when older ones would come back. What a version needs of the state
 * beside its number is changed here, once. Throws NewerProgram for rules that this program does not have.
 */
export function beginEpoch(state: State, rulesVersion: number): boolean {
  if (rulesVersion > RULES_VERSION) {
    const versions = { of: "rules version", found: rulesVersion, known: RULES_VERSION };
    throw new NewerProgram(`The log, from seq ${state.seq} on,`, versions);
  }
  if (rulesVersion < state.rulesVersion) return false;
  state.rulesVersion = rulesVersion;
  return true;
}
