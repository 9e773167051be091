/** Commands about sub-accounts: those of their main accounts, and what an operator may change of one. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, flag, optional, sealed, text, texts, whole } from "../field.ts";

export const SUB_SCHEMAS = {
  /** Answers `{ userId }` of the sub-account. */
  create_sub_account: commandSchema({
    by: "user",
    isQuiet: true,
    fields: {
      userId: whole,
      name: text,
      /** Names of SUB_PERMISSIONS. */
      permissions: texts,
      remark: optional(text),
    },
  }),
  /** Freezes a sub-account, or frees one that its main account has frozen. */
  freeze_sub_account: commandSchema({
    by: "user",
    isQuiet: true,
    fields: { userId: whole, subUserId: whole, frozen: flag },
  }),
  /** Answers `{ apiId }`. */
  create_sub_api_key: commandSchema({
    by: "user",
    isQuiet: true,
    fields: {
      userId: whole,
      subUserId: whole,
      accessId: text,
      /** Encrypted by the gateway before it gets here; the engine only keeps it. */
      secretCipher: sealed,
      ipWhitelist: texts,
      tradeEnabled: flag,
      remark: optional(text),
    },
  }),
  /** Changes an API key of a sub-account. Omitted fields keep their values. */
  change_sub_api_key: commandSchema({
    by: "user",
    isQuiet: true,
    fields: {
      userId: whole,
      subUserId: optional(whole),
      apiId: whole,
      ipWhitelist: optional(texts),
      tradeEnabled: optional(flag),
      remark: optional(text),
    },
  }),
  delete_sub_api_key: commandSchema({
    by: "user",
    isQuiet: true,
    fields: { userId: whole, subUserId: optional(whole), apiId: whole },
  }),
  /** Moves money between a main account and a sub-account of it, or between two of these. Answers `{ transferId }`. */
  sub_transfer: commandSchema({
    by: "user",
    fields: {
      /** The main account, whose wish it is. */
      userId: whole,
      fromUserId: whole,
      toUserId: whole,
      from: text,
      to: text,
      ccy: text,
      amount: decimal,
    },
  }),
  /** Says what a sub-account may do, or freezes or frees it in the operator's name. What is left out stays. */
  change_sub_account: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { subUserId: whole, permissions: optional(texts), frozen: optional(flag) },
  }),
};

export type CreateSubAccount = CommandOf<typeof SUB_SCHEMAS, "create_sub_account">;
export type FreezeSubAccount = CommandOf<typeof SUB_SCHEMAS, "freeze_sub_account">;
export type CreateSubApiKey = CommandOf<typeof SUB_SCHEMAS, "create_sub_api_key">;
export type ChangeSubApiKey = CommandOf<typeof SUB_SCHEMAS, "change_sub_api_key">;
export type DeleteSubApiKey = CommandOf<typeof SUB_SCHEMAS, "delete_sub_api_key">;
export type SubTransfer = CommandOf<typeof SUB_SCHEMAS, "sub_transfer">;
export type ChangeSubAccount = CommandOf<typeof SUB_SCHEMAS, "change_sub_account">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof SUB_SCHEMAS> {}
}
