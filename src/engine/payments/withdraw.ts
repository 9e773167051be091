/** A user asks for money to be paid out, or thinks better of it. Source: domain 7. */

import { isFrozen } from "../accounts/freeze.ts";
import { type Answer, accepted, refused } from "../answer.ts";
import { refuseHalted } from "../chains/withdrawal-halt.ts";
import { hooks } from "../hooks.ts";
import { CELL, cellKey } from "../ledger/cell.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Asset } from "../listing/asset.ts";
import type { ChainSpec } from "../listing/chain-settings.ts";
import { priceBetween } from "../listing/price-between.ts";
import { refuseAccountWrite } from "../maintenance/maintenance.ts";
import { formatDecimal, parseDecimal, pow10 } from "../money/decimal.ts";
import { INT64_MAX } from "../money/int64.ts";
import { divCeil } from "../money/rounding.ts";
import type { Outflow } from "../part.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { refuseOutflow } from "../wallet/outflow.ts";
import { ADDRESS_CHARS_MAX, isOfVenue, MEMO_CHARS_MAX } from "./addresses.ts";
import { termsOn } from "./chain-terms.ts";
import { PAYMENT_POSTING } from "./codes.ts";
import type { CancelWithdrawal, Withdraw } from "./command-schemas.ts";
import { isDebtor } from "./deposit-debt.ts";
import { METHODS } from "./method.ts";
import { payments } from "./payments.ts";
import { reversibleOf } from "./reversible.ts";
import { isAllowed, userNamed } from "./withdraw-address.ts";
import { countWithdrawn, leftToday } from "./withdraw-limit.ts";
import { freezeFor, isWaiting, refund, tellWithdrawal, type Withdrawal } from "./withdrawal.ts";

/** So many of a user's are under way at once: each is looked after until it is over. */
export const OPEN_MAX = 100;
const REMARK_CHARS_MAX = 256;

