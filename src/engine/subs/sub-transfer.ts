import { type Answer, accepted, refused } from "../answer.ts";
import { leansOnStaleIndex } from "../futures/positions/account-sums.ts";
import type { Asset } from "../listing/asset.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { reversibleOf } from "../payments/reversible.ts";
import { barOf } from "../payments/withdraw.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { refuseOutflow } from "../wallet/outflow.ts";
import { availableInSpot, refuseTransferNow, settlesFutures, transferable } from "../wallet/transfer.ts";
import { SUB_POSTING } from "./codes.ts";
import type { SubTransfer } from "./command-schemas.ts";
import { isOwnSub, NO_SUCH_SUB, refuseUnlessMain } from "./sub-account.ts";

/** The kinds of accounts between which money moves. */
const ACCOUNTS: readonly string[] = ["SPOT", "FUTURES"];

/**
 * Moves money between a main account and one of its sub-accounts, spot or futures, or between the spot accounts of two
 * sub-accounts: what is available, or out of futures what neither positions nor orders need. A frozen sub-account gives
 * and takes as any other: it is the main account that moves it. Source: domain 6.3 and 4.8.
 */
export function subTransfer(state: State, command: SubTransfer): Answer {
  const { userId, fromUserId, toUserId, from, to } = command;
  const hindrance = refuseUnlessMain(state, userId);
  if (hindrance !== undefined) return hindrance;
  const asset = state.assetByCcy.get(command.ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${command.ccy} is not listed.`);
  const isOwn = (id: number) => id === userId || isOwnSub(state, userId, id);
  if (!isOwn(fromUserId) || !isOwn(toUserId)) return NO_SUCH_SUB;
  const impossible = faultOf(command);
  if (impossible !== undefined) return refused("transfer_not_possible", impossible);
  const amount = parseDecimal(command.amount, asset.scale);
  if (amount === undefined || amount <= 0n) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  const notNow = refuseTransferNow(state);
  if (notNow !== undefined) return notNow;
  if (to === "FUTURES" && !settlesFutures(state, asset)) {
    return refused("transfer_not_possible", `No futures market settles in ${asset.ccy}.`);
  }
  if (from === "FUTURES" && leansOnStaleIndex(state, fromUserId, asset.id)) {
    return refused("index_stale", "While the index under a position is stale, nothing leaves its account.");
  }
  // What an account owes keeps its money from the others of its owner: they could withdraw it, or lose it to a friend.
  const keeps = fromUserId !== userId || holds(state, "withdrawalsCheckedAgain");
  const owed = keeps ? barOf(state, fromUserId) : undefined;
  if (owed !== undefined) return owed;
  if (amount > freeIn(state, command, asset)) {
    return refused("insufficient_balance", "The account cannot cover the transfer.");
  }
  const borrowed = refuseOutflow(state, fromUserId, [[asset, amount]]);
  if (borrowed !== undefined) return borrowed;

  // Nothing is refused below this line.
  const transferId = state.nextTransferId++;
  move(state, fromUserId, from, asset, -amount, transferId);
  move(state, toUserId, to, asset, amount, transferId);
  const text = formatDecimal(amount, asset.scale);
  const ofTwo = { userId, fromUserId, toUserId, from, to };
  emitRareEvent(state, { type: "sub_transferred", transferId, ...ofTwo, ccy: asset.ccy, amount: text });
  return accepted({ transferId });
}

/** The sentence that says why nothing moves that way; undefined when it does. */
function faultOf({ userId, fromUserId, toUserId, from, to }: SubTransfer): string | undefined {
  if (!ACCOUNTS.includes(from) || !ACCOUNTS.includes(to)) return `Nothing can be transferred from ${from} to ${to}.`;
  if (fromUserId === toUserId) return "One of the two must be a sub-account, and they must be two.";
  const isBetweenSubs = fromUserId !== userId && toUserId !== userId;
  if (isBetweenSubs && (from !== "SPOT" || to !== "SPOT")) {
    return "Between two sub-accounts only SPOT to SPOT can be transferred.";
  }
  return undefined;
}

/**
 * Units that the transfer may take. What a chain could still take back from a sub-account stays with it, in spot or
 * futures, or its main account could withdraw it.
 */
function freeIn(state: State, { userId, fromUserId, from }: SubTransfer, asset: Asset): bigint {
  const spot = availableInSpot(state, fromUserId, asset);
  const kept = fromUserId === userId ? 0n : reversibleOf(state, fromUserId, asset.id);
  if (from === "SPOT") return spot - kept;
  const free = transferable(state, fromUserId, asset);
  return kept <= spot ? free : free - (kept - spot);
}

function move(state: State, userId: number, account: string, asset: Asset, change: bigint, transferId: number): void {
  const { ledger, futures, events } = state;
  if (account === "SPOT") {
    ledger.post(events, ledger.spotCell(userId, asset.id), change, 0n, SUB_POSTING.sub_transfer, transferId);
    return;
  }
  const own = futures.accounts.of(ledger, userId, asset.id);
  ledger.post(events, futures.accounts.cell(own), change, 0n, SUB_POSTING.sub_transfer, transferId);
  futures.note(own);
}
