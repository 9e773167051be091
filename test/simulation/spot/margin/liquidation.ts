/** How a margin account that fails is let go, and how those of a market that leaves are settled. Domain 3.5. */
import { ratesOf } from "../accounts/people.ts";
import { divideUp, least, most, ONE_E8 } from "../model/numbers.ts";
import type { ModelAsset, ModelMarket, ModelUser } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { endResting } from "../orders/book.ts";
import { against, couldTrade, isTrading } from "../orders/checks.ts";
import { enter } from "../orders/placing.ts";
import type { ModelDue } from "../part.ts";
import {
  aboveRate,
  balanceOf,
  figuresOf,
  isFresh,
  lending,
  loansOf,
  type MarginAccount,
  type MarginLoan,
  ordersOf,
  owedIn,
  worth,
} from "./account.ts";
import { insurance, payDebts, sellHoldings, takeOverAccount, worthOf } from "./fund.ts";
import { endTerm, giveBack, giveToFund, makeDebt, nextInterest, pay, payFromAvailable, waitNoLonger } from "./loans.ts";

const STEP_MS = 2_000;
const AT_INDEX_MS = 60_000;

/**
 * After a command, until nothing more happens: what came in pays debts, who is at the liquidation rate is let go, the
 * fund pays.
 */
export function lookAfterMargin(venue: ModelVenue): void {
  const { accounts, debts } = lending(venue);
  if (accounts.length === 0) return;
  const order = [...accounts].sort((one, other) => one.market.id - other.market.id || one.userId - other.userId);
  for (;;) {
    for (const account of new Set(debts.map((debt) => debt.account))) {
      payFromBoth(venue, account);
      if (account.market.delisted && loansOf(venue, account).length === 0) giveBack(venue, account);
    }
    for (const account of order) endPaid(venue, account);
    const failing = order.filter((account) => fails(venue, account));
    if (failing.length === 0) break;
    for (const account of failing) if (fails(venue, account)) begin(venue, account, undefined);
  }
  payDebts(venue);
}

function fails(venue: ModelVenue, account: MarginAccount): boolean {
  const { liquidations, terms } = lending(venue);
  const { market } = account;
  if (liquidations.has(account) || !mayLiquidate(venue, market)) return false;
  if (!loansOf(venue, account).some(({ state }) => state !== "debt")) return false;
  const above = aboveRate(market, figuresOf(venue, account), terms.get(market.id)?.liquidation ?? 0n);
  return above !== undefined && above <= 0n;
}

/** An interruption holds a liquidation up for one auction, the first within an hour. */
function isHeldTooLong(venue: ModelVenue, market: ModelMarket): boolean {
  const { status, halt, interruption } = market;
  if (status !== "bidding" || halt === undefined || interruption === undefined || !couldTrade(venue, market))
    return false;
  const calls = halt.called.filter((at) => venue.timeMs - at < 3_600_000);
  return calls.length > 1 || venue.timeMs - (calls[0] ?? 0) >= interruption.auctionMs;
}

function mayLiquidate(venue: ModelVenue, market: ModelMarket): boolean {
  return (isTrading(venue, market) || isHeldTooLong(venue, market)) && isFresh(market);
}

/** What is due of margin accounts, as ranks of domain 11.3 have it. */
export function marginDue(venue: ModelVenue): ModelDue[] {
  const { loans, liquidations } = lending(venue);
  const due: ModelDue[] = [];
  const interest = nextInterest(venue);
  if (interest !== undefined) due.push({ at: interest.at, rank: 0, id: -1, run: interest.charge });
  const ending = loans.find(({ state }) => state === "ends");
  if (ending !== undefined) due.push({ at: ending.until, rank: 13, id: -1, run: () => endTerm(venue, ending) });
  const waits = firstExpired(venue);
  if (waits !== undefined)
    due.push({ at: waits.until, rank: 13, id: -1, isWaiting: true, run: () => repayByForce(venue, waits) });
  const [next] = liquidations;
  if (next !== undefined) due.push({ at: next[1].nextAt, rank: 14, id: -1, run: () => step(venue, next[0]) });
  const { sellsAt, debtsAt } = insurance(venue);
  const trades = (market: ModelMarket) => isTrading(venue, market);
  if (sellsAt > 0) due.push({ at: sellsAt, rank: 15, id: -1, run: () => sellHoldings(venue, trades) });
  if (debtsAt > 0) due.push({ at: debtsAt, rank: 15, id: -1, run: () => payDebts(venue) });
  return due;
}

