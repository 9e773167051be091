import type { GatewayPart } from "../part.ts";
import { referralHandlers } from "./referral.ts";
import { REFERRAL_CALLS } from "./referral-calls.ts";

/** Who invited whom, and what that brings. */
export const referral = {
  name: "referral",
  refusals: {
    refer_code_not_found: { v2: 3639, v1: 2, rule: "6.7", message: "Invalid Parameter: there is no such code." },
    refer_code_taken: { v2: 3639, v1: 2, rule: "6.7", message: "Invalid Parameter: the code is taken." },
    already_referred: {
      v2: 3639,
      v1: 2,
      rule: "6.7",
      message: "Invalid Parameter: somebody invited the user already.",
    },
    refers_in_a_circle: {
      v2: 3639,
      v1: 2,
      rule: "6.7",
      message: "Invalid Parameter: a user is not invited by himself or by whom he invited.",
    },
    rebate_too_high: {
      v2: 3639,
      v1: 2,
      rule: "6.7",
      message: "Invalid Parameter: all shares of a fee are at most a half of it.",
    },
  },
  handlers: referralHandlers,
  calls: REFERRAL_CALLS,
  nouns: { refer: "give out codes to invite with, and say who was invited and who is an agent" },
} satisfies GatewayPart;
