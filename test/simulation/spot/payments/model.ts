/** Deposits and withdrawals once more, in plain words. Domain 7. */

import type { CommandOf } from "../../../../src/engine/command-schema.ts";
import type { PAYMENT_SCHEMAS } from "../../../../src/engine/payments/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { priceIn } from "../accounts/fees.ts";
import { refuseBorrowed } from "../credit/part.ts";
import { phase } from "../maintenance/windows.ts";
import { owesMargin } from "../margin/loans.ts";
import { ASSETS } from "../markets.ts";
import { divideUp, least, ONE_E8, tenTo, unitsOf } from "../model/numbers.ts";
import type { ModelAsset } from "../model/records.ts";
import type { Brought } from "../model/usd.ts";
import type { ModelVenue } from "../model/venue.ts";
import { keptBy } from "../part.ts";
import { bring } from "../referral/rebates.ts";
import { refuseExchanged } from "./cover.ts";

type Of<Kind extends keyof typeof PAYMENT_SCHEMAS> = CommandOf<typeof PAYMENT_SCHEMAS, Kind>;
type Answer = Refusal | undefined;

const DAY_MS = 86_400_000;
const DELAY_MS = 60_000;

/** How every asset moves on the one chain; of odd scales what does not fit is 0. */
export const CHAIN = "SIM";
export const SAFE = 2;
export const IRREVERSIBLE = 4;
export const DEFLATION = "0.0333";
const PRECISION = 4;

export interface ModelDeposit {
  readonly id: number;
  readonly key: string;
  readonly asset: ModelAsset;
  readonly amount: bigint;
  readonly actual: bigint;
  userId: number;
  status: "processing" | "confirming" | "finished" | "too_small" | "exception" | "cancelled";
  height: number;
  /** ms from which on it may be credited; undefined before its confirmations. */
  creditAt: number | undefined;
  settled: boolean;
  decided: boolean;
}

export interface ModelWithdrawal {
  readonly id: number;
  readonly userId: number;
  readonly toUserId: number;
  readonly asset: ModelAsset;
  readonly amount: bigint;
  readonly feeAsset: ModelAsset;
  readonly fee: bigint;
  readonly createdAt: number;
  status: string;
  height: number;
  stopped: boolean;
}

export const kept = keptBy(() => ({
  head: 0,
  buried: 0,
  addresses: [] as { readonly userId: number; readonly address: string; used: boolean }[],
  deposits: [] as ModelDeposit[],
  withdrawals: [] as ModelWithdrawal[],
  nextWithdrawal: 1,
  /** By user and asset. */
  debts: new Map<string, { readonly userId: number; readonly asset: ModelAsset; units: bigint }>(),
  funds: [] as bigint[],
  spent: [] as { readonly userId: number; readonly asset: ModelAsset; readonly day: number; units: bigint }[],
  limits: [] as { readonly userId: number | undefined; readonly asset: ModelAsset; readonly units: bigint }[],
  allowed: new Set<string>(),
}));

export function smallest(scale: number): string {
  return scale >= 2 ? "0.02" : "1";
}

export function feeText(scale: number): string {
  return scale >= 3 ? "0.007" : "0";
}

/** A user's own limit, or of everybody who has none. */
export function setLimit(venue: ModelVenue, { userId, ccy, amount }: Of<"set_withdraw_limit">): Answer {
  const asset = assetOf(venue, ccy);
  if (asset === undefined) return "asset_not_found";
  if (userId !== undefined && venue.user(userId) === undefined) return "user_not_found";
  const units = amount === null ? undefined : unitsOf(amount, asset.scale);
  if (amount !== null && units === undefined) return "invalid_command";
  const { limits } = kept(venue);
  const others = limits.filter((limit) => limit.asset !== asset || limit.userId !== userId);
  kept(venue).limits = units === undefined ? others : [...others, { userId, asset, units }];
  return undefined;
}

export function allow(venue: ModelVenue, { userId, chain, address }: Of<"allow_withdraw_address">): Answer {
  kept(venue).allowed.add(`${userId} ${chain} ${address}`);
  return undefined;
}

