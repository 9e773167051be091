/** Commands about those who run the venue, and about what one of them does only with the consent of another. */
import { decimal, flag, listOf, optional, recordOf, sealed, text, whole, word } from "../field.ts";
import { type CommandOf, type CommandsOf, form } from "../form.ts";

export const ROLES = ["viewer", "support", "treasurer", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** What one operator may credit and adjust of a currency in a day (UTC), in whole units. */
const limits = optional(listOf("limits", recordOf({ ccy: text, amount: decimal })));

export const OPERATOR_FORMS = {
  /** `tokenHash` is the SHA-256 of the token, hexadecimal: the token itself is shown once and kept nowhere. */
  create_operator: form({
    by: "operator",
    isQuiet: true,
    fields: { name: text, role: word<Role>(), limits, tokenHash: sealed },
  }),
  /** What is not given stays; limits replace all limits, none of them lift all. A new token ends the old one. */
  change_operator: form({
    by: "operator",
    isQuiet: true,
    fields: { name: text, role: optional(word<Role>()), limits, tokenHash: optional(sealed) },
  }),
  delete_operator: form({ by: "operator", isQuiet: true, fields: { name: text } }),
  /** Keeps a command, as JSON, until another operator decides. Answers `{ approvalId }`, or the result of its reference. */
  propose: form({ by: "operator", isQuiet: true, fields: { command: text } }),
  /** Changes nothing: it stands in the log for people to read. */
  note: form({ by: "operator", isQuiet: true, fields: { text }, words: (note) => `note: ${note.text}` }),
  /** Carries a proposed command out, or drops it. Answers `{ approvalId, result, done }`, the last two of what was done. */
  decide: form({ by: "operator", fields: { approvalId: whole, approve: flag, note: optional(text) } }),
};

export type CreateOperator = CommandOf<typeof OPERATOR_FORMS, "create_operator">;
export type ChangeOperator = CommandOf<typeof OPERATOR_FORMS, "change_operator">;
export type DeleteOperator = CommandOf<typeof OPERATOR_FORMS, "delete_operator">;
export type Propose = CommandOf<typeof OPERATOR_FORMS, "propose">;
export type Decide = CommandOf<typeof OPERATOR_FORMS, "decide">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof OPERATOR_FORMS> {}
}
