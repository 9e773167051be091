import type { GatewayPart } from "../part.ts";
import { APPROVAL_CALLS } from "./approval-calls.ts";
import { OPERATOR_CALLS } from "./operator-calls.ts";

/** Those who run the venue. */
export const operators = {
  name: "operators",
  refusals: {},
  calls: [...OPERATOR_CALLS, ...APPROVAL_CALLS],
  nouns: {
    operator: "let in, show, change, reset and delete operators",
    passkey: "show and take off one's own passkeys, which sign in to the console",
    "four-eyes": "show and set what takes two operators",
    approval: "show and decide on what takes two operators",
  },
} satisfies GatewayPart;
