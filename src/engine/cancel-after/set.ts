import { type Answer, accepted, refused } from "../answer.ts";
import type { State } from "../state.ts";
import type { SetCancelAfter } from "./command-schemas.ts";
import { cancelTimers, SCOPES, type Scope } from "./timers.ts";

/** Times that a timer may have, ms. Shorter ones would end orders of clients that are merely far away. */
export const TIMEOUT_MIN_MS = 1_000;
export const TIMEOUT_MAX_MS = 600_000;

/** Starts a timer, or one that runs anew; 0 ends it. Source: domain 2.16. */
export function setCancelAfter(state: State, { userId, scope, timeoutMs }: SetCancelAfter): Answer {
  if (!state.users.has(userId)) return refused("user_not_found", `There is no user ${userId}.`);
  if (!isScope(scope)) return refuseScope();
  if (timeoutMs !== 0 && (timeoutMs < TIMEOUT_MIN_MS || timeoutMs > TIMEOUT_MAX_MS)) {
    return refused("invalid_command", `timeout_ms must be 0, or from ${TIMEOUT_MIN_MS} to ${TIMEOUT_MAX_MS}.`);
  }
  const own = cancelTimers.of(state);
  if (timeoutMs === 0) {
    own.end(userId, scope);
    return accepted({ cancelsAtMs: 0 });
  }
  const atMs = state.timeMs + timeoutMs;
  own.set({ userId, scope, timeoutMs, atMs });
  return accepted({ cancelsAtMs: atMs });
}

export function refuseScope(): Answer {
  return refused("invalid_command", `scope must be one of ${SCOPES.join(", ")}.`);
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
