import { part } from "../part.ts";
import "./events.ts";
import { checkCancelAfter, checkConnections } from "./cancel-after-invariants.ts";
import { cancelAfterSection } from "./cancel-after-section.ts";
import { CANCEL_AFTER_SCHEMAS } from "./command-schemas.ts";
import { connectionsSection } from "./connections-section.ts";
import { cancelAfterDue, heldDue, isHeldFree } from "./fire.ts";
import { setCancelAfter } from "./set.ts";
import { cancelTimers } from "./timers.ts";
import { endConnections, renewConnections, unwatchConnection, watchConnection } from "./watch.ts";

/**
 * Cancels a user's open orders when a timer is not set anew, or when a connection ends: for clients that may be cut
 * off.
 */
export const cancelAfter = part({
  name: "cancel-after",
  commandSchemas: CANCEL_AFTER_SCHEMAS,
  commands: {
    set_cancel_after: setCancelAfter,
    watch_connection: watchConnection,
    unwatch_connection: unwatchConnection,
    end_connections: endConnections,
    renew_connections: renewConnections,
  },
  sections: [cancelAfterSection, connectionsSection],
  check: (state, census) => {
    checkCancelAfter(state, census);
    checkConnections(state, census);
  },
  due: cancelAfterDue,
  dueIn: heldDue,
  isOverdueIn: isHeldFree,
  onDelisting: (state, { id }) => cancelTimers.of(state).held.delete(id),
});
