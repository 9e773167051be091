/** Refusal codes of signing in, and the rank at which old sessions are swept away. */
import { DUE_RANKS } from "../due.ts";
import { declareRefusals } from "../refusal.ts";

const IDENTITY_REFUSALS = declareRefusals({
  identity_not_found: 210,
  email_taken: 211,
  session_unknown: 212,
  second_factor_missing: 213,
  second_factor_wrong: 214,
  passkey_not_found: 215,
  too_many_passkeys: 216,
  password_missing: 217,
});

export const IDENTITY_RANK = DUE_RANKS.declare({ session_sweep: { code: 45 } });

type OwnRefusals = typeof IDENTITY_REFUSALS;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
