/** What users do with margin accounts, and what becomes of loans by the clock. Domain 3.2 and 3.3. */
import type { Borrow, Repay, SetMarginMarket, TransferMargin } from "../../../../src/engine/margin/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { refuseBorrower } from "../credit/part.ts";
import { phase } from "../maintenance/windows.ts";
import { divideUp, INT64_TOP, least, ONE_E8, unitsOf } from "../model/numbers.ts";
import type { ModelAsset, ModelMarket } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { refuseOutflow as refusePledging } from "../payments/model.ts";
import {
  aboveRate,
  accountOf,
  balanceOf,
  figuresOf,
  isFresh,
  lending,
  loansOf,
  type MarginAccount,
  type MarginLoan,
  type MarginSpec,
  owedIn,
  worth,
} from "./account.ts";

const HOUR_MS = 3_600_000;
const LOANS_MAX = 100;

export function setTerms(venue: ModelVenue, command: SetMarginMarket): Refusal | undefined {
  const market = venue.listedByName(command.market);
  if (market === undefined) return "market_not_found";
  if (market.sources.length === 0) return "invalid_listing";
  const { leverage } = command;
  if (leverage < 2 || leverage > 10) return "invalid_listing";
  const [usual, warned] = leverage <= 3 ? ["1.12", "1.25"] : leverage <= 5 ? ["1.08", "1.21"] : ["1.05", "1.1"];
  // Percents of a percent, rounded up.
  const highest = divideUp(BigInt(leverage) * 10_000n, BigInt(leverage - 1)) * 10_000n;
  const liquidation = unitsOf(command.liqRate ?? (usual as string), 8);
  const warning = unitsOf(command.warnRate ?? (warned as string), 8);
  const transfer = command.transferRate === undefined ? highest : unitsOf(command.transferRate, 8);
  if (liquidation === undefined || warning === undefined || transfer === undefined) return "invalid_listing";
  if (liquidation <= ONE_E8 || warning <= liquidation || highest <= warning) return "invalid_listing";
  if (transfer < warning || transfer > 10n * ONE_E8) return "invalid_listing";
  const lent: Map<ModelAsset, { least: bigint; most: bigint; rate: bigint }> = new Map();
  for (const { ccy, minAmount, maxAmount, dailyInterestRate } of command.loans) {
    const asset = [market.base, market.quote].find((candidate) => candidate.ccy === ccy);
    if (asset === undefined || lent.has(asset)) return "invalid_listing";
    const [lowest, most] = [unitsOf(minAmount, asset.scale), unitsOf(maxAmount, asset.scale)];
    const rate = unitsOf(dailyInterestRate, 8);
    if (!lowest || most === undefined || most < lowest || most > INT64_TOP) return "invalid_listing";
    if (rate === undefined || rate >= ONE_E8) return "invalid_listing";
    lent.set(asset, { least: lowest, most, rate });
  }
  lending(venue).terms.set(market.id, { leverage: BigInt(leverage), liquidation, warning, transfer, lent });
  return undefined;
}

interface Asked {
  readonly market: ModelMarket;
  readonly terms: MarginSpec;
  readonly asset: ModelAsset;
  readonly units: bigint;
  readonly account: MarginAccount | undefined;
}

function askedOf(venue: ModelVenue, command: Omit<Borrow, "kind" | "isAutoRenew">, pays = false): Asked | Refusal {
  const { userId, market: name, ccy, amount } = command;
  if (venue.user(userId) === undefined) return "user_not_found";
  const gone = lending(venue).debts.filter(({ account }) => account.userId === userId && account.market.delisted);
  const left = gone.map(({ account }) => account.market).filter((each) => each.name === name);
  const market = venue.listedByName(name) ?? (pays ? left.sort((one, other) => one.id - other.id)[0] : undefined);
  if (market === undefined) return "market_not_found";
  const terms = lending(venue).terms.get(market.id);
  if (terms === undefined) return "margin_not_available";
  const asset = venue.assets.find((candidate) => candidate.ccy === ccy);
  if (asset === undefined) return "asset_not_found";
  if (asset !== market.base && asset !== market.quote) return "transfer_not_possible";
  const units = unitsOf(amount, asset.scale);
  if (!units) return "invalid_command";
  const now = phase(venue);
  if (now !== "open") return now === "maintenance" ? "maintenance" : "protection_period";
  if (venue.cancelOnly) return "venue_cancel_only";
  return { market, terms, asset, units, account: accountOf(venue, userId, market) };
}

export function transfer(venue: ModelVenue, command: TransferMargin): Refusal | undefined {
  const { userId, isIn } = command;
  const asked = askedOf(venue, command, isIn);
  if (typeof asked === "string") return asked;
  const { market, asset, units } = asked;
  const spot = venue.balance(userId, asset.id);
  if (isIn) {
    if (spot.available < units) return "insufficient_balance";
    if (market.delisted && asked.account !== undefined && units > owedIn(venue, asked.account, asset)) {
      return "transfer_not_possible";
    }
    const pledged = refusePledging(venue, userId, [[asset, units]]);
    if (pledged !== undefined) return pledged;
    const account = asked.account ?? openAccount(venue, userId, market);
    spot.available -= units;
    balanceOf(account, asset).available += units;
    return undefined;
  }
  const { account } = asked;
  if (account === undefined) return "margin_account_missing";
  if (balanceOf(account, asset).available < units) return "insufficient_balance";
  const refusal = refuseOutflow(venue, account, asked);
  if (refusal !== undefined) return refusal;
  balanceOf(account, asset).available -= units;
  spot.available += units;
  return undefined;
}

