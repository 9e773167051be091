import type { GatewayPart } from "../part.ts";
import { APPROVAL_CALLS } from "./approval-calls.ts";
import { OPERATOR_CALLS } from "./operator-calls.ts";

/** Those who run the venue. */
export const operators = {
  name: "operators",
  refusals: {},
  calls: [...OPERATOR_CALLS, ...APPROVAL_CALLS],
  nouns: {
    operator: "make, show, change and delete operators",
    approval: "show and decide on what takes two operators",
  },
} satisfies GatewayPart;
