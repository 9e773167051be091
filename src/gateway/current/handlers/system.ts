/** Connectivity, time and maintenance. */
import type { Handlers } from "../api.ts";

export const systemHandlers: Handlers = {
  "GET /ping": (call) => call.answer({ result: "pong" }),
  "GET /time": (call) => call.answer({ timestamp: call.nowMs }),
  // The engine plans no maintenance yet, so nothing is planned.
  "GET /maintain/info": (call) => call.answer([]),
};
