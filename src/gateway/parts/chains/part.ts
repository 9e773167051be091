import type { GatewayPart } from "../part.ts";
import { CHAIN_CALLS } from "./chain-calls.ts";

/** Chains, which operators look at and users know by their deposits and withdrawals. */
export const chains = {
  name: "chains",
  refusals: {
    payment_differs: { v2: 3639, v1: 2, rule: "7.2", message: "Invalid Parameter: the payment was signed otherwise." },
    nonce_taken: { v2: 3639, v1: 2, rule: "7.2", message: "Invalid Parameter: the sender has used that nonce." },
    payment_not_due: {
      v2: 3639,
      v1: 2,
      rule: "7.2",
      message: "Invalid Parameter: there is no such payment to be made.",
    },
    chain_not_simulated: {
      v2: 3639,
      v1: 2,
      rule: "7.1",
      message: "Invalid Parameter: the venue simulates no such chain.",
    },
    chain_funds_short: { v2: 3109, v1: 107, rule: "7.1", message: "The sender has not so much on the chain." },
    seed_kept: {
      v2: 3639,
      v1: 2,
      rule: "7.1",
      message: "Invalid Parameter: the keys of the chain follow from another seed.",
    },
    withdrawals_halted: {
      v2: 3639,
      v1: 2,
      rule: "7.4",
      message: "Invalid Parameter: withdrawals over chains are halted at present.",
    },
    withdrawals_not_halted: {
      v2: 3639,
      v1: 2,
      rule: "7.4",
      message: "Invalid Parameter: withdrawals are not halted.",
    },
  },
  calls: CHAIN_CALLS,
  nouns: { chain: "look at chains, and let things happen on simulated ones" },
} satisfies GatewayPart;