export function assign(venue: ModelVenue, command: Of<"assign_address">): Answer {
  const { addresses } = kept(venue);
  const { userId, renewals, address } = command;
  if (venue.user(userId) === undefined) return "user_not_found";
  const own = addresses.filter((each) => each.userId === userId);
  if (own.length > 0 && renewals === own.length - 1) return undefined;
  const hindrance = hindered(venue);
  if (hindrance !== undefined) return hindrance;
  if (renewals !== own.length) return "address_superseded";
  if (own.at(-1)?.used === false) return "address_unused";
  if (addresses.some((each) => each.address === address)) return "address_taken";
  addresses.push({ userId, address, used: false });
  return undefined;
}

export function see(venue: ModelVenue, command: Of<"deposit_seen">): Answer {
  const own = kept(venue);
  const { txId, output, toAddress, height } = command;
  const asset = assetOf(venue, command.ccy);
  if (asset === undefined) return "asset_not_found";
  if (!movesOnChain(asset)) return "chain_not_found";
  const amount = unitsOf(command.amount, asset.scale);
  if (amount === undefined || amount === 0n || amount > asset.custodyMax) return "invalid_command";
  const address = own.addresses.find((each) => each.address === toAddress);
  if (address === undefined) return "address_not_found";
  const key = `${txId} ${output} ${toAddress}`;
  const known = own.deposits.find((each) => each.key === key);
  if (known !== undefined) {
    if (known.asset !== asset || known.amount !== amount) return "invalid_command";
    venue.outcome.madeId = known.id;
    again(venue, known, height);
    return undefined;
  }
  if (height > 0 && height <= own.buried) return "deposit_buried";
  const tooSmall = amount < (unitsOf(smallest(asset.scale), asset.scale) as bigint);
  if (tooSmall && height === 0) return undefined;
  const lost = unitsOf(DEFLATION, 8) as bigint;
  const deposit: ModelDeposit = {
    id: venue.nextDepositId++,
    key,
    asset,
    amount,
    actual: (amount * (ONE_E8 - lost)) / ONE_E8,
    userId: address.userId,
    status: tooSmall ? "too_small" : "processing",
    height,
    creditAt: undefined,
    settled: false,
    decided: false,
  };
  venue.outcome.madeId = deposit.id;
  if (!tooSmall) address.used = true;
  own.deposits.push(deposit);
  advance(venue, deposit);
  return undefined;
}

function again(venue: ModelVenue, deposit: ModelDeposit, height: number): void {
  if (deposit.status === "cancelled") {
    if (deposit.decided) return;
    deposit.status = "processing";
    deposit.height = height;
    advance(venue, deposit);
    return;
  }
  if (deposit.status === "too_small" || deposit.height === height) return;
  deposit.height = height;
  if (confirmed(venue, height) < SAFE) deposit.creditAt = undefined;
  if (deposit.status === "confirming" && confirmed(venue, height) === 0) deposit.status = "processing";
  advance(venue, deposit);
}

export function lose(venue: ModelVenue, { txId, output, toAddress }: Of<"deposit_gone">): Answer {
  const own = kept(venue);
  const deposit = own.deposits.find((each) => each.key === `${txId} ${output} ${toAddress}`);
  if (deposit === undefined) return "deposit_not_found";
  venue.outcome.madeId = deposit.id;
  if (deposit.status === "cancelled") return undefined;
  if (deposit.status === "finished") {
    const { asset, actual, userId } = deposit;
    const balance = venue.balance(userId, asset.id);
    const taken = least(balance.available, actual);
    balance.available -= taken;
    if (actual > taken) debtOf(venue, userId, asset).units += actual - taken;
    leave(venue, asset, actual);
  }
  deposit.status = "cancelled";
  deposit.settled = false;
  deposit.creditAt = undefined;
  deposit.height = Math.max(deposit.height, own.head, 1);
  advance(venue, deposit);
  return undefined;
}

