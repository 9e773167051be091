import { creditOf } from "../../../../src/engine/credit/credit-state.ts";
import { interestDue } from "../../../../src/engine/credit/loan.ts";
import { statusOf } from "../../../../src/engine/credit/risk.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import type { Draw } from "../draw.ts";
import { lentAndHeld } from "../margin/loans.ts";
import { ASSETS } from "../markets.ts";
import { divideUp, ONE_E8, tenTo, unitsOf } from "../model/numbers.ts";
import type { ModelAsset } from "../model/records.ts";
import { type Brought, sumOf, usdFor, usdPriceOf } from "../model/usd.ts";
import type { ModelVenue } from "../model/venue.ts";
import { keptBy, type SpotPart } from "../part.ts";
import { spokenFor } from "../payments/model.ts";
import { savedBy } from "../savings/part.ts";

const HOUR_MS = 3_600_000;
const DAY_E8 = 24n * ONE_E8;

interface Loan {
  readonly id: number;
  readonly userId: number;
  readonly asset: ModelAsset;
  readonly rate: bigint;
  readonly since: number;
  principal: bigint;
  interest: bigint;
  hours: number;
}

/** Open loans by ascending id, and risk rates: `0` those of everybody. */
const kept = keptBy(() => ({
  loans: [] as Loan[],
  next: 1,
  terms: new Map<number, { withdrawal: bigint; trade: bigint }>([
    [0, { withdrawal: 135_000_000n, trade: 110_000_000n }],
  ]),
}));

