import { part } from "../part.ts";
import "./happenings.ts";
import { checkCancelAfter } from "./cancel-after-invariants.ts";
import { cancelAfterSection } from "./cancel-after-section.ts";
import { cancelAfterDue, heldDue, isHeldFree } from "./fire.ts";
import { CANCEL_AFTER_FORMS } from "./forms.ts";
import { setCancelAfter } from "./set.ts";
import { cancelTimers } from "./timers.ts";

/** Timers that cancel a user's open orders unless he sets them anew: for clients that may be cut off. */
export const cancelAfter = part({
  name: "cancel-after",
  forms: CANCEL_AFTER_FORMS,
  commands: { set_cancel_after: setCancelAfter },
  sections: [cancelAfterSection],
  check: checkCancelAfter,
  due: cancelAfterDue,
  dueIn: heldDue,
  isOverdueIn: isHeldFree,
  onDelisting: (state, { id }) => cancelTimers.of(state).held.delete(id),
});