export function resolve(venue: ModelVenue, command: Of<"resolve_deposit">): Answer {
  const { depositId, assignTo, cancel = false, note } = command;
  const deposit = kept(venue).deposits.find(({ id }) => id === depositId);
  if (deposit === undefined) return "deposit_not_found";
  if (deposit.status !== "exception") return "deposit_status";
  if ((assignTo !== undefined) === cancel || note === "") return "invalid_command";
  if (assignTo !== undefined && venue.user(assignTo) === undefined) return "user_not_found";
  deposit.decided = true;
  if (assignTo === undefined) {
    deposit.status = "cancelled";
    deposit.height = Math.max(deposit.height, kept(venue).head, 1);
  } else {
    deposit.userId = assignTo;
    deposit.status = "processing";
  }
  venue.outcome.madeId = depositId;
  advance(venue, deposit);
  return undefined;
}

export function head(venue: ModelVenue, { height }: Of<"chain_head">): Answer {
  const own = kept(venue);
  if (height < 0) return "invalid_command";
  own.head = height;
  own.buried = Math.max(own.buried, height - IRREVERSIBLE);
  for (const { userId, asset } of [...own.debts.values()]) collect(venue, userId, asset);
  for (const deposit of [...own.deposits].sort((one, other) => one.id - other.id)) advance(venue, deposit);
  for (const one of [...own.withdrawals]) confirm(venue, one);
  return undefined;
}

/** What was to wait for its time. */
export function passTime(venue: ModelVenue): void {
  const waiting = kept(venue).deposits.filter(({ creditAt = Number.POSITIVE_INFINITY }) => creditAt <= venue.timeMs);
  waiting.sort((one, other) => (one.creditAt ?? 0) - (other.creditAt ?? 0) || one.id - other.id);
  for (const deposit of waiting) {
    if (confirmed(venue, deposit.height) < SAFE) deposit.creditAt = undefined;
    advance(venue, deposit);
  }
}

function advance(venue: ModelVenue, deposit: ModelDeposit): void {
  const own = kept(venue);
  const depth = confirmed(venue, deposit.height);
  if (deposit.status === "processing" && depth >= 1) deposit.status = "confirming";
  if (deposit.status === "confirming" && depth >= SAFE) {
    deposit.creditAt ??= venue.timeMs + DELAY_MS;
    if (deposit.creditAt <= venue.timeMs) credit(venue, deposit);
  }
  if (deposit.status === "finished" && !deposit.settled && depth >= IRREVERSIBLE) {
    deposit.settled = true;
    bring(venue, deposit.userId, deposit.asset, deposit.actual);
  }
  const isOver = ["too_small", "cancelled"].includes(deposit.status) || deposit.settled;
  if (isOver && deposit.height <= own.buried) own.deposits.splice(own.deposits.indexOf(deposit), 1);
}

function credit(venue: ModelVenue, deposit: ModelDeposit): void {
  const { asset, actual, userId } = deposit;
  deposit.creditAt = undefined;
  const custody = (venue.custody[asset.id] ?? 0n) + actual;
  if (custody > asset.custodyMax) {
    deposit.status = "exception";
    return;
  }
  deposit.status = "finished";
  venue.custody[asset.id] = custody;
  venue.balance(userId, asset.id).available += actual;
  collect(venue, userId, asset);
}

