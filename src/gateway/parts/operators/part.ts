import type { GatewayPart } from "../part.ts";
import { APPROVAL_CALLS } from "./approval-calls.ts";
import { OPERATOR_CALLS } from "./operator-calls.ts";

/** Those who run the venue. */
export const operators = {
  name: "operators",
  refusals: {},
  calls: [...OPERATOR_CALLS, ...APPROVAL_CALLS],
} satisfies GatewayPart;