/** Credit once more, in plain words. Domain 6.6. */
export const credit: SpotPart = {
  name: "credit",
  actions: {
    grant_credit: {
      often: { usual: [0, 1, 3] },
      make: (draw) => ({
        command: {
          kind: "grant_credit",
          userId: borrower(draw),
          ccy: draw.random.chance(97) ? currency(draw) : "NONE",
          amount: amountOf(draw),
          dailyRate: draw.random.pick(["0", "0.00000001", "0.0009", "0.0009", "0.5", "1"]),
          note: draw.random.chance(97) ? "a line" : "",
        },
      }),
    },
    repay_credit: {
      often: { usual: [0, 1, 3] },
      make: (draw) => ({
        command: {
          kind: "repay_credit",
          userId: borrower(draw),
          ccy: currency(draw),
          amount: amountOf(draw),
          loanId: draw.random.pick([undefined, undefined, undefined, draw.random.whole(1, 9)]),
          note: "",
        },
      }),
    },
    credit_terms: {
      often: { usual: [0, 0, 1] },
      make: (draw) => ({
        command: {
          kind: "set_credit_terms",
          userId: draw.random.pick([undefined, draw.userId()]),
          withdrawalRisk: draw.random.pick(["1.35", "1", "x"]),
          tradeRisk: draw.random.pick(["0", "0", "0.9", "1", "1.1", "1000", "1000.1"]),
        },
      }),
    },
    fund_credit: {
      often: { usual: [0, 1, 3] },
      make: (draw) => ({
        command: {
          kind: "deposit",
          cell: "sys:credit_pool",
          ccy: currency(draw),
          amount: amountOf(draw),
          note: "",
        },
      }),
    },
  },
  ofVenue: {
    grant_credit: (venue, { userId, ccy, amount, dailyRate, note }) => {
      const asset = venue.assets.find((candidate) => candidate.ccy === ccy);
      if (asset === undefined) return "asset_not_found";
      const units = unitsOf(amount, asset.scale);
      const rate = unitsOf(dailyRate, 8);
      if (units === undefined || units === 0n || rate === undefined || rate >= ONE_E8 || note === "") {
        return "invalid_command";
      }
      if (venue.user(userId) === undefined) return "user_not_found";
      const price = usdPriceOf(venue, asset);
      if (price === undefined || !price.isFresh) return "no_usd_price";
      const own = kept(venue);
      if (own.loans.filter((loan) => loan.userId === userId).length >= 100) return "invalid_command";
      const pool = cellOf(venue, "sys:credit_pool");
      if ((pool[asset.id] ?? 0n) < units) return "insufficient_balance";
      pool[asset.id] = (pool[asset.id] ?? 0n) - units;
      venue.balance(userId, asset.id).available += units;
      const loan = {
        id: own.next++,
        userId,
        asset,
        rate,
        since: venue.timeMs,
        principal: units,
        interest: 0n,
        hours: 0,
      };
      own.loans.push(loan);
      venue.outcome.madeId = loan.id;
      return undefined;
    },
    repay_credit: (venue, { userId, ccy, amount, loanId }) => {
      if (venue.user(userId) === undefined) return "user_not_found";
      const asset = venue.assets.find((candidate) => candidate.ccy === ccy);
      if (asset === undefined) return "asset_not_found";
      const units = unitsOf(amount, asset.scale);
      if (units === undefined || units === 0n) return "invalid_command";
      const own = kept(venue);
      const meant = own.loans.filter(
        (loan) => loan.userId === userId && loan.asset === asset && (loanId === undefined || loan.id === loanId),
      );
      if (meant.length === 0) return "credit_not_found";
      for (const loan of meant) charge(loan, venue.timeMs);
      const debt = meant.reduce((sum, { principal, interest }) => sum + principal + interest, 0n);
      let left = units < debt ? units : debt;
      const balance = venue.balance(userId, asset.id);
      if (balance.available < left) return "insufficient_balance";
      balance.available -= left;
      for (const loan of meant) {
        const interest = left < loan.interest ? left : loan.interest;
        const principal = left - interest < loan.principal ? left - interest : loan.principal;
        loan.interest -= interest;
        loan.principal -= principal;
        left -= interest + principal;
        addTo(cellOf(venue, "sys:interest"), asset.id, interest);
        addTo(cellOf(venue, "sys:credit_pool"), asset.id, principal);
      }
      own.loans = own.loans.filter((loan) => loan.principal > 0n);
      return undefined;
    },
    set_credit_terms: (venue, { userId, withdrawalRisk, tradeRisk }): Refusal | undefined => {
      if (userId !== undefined && venue.user(userId) === undefined) return "user_not_found";
      const [withdrawal, trade] = [unitsOf(withdrawalRisk, 8), unitsOf(tradeRisk, 8)];
      if (withdrawal === undefined || trade === undefined) return "invalid_command";
      if (withdrawal > 1_000n * ONE_E8 || trade > 1_000n * ONE_E8) return "invalid_command";
      kept(venue).terms.set(userId ?? 0, { withdrawal, trade });
      return undefined;
    },
  },
  compare: (state, venue, differ) => {
    const own = kept(venue);
    differ("open loans", creditOf(state).loans.size, own.loans.length);
    for (const loan of own.loans) {
      const stored = creditOf(state).loans.get(loan.id);
      charge(loan, venue.timeMs);
      differ(`principal of loan ${loan.id}`, stored?.principal, loan.principal);
      differ(
        `interest of loan ${loan.id}`,
        stored === undefined ? undefined : interestDue(stored, state.timeMs),
        loan.interest,
      );
    }
    for (const { id } of venue.users) {
      const standing = statusOf(state, id);
      const { equity, backing, debt, isKnown } = worthOf(venue, id);
      differ(`equity of user ${id}`, standing.equity, equity);
      differ(`backing of user ${id}`, standing.backing, backing);
      differ(`debt of user ${id}`, standing.debt, debt);
      differ(
        `whether user ${id} may trade`,
        refuseBorrower(venue, id),
        creditOf(state).loansOf(id).length === 0 || standing.mayTrade ? undefined : "credit_trade_risk",
      );
      const isSafe = isKnown && backing * ONE_E8 > termsOf(venue, id).withdrawal * debt;
      differ(`what may leave user ${id}`, standing.withdrawable, isSafe && backing > debt ? backing - debt : 0n);
    }
  },
  faults: [
    {
      name: "the hour in which a loan begins is free",
      file: "credit/loan.ts",
      code: "return 1 + Math.floor(",
      instead: "return Math.floor(",
    },
    {
      name: "a dust of interest is rounded in the borrower's favour",
      file: "credit/loan.ts",
      code: "return divCeil(principal * BigInt(dailyRateE8), HOURS_OF_DAY_E8);",
      instead: "return (principal * BigInt(dailyRateE8)) / HOURS_OF_DAY_E8;",
    },
    {
      name: "principal is repaid before interest",
      file: "credit/repay.ts",
      code: "const interest = most < loan.interest ? most : loan.interest;",
      instead: "const interest = 0n;",
    },
    {
      name: "what leaves who owes a debt whose index is silent is valued by its last one",
      file: "credit/risk.ts",
      code: "isDebtKnown && isAbove(withdrawalRiskE8)",
      instead: "isAbove(withdrawalRiskE8)",
    },
    {
      name: "what has only a stale index counts as an asset",
      file: "wallet/worth.ts",
      code: "(!price.isFresh && units > 0n)",
      instead: "(!price.isFresh && units > 1000n * units)",
    },
    {
      name: "an order of who owes is not looked at by its result",
      file: "spot/solvency.ts",
      code: "return refusal === undefined ? 0 : refusalNumber(refusal);",
      instead: "return refusal === undefined || market.id >= 0 ? 0 : refusalNumber(refusal);",
    },
    {
      name: "a resting order of who owes is met whatever it comes to",
      file: "spot/own-account.ts",
      code: "state.users.owing === 0 ||",
      instead: "state.users.owing < 1000 ||",
    },
    {
      name: "what lies in margin accounts backs a credit",
      file: "credit/risk.ts",
      code: "return leveraged < 0n ? steady + leveraged : steady;",
      instead: "return steady + leveraged;",
    },
    {
      name: "who may only reduce sells what he owes for what he does not",
      file: "spot/own-account.ts",
      code: "return owesAsset(state, userId, gets) && !owesAsset(state, userId, gives);",
      instead: "return owesAsset(state, userId, gives) && !owesAsset(state, userId, gets);",
    },
    {
      name: "a market order of who may only reduce goes beyond the indexes",
      file: "spot/own-account.ts",
      code: "return sells ? larger(fair, bound) : smaller(fair, bound);",
      instead: "return bound;",
    },
    {
      name: "a snapshot forgets that a borrower is one",
      file: "credit/credit-section.ts",
      code: "credit.enter({ ...loan,",
      instead: "if (loan.principal !== loan.interest) continue; credit.enter({ ...loan,",
    },
  ],
};