export function withdraw(venue: ModelVenue, command: Of<"withdraw">): Answer {
  const own = kept(venue);
  const { userId, method, feeCcy, needsReview, toAddress } = command;
  const user = venue.user(userId);
  if (user === undefined) return "user_not_found";
  if (user.mainId !== undefined) return "sub_account_withdrawal";
  const asset = assetOf(venue, command.ccy);
  if (asset === undefined) return "asset_not_found";
  const isOnChain = method === "on_chain";
  if (isOnChain && !movesOnChain(asset)) return "chain_not_found";
  const amount = unitsOf(command.amount, isOnChain ? Math.min(PRECISION, asset.scale) : asset.scale);
  if (amount === undefined) return "withdrawal_precision";
  if (amount === 0n) return "invalid_command";
  const units = amount * tenTo(isOnChain ? asset.scale - Math.min(PRECISION, asset.scale) : 0);
  const hindrance = hindered(venue);
  if (hindrance !== undefined) return hindrance;
  const to = isOnChain ? undefined : venue.user(Number(toAddress));
  if (isOnChain && own.addresses.some(({ address }) => address === toAddress)) return "own_address";
  if (!isOnChain && (to === undefined || to === user || to.mainId !== undefined)) return "counterparty_not_found";
  if (!own.allowed.has(`${userId} ${isOnChain ? CHAIN : ""} ${toAddress}`)) return "withdraw_address_not_allowed";
  if (isOnChain && units < (unitsOf(smallest(asset.scale), asset.scale) as bigint)) return "withdrawal_too_small";
  const feeAsset = isOnChain && feeCcy !== undefined ? assetOf(venue, feeCcy) : asset;
  if (feeAsset === undefined) return "asset_not_found";
  const fee = isOnChain ? feeIn(venue, asset, feeAsset) : 0n;
  if (fee === undefined) return "no_index_price";
  if (feeAsset === asset && units <= fee) return "withdrawal_too_small";
  const limits = own.limits.filter((limit) => limit.asset === asset);
  const limit = limits.find((each) => each.userId === userId) ?? limits.find((each) => each.userId === undefined);
  if (limit !== undefined && units + spentOn(venue, userId, asset).units > limit.units) return "withdrawal_limit";
  if (own.withdrawals.filter((one) => one.userId === userId && isOpen(one)).length >= 100)
    return "too_many_withdrawals";
  if (familyOwes(venue, userId)) return "withdraw_barred";
  const bar = refuseOutflow(venue, userId, bothOf(asset, units, feeAsset, fee));
  if (bar !== undefined) return bar;
  const balance = venue.balance(userId, asset.id);
  if (units > balance.available - reversibleOf(venue, userId, asset)) return "insufficient_balance";
  if (feeAsset !== asset && fee > venue.balance(userId, feeAsset.id).available) return "insufficient_balance";

  const id = own.nextWithdrawal++;
  venue.outcome.madeId = id;
  const status = needsReview ? "audit_required" : "audited";
  const toUserId = to?.id ?? 0;
  const one = {
    id,
    userId,
    toUserId,
    asset,
    amount: units,
    feeAsset,
    fee,
    createdAt: venue.timeMs,
    status,
    height: 0,
    stopped: false,
  };
  move(venue, one, 1n);
  spentOn(venue, userId, asset).units += units;
  if (isOnChain || needsReview) own.withdrawals.push(one);
  else handOver(venue, one);
  return undefined;
}

/** Whether a user or one of his sub-accounts has a debt. Domain 6.3. */
function familyOwes(venue: ModelVenue, userId: number): boolean {
  return venue.users.some(
    ({ id, mainId }) => (id === userId || mainId === userId) && (owes(venue, id) || owesMargin(venue, id)),
  );
}

/** Why what was asked for is not to be paid now. */
function refusePaying(venue: ModelVenue, { userId, asset, amount, feeAsset, fee }: ModelWithdrawal): Answer {
  if (venue.isFrozen(userId) || familyOwes(venue, userId)) return "withdraw_barred";
  return refuseOutflow(venue, userId, bothOf(asset, amount, feeAsset, fee), true);
}

function bothOf(asset: ModelAsset, units: bigint, feeAsset: ModelAsset, fee: bigint): Brought[] {
  return feeAsset === asset
    ? [[asset, units]]
    : [
        [asset, units],
        [feeAsset, fee],
      ];
}

/**
 * Domain 7.2: what is to leave a user stays above what he owes, and could; `aside` when it is frozen for that already.
 */
export function refuseOutflow(venue: ModelVenue, userId: number, leaving: readonly Brought[], aside = false): Answer {
  return refuseExchanged(venue, userId, aside ? [] : leaving) ?? refuseBorrowed(venue, userId, leaving, aside);
}

/** The program begins to pay, or an operator has to look once more. */
export function start(venue: ModelVenue, one: ModelWithdrawal): Answer {
  one.status = refusePaying(venue, one) === undefined ? "processing" : "audit_required";
  return undefined;
}

