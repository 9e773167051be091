import { type Answer, accepted, refused } from "../answer.ts";
import { accountSumsOf, leansOnStaleIndex } from "../futures/positions/account-sums.ts";
import { isolatedMargin } from "../futures/positions/figures.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Asset } from "../listing/asset.ts";
import { PHASE } from "../maintenance/maintenance.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import type { Transfer } from "./command-schemas.ts";
import { refusePledging } from "./outflow.ts";

/**
 * Moves money between the spot and the futures account of a user. Into futures: what is available, in a currency that a
 * listed futures market settles in. Out of futures: what neither positions nor orders need. Source: domain 6.4 and 4.8.
 */
export function transfer(state: State, command: Transfer): Answer {
  const { userId, from, to } = command;
  const asset = state.assetByCcy.get(command.ccy);
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (asset === undefined) return refused("asset_not_found", `The asset ${command.ccy} is not listed.`);
  const isIn = from === "SPOT" && to === "FUTURES";
  if (!isIn && !(from === "FUTURES" && to === "SPOT")) {
    return refused("transfer_not_possible", `Nothing can be transferred from ${from} to ${to}.`);
  }
  const amount = parseDecimal(command.amount, asset.scale);
  if (amount === undefined || amount <= 0n) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  const notNow = refuseTransferNow(state);
  if (notNow !== undefined) return notNow;
  if (isIn && !settlesFutures(state, asset)) {
    return refused("transfer_not_possible", `No futures market settles in ${asset.ccy}.`);
  }
  if (!isIn && leansOnStaleIndex(state, userId, asset.id)) {
    return refused("index_stale", "While the index under a position is stale, nothing leaves its account.");
  }
  const free = isIn ? availableInSpot(state, userId, asset) : transferable(state, userId, asset);
  if (amount > free) return refused("insufficient_balance", "The account cannot cover the transfer.");
  const pledged = isIn ? refusePledging(state, userId, [[asset, amount]], "leverage") : undefined;
  if (pledged !== undefined) return pledged;

  // Nothing is refused below this line.
  const { ledger, futures, events } = state;
  const account = futures.accounts.of(ledger, userId, asset.id);
  const change = isIn ? amount : -amount;
  const transferId = state.nextTransferId++;
  ledger.post(events, ledger.spotCell(userId, asset.id), -change, 0n, POSTING.transfer, transferId);
  ledger.post(events, futures.accounts.cell(account), change, 0n, POSTING.transfer, transferId);
  futures.note(account);
  const text = formatDecimal(amount, asset.scale);
  emitRareEvent(state, { type: "transferred", transferId, userId, from, to, ccy: asset.ccy, amount: text });
  return accepted({ transferId });
}

/** Why nothing is transferred at present; undefined when it is. */
export function refuseTransferNow(state: State): Answer | undefined {
  const phase = Math.max(state.spotPhase, state.futuresPhase);
  if (phase === PHASE.maintenance) return refused("maintenance", "The service is under maintenance.");
  if (phase === PHASE.protection)
    return refused("protection_period", "During the protection period nothing is transferred.");
  if (state.cancelOnly) return refused("venue_cancel_only", "The venue takes cancels only at present.");
  return undefined;
}

/** Whether a listed futures market settles in the asset. */
export function settlesFutures(state: State, asset: Asset): boolean {
  return state.markets.some(({ futures, delisted }) => futures?.settleAssetId === asset.id && !delisted);
}

export function availableInSpot({ ledger }: State, userId: number, asset: Asset): bigint {
  const cell = ledger.findSpotCell(userId, asset.id);
  return cell < 0 ? 0n : ledger.available(cell);
}

/** The units that may leave the futures account: min(T1, T2), never more than its cash. */
export function transferable(state: State, userId: number, asset: Asset): bigint {
  const account = state.futures.accounts.find(userId, asset.id);
  if (account === NONE) return 0n;
  const free = isolatedMargin(accountSumsOf(state, account));
  return free > 0n ? free : 0n;
}
