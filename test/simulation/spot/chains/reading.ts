/** What the venue's worker tells of the chain: the notices that are due, made of the blocks as they stand. */

import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { ModelVenue } from "../model/venue.ts";
import { CHAIN, kept as payments } from "../payments/model.ts";
import { kept, type ModelTransaction, top } from "./blocks.ts";

/** Holds what withdrawals are paid from. */
export const HOT = "hot";

/**
 * One of the notices that are due, or the height alone; in whatever order, as a venue that was down for a while may
 * find them.
 */
export function noticeOf(venue: ModelVenue, pick: number): Command {
  const due = [...lost(venue), ...found(venue), ...ofWithdrawals(venue)];
  const height = Math.max(top(venue), 0);
  return due[pick % (due.length + 1)] ?? { kind: "chain_head", chain: CHAIN, height };
}

/** Deposits that stood in a block, and are in none any more. Others than those of the box nobody looks for. */
function lost(venue: ModelVenue): Command[] {
  return payments(venue)
    .deposits.filter(({ status, key }) => status !== "cancelled" && isOfBox(key))
    .filter(({ key }) => transactionOf(venue, txIdOf(key)) === undefined)
    .map(({ key }) => ({
      kind: "deposit_gone",
      ...{ chain: CHAIN, txId: txIdOf(key), output: 0, toAddress: key.split(" ")[2] as string },
    }));
}

function found(venue: ModelVenue): Command[] {
  const { deposits, addresses, buried } = payments(venue);
  return standing(venue)
    .filter(({ to, height }) => height > buried && addresses.some(({ address }) => address === to))
    .filter(({ txId, height }) => {
      const known = deposits.find(({ key }) => txIdOf(key) === txId);
      return known === undefined || known.height !== height || known.status === "cancelled";
    })
    .map(({ txId, to, asset, amount, height }) => ({
      kind: "deposit_seen",
      ...{ chain: CHAIN, txId, output: 0, toAddress: to, memo: "", height },
      ...{ ccy: asset.ccy, amount: formatDecimal(amount, asset.scale) },
    }));
}

/** The next step of each withdrawal over the chain. */
function ofWithdrawals(venue: ModelVenue): Command[] {
  const onChain = payments(venue).withdrawals.filter(({ toUserId }) => toUserId === 0);
  return onChain.flatMap(({ id: withdrawId, status, asset, feeAsset, fee, amount, height }): Command[] => {
    const txId = `w${withdrawId}`;
    const paid = transactionOf(venue, txId);
    if (status === "audited") return [{ kind: "withdrawal_started", withdrawId }];
    if (paid === undefined && height > 0) return [{ kind: "withdrawal_gone", withdrawId }];
    if (paid === undefined) {
      if (status !== "processing" && status !== "confirming") return [];
      const sum = feeAsset === asset ? amount - fee : amount;
      const terms = { ccy: asset.ccy, toAddress: "x", memo: "", amount: formatDecimal(sum, asset.scale) };
      return [{ kind: "broadcast_simulated", chain: CHAIN, txId, fromAddress: HOT, nonce: withdrawId, ...terms }];
    }
    if (status === "processing") return [{ kind: "withdrawal_broadcast", withdrawId, txId }];
    if (paid.height > top(venue) || paid.height === height) return [];
    return [{ kind: "withdrawal_mined", withdrawId, txId, height: paid.height }];
  });
}

/** Some of the transactions that a reorganisation of so many blocks can drop. */
export function droppable(venue: ModelVenue, depth: number, pick: number): string[] {
  const last = kept(venue).transactions.filter(({ height }) => height > top(venue) - depth);
  return last.filter((_, at) => (pick >> (at % 8)) % 2 === 1).map(({ txId }) => txId);
}

/** In blocks. */
function standing(venue: ModelVenue): ModelTransaction[] {
  return kept(venue).transactions.filter(({ height }) => height <= top(venue));
}

function transactionOf(venue: ModelVenue, txId: string): ModelTransaction | undefined {
  return kept(venue).transactions.find((each) => each.txId === txId);
}

function txIdOf(key: string): string {
  return key.split(" ")[0] as string;
}

function isOfBox(key: string): boolean {
  return txIdOf(key).length === 64;
}
