import type { Handlers } from "../../current/api.ts";

export function systemHandlers(): Handlers {
  return {
    "GET /ping": (call) => call.answer({ result: "pong" }),
    "GET /time": (call) => call.answer({ timestamp: call.nowMs }),
  };
}
