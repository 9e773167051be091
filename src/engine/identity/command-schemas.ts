/**
 * Commands about how people sign in: identities, their second factors, sessions, and the keys that an account makes
 * itself.
 */
import type { KeyPermission } from "../accounts/command-schemas.ts";
import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { flag, listOf, optional, recordOf, sealed, text, texts, whole, word } from "../field.ts";

/** How somebody proved to be the account's owner. `demo`: nobody did, it is a sample account. */
export type SignInBy = "demo" | "password" | "passkey";

/**
 * Proof other than a password, verified by the gateway. The engine ensures that nothing counts twice. `totpStep` is the
 * number of the half minute of a code, `recoveryHash` the SHA-256 of a recovery code, `counter` the passkey's own.
 */
const shown = {
  totpStep: optional(whole),
  recoveryHash: optional(sealed),
  credentialId: optional(text),
  counter: optional(whole),
};

/** A password's hash and a secret come sealed by the gateway; the engine only keeps them. */
export const IDENTITY_SCHEMAS = {
  /** Somebody who holds the e-mail address makes an account of its name. Answers `{ userId }`. */
  sign_up: commandSchema({
    by: "venue",
    since: "identities",
    isQuiet: true,
    fields: { email: text, passwordCipher: sealed },
  }),
  /** Gives an account that is there an e-mail address to sign in with; its password comes over a link. */
  invite_identity: commandSchema({
    by: "operator",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, email: text },
  }),
  /** Takes second factors and password away from whom they were lost to, and ends the sessions. */
  reset_identity: commandSchema({ by: "operator", since: "identities", isQuiet: true, fields: { userId: whole } }),
  /** Other sessions than `keepSessionId` end. `isReset`: by a link, not by who knew the old one. */
  set_password: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, passwordCipher: sealed, keepSessionId: optional(whole), isReset: optional(flag) },
  }),
  set_totp: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, totpCipher: sealed, totpStep: whole, recoveryHashes: { ...texts, isSealed: true } },
  }),
  set_recovery_codes: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, recoveryHashes: { ...texts, isSealed: true } },
  }),
  remove_totp: commandSchema({ by: "user", since: "identities", isQuiet: true, fields: { userId: whole } }),
  /** Answers `{ passkeyId }`. */
  add_passkey: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, credentialId: text, publicKey: text, counter: whole, transports: texts, name: text },
  }),
  remove_passkey: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, passkeyId: whole },
  }),
  /**
   * `tokenHash` is the SHA-256 of the cookie, hexadecimal. Ends `endsSessionId`, which the request came with. Answers
   * `{ sessionId }`.
   */
  begin_session: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: {
      userId: whole,
      tokenHash: sealed,
      by: word<SignInBy>(),
      ...shown,
      endsSessionId: optional(whole),
      address: text,
      agent: text,
    },
  }),
  /** Notes that the account's owner has shown once more who he is. */
  confirm_session: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, sessionId: whole, by: word<SignInBy>(), ...shown },
  }),
  /** Notes that a session is in use. */
  touch_session: commandSchema({ by: "venue", since: "identities", isQuiet: true, fields: { sessionId: whole } }),
  end_session: commandSchema({
    by: "venue",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, sessionId: whole },
  }),
  end_other_sessions: commandSchema({
    by: "venue",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, keepSessionId: whole },
  }),
  /** Answers `{ apiId }`. */
  create_own_api_key: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: {
      userId: whole,
      accessId: text,
      secretCipher: sealed,
      permissions: listOf("strings", word<KeyPermission>()),
      ipWhitelist: texts,
      /** ms; 0 = never. */
      expiredAt: whole,
      remark: optional(text),
    },
  }),
  /** Changes a key of the user's own. Omitted fields keep their values. */
  change_own_api_key: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: {
      userId: whole,
      apiId: whole,
      permissions: optional(listOf("strings", word<KeyPermission>())),
      ipWhitelist: optional(texts),
      remark: optional(text),
    },
  }),
  delete_own_api_key: commandSchema({
    by: "user",
    since: "identities",
    isQuiet: true,
    fields: { userId: whole, apiId: whole },
  }),
  /** Takes over what the gateway has sealed with another key. Accounts that are no more are passed over. */
  reseal_identities: commandSchema({
    by: "operator",
    since: "identities",
    isQuiet: true,
    fields: {
      ciphers: {
        ...listOf("records", recordOf({ userId: whole, passwordCipher: optional(text), totpCipher: optional(text) })),
        isSealed: true,
      },
    },
  }),
};

export type SignUp = CommandOf<typeof IDENTITY_SCHEMAS, "sign_up">;
export type InviteIdentity = CommandOf<typeof IDENTITY_SCHEMAS, "invite_identity">;
export type ResetIdentity = CommandOf<typeof IDENTITY_SCHEMAS, "reset_identity">;
export type SetPassword = CommandOf<typeof IDENTITY_SCHEMAS, "set_password">;
export type SetTotp = CommandOf<typeof IDENTITY_SCHEMAS, "set_totp">;
export type SetRecoveryCodes = CommandOf<typeof IDENTITY_SCHEMAS, "set_recovery_codes">;
export type RemoveTotp = CommandOf<typeof IDENTITY_SCHEMAS, "remove_totp">;
export type AddPasskey = CommandOf<typeof IDENTITY_SCHEMAS, "add_passkey">;
export type RemovePasskey = CommandOf<typeof IDENTITY_SCHEMAS, "remove_passkey">;
export type BeginSession = CommandOf<typeof IDENTITY_SCHEMAS, "begin_session">;
export type ConfirmSession = CommandOf<typeof IDENTITY_SCHEMAS, "confirm_session">;
export type TouchSession = CommandOf<typeof IDENTITY_SCHEMAS, "touch_session">;
export type EndSession = CommandOf<typeof IDENTITY_SCHEMAS, "end_session">;
export type EndOtherSessions = CommandOf<typeof IDENTITY_SCHEMAS, "end_other_sessions">;
export type CreateOwnApiKey = CommandOf<typeof IDENTITY_SCHEMAS, "create_own_api_key">;
export type ChangeOwnApiKey = CommandOf<typeof IDENTITY_SCHEMAS, "change_own_api_key">;
export type DeleteOwnApiKey = CommandOf<typeof IDENTITY_SCHEMAS, "delete_own_api_key">;
export type ResealIdentities = CommandOf<typeof IDENTITY_SCHEMAS, "reseal_identities">;

/** Proof shown besides a password. */
export type Shown = Pick<BeginSession, "by" | "totpStep" | "recoveryHash" | "credentialId" | "counter">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof IDENTITY_SCHEMAS> {}
}