/** The first loan whose term is over, in a market that allows to do something about it. */
function firstExpired(venue: ModelVenue): MarginLoan | undefined {
  const { waiting } = lending(venue);
  for (const [market, [loan]] of waiting) if (mayLiquidate(venue, market)) return loan;
  return undefined;
}

function repayByForce(venue: ModelVenue, loan: MarginLoan): void {
  const { account, asset } = loan;
  const owed = loan.principal + loan.interest;
  const liquidation = lending(venue).liquidations.get(account);
  waitNoLonger(venue, loan);
  if (balanceOf(account, asset).available >= owed) pay(venue, loan, owed, "user");
  else if (liquidation === undefined) begin(venue, account, loan);
  else liquidation.expired = loan;
}

function begin(venue: ModelVenue, account: MarginAccount, expired: MarginLoan | undefined): void {
  const { market } = account;
  const fees = new Map(
    [market.base, market.quote].map((asset) => [asset, divideUp(owedIn(venue, account, asset) * 2n, 100n)] as const),
  );
  lending(venue).liquidations.set(account, {
    nextAt: venue.timeMs,
    hasTraded: false,
    insolventAt: undefined,
    fees,
    expired,
  });
  for (const order of ordersOf(account)) endResting(venue, market, order);
  step(venue, account);
}

function step(venue: ModelVenue, account: MarginAccount): void {
  const own = lending(venue);
  const { market } = account;
  const liquidation = own.liquidations.get(account);
  if (liquidation === undefined) return;
  if (mayLiquidate(venue, market)) {
    payFromBoth(venue, account);
    if (isSpared(venue, account)) {
      own.liquidations.delete(account);
      return;
    }
    if (market.status === "online") trade(venue, account);
    if (mayLiquidate(venue, market)) takeOverLate(venue, account);
    if (loansOf(venue, account).length === 0 || wanted(venue, account) === undefined) {
      finish(venue, account);
      return;
    }
  }
  own.liquidations.delete(account);
  own.liquidations.set(account, { ...liquidation, nextAt: venue.timeMs + STEP_MS });
}

/** From a minute after it has become insolvent on, the fund takes over what it can. */
function takeOverLate(venue: ModelVenue, account: MarginAccount): void {
  const { market } = account;
  const liquidation = lending(venue).liquidations.get(account);
  if (liquidation === undefined || loansOf(venue, account).length === 0) return;
  const { base, quote, baseLent, quoteLent } = figuresOf(venue, account);
  const fee = (asset: ModelAsset) => liquidation.fees.get(asset) ?? 0n;
  const owed = worth(market, baseLent + fee(market.base), quoteLent + fee(market.quote));
  const isSolvent = worth(market, base, quote) >= owed;
  if (!isSolvent) liquidation.insolventAt ??= venue.timeMs;
  const isLate = venue.timeMs - (liquidation.insolventAt ?? venue.timeMs) >= AT_INDEX_MS;
  if (market.status === "online" && (isSolvent || !isLate)) return;
  if (takeOverAccount(venue, account)) liquidation.hasTraded = true;
}

/** Above the warning rate by what it had of the right currency alone, and no loan is overdue. */
function isSpared(venue: ModelVenue, account: MarginAccount): boolean {
  const { liquidations, terms, loans } = lending(venue);
  const liquidation = liquidations.get(account);
  if (liquidation === undefined || liquidation.hasTraded) return false;
  if (loansOf(venue, account).length === 0) return true;
  if (liquidation.expired !== undefined && loans.includes(liquidation.expired)) return false;
  const above = aboveRate(account.market, figuresOf(venue, account), terms.get(account.market.id)?.warning ?? 0n);
  return above === undefined || above > 0n;
}

/** Buys what is owed with the other currency, as far as the book goes; of one step at most eight orders. */
function trade(venue: ModelVenue, account: MarginAccount): void {
  const { market, userId } = account;
  const liquidation = lending(venue).liquidations.get(account);
  for (let count = 0; count < 8; count++) {
    const wish = wanted(venue, account);
    if (liquidation === undefined || wish === undefined || wish.lots === 0n) return;
    const dealsBefore = venue.nextDealId;
    enter(venue, market, {
      userId,
      marketId: market.id,
      account: "margin",
      side: wish.side,
      type: "ioc",
      amountIn: "base",
      amount: wish.lots,
      price: wish.limit,
      hidden: false,
      stpMode: "cm",
      clientId: "",
    });
    if (venue.nextDealId === dealsBefore) return;
    liquidation.hasTraded = true;
    payFromBoth(venue, account);
    if (market.status !== "online") return;
  }
}

interface Wanted {
  readonly side: "buy" | "sell";
  readonly lots: bigint;
  readonly limit: bigint;
}