export function owes(venue: ModelVenue, userId: number): boolean {
  return [...kept(venue).debts.values()].some((debt) => debt.userId === userId);
}

/** What a user was credited with and its chain could still take back. */
export function reversibleOf(venue: ModelVenue, userId: number, asset: ModelAsset): bigint {
  return kept(venue)
    .deposits.filter((each) => each.userId === userId && each.asset === asset)
    .reduce((sum, { status, settled, actual }) => (status === "finished" && !settled ? sum + actual : sum), 0n);
}

export function debtIn(venue: ModelVenue, userId: number, asset: ModelAsset): bigint {
  return kept(venue).debts.get(`${userId} ${asset.id}`)?.units ?? 0n;
}

/** What is as good as gone from a user: withdrawals under way and debts, of what its balances still show. */
export function spokenFor(venue: ModelVenue, userId: number, asset: ModelAsset): bigint {
  const { withdrawals } = kept(venue);
  const open = withdrawals.filter((one) => one.userId === userId && isOpen(one));
  const needs = open.reduce((sum, one) => {
    if (one.asset === asset) return sum + one.amount;
    return one.feeAsset === asset ? sum + one.fee : sum;
  }, 0n);
  return needs + debtIn(venue, userId, asset);
}

export function cancel(venue: ModelVenue, { userId, withdrawId }: Of<"cancel_withdrawal">): Answer {
  const one = found(venue, withdrawId);
  if (one === undefined || one.userId !== userId) return "withdrawal_not_found";
  if (one.status !== "audit_required" && one.status !== "audited") return "withdrawal_status";
  giveBack(venue, one);
  venue.outcome.madeId = withdrawId;
  return undefined;
}

export function review(venue: ModelVenue, { withdrawId, approve, note }: Of<"review_withdrawal">): Answer {
  const one = found(venue, withdrawId);
  if (one === undefined) return "withdrawal_not_found";
  if (note === "") return "invalid_command";
  const { status } = one;
  if (approve) {
    if (status !== "audit_required") return "withdrawal_status";
    const hindrance = refusePaying(venue, one);
    if (hindrance !== undefined) return hindrance;
    one.status = "audited";
    if (one.toUserId !== 0) {
      handOver(venue, one);
      forget(venue, one);
    }
  } else if (status === "audit_required" || status === "audited") giveBack(venue, one);
  else if (status === "processing" || status === "confirming") one.stopped = true;
  else return "withdrawal_status";
  venue.outcome.madeId = withdrawId;
  return undefined;
}

/** The steps that the program tells of, each from where it may be taken. */
export function step(
  from: readonly string[],
  take: (venue: ModelVenue, one: ModelWithdrawal, command: { readonly height?: number }) => Answer,
) {
  return (venue: ModelVenue, command: { readonly withdrawId: number; readonly height?: number }): Answer => {
    const one = found(venue, command.withdrawId);
    if (one === undefined || one.toUserId !== 0) return "withdrawal_not_found";
    if (!from.includes(one.status)) return "withdrawal_status";
    const refusal = take(venue, one, command);
    if (refusal === undefined) venue.outcome.madeId = one.id;
    return refusal;
  };
}

export function confirm(venue: ModelVenue, one: ModelWithdrawal): void {
  const own = kept(venue);
  if (one.height === 0) return;
  if (isOpen(one) && confirmed(venue, one.height) >= SAFE) {
    one.status = "finished";
    const paid = one.feeAsset === one.asset ? one.amount - one.fee : one.amount;
    venue.balance(one.userId, one.asset.id).frozen -= one.amount;
    leave(venue, one.asset, paid);
    if (one.feeAsset !== one.asset) venue.balance(one.userId, one.feeAsset.id).frozen -= one.fee;
    venue.addFee(one.feeAsset.id, one.fee);
  }
  if (!isOpen(one) && one.height <= own.buried) forget(venue, one);
}

