import { encodeJson } from "./command.ts";
import type { Happening } from "./event.ts";
import type { State } from "./state.ts";

/** Writes a rare event; those that happen all day are binary. */
export function emitHappening(state: State, happening: Happening): void {
  encodeJson(state.events, happening);
}
