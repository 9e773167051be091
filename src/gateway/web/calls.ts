/** Every call below `/web`. */
import { ACCOUNT_CALLS } from "./account-calls.ts";
import type { WebCall } from "./call.ts";
import { FUTURES_CALLS } from "./futures-calls.ts";
import { KEY_CALLS } from "./key-calls.ts";
import { PASSKEY_CALLS } from "./passkey-calls.ts";
import { SANDBOX_CALLS } from "./sandbox-calls.ts";
import { SESSION_CALLS } from "./session-calls.ts";
import { TOTP_CALLS } from "./totp-calls.ts";
import { WITHDRAW_ADDRESS_CALLS } from "./withdraw-address-calls.ts";

export const WEB_CALLS: readonly WebCall[] = [
  ...SESSION_CALLS,
  ...ACCOUNT_CALLS,
  ...TOTP_CALLS,
  ...PASSKEY_CALLS,
  ...KEY_CALLS,
  ...FUTURES_CALLS,
  ...WITHDRAW_ADDRESS_CALLS,
  ...SANDBOX_CALLS,
];