/** Freezes what is asked for; between users it is there at once. */
export function withdraw(state: State, command: Withdraw): Answer {
  const { userId, memo, remark } = command;
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (state.users.mainUserId(userId) !== 0) {
    return refused("sub_account_withdrawal", "Only the main account withdraws; transfer the money there first.");
  }
  const asset = state.assetByCcy.get(command.ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${command.ccy} is not listed.`);
  const method = METHODS.find((one) => one === command.method);
  if (method === undefined) return refused("invalid_command", `withdraw_method is one of ${METHODS.join(", ")}.`);
  const isOnChain = method === "on_chain";
  const terms = isOnChain ? termsOn(asset, command.chain) : undefined;
  if (isOnChain && terms === undefined) {
    return refused("chain_not_found", `${asset.ccy} does not move on a chain ${command.chain}.`);
  }
  const precision = terms?.precision ?? asset.scale;
  const amount = parseDecimal(command.amount, precision);
  if (amount === undefined || amount <= 0n) {
    const most = `amount must be a decimal above 0 with at most ${precision} decimals.`;
    return refused(amount === undefined ? "withdrawal_precision" : "invalid_command", most);
  }
  // The amount was read on the grid of withdrawals; the ledger's is as fine or finer.
  const units = amount * pow10(asset.scale - precision);
  const hindrance = refuseAccountWrite(state);
  if (hindrance !== undefined) return hindrance;
  if (state.cancelOnly) return refused("venue_cancel_only", "The venue takes cancels only at present.");
  const isEnabled = terms === undefined ? asset.interTransferEnabled : terms.settings.withdrawEnabled;
  if (!isEnabled) return refused("withdrawals_closed", `Withdrawals of ${asset.ccy} this way are closed at present.`);
  const halted = isOnChain ? refuseHalted(state) : undefined;
  if (halted !== undefined) return halted;
  if (remark.length > REMARK_CHARS_MAX || memo.length > MEMO_CHARS_MAX) {
    return refused("invalid_command", `A remark has at most ${REMARK_CHARS_MAX} characters, a memo ${MEMO_CHARS_MAX}.`);
  }
  const toUserId = isOnChain ? 0 : (userNamed(state, command.toAddress) ?? 0);
  const wrong = isOnChain
    ? refuseAddress(state, command, terms as ChainSpec)
    : refuseCounterparty(state, userId, toUserId);
  if (wrong !== undefined) return wrong;
  const toAddress = isOnChain ? command.toAddress : String(toUserId);
  if (!isAllowed(state, userId, isOnChain ? command.chain : "", toAddress, memo)) {
    return refused(
      "withdraw_address_not_allowed",
      "The address is not among those that keys of the user may withdraw to.",
    );
  }
  if (terms !== undefined && units < terms.minWithdrawal) {
    const least = formatDecimal(terms.minWithdrawal, asset.scale);
    return refused("withdrawal_too_small", `A withdrawal has at least ${least} ${asset.ccy}.`);
  }
  const feeAsset = command.feeCcy === undefined || !isOnChain ? asset : state.assetByCcy.get(command.feeCcy);
  if (feeAsset === undefined) return refused("asset_not_found", `The asset ${command.feeCcy} is not listed.`);
  const fee = terms === undefined ? 0n : feeIn(state, asset, feeAsset, terms.withdrawalFee);
  if (fee === undefined) {
    return refused("no_index_price", `What ${asset.ccy} is worth in ${feeAsset.ccy} is not known at present.`);
  }
  const actualAmount = feeAsset === asset ? units - fee : units;
  if (actualAmount <= 0n) {
    return refused("withdrawal_too_small", "The amount must be above the fee, which is taken out of it.");
  }
  const left = leftToday(state, userId, asset);
  if (left !== undefined && units > left) {
    const text = formatDecimal(left, asset.scale);
    return refused("withdrawal_limit", `The user may withdraw ${text} ${asset.ccy} more today.`);
  }
  if ((payments.of(state).openOf.get(userId) ?? 0) >= OPEN_MAX) {
    return refused("too_many_withdrawals", `A user has at most ${OPEN_MAX} withdrawals under way.`);
  }
  const bar = barOfFamily(state, userId) ?? refuseOutflow(state, userId, outflow(asset, units, feeAsset, fee));
  if (bar !== undefined) return bar;
  const isCovered =
    units <= withdrawable(state, userId, asset) && (feeAsset === asset || fee <= availableOf(state, userId, feeAsset));
  if (!isCovered) {
    return refused(
      "insufficient_balance",
      "The account cannot cover the withdrawal, or its chain could still take a deposit back.",
    );
  }

  // Nothing is refused below this line.
  const { nextWithdrawId: withdrawId } = payments.of(state);
  payments.of(state).nextWithdrawId++;
  countWithdrawn(state, userId, asset.ccy, units, state.timeMs);
  const one: Withdrawal = {
    withdrawId,
    userId,
    method,
    chain: isOnChain ? command.chain : "",
    toAddress,
    toUserId,
    memo: isOnChain ? memo : "",
    assetId: asset.id,
    amount: units,
    feeAssetId: feeAsset.id,
    fee,
    actualAmount,
    remark,
    createdAt: state.timeMs,
    status: "created",
    txId: "",
    height: 0,
    stopAsked: false,
    networkFeeAssetId: -1,
    networkFee: 0n,
    note: "",
  };
  freezeFor(state, one, 1n);
  tellWithdrawal(state, one);
  if (isOnChain || command.needsReview) open(state, one, command.needsReview);
  else handOver(state, one);
  return accepted({ withdrawId });
}

/** Takes a withdrawal back that nobody has begun to pay. */
export function cancelWithdrawal(state: State, { userId, withdrawId }: CancelWithdrawal): Answer {
  const one = payments.of(state).withdrawals.get(withdrawId);
  if (one === undefined || one.userId !== userId) {
    return refused("withdrawal_not_found", "There is no such withdrawal under way.");
  }
  if (!isWaiting(one)) return refused("withdrawal_status", "The withdrawal is on its way already, or over.");
  refund(state, one, "cancelled", "");
  return accepted({ withdrawId });
}

/** Between users: the amount changes hands in one step. */
export function handOver(state: State, one: Withdrawal): void {
  const { ledger, events } = state;
  const { ccy, scale } = state.assets[one.assetId] as Asset;
  const { withdraw: posting } = PAYMENT_POSTING;
  const depositId = state.nextDepositId++;
  ledger.post(events, ledger.spotCell(one.userId, one.assetId), 0n, -one.amount, posting, one.withdrawId);
  ledger.post(events, ledger.spotCell(one.toUserId, one.assetId), one.amount, 0n, POSTING.deposit, depositId);
  one.status = "finished";
  tellWithdrawal(state, one);
  const text = formatDecimal(one.amount, scale);
  emitRareEvent(state, {
    type: "deposit_moved",
    depositId,
    userId: one.toUserId,
    method: "inter_user",
    chain: "",
    txId: "",
    output: 0,
    toAddress: String(one.toUserId),
    memo: "",
    ccy,
    amount: text,
    actualAmount: text,
    status: "finished",
    settled: true,
    height: 0,
    confirmations: 0,
    remark: one.remark,
    createdAt: state.timeMs,
  });
}

function open(state: State, one: Withdrawal, needsReview: boolean): void {
  const { withdrawals, openOf } = payments.of(state);
  withdrawals.set(one.withdrawId, one);
  openOf.set(one.userId, (openOf.get(one.userId) ?? 0) + 1);
  one.status = needsReview ? "audit_required" : "audited";
  tellWithdrawal(state, one);
}

/**
 * Returns an amount of a fee in another currency: by index, never by a deal, rounded up. Undefined without an index
 * price, or above int64.
 */
function feeIn(state: State, asset: Asset, feeAsset: Asset, fee: bigint): bigint | undefined {
  if (feeAsset === asset) return fee;
  const price = priceBetween(state, asset.id, feeAsset.id);
  if (price === undefined) return undefined;
  const units = divCeil(fee * price.numerator * pow10(feeAsset.scale), price.denominator * pow10(asset.scale));
  return units <= INT64_MAX ? units : undefined;
}

function refuseAddress(
  state: State,
  { chain, toAddress, memo }: Withdraw,
  { settings }: ChainSpec,
): Answer | undefined {
  if (toAddress === "" || toAddress.length > ADDRESS_CHARS_MAX) {
    return refused("invalid_command", `An address has 1 to ${ADDRESS_CHARS_MAX} characters.`);
  }
  if (settings.isMemoRequiredForDeposit && memo === "") {
    return refused("memo_required", `A payment on ${chain} needs a memo.`);
  }
  // It would go round in a circle, and its fee with it.
  if (isOfVenue(state, chain, toAddress)) {
    return refused("own_address", "That is an address of this venue: withdraw to the user instead (inter_user).");
  }
  return undefined;
}

function refuseCounterparty({ users }: State, userId: number, toUserId: number): Answer | undefined {
  if (toUserId === 0) return refused("counterparty_not_found", "to_address must be the id or the name of a user.");
  if (toUserId === userId) return refused("counterparty_not_found", "Money is withdrawn to somebody else.");
  if (users.mainUserId(toUserId) !== 0) {
    return refused("counterparty_not_found", "Money is withdrawn to main accounts only.");
  }
  return undefined;
}

/** Returns the outflow of a withdrawal: the fee is among its units where both are of one asset. */
function outflow(asset: Asset, units: bigint, feeAsset: Asset, fee: bigint): Outflow[] {
  return feeAsset === asset
    ? [[asset, units]]
    : [
        [asset, units],
        [feeAsset, fee],
      ];
}

/** Why a withdrawal that was asked for is not to be paid now: its conditions hold when it is paid as well. */
export function refusePaying(
  state: State,
  { userId, assetId, amount, feeAssetId, fee }: Withdrawal,
): Answer | undefined {
  if (!holds(state, "withdrawalsCheckedAgain")) return undefined;
  if (isFrozen(state, userId))
    return refused("withdraw_barred", "The account is frozen; nothing is withdrawn meanwhile.");
  const [asset, feeAsset] = [state.assets[assetId] as Asset, state.assets[feeAssetId] as Asset];
  return barOfFamily(state, userId) ?? refuseOutflow(state, userId, outflow(asset, amount, feeAsset, fee), "aside");
}

/** Why a user may withdraw nothing at all: debts, here and with other parts. */
export function barOf(state: State, userId: number): Answer | undefined {
  if (isDebtor(state, userId)) {
    return refused(
      "withdraw_barred",
      "A chain took back a deposit that was spent; while that is owed nothing is withdrawn.",
    );
  }
  for (const part of hooks()) {
    const bar = part.barsWithdrawal?.(state, userId);
    if (bar !== undefined) return refused("withdraw_barred", bar);
  }
  return undefined;
}

/** The same of a user and his sub-accounts: what one of them owes, its owner does. They withdraw nothing themselves. */
function barOfFamily(state: State, userId: number): Answer | undefined {
  const own = barOf(state, userId);
  if (own !== undefined || !holds(state, "familyCounts")) return own;
  for (const subUserId of state.users.subsOf(userId)) {
    if (barOf(state, subUserId) === undefined) continue;
    const name = state.users.names[subUserId] ?? "";
    return refused("withdraw_barred", `The sub-account ${name} has a debt; while that is owed nothing is withdrawn.`);
  }
  return undefined;
}

/** Units that a user may withdraw: what is available, less what a chain could still take back. */
export function withdrawable(state: State, userId: number, asset: Asset): bigint {
  const free = availableOf(state, userId, asset) - reversibleOf(state, userId, asset.id);
  return free > 0n ? free : 0n;
}

function availableOf({ ledger }: State, userId: number, { id }: Asset): bigint {
  const cell = ledger.find(cellKey(CELL.spot, userId, id));
  return cell < 0 ? 0n : ledger.available(cell);
}
