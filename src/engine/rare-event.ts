import { encodeJson } from "./command.ts";
import type { RareEvent } from "./event.ts";
import type { State } from "./state.ts";

/** Writes a rare event; those that happen all day are binary. */
export function emitRareEvent(state: State, rareEvent: RareEvent): void {
  encodeJson(state.events, rareEvent);
}
