import { type Answer, accepted } from "../answer.ts";
import { emitHappening } from "../happening.ts";
import type { State } from "../state.ts";
import type { SetCancelOnly } from "./forms.ts";

/** Lets the venue accept cancels only, or everything again. */
export function setCancelOnly(state: State, { cancelOnly, reason }: SetCancelOnly): Answer {
  state.cancelOnly = cancelOnly;
  emitHappening(state, { type: "cancel_only", cancelOnly, reason });
  return accepted({});
}
