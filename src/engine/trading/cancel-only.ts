import { type Answer, accepted } from "../answer.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { SetCancelOnly } from "./command-schemas.ts";

/** Makes the venue accept cancels only, or everything again. */
export function setCancelOnly(state: State, { cancelOnly, reason }: SetCancelOnly): Answer {
  state.cancelOnly = cancelOnly;
  emitRareEvent(state, { type: "cancel_only", cancelOnly, reason });
  return accepted({});
}
