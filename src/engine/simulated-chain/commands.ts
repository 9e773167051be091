import { type Answer, accepted, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import type {
  BroadcastSimulated,
  MineBlocks,
  ReorganiseChain,
  SimulateTransaction,
  StartSimulatedChain,
} from "./command-schemas.ts";
import {
  balanceOn,
  drawnDigits,
  enter,
  findSimulatedChain,
  forget,
  heightAt,
  newSimulatedChain,
  prune,
  simulatedChains,
} from "./ledger.ts";

/** Transactions that a chain remembers; older ones have happened, and are forgotten. */
export const TRANSACTIONS_MAX = 100_000;
/** Blocks that may be asked for, and replaced, at once. */
const BLOCKS_MAX = 100_000;
const DEPTH_MAX = 10_000;
const FORKS_MAX = 1_000;
const BLOCK_MS_MAX = 86_400_000;

export function startSimulatedChain(state: State, { chain, seed, blockMs }: StartSimulatedChain): Answer {
  if (chain === "") return refused("invalid_command", "chain must have a name.");
  if (blockMs < 1 || blockMs > BLOCK_MS_MAX) {
    return refused("invalid_command", `blockMs must be from 1 to ${BLOCK_MS_MAX}.`);
  }
  const all = simulatedChains.of(state);
  if (!all.has(chain)) all.set(chain, newSimulatedChain(seed, state.timeMs, blockMs));
  return accepted({});
}

export function simulateTransaction(state: State, command: SimulateTransaction): Answer {
  const { chain: name, ccy, toAddress, memo = "" } = command;
  const chain = findSimulatedChain(state, name);
  if (chain === undefined) return noSuchChain(name);
  const asset = assetOn(state, name, ccy);
  if (asset === undefined) return refused("asset_not_found", `${ccy} does not move on ${name}.`);
  const amount = parseDecimal(command.amount, asset.scale);
  if (amount === undefined || amount <= 0n) return badAmount(asset);
  if (toAddress === "") return refused("invalid_command", "to_address must not be empty.");

  // Nothing is refused below this line.
  const txId = drawnDigits(chain.seed, 2, ++chain.count);
  const height = heightAt(chain, state.timeMs) + 1;
  enter(chain, { txId, fromAddress: "", nonce: -1, toAddress, memo, ccy, amount, fee: 0n, height });
  prune(chain, TRANSACTIONS_MAX);
  return accepted({ txId });
}

export function broadcastSimulated(state: State, command: BroadcastSimulated): Answer {
  const { chain: name, txId, fromAddress, nonce, ccy, toAddress, memo } = command;
  const chain = findSimulatedChain(state, name);
  if (chain === undefined) return noSuchChain(name);
  if (chain.byId.has(txId)) return accepted({ txId, repeated: true });
  if (chain.byNonce.has(`${fromAddress} ${nonce}`)) {
    return refused("nonce_taken", `${fromAddress} has used its nonce ${nonce} on ${name}.`);
  }
  const asset = assetOn(state, name, ccy);
  if (asset === undefined) return refused("asset_not_found", `${ccy} does not move on ${name}.`);
  const amount = parseDecimal(command.amount, asset.scale);
  if (amount === undefined || amount <= 0n) return badAmount(asset);
  if (fromAddress === "" || toAddress === "" || txId === "") {
    return refused("invalid_command", "A transaction has an id, a sender and a receiver.");
  }
  const fee = feeOn(asset, name);
  if (balanceOn(chain, fromAddress, ccy) < amount + fee) {
    return refused("chain_funds_short", `${fromAddress} has not so much ${ccy} on ${name}.`);
  }

  // Nothing is refused below this line.
  const height = heightAt(chain, state.timeMs) + 1;
  enter(chain, { txId, fromAddress, nonce, toAddress, memo, ccy, amount, fee, height });
  prune(chain, TRANSACTIONS_MAX);
  return accepted({ txId });
}

export function mineBlocks(state: State, { chain: name, count }: MineBlocks): Answer {
  const chain = findSimulatedChain(state, name);
  if (chain === undefined) return noSuchChain(name);
  if (count < 1 || count > BLOCKS_MAX) return refused("invalid_command", `count must be from 1 to ${BLOCKS_MAX}.`);
  chain.extra += count;
  return accepted({ height: heightAt(chain, state.timeMs) });
}

export function reorganiseChain(state: State, { chain: name, depth, drop = [] }: ReorganiseChain): Answer {
  const chain = findSimulatedChain(state, name);
  if (chain === undefined) return noSuchChain(name);
  const head = heightAt(chain, state.timeMs);
  if (depth < 1 || depth > Math.min(DEPTH_MAX, head)) {
    return refused(
      "invalid_command",
      `depth must be from 1 to ${Math.min(DEPTH_MAX, head)}, the blocks that there are.`,
    );
  }
  const from = head - depth + 1;
  const elsewhere = drop.find((txId) => (chain.byId.get(txId)?.height ?? 0) < from);
  if (elsewhere !== undefined) {
    return refused("invalid_command", `The transaction ${elsewhere} is in none of the last ${depth} blocks.`);
  }

  // Nothing is refused below this line.
  forget(chain, new Set(drop));
  chain.lastForks.push({ from, number: ++chain.forks });
  if (chain.lastForks.length > FORKS_MAX) chain.lastForks.shift();
  chain.extra++;
  return accepted({ height: head + 1 });
}

/**
 * The fee of a transaction on the chain, in units of the currency that it moves: half of the venue's withdrawal fee,
 * rounded down.
 */
export function feeOn(asset: Asset, chain: string): bigint {
  const settings = asset.chains.find((settings) => settings.chain === chain);
  return (parseDecimal(settings?.withdrawalFee ?? "0", asset.scale) ?? 0n) / 2n;
}

function assetOn(state: State, chain: string, ccy: string): Asset | undefined {
  const asset = state.assetByCcy.get(ccy);
  return asset?.chains.some((settings) => settings.chain === chain) === true ? asset : undefined;
}

function noSuchChain(chain: string): Answer {
  return refused("chain_not_simulated", `The venue simulates no chain ${chain}.`);
}

function badAmount({ scale }: Asset): Answer {
  return refused("invalid_command", `amount must be a decimal above 0 with at most ${scale} decimals.`);
}
