/** Commands of simulated chains: what the world does on them, and what the venue broadcasts. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, listOf, optional, text, whole } from "../field.ts";

export const SIMULATED_CHAIN_SCHEMAS = {
  /**
   * Begins a chain with its first block at the time of the command; a block follows every `blockMs`. Begun already, it
   * goes on as it is.
   */
  start_simulated_chain: commandSchema({
    by: "venue",
    isQuiet: true,
    fields: { chain: text, seed: whole, blockMs: whole },
  }),
  /** Somebody outside pays, who never runs out of money. Answers `{ txId }`; the next block takes it up. */
  simulate_transaction: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { chain: text, ccy: text, toAddress: text, memo: optional(text), amount: decimal },
  }),
  /**
   * The venue hands a signed transaction to the chain. One that the chain has already changes nothing; another one of
   * the same sender and nonce is turned away.
   */
  broadcast_simulated: commandSchema({
    by: "venue",
    isQuiet: true,
    fields: {
      chain: text,
      txId: text,
      fromAddress: text,
      nonce: whole,
      ccy: text,
      toAddress: text,
      memo: text,
      amount: decimal,
    },
  }),
  /** Adds blocks at once, without waiting for their time. Answers `{ height }`. */
  mine_blocks: commandSchema({ by: "operator", isQuiet: true, fields: { chain: text, count: whole } }),
  /**
   * Puts other blocks in the place of the last `depth`, and one more on top. They take up the same transactions, but
   * those in `drop`, which the chain forgets. Answers `{ height }`.
   */
  reorganise_chain: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { chain: text, depth: whole, drop: optional(listOf("ids", text)) },
  }),
};

export type StartSimulatedChain = CommandOf<typeof SIMULATED_CHAIN_SCHEMAS, "start_simulated_chain">;
export type SimulateTransaction = CommandOf<typeof SIMULATED_CHAIN_SCHEMAS, "simulate_transaction">;
export type BroadcastSimulated = CommandOf<typeof SIMULATED_CHAIN_SCHEMAS, "broadcast_simulated">;
export type MineBlocks = CommandOf<typeof SIMULATED_CHAIN_SCHEMAS, "mine_blocks">;
export type ReorganiseChain = CommandOf<typeof SIMULATED_CHAIN_SCHEMAS, "reorganise_chain">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof SIMULATED_CHAIN_SCHEMAS> {}
}
