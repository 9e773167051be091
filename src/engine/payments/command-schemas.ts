/**
 * Commands about money that comes over chains and leaves over them: what users and operators wish, and what the program
 * has seen of a chain.
 */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, flag, optional, text, textOrNull, whole } from "../field.ts";
import { CHAIN } from "../listing/command-schemas.ts";

/** Which payment of a chain to one address: the same whichever block takes it up. */
const PLACE = { chain: text, txId: text, output: whole, toAddress: text };

export const PAYMENT_SCHEMAS = {
  /**
   * Gives a user an address of a chain: the first, or with `renewals` above 0 the one after so many. The chain made the
   * text, in its one spelling. `memo` is empty where users are told apart by addresses. Answers `{ address, memo }`, of
   * the present one too.
   */
  assign_address: commandSchema({
    by: "user",
    isQuiet: true,
    fields: { userId: whole, chain: text, renewals: whole, address: text, memo: text },
    words: ({ chain, address, renewals }) => `receive on ${chain} at ${address}${renewals === 0 ? "" : " from now on"}`,
  }),
  /**
   * A payment to an address of the venue is seen: `height` is that of its block, 0 while it is in none. Seen again it
   * is the same. `needsReview`: one node alone tells of it, and an operator decides. Answers `{ depositId }`.
   */
  deposit_seen: commandSchema({
    by: "feed",
    fields: { ...PLACE, memo: text, ccy: text, amount: decimal, height: whole, needsReview: optional(flag) },
  }),
  /** It is in the chain no more. Answers `{ depositId }`. */
  deposit_gone: commandSchema({ by: "feed", fields: PLACE }),
  /** The chain ends at this height, and all that was paid up to it has been seen: confirmations count from it. */
  chain_head: commandSchema({
    by: "feed",
    fields: { chain: text, height: whole },
    words: ({ chain, height }) => `${chain} is at block ${height}`,
  }),
  /** Books an amount of the venue's own money that the networks took, `reference` once: for sweeping and the like. */
  network_paid: commandSchema({
    by: "feed",
    isQuiet: true,
    fields: { chain: text, ccy: text, amount: decimal, reference: text },
  }),

  /**
   * Asks for money to be paid out. `needsReview`: it is above what leaves without an operator. Answers `{ withdrawId
   * }`.
   */
  withdraw: commandSchema({
    by: "user",
    fields: {
      userId: whole,
      ccy: text,
      /** on_chain or inter_user. */
      method: text,
      /** Empty between users. */
      chain: text,
      /** An address in the chain's one spelling; between users an id or a name. */
      toAddress: text,
      memo: text,
      amount: decimal,
      /** Absent: the currency itself. */
      feeCcy: optional(text),
      remark: text,
      needsReview: flag,
    },
  }),
  cancel_withdrawal: commandSchema({ by: "user", fields: { userId: whole, withdrawId: whole } }),
  /**
   * Approves a withdrawal that waits, or stops it; one that is on its way can be stopped only if it comes in time.
   */
  review_withdrawal: commandSchema({
    by: "operator",
    fields: { withdrawId: whole, approve: flag, note: text },
    words: ({ withdrawId, approve, note }) =>
      `${approve ? "let withdrawal" : "stop withdrawal"} ${withdrawId}${approve ? " go out" : ""}: ${note}`,
  }),
  /** The venue begins to pay: from here on nobody cancels. */
  withdrawal_started: commandSchema({ by: "feed", isQuiet: true, fields: { withdrawId: whole } }),
  /** It was handed to the network. */
  withdrawal_broadcast: commandSchema({ by: "feed", isQuiet: true, fields: { withdrawId: whole, txId: text } }),
  /** It stands in a block. `networkFee` is what that took of the venue's money, in `networkFeeCcy`. */
  withdrawal_mined: commandSchema({
    by: "feed",
    fields: {
      withdrawId: whole,
      txId: text,
      height: whole,
      networkFeeCcy: optional(text),
      networkFee: optional(decimal),
    },
  }),
  /** It stands in no block any more, and is sent again as it was signed. */
  withdrawal_gone: commandSchema({ by: "feed", isQuiet: true, fields: { withdrawId: whole } }),
  /** A stop came too late. */
  withdrawal_unstoppable: commandSchema({ by: "feed", isQuiet: true, fields: { withdrawId: whole } }),
  /** Nothing was moved and nothing ever will be: only who is sure says so. */
  withdrawal_failed: commandSchema({ by: "feed", fields: { withdrawId: whole, reason: text } }),

  /**
   * Gives a deposit that nobody could be credited with to a user, or gives it up; either may come to nothing only
   * before it is credited.
   */
  resolve_deposit: commandSchema({
    by: "operator",
    fields: { depositId: whole, assignTo: optional(whole), cancel: optional(flag), note: text },
  }),
  /**
   * An address that keys of a user may withdraw to; the chain is empty for another user of the venue. Answers `{
   * addressId }`.
   */
  allow_withdraw_address: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { userId: whole, chain: text, address: text, memo: text, remark: text },
  }),
  forbid_withdraw_address: commandSchema({ by: "operator", isQuiet: true, fields: { addressId: whole } }),
  /**
   * Sets the amount of a currency that a user may withdraw in a day (UTC), or every user where none is named. null: as
   * much as the user has.
   */
  set_withdraw_limit: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { userId: optional(whole), ccy: text, amount: textOrNull },
  }),
  /** Opens a chain to an asset, or gives it other settings there. */
  set_asset_chain: commandSchema({ by: "operator", isQuiet: true, fields: { ccy: text, settings: CHAIN } }),
  /** Opens or closes transfers of an asset between users. */
  set_inter_transfer: commandSchema({ by: "operator", isQuiet: true, fields: { ccy: text, enabled: flag } }),
};

type Schemas = typeof PAYMENT_SCHEMAS;
export type AssignAddress = CommandOf<Schemas, "assign_address">;
export type DepositSeen = CommandOf<Schemas, "deposit_seen">;
export type DepositGone = CommandOf<Schemas, "deposit_gone">;
export type ChainHead = CommandOf<Schemas, "chain_head">;
export type NetworkPaid = CommandOf<Schemas, "network_paid">;
export type Withdraw = CommandOf<Schemas, "withdraw">;
export type CancelWithdrawal = CommandOf<Schemas, "cancel_withdrawal">;
export type ReviewWithdrawal = CommandOf<Schemas, "review_withdrawal">;
export type WithdrawalStarted = CommandOf<Schemas, "withdrawal_started">;
export type WithdrawalBroadcast = CommandOf<Schemas, "withdrawal_broadcast">;
export type WithdrawalMined = CommandOf<Schemas, "withdrawal_mined">;
export type WithdrawalGone = CommandOf<Schemas, "withdrawal_gone">;
export type WithdrawalUnstoppable = CommandOf<Schemas, "withdrawal_unstoppable">;
export type WithdrawalFailed = CommandOf<Schemas, "withdrawal_failed">;
export type ResolveDeposit = CommandOf<Schemas, "resolve_deposit">;
export type AllowWithdrawAddress = CommandOf<Schemas, "allow_withdraw_address">;
export type ForbidWithdrawAddress = CommandOf<Schemas, "forbid_withdraw_address">;
export type SetWithdrawLimit = CommandOf<Schemas, "set_withdraw_limit">;
export type SetAssetChain = CommandOf<Schemas, "set_asset_chain">;
export type SetInterTransfer = CommandOf<Schemas, "set_inter_transfer">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof PAYMENT_SCHEMAS> {}
}
