/** How the venue deals with one chain, by its settings. */

/**
 * Bounds on the hot wallet's holding of a currency: above `most` it is brought down to `target`, and withdrawals that
 * would leave less than `least` wait.
 */
export interface HotOptions {
  readonly least: string;
  readonly most: string;
  readonly target: string;
}

/** A chain of EVM nodes. Amounts are decimals by currency. */
export interface EvmOptions {
  /** Addresses of nodes; all of them must agree on each fact. */
  readonly rpc: readonly string[];
  /** The trust in a node that is the only one: hold: its deposits wait for an operator; trust: they are credited. */
  readonly oneNode: "hold" | "trust";
  /** Decimals of tokens by currency; of others the nodes are asked. */
  readonly decimals: ReadonlyMap<string, number>;
  readonly chainId: number;
  /** Name of the chain's own coin, as it is listed. */
  readonly coin: string;
  /** ms from one look at the chain to the next. */
  readonly pollMs: number;
  /** ms from one sweep and the like to the next. */
  readonly treasuryMs: number;
  /** A head older than this is not believed; 0: never too old. */
  readonly staleAfterMs: number;
  /** A payment that waits longer than this offers a higher fee, */
  readonly stuckAfterMs: number;
  /** but never more than this for a unit of gas. */
  readonly maxFeeGwei: number;
  /** The first block that matters to the venue; undefined: the head of its first start. */
  readonly startBlock: number | undefined;
  readonly hot: ReadonlyMap<string, HotOptions>;
  /** Empty: there is no cold storage. */
  readonly coldAddress: string;
  readonly sweepMin: ReadonlyMap<string, string>;
}
