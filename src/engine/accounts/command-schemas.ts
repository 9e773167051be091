/** Commands about users, their fee levels and their keys. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import {
  decimal,
  decimalOrNull,
  flag,
  listOf,
  optional,
  recordOf,
  sealed,
  text,
  textOrNull,
  texts,
  whole,
  word,
} from "../field.ts";

export type KeyPermission = "read" | "trade" | "withdraw";

export const ACCOUNT_SCHEMAS = {
  /** Answers `{ userId }`. */
  create_user: commandSchema({
    by: "operator",
    fields: {
      name: text,
      mainUserId: optional(whole),
      reference: optional(text),
      /** The code by which somebody invited the user. */
      referredBy: optional(text),
    },
  }),
  /** A maintenance of the whole site refuses it to the user, not to an operator. */
  change_user: commandSchema({
    by: "user_or_operator",
    fields: {
      userId: whole,
      frozen: optional(flag),
      tradeBarred: optional(flag),
      /** Own rates; null goes back to those of the level, or of the market. */
      makerFeeRate: optional(decimalOrNull),
      takerFeeRate: optional(decimalOrNull),
      /** null takes the user off its level. */
      feeLevel: optional(textOrNull),
      /** Whether fees are paid in the deduction currency where that is possible; the user's own switch. */
      feeDeduction: optional(flag),
      /** The user asks for it, not an operator. */
      byUser: optional(flag),
    },
  }),
  /** Defines a fee level of spot trading, or gives it other rates. Answers `{ level }`. */
  set_fee_level: commandSchema({
    by: "operator",
    fields: { level: text, makerFeeRate: decimal, takerFeeRate: decimal },
  }),
  delete_fee_level: commandSchema({ by: "operator", fields: { level: text } }),
  create_api_key: commandSchema({
    by: "operator",
    fields: {
      userId: whole,
      accessId: text,
      /** Encrypted by the gateway before it gets here; the engine only keeps it. */
      secretCipher: sealed,
      permissions: listOf("strings", word<KeyPermission>()),
      ipWhitelist: texts,
      /** ms; 0 = never. */
      expiredAt: whole,
      remark: optional(text),
    },
  }),
  /** Keys that are no more are passed over. Answers how many were taken. */
  reseal_api_keys: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { ciphers: { ...listOf("records", recordOf({ accessId: text, secretCipher: text })), isSealed: true } },
  }),
  delete_api_key: commandSchema({ by: "operator", fields: { accessId: text } }),
};

export type CreateUser = CommandOf<typeof ACCOUNT_SCHEMAS, "create_user">;
export type ChangeUser = CommandOf<typeof ACCOUNT_SCHEMAS, "change_user">;
export type SetFeeLevel = CommandOf<typeof ACCOUNT_SCHEMAS, "set_fee_level">;
export type DeleteFeeLevel = CommandOf<typeof ACCOUNT_SCHEMAS, "delete_fee_level">;
export type CreateApiKey = CommandOf<typeof ACCOUNT_SCHEMAS, "create_api_key">;
export type ResealApiKeys = CommandOf<typeof ACCOUNT_SCHEMAS, "reseal_api_keys">;
export type DeleteApiKey = CommandOf<typeof ACCOUNT_SCHEMAS, "delete_api_key">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof ACCOUNT_SCHEMAS> {}
}
