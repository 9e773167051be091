import type { GatewayPart } from "../part.ts";
import { SUB_FIGURES } from "./figures.ts";
import { legacySubHandlers } from "./legacy-subs.ts";
import { subAccountHandlers } from "./sub-accounts.ts";
import { subBalanceHandlers } from "./sub-balances.ts";
import { SUB_CALLS } from "./sub-calls.ts";
import { subKeyHandlers } from "./sub-keys.ts";
import { subTransferHandlers } from "./sub-transfers.ts";

/** Sub-accounts, their keys, and what moves between them and their main account. */
export const subs = {
  name: "subs",
  refusals: {
    not_a_main_account: { v2: 4512, v1: 158, rule: "6.3", message: "Only a main account has sub-accounts." },
    sub_account_not_found: {
      v2: 3639,
      v1: 40,
      rule: "6.3",
      message: "Invalid Parameter: there is no such sub-account.",
    },
    too_many_sub_accounts: {
      v2: 3639,
      v1: 2,
      rule: "6.3",
      message: "Invalid Parameter: the account has as many sub-accounts as it may.",
    },
    too_many_api_keys: {
      v2: 3639,
      v1: 2,
      rule: "6.3",
      message: "Invalid Parameter: the sub-account has as many keys as it may.",
    },
    sub_api_not_granted: { v2: 4512, v1: 158, rule: "6.3", message: "The sub-account lacks the permission API." },
    sub_account_frozen_by_operator: {
      v2: 4011,
      v1: 158,
      rule: "6.3",
      message: "An operator has frozen the sub-account; only an operator frees it.",
    },
  },
  figures: SUB_FIGURES,
  handlers: (backend) => ({
    ...subAccountHandlers(backend),
    ...subKeyHandlers(backend),
    ...subTransferHandlers(backend),
    ...subBalanceHandlers(backend),
  }),
  legacy: legacySubHandlers,
  calls: SUB_CALLS,
  nouns: { sub: "show sub-accounts, and what they may do" },
} satisfies GatewayPart;
