/** Every call below `/web`. */
import type { WebCall } from "./call.ts";
import { SESSION_CALLS } from "./session-calls.ts";

export const WEB_CALLS: readonly WebCall[] = [...SESSION_CALLS];
