import type { GatewayPart } from "../part.ts";
import { accountHandlers } from "./account.ts";
import { ACCOUNT_CALLS } from "./account-calls.ts";
import { FEE_LEVEL_CALLS } from "./fee-level-calls.ts";
import { findKeys, findUsers } from "./find-users.ts";
import { legacyAccountHandlers } from "./legacy-account.ts";
import { ACCOUNT_LIST_CALLS } from "./list-calls.ts";
import { NOTE_CALLS } from "./note-calls.ts";
import { SECRET_KEY_CALLS } from "./secret-key-call.ts";
import { USER_VIEW_CALLS } from "./view-calls.ts";

/** Users, their keys, settings and fees. */
export const accounts = {
  name: "accounts",
  refusals: {
    account_frozen: { v2: 4011, v1: 158, rule: "6.3", message: "The account is frozen." },
    trade_barred: { v2: 4115, v1: 158, rule: "2.1 row 3", message: "The account is barred from trading." },
    user_not_found: { v2: 3639, v1: 2, rule: "6.3", message: "Invalid Parameter: there is no such user." },
    fee_level_not_found: { v2: 3639, v1: 2, rule: "6.3", message: "Invalid Parameter: there is no such fee level." },
    key_not_found: { v2: 3639, v1: 2, rule: "6.3", message: "Invalid Parameter: there is no such API key." },
    name_taken: { v2: 3639, v1: 2, rule: "6.3", message: "Invalid Parameter: the name is taken." },
  },
  handlers: (backend) => ({
    ...accountHandlers(backend),
  }),
  calls: [
    ...ACCOUNT_CALLS,
    ...FEE_LEVEL_CALLS,
    ...ACCOUNT_LIST_CALLS,
    ...USER_VIEW_CALLS,
    ...NOTE_CALLS,
    ...SECRET_KEY_CALLS,
  ],
  finds: [findUsers, findKeys],
  nouns: {
    user: "make, change and show users",
    "fee-level": "define and show fee levels",
    "fee-deduction": "set and show in which currency fees can be paid",
    key: "make, show and delete API keys",
    "secret-key": "replace the key that secrets are sealed with",
  },
  legacy: legacyAccountHandlers,
} satisfies GatewayPart;
