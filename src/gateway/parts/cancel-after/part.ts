import { type Scope, timersOf } from "../../../engine/cancel-after/timers.ts";
import type { CancelAfter } from "../../current/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import type { GatewayPart } from "../part.ts";

/** Timers that cancel open orders, below /ext. */
export const cancelAfter = {
  name: "cancel-after",
  refusals: {},
  handlers: (backend) => ({
    "POST /ext/cancel-after": (call) => {
      const { scope, timeout_ms: timeoutMs } = call.params;
      const command = { kind: "set_cancel_after", userId: call.caller.userId, scope, timeoutMs } as const;
      execute(backend, call, command, ({ result }) => {
        const { cancelsAtMs } = result as { readonly cancelsAtMs: number };
        call.answer(recordOf(scope, timeoutMs, cancelsAtMs));
      });
    },
    "GET /ext/cancel-after": (call) => {
      const timers = timersOf(backend.state, call.caller.userId);
      call.answer(timers.map(({ scope, timeoutMs, atMs }) => recordOf(scope, timeoutMs, atMs)));
    },
  }),
} satisfies GatewayPart;

function recordOf(scope: Scope, timeoutMs: number, cancelsAtMs: number): CancelAfter {
  return { scope, timeout_ms: timeoutMs, cancel_at: cancelsAtMs };
}