export function hasCredit(venue: ModelVenue, userId: number): boolean {
  return kept(venue).loans.some((loan) => loan.userId === userId);
}

/** Whether a user has a loan of a currency. */
export function owesCredit(venue: ModelVenue, userId: number, asset: ModelAsset): boolean {
  return kept(venue).loans.some((loan) => loan.userId === userId && loan.asset === asset);
}

/** Row 3 for a user with credit, or what an order would leave him with. */
export function refuseBorrower(
  venue: ModelVenue,
  userId: number,
  changes: readonly Brought[] = [],
): Refusal | undefined {
  if (!hasCredit(venue, userId)) return undefined;
  const { backing, debt } = worthOf(venue, userId, changes);
  return backing * ONE_E8 > termsOf(venue, userId).trade * debt ? undefined : "credit_trade_risk";
}

/** Why so many units of these may not leave a user; `aside`: they have been put aside already. */
export function refuseBorrowed(
  venue: ModelVenue,
  userId: number,
  leaving: readonly Brought[],
  aside = false,
): Refusal | undefined {
  if (!hasCredit(venue, userId)) return undefined;
  const { backing, debt, isKnown } = worthOf(venue, userId, aside ? leaving : []);
  let value = 0n;
  for (const [asset, units] of leaving) {
    const price = usdPriceOf(venue, asset);
    if (!price?.isFresh) return "index_stale";
    value += divideUp(units * price.above * ONE_E8, price.below * tenTo(asset.scale));
  }
  if (!isKnown) return "index_stale";
  const isSafe = backing * ONE_E8 > termsOf(venue, userId).withdrawal * debt;
  return value <= (isSafe && backing > debt ? backing - debt : 0n) ? undefined : "credit_withdrawal_risk";
}

function termsOf(venue: ModelVenue, userId: number) {
  const { terms } = kept(venue);
  return terms.get(userId) ?? (terms.get(0) as { withdrawal: bigint; trade: bigint });
}

/**
 * In USD, 10^-8: all that a user has, what of it backs his credit, and that. What lies in margin accounts backs
 * nothing.
 */
function worthOf(
  venue: ModelVenue,
  userId: number,
  changes: readonly Brought[] = [],
): { equity: bigint; backing: bigint; debt: bigint; isKnown: boolean } {
  let [equity, steady, lent, debt, isKnown] = [0n, 0n, 0n, 0n, true];
  for (const asset of venue.assets) {
    const own = ownOf(venue, userId, asset) + sumOf(changes, asset);
    const margin = lentAndHeld(venue, userId, asset);
    equity += usdFor(venue, asset, own + margin);
    steady += usdFor(venue, asset, own);
    lent += usdFor(venue, asset, margin);
  }
  for (const loan of kept(venue).loans.filter((each) => each.userId === userId)) {
    charge(loan, venue.timeMs);
    const price = usdPriceOf(venue, loan.asset);
    if (!price?.isFresh) isKnown = false;
    const units = loan.principal + loan.interest;
    if (price !== undefined) debt += divideUp(units * price.above * ONE_E8, price.below * tenTo(loan.asset.scale));
  }
  return { equity, backing: lent < 0n ? steady + lent : steady, debt, isKnown };
}

/** What is in spot and savings, less what is as good as gone. */
function ownOf(venue: ModelVenue, userId: number, asset: ModelAsset): bigint {
  const { available, frozen } = venue.balances[userId]?.[asset.id] ?? { available: 0n, frozen: 0n };
  return available + frozen + savedBy(venue, userId, asset.id) - spokenFor(venue, userId, asset);
}

/** Hour by hour, the one that it begins with included. */
function charge(loan: Loan, timeMs: number): void {
  const hour = divideUp(loan.principal * loan.rate, DAY_E8);
  for (; loan.since + loan.hours * HOUR_MS <= timeMs; loan.hours++) loan.interest += hour;
}

function cellOf(venue: ModelVenue, name: string): bigint[] {
  const cell = venue.funded.get(name) ?? [];
  venue.funded.set(name, cell);
  return cell;
}

function addTo(cell: bigint[], assetId: number, units: bigint): void {
  cell[assetId] = (cell[assetId] ?? 0n) + units;
}

/** Mostly one user and few currencies, so that loans meet repayments. */
function borrower(draw: Draw): number {
  return draw.random.chance(70) ? 1 : draw.userId();
}

function currency({ random }: Draw): string {
  return random.pick(random.chance(80) ? ASSETS.slice(0, 2) : ASSETS);
}

function amountOf({ settings, random }: Draw): string {
  return formatDecimal((settings.funds * BigInt(random.whole(0, 120))) / 100n, settings.scale);
}
