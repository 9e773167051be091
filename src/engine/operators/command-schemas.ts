/** Commands about those who run the venue, and about what one of them does only with the consent of another. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, flag, listOf, optional, recordOf, sealed, text, texts, whole, word } from "../field.ts";

export const ROLES = ["viewer", "support", "treasurer", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Amounts that one operator may credit and adjust of a currency in a day (UTC), in whole units. */
const limits = optional(listOf("limits", recordOf({ ccy: text, amount: decimal })));

export const OPERATOR_SCHEMAS = {
  /**
   * `codeHash` is the SHA-256, hexadecimal, of a code that the new operator enrols with. `tokenHash` comes from before
   * rules version 5, when the one who made an operator received the token.
   */
  create_operator: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { name: text, role: word<Role>(), limits, codeHash: optional(sealed), tokenHash: optional(sealed) },
  }),
  /**
   * Changes an operator. Absent fields stay as they are; limits replace all limits, none of them lift all. A new token
   * ends the old one; an operator gives it to himself only.
   */
  change_operator: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { name: text, role: optional(word<Role>()), limits, tokenHash: optional(sealed) },
  }),
  /** Ends the token of an operator, who enrols again with codes. */
  reset_operator: commandSchema({
    by: "operator",
    since: "authority",
    isQuiet: true,
    fields: { name: text, codeHash: sealed },
  }),
  /**
   * The operator himself takes his place: `codeHashes` of the codes that he was given, `tokenHash` of his new token.
   */
  enrol_operator: commandSchema({
    by: "operator",
    since: "authority",
    isQuiet: true,
    fields: { name: text, codeHashes: { ...texts, isSealed: true }, tokenHash: sealed },
  }),
  /** An operator's own device signs in to the console from now on. Answers `{ passkeyId }`. */
  add_operator_passkey: commandSchema({
    by: "operator",
    since: "authority",
    isQuiet: true,
    fields: { credentialId: text, publicKey: text, counter: whole, transports: texts, name: text },
  }),
  /** An operator's own. */
  remove_operator_passkey: commandSchema({
    by: "operator",
    since: "authority",
    isQuiet: true,
    fields: { passkeyId: whole },
  }),
  /** An operator has signed in by it; `counter` is the passkey's own. */
  use_operator_passkey: commandSchema({
    by: "operator",
    since: "authority",
    isQuiet: true,
    fields: { credentialId: text, counter: whole },
  }),
  delete_operator: commandSchema({ by: "operator", isQuiet: true, fields: { name: text } }),
  /** Replaces all bounds of four eyes. `day` and `recipient` follow from `call` unless given. */
  set_four_eyes: commandSchema({
    by: "operator",
    since: "authority",
    isQuiet: true,
    fields: {
      bounds: listOf(
        "bounds",
        recordOf({ ccy: text, call: decimal, day: optional(decimal), recipient: optional(decimal) }),
      ),
    },
  }),
  /** From the one who starts the program: lets one person make operators again, after administrators were lost. */
  reopen_authority: commandSchema({ by: "venue", since: "authority", isQuiet: true, fields: {} }),
  /**
   * Before rules version 5: keeps a command, as JSON, until another operator decides. Answers `{ approvalId }`, or the
   * result of its reference.
   */
  propose: commandSchema({ by: "operator", isQuiet: true, fields: { command: text } }),
  /** Changes nothing: it stands in the log for people to read, `userId` saying whom it is about. */
  note: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { text, userId: optional(whole) },
    words: ({ text: words, userId }) => `note${userId === undefined ? "" : ` on user ${userId}`}: ${words}`,
  }),
  /**
   * Carries out a command that waits, or drops it. Answers `{ approvalId, result, done }`, the last two of what was
   * done. `codeHash` is of the second code of an operator who is to enrol.
   */
  decide: commandSchema({
    by: "operator",
    fields: { approvalId: whole, approve: flag, note: optional(text), codeHash: optional(sealed) },
  }),
};

type Schemas = typeof OPERATOR_SCHEMAS;
export type CreateOperator = CommandOf<Schemas, "create_operator">;
export type ChangeOperator = CommandOf<Schemas, "change_operator">;
export type ResetOperator = CommandOf<Schemas, "reset_operator">;
export type EnrolOperator = CommandOf<Schemas, "enrol_operator">;
export type AddOperatorPasskey = CommandOf<Schemas, "add_operator_passkey">;
export type RemoveOperatorPasskey = CommandOf<Schemas, "remove_operator_passkey">;
export type UseOperatorPasskey = CommandOf<Schemas, "use_operator_passkey">;
export type DeleteOperator = CommandOf<Schemas, "delete_operator">;
export type SetFourEyes = CommandOf<Schemas, "set_four_eyes">;
export type Propose = CommandOf<Schemas, "propose">;
export type Decide = CommandOf<Schemas, "decide">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof OPERATOR_SCHEMAS> {}
}
