/**
 * Commands about chains: what the venue has signed, how far it has read each, and whether money may leave. They come
 * from the program and from operators.
 */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, flag, listOf, recordOf, sealed, text, whole, word } from "../field.ts";

/** The purposes of a payment. All but withdrawals move the venue's own money from one of its addresses to another. */
export const PURPOSES = ["withdrawal", "sweep", "gas", "cold"] as const;
export type Purpose = (typeof PURPOSES)[number];

const shortfall = recordOf({ ccy: text, missing: decimal });
const seed = recordOf({ chain: text, seedCipher: sealed });

export const CHAIN_SCHEMAS = {
  /** Keeps what all keys of a chain follow from, sealed; once. */
  keep_chain_seed: commandSchema({ by: "venue", isQuiet: true, fields: { chain: text, seedCipher: sealed } }),
  /** Puts the same seeds there, sealed with another key. */
  reseal_chain_seeds: commandSchema({ by: "operator", isQuiet: true, fields: { seeds: listOf("seeds", seed) } }),
  /**
   * Says how far a chain has been read; the hash says which block that is. What was found up to it stands before it in
   * the log.
   */
  note_chain: commandSchema({
    by: "venue",
    isQuiet: true,
    fields: { chain: text, height: whole, hash: text },
    words: ({ chain, height }) => `read ${chain} up to block ${height}`,
  }),
  /**
   * An address of a user holds money that is still to be brought to the hot wallet; the last of it came with the block
   * at `height`.
   */
  note_unswept: commandSchema({
    by: "venue",
    isQuiet: true,
    fields: { chain: text, address: text, ccy: text, userId: whole, renewals: whole, height: whole },
  }),
  /** Nothing is left there of what came up to `height`. */
  forget_unswept: commandSchema({
    by: "venue",
    isQuiet: true,
    fields: { chain: text, address: text, ccy: text, height: whole },
  }),
  /**
   * Writes down a signed transaction before anybody else sees it. A payment has one sender and one nonce for ever, so
   * that of all that is signed for it the chain can carry out one at most. `raw` is what is broadcast, again and again,
   * until it stands.
   */
  sign_payment: commandSchema({
    by: "venue",
    isQuiet: true,
    fields: {
      chain: text,
      paymentId: text,
      purpose: word<Purpose>(),
      fromAddress: text,
      nonce: whole,
      ccy: text,
      toAddress: text,
      memo: text,
      amount: decimal,
      txId: text,
      raw: text,
    },
    words: ({ chain, paymentId, ccy, amount, toAddress, nonce }) =>
      `sign ${paymentId} on ${chain}: ${amount} ${ccy} to ${toAddress}, nonce ${nonce}`,
  }),
  /**
   * A payment stands in the chain for good, by `txId`, which moved the money or failed; what was signed for it is
   * needed no more.
   */
  settle_payment: commandSchema({
    by: "venue",
    isQuiet: true,
    fields: { chain: text, paymentId: text, txId: text, failed: flag },
    words: ({ chain, paymentId, failed }) => `${failed ? "give up" : "settle"} ${paymentId} on ${chain}`,
  }),
  /**
   * Records the units that reconciliation finds missing in custody, by currency; none when all is there. More than an
   * operator has tolerated halts withdrawals.
   */
  note_shortfalls: commandSchema({
    by: "venue",
    isQuiet: true,
    fields: { shortfalls: listOf("shortfalls", shortfall) },
  }),
  halt_withdrawals: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { reason: text },
    words: ({ reason }) => `halt withdrawals: ${reason}`,
  }),
  resume_withdrawals: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { note: text },
    words: ({ note }) => `resume withdrawals: ${note}`,
  }),
};

export type KeepChainSeed = CommandOf<typeof CHAIN_SCHEMAS, "keep_chain_seed">;
export type ResealChainSeeds = CommandOf<typeof CHAIN_SCHEMAS, "reseal_chain_seeds">;
export type NoteChain = CommandOf<typeof CHAIN_SCHEMAS, "note_chain">;
export type NoteUnswept = CommandOf<typeof CHAIN_SCHEMAS, "note_unswept">;
export type ForgetUnswept = CommandOf<typeof CHAIN_SCHEMAS, "forget_unswept">;
export type SignPayment = CommandOf<typeof CHAIN_SCHEMAS, "sign_payment">;
export type NoteShortfalls = CommandOf<typeof CHAIN_SCHEMAS, "note_shortfalls">;
export type HaltWithdrawals = CommandOf<typeof CHAIN_SCHEMAS, "halt_withdrawals">;
export type ResumeWithdrawals = CommandOf<typeof CHAIN_SCHEMAS, "resume_withdrawals">;
export type SettlePayment = CommandOf<typeof CHAIN_SCHEMAS, "settle_payment">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof CHAIN_SCHEMAS> {}
}