function refuseOutflow(venue: ModelVenue, account: MarginAccount, { market, terms, asset, units }: Asked) {
  const loans = loansOf(venue, account);
  if (loans.length === 0) return undefined;
  if (loans.some(({ state }) => state === "debt")) return "margin_debt";
  if (lending(venue).liquidations.has(account)) return "margin_liquidating";
  if (!isFresh(market)) return "margin_index_stale";
  const { base, quote, ...lent } = figuresOf(venue, account);
  const left = asset === market.base ? { base: base - units, quote } : { base, quote: quote - units };
  const above = aboveRate(market, { ...left, ...lent }, terms.transfer);
  return above !== undefined && above < 0n ? "insufficient_balance" : undefined;
}

function openAccount(venue: ModelVenue, userId: number, market: ModelMarket): MarginAccount {
  const empty = (asset: ModelAsset) => ({ userId, assetId: asset.id, available: 0n, frozen: 0n });
  const account = { userId, market, base: empty(market.base), quote: empty(market.quote) };
  lending(venue).accounts.push(account);
  return account;
}

export function borrow(venue: ModelVenue, command: Borrow): Refusal | undefined {
  const asked = askedOf(venue, command);
  if (typeof asked === "string") return asked;
  const { market, terms, asset, units, account } = asked;
  const own = lending(venue);
  if (account === undefined) return "margin_account_missing";
  const offer = terms.lent.get(asset);
  if (offer === undefined) return "loan_not_offered";
  if (units < offer.least) return "loan_too_small";
  const loans = loansOf(venue, account);
  const figures = figuresOf(venue, account);
  const main = (userId: number) => venue.user(userId)?.mainId ?? userId;
  const lentToFamily = own.loans
    .filter((loan) => loan.asset === asset && loan.account.market === market)
    .filter((loan) => main(loan.account.userId) === main(command.userId))
    .reduce((sum, { principal }) => sum + principal, 0n);
  if (lentToFamily + units > offer.most) return "loan_too_large";
  if (loans.some(({ state }) => state === "debt")) return "margin_debt";
  if (own.liquidations.has(account)) return "margin_liquidating";
  if (loans.length >= LOANS_MAX) return "too_many_loans";
  const borrower = refuseBorrower(venue, command.userId);
  if (borrower !== undefined) return borrower;
  if (!isFresh(market)) return "margin_index_stale";
  const pool = venueCell(venue, "sys:lend_pool");
  if (units > (pool[asset.id] ?? 0n)) return "lending_pool_short";
  const lent = worth(market, figures.baseLent, figures.quoteLent);
  const free = (worth(market, figures.base, figures.quote) - lent) * (terms.leverage - 1n) - lent;
  if (worth(market, asset === market.base ? units : 0n, asset === market.base ? 0n : units) > free) {
    return "loan_exceeds_worth";
  }
  pool[asset.id] = (pool[asset.id] ?? 0n) - units;
  balanceOf(account, asset).available += units;
  const loan: MarginLoan = {
    id: own.nextId++,
    account,
    asset,
    since: venue.timeMs,
    until: venue.timeMs + 240 * HOUR_MS,
    renews: command.isAutoRenew,
    extended: false,
    rate: offer.rate,
    principal: units,
    interest: 0n,
    hours: 0,
    state: "runs",
  };
  charge(loan);
  own.loans.push(loan);
  venue.outcome.madeId = loan.id;
  return undefined;
}

export function repay(venue: ModelVenue, command: Repay): Refusal | undefined {
  const asked = askedOf(venue, command);
  if (typeof asked === "string") return asked;
  const { asset, units, account } = asked;
  if (account === undefined) return "margin_account_missing";
  const { borrowId } = command;
  const meant = loansOf(venue, account, asset).filter(({ id }) => borrowId === undefined || id === borrowId);
  if (meant.length === 0) return "loan_not_found";
  let left = least(
    units,
    meant.reduce((sum, { principal, interest }) => sum + principal + interest, 0n),
  );
  if (left > balanceOf(account, asset).available) return "insufficient_balance";
  for (const loan of meant) left -= pay(venue, loan, left, "user");
  return undefined;
}