/**
 * The trade that brings what is owed, with the fees of it and of the liquidation; undefined with not a lot to give for
 * it.
 */
function wanted(venue: ModelVenue, account: MarginAccount): Wanted | undefined {
  const { market } = account;
  const { base, quote, lot, lotTick, index } = market;
  const fees = lending(venue).liquidations.get(account)?.fees;
  // A pool changes what the order pays, not what the liquidation reckons with.
  const { taker } = ratesOf(venue, venue.user(account.userId) as ModelUser, { ...market, pool: undefined });
  const keeps = ONE_E8 - taker;
  const [owesBase, owesQuote] = [owedIn(venue, account, base), owedIn(venue, account, quote)];
  if (owesQuote > 0n) {
    const { available } = account.base;
    if (available < lot) return undefined;
    const bound = divideUp(index * 95n, 100n);
    const even = divideUp((owesQuote + (fees?.get(quote) ?? 0n)) * lot * ONE_E8, available * lotTick * keeps);
    // Nobody but the account pays for what is sold below the index: where it cannot, that is where it is sold.
    const limit = least(index, most(even, bound));
    const lots = lotsFor(market, limit, owesQuote + (fees?.get(quote) ?? 0n), keeps);
    return { side: "sell", lots: least(available / lot, lots), limit };
  }
  const { available } = account.quote;
  const bound = (index * 105n) / 100n;
  if (owesBase === 0n) return undefined;
  const even = (available * lot * keeps) / ((owesBase + (fees?.get(base) ?? 0n)) * lotTick * ONE_E8);
  const limit = most(index, least(even, bound));
  const affordable = available / (limit * lotTick);
  if (affordable === 0n) return undefined;
  const [best] = against(market, "buy");
  if (best === undefined || best.price > limit) return { side: "buy", lots: 0n, limit };
  const lots = divideUp((owesBase + (fees?.get(base) ?? 0n)) * ONE_E8, lot * keeps) + 1n;
  return { side: "buy", lots: least(affordable, lots), limit };
}

/** Lots that bring so much quote, a unit for the rounding of each fee included. */
function lotsFor(market: ModelMarket, limit: bigint, units: bigint, keeps: bigint): bigint {
  let [left, lots] = [units, 0n];
  for (const { price, left: offered } of against(market, "sell")) {
    if (price < limit || left <= 0n) break;
    const perLot = price * market.lotTick;
    const taken = least(offered, divideUp((left + 1n) * ONE_E8, perLot * keeps));
    lots += taken;
    left -= (taken * perLot * keeps) / ONE_E8 - 1n;
  }
  return lots;
}

/** The fund takes the rest for what it pays, then pays as far as it can; what stays is a debt. Last the fee. */
function finish(venue: ModelVenue, account: MarginAccount): void {
  const { market } = account;
  const { liquidations } = lending(venue);
  const fees = liquidations.get(account)?.fees;
  payByFund(venue, account);
  for (const asset of [market.base, market.quote]) {
    const fee = fees?.get(asset) ?? 0n;
    const { available } = balanceOf(account, asset);
    giveToFund(venue, account, asset, fee);
    const other = asset === market.base ? market.quote : market.base;
    giveToFund(venue, account, other, worthOf(market, other, most(0n, fee - available)));
  }
  liquidations.delete(account);
}

/** The fund takes over what it can at the index; what it does not pay is a debt. */
function payByFund(venue: ModelVenue, account: MarginAccount): void {
  takeOverAccount(venue, account);
  for (const loan of loansOf(venue, account)) if (loan.state !== "debt") makeDebt(venue, loan);
}

/** Whose user has paid all that was owed is liquidated no longer. */
function endPaid(venue: ModelVenue, account: MarginAccount): void {
  const liquidation = lending(venue).liquidations.get(account);
  if (liquidation === undefined || loansOf(venue, account).length > 0) return;
  if (liquidation.hasTraded) finish(venue, account);
  else lending(venue).liquidations.delete(account);
}

function payFromBoth(venue: ModelVenue, account: MarginAccount): void {
  for (const asset of [account.market.base, account.market.quote]) payFromAvailable(venue, account, asset);
}

/** A market leaves: each account pays what it can, the fund the rest, and what remains goes to spot. */
export function leaveMargin(venue: ModelVenue, market: ModelMarket): void {
  const { accounts, liquidations } = lending(venue);
  for (const account of accounts.filter((each) => each.market === market)) {
    payFromBoth(venue, account);
    payByFund(venue, account);
    liquidations.delete(account);
    if (loansOf(venue, account).length === 0) giveBack(venue, account);
  }
}
