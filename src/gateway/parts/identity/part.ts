import type { GatewayPart } from "../part.ts";
import { findIdentities } from "./find-identities.ts";
import { IDENTITY_CALLS } from "./identity-calls.ts";

/** How people sign in: what is refused of it, and what operators do about it. */
export const identity = {
  name: "identity",
  refusals: {
    identity_not_found: { v2: 4005, v1: 24, rule: "6.8", message: "Nobody signs in to this account." },
    email_taken: {
      v2: 3639,
      v1: 2,
      rule: "6.8",
      message: "Invalid Parameter: there is an account with that e-mail address.",
    },
    session_unknown: { v2: 4005, v1: 24, rule: "6.8", message: "There is no session, or it has ended; sign in." },
    second_factor_missing: { v2: 4008, v1: 25, rule: "6.8", message: "A code of the second factor is needed." },
    second_factor_wrong: { v2: 4006, v1: 25, rule: "6.8", message: "The code is wrong, or has been used." },
    passkey_not_found: { v2: 3639, v1: 2, rule: "6.8", message: "Invalid Parameter: the account has no such passkey." },
    too_many_passkeys: {
      v2: 3639,
      v1: 2,
      rule: "6.8",
      message: "Invalid Parameter: the account has as many passkeys as it may.",
    },
    password_missing: { v2: 4005, v1: 24, rule: "6.8", message: "The account has no password yet." },
  },
  calls: IDENTITY_CALLS,
  nouns: { identity: "show and change how people sign in" },
  finds: [findIdentities],
} satisfies GatewayPart;
