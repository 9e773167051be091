/** A chain in the box once more, in plain words: what stands in its blocks, and who holds what by that. Design 14. */

import type { CommandOf } from "../../../../src/engine/command-schema.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import type { SIMULATED_CHAIN_SCHEMAS } from "../../../../src/engine/simulated-chain/command-schemas.ts";
import { drawnDigits } from "../../../../src/engine/simulated-chain/ledger.ts";
import { ASSETS } from "../markets.ts";
import { unitsOf } from "../model/numbers.ts";
import type { ModelAsset } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { keptBy } from "../part.ts";
import { CHAIN, feeText } from "../payments/model.ts";

type Of<Kind extends keyof typeof SIMULATED_CHAIN_SCHEMAS> = CommandOf<typeof SIMULATED_CHAIN_SCHEMAS, Kind>;
type Answer = Refusal | undefined;

export interface ModelTransaction {
  readonly txId: string;
  /** Empty: from outside. */
  readonly from: string;
  readonly nonce: number;
  readonly to: string;
  readonly asset: ModelAsset;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly height: number;
}

/** Undefined before it has begun. */
export const kept = keptBy(() => ({
  began: undefined as { readonly seed: number; readonly at: number; readonly every: number } | undefined,
  /** Blocks that came before their time. */
  early: 0,
  paid: 0,
  turns: 0,
  transactions: [] as ModelTransaction[],
}));

export function begin(venue: ModelVenue, { chain, seed, blockMs }: Of<"start_simulated_chain">): Answer {
  if (chain === "" || blockMs < 1 || blockMs > 86_400_000) return "invalid_command";
  kept(venue).began ??= { seed, at: venue.timeMs, every: blockMs };
  return undefined;
}

/** Somebody outside pays. */
export function pay(venue: ModelVenue, { chain, ccy, toAddress, amount }: Of<"simulate_transaction">): Answer {
  const own = kept(venue);
  if (chain !== CHAIN || own.began === undefined) return "chain_not_simulated";
  const asset = assetOn(venue, ccy);
  if (asset === undefined) return "asset_not_found";
  const units = unitsOf(amount, asset.scale);
  if (units === undefined || units === 0n || toAddress === "") return "invalid_command";
  const txId = drawnDigits(own.began.seed, 2, ++own.paid);
  const height = top(venue) + 1;
  own.transactions.push({ txId, from: "", nonce: -1, to: toAddress, asset, amount: units, fee: 0n, height });
  return undefined;
}

/** The venue pays. */
export function broadcast(venue: ModelVenue, command: Of<"broadcast_simulated">): Answer {
  const own = kept(venue);
  const { chain, txId, fromAddress: from, nonce, ccy, toAddress: to, amount } = command;
  if (chain !== CHAIN || own.began === undefined) return "chain_not_simulated";
  if (own.transactions.some((each) => each.txId === txId)) return undefined;
  if (own.transactions.some((each) => each.from !== "" && each.from === from && each.nonce === nonce)) {
    return "nonce_taken";
  }
  const asset = assetOn(venue, ccy);
  if (asset === undefined) return "asset_not_found";
  const units = unitsOf(amount, asset.scale);
  if (units === undefined || units === 0n || from === "" || to === "" || txId === "") return "invalid_command";
  // Half of what the venue takes of its users.
  const fee = (unitsOf(feeText(asset.scale), asset.scale) as bigint) / 2n;
  if (heldBy(venue, from, asset) < units + fee) return "chain_funds_short";
  own.transactions.push({ txId, from, nonce, to, asset, amount: units, fee, height: top(venue) + 1 });
  return undefined;
}

export function mine(venue: ModelVenue, { chain, count }: Of<"mine_blocks">): Answer {
  const own = kept(venue);
  if (chain !== CHAIN || own.began === undefined) return "chain_not_simulated";
  if (count < 1 || count > 100_000) return "invalid_command";
  own.early += count;
  return undefined;
}

/** Other blocks come in the place of the last ones, and one on top. */
export function turn(venue: ModelVenue, { chain, depth, drop = [] }: Of<"reorganise_chain">): Answer {
  const own = kept(venue);
  if (chain !== CHAIN || own.began === undefined) return "chain_not_simulated";
  if (depth < 1 || depth > 10_000 || depth > top(venue)) return "invalid_command";
  const last = own.transactions.filter(({ height }) => height > top(venue) - depth);
  if (drop.some((txId) => last.every((each) => each.txId !== txId))) return "invalid_command";
  own.transactions = own.transactions.filter(({ txId }) => !drop.includes(txId));
  own.turns++;
  own.early++;
  return undefined;
}

/** The height of the last block; -1 before the first. */
export function top(venue: ModelVenue): number {
  const { began, early } = kept(venue);
  return began === undefined ? -1 : early + Math.floor((venue.timeMs - began.at) / began.every);
}

export function heldBy(venue: ModelVenue, address: string, asset: ModelAsset): bigint {
  const { transactions } = kept(venue);
  return transactions
    .filter((each) => each.asset === asset)
    .reduce((sum, { from, to, amount, fee }) => {
      return sum + (to === address ? amount : 0n) - (from === address ? amount + fee : 0n);
    }, 0n);
}

function assetOn(venue: ModelVenue, ccy: string): ModelAsset | undefined {
  return ASSETS.some((each) => each === ccy) ? venue.assets.find((asset) => asset.ccy === ccy) : undefined;
}