/** Pays up to so much of a loan, interest first. How much it was. */
export function pay(venue: ModelVenue, loan: MarginLoan, most: bigint, payer: "user" | "fund"): bigint {
  const { asset } = loan;
  const interest = least(most, loan.interest);
  const principal = least(most - interest, loan.principal);
  const paid = interest + principal;
  const share = (interest * 30n) / 100n;
  const fund = venueCell(venue, "sys:ins_margin");
  if (payer === "user") balanceOf(loan.account, asset).available -= paid;
  else add(fund, asset, -paid);
  add(fund, asset, share);
  add(venueCell(venue, "sys:interest"), asset, interest - share);
  add(venueCell(venue, "sys:lend_pool"), asset, principal);
  loan.interest -= interest;
  loan.principal -= principal;
  if (loan.interest + loan.principal === 0n) forget(venue, loan);
  return paid;
}

function forget(venue: ModelVenue, loan: MarginLoan): void {
  const own = lending(venue);
  own.loans = own.loans.filter((other) => other !== loan);
  own.debts = own.debts.filter((other) => other !== loan);
  waitNoLonger(venue, loan);
}

export function payFromAvailable(venue: ModelVenue, account: MarginAccount, asset: ModelAsset): void {
  for (const loan of loansOf(venue, account, asset)) pay(venue, loan, balanceOf(account, asset).available, "user");
}

export function makeDebt(venue: ModelVenue, loan: MarginLoan): void {
  waitNoLonger(venue, loan);
  loan.state = "debt";
  lending(venue).debts.push(loan);
}

/** Whether a liquidation of the user left a debt, or has found that it will, in any market. */
export function owesMargin(venue: ModelVenue, userId: number): boolean {
  const { debts, liquidations } = lending(venue);
  const insolvent = [...liquidations].filter(([, { insolventAt }]) => insolventAt !== undefined);
  return [...debts.map(({ account }) => account), ...insolvent.map(([account]) => account)].some(
    (account) => account.userId === userId,
  );
}

/** Gives up to so much of an account to the fund. */
export function giveToFund(venue: ModelVenue, account: MarginAccount, asset: ModelAsset, most: bigint): void {
  const balance = balanceOf(account, asset);
  const units = least(most, balance.available);
  balance.available -= units;
  add(venueCell(venue, "sys:ins_margin"), asset, units);
}

/** Lets what an account of a market that is gone still has go to spot. */
export function giveBack(venue: ModelVenue, account: MarginAccount): void {
  for (const asset of [account.market.base, account.market.quote]) {
    const balance = balanceOf(account, asset);
    venue.balance(account.userId, asset.id).available += balance.available;
    balance.available = 0n;
  }
}

/** An hour of interest, on the principal alone. */
function charge(loan: MarginLoan): void {
  loan.interest += divideUp(loan.principal * loan.rate, 24n * ONE_E8);
  loan.hours++;
}

/** When the next interest of any loan is due, and whose. */
export function nextInterest(venue: ModelVenue): { at: number; charge: () => void } | undefined {
  const running = lending(venue).loans.filter(({ state }) => state !== "debt");
  if (running.length === 0) return undefined;
  const at = Math.min(...running.map(dueAt));
  const due = running.filter((loan) => dueAt(loan) === at);
  return {
    at,
    charge: () => {
      for (const loan of due) {
        charge(loan);
        if (loan.until === at) loan.state = "ends";
      }
    },
  };
}

function dueAt({ since, hours }: MarginLoan): number {
  return since + hours * HOUR_MS;
}

/**
 * A term is over: another one where that was wished and is possible, else a day, else the loan waits to be repaid by
 * force.
 */
export function endTerm(venue: ModelVenue, loan: MarginLoan): void {
  const own = lending(venue);
  const { market } = loan.account;
  const offer = own.terms.get(market.id)?.lent.get(loan.asset);
  if (loan.extended) {
    loan.state = "waits";
    own.waiting.set(market, [...(own.waiting.get(market) ?? []), loan]);
    return;
  }
  loan.state = "runs";
  if (loan.renews && offer !== undefined) {
    loan.until += 240 * HOUR_MS;
    loan.rate = offer.rate;
  } else {
    loan.until += 24 * HOUR_MS;
    loan.extended = true;
  }
}

export function waitNoLonger(venue: ModelVenue, loan: MarginLoan): void {
  const { waiting } = lending(venue);
  const others = (waiting.get(loan.account.market) ?? []).filter((other) => other !== loan);
  if (others.length > 0) waiting.set(loan.account.market, others);
  else waiting.delete(loan.account.market);
  if (loan.state === "waits") loan.state = "runs";
}

/** What a user's margin accounts hold of an asset, less what they owe of it. */
export function lentAndHeld(venue: ModelVenue, userId: number, asset: ModelAsset): bigint {
  return lending(venue)
    .accounts.filter(({ userId: whose, market }) => whose === userId && [market.base, market.quote].includes(asset))
    .reduce((sum, account) => {
      const { available, frozen } = balanceOf(account, asset);
      return sum + available + frozen - owedIn(venue, account, asset);
    }, 0n);
}

export function venueCell(venue: ModelVenue, name: string): bigint[] {
  const cell = venue.funded.get(name) ?? [];
  venue.funded.set(name, cell);
  return cell;
}

export function add(cell: bigint[], { id }: ModelAsset, units: bigint): void {
  cell[id] = (cell[id] ?? 0n) + units;
}