export function giveBack(venue: ModelVenue, one: ModelWithdrawal): void {
  move(venue, one, -1n);
  const today = Math.floor(venue.timeMs / DAY_MS);
  if (Math.floor(one.createdAt / DAY_MS) === today) spentOn(venue, one.userId, one.asset).units -= one.amount;
  forget(venue, one);
}

function forget(venue: ModelVenue, one: ModelWithdrawal): void {
  const { withdrawals } = kept(venue);
  withdrawals.splice(withdrawals.indexOf(one), 1);
}

function handOver(venue: ModelVenue, one: ModelWithdrawal): void {
  venue.nextDepositId++;
  venue.balance(one.userId, one.asset.id).frozen -= one.amount;
  venue.balance(one.toUserId, one.asset.id).available += one.amount;
}

function move(venue: ModelVenue, one: ModelWithdrawal, sign: bigint): void {
  const balance = venue.balance(one.userId, one.asset.id);
  balance.available -= sign * one.amount;
  balance.frozen += sign * one.amount;
  if (one.feeAsset === one.asset) return;
  const other = venue.balance(one.userId, one.feeAsset.id);
  other.available -= sign * one.fee;
  other.frozen += sign * one.fee;
}

/** Out of custody as far as that goes, the rest out of the venue's funds. */
function leave(venue: ModelVenue, asset: ModelAsset, units: bigint): void {
  const { funds } = kept(venue);
  const held = venue.custody[asset.id] ?? 0n;
  const covered = least(units, held);
  venue.custody[asset.id] = held - covered;
  funds[asset.id] = (funds[asset.id] ?? 0n) + units - covered;
}

function collect(venue: ModelVenue, userId: number, asset: ModelAsset): void {
  const { debts } = kept(venue);
  const key = `${userId} ${asset.id}`;
  const debt = debts.get(key);
  if (debt === undefined) return;
  const balance = venue.balance(userId, asset.id);
  const paid = least(debt.units, balance.available);
  balance.available -= paid;
  debt.units -= paid;
  if (debt.units === 0n) debts.delete(key);
}

function debtOf(venue: ModelVenue, userId: number, asset: ModelAsset) {
  const { debts } = kept(venue);
  const key = `${userId} ${asset.id}`;
  const debt = debts.get(key) ?? { userId, asset, units: 0n };
  debts.set(key, debt);
  return debt;
}

function spentOn(venue: ModelVenue, userId: number, asset: ModelAsset) {
  const { spent } = kept(venue);
  const day = Math.floor(venue.timeMs / DAY_MS);
  const known = spent.find((each) => each.userId === userId && each.asset === asset && each.day === day);
  if (known !== undefined) return known;
  const made = { userId, asset, day, units: 0n };
  spent.push(made);
  return made;
}

function feeIn(venue: ModelVenue, asset: ModelAsset, feeAsset: ModelAsset): bigint | undefined {
  const fee = unitsOf(feeText(asset.scale), asset.scale) as bigint;
  if (asset === feeAsset) return fee;
  const price = priceIn(venue, asset, feeAsset);
  if (price === undefined) return undefined;
  const units = divideUp(fee * price.above * tenTo(feeAsset.scale), price.below * tenTo(asset.scale));
  return units < 1n << 63n ? units : undefined;
}

function hindered(venue: ModelVenue): Answer {
  const now = phase(venue, ["ALL_SITE"]);
  if (now !== "open") return now === "maintenance" ? "maintenance" : "protection_period";
  return venue.cancelOnly ? "venue_cancel_only" : undefined;
}

function movesOnChain({ ccy }: ModelAsset): boolean {
  return ASSETS.some((each) => each === ccy);
}

function confirmed(venue: ModelVenue, height: number): number {
  return height === 0 ? 0 : Math.max(0, kept(venue).head - height + 1);
}

function isOpen({ status }: ModelWithdrawal): boolean {
  return status !== "finished";
}

function found(venue: ModelVenue, withdrawId: number): ModelWithdrawal | undefined {
  return kept(venue).withdrawals.find(({ id }) => id === withdrawId);
}

function assetOf(venue: ModelVenue, ccy: string): ModelAsset | undefined {
  return venue.assets.find((asset) => asset.ccy === ccy);
}
