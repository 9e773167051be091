/**
 * Payments of the margin insurance fund for accounts that cannot pay. It takes their holdings for that at the index,
 * and bears no more of a loss than its budget allows. It sells the holdings that it took over at the index or better.
 * Source: domain 3.5.
 */
import { VENUE_USER } from "../accounts/user.ts";
import { FLAG, TYPE } from "../command.ts";
import { budgetLeft, noteLoss } from "../insurance/budget.ts";
import { marginFund } from "../insurance/funds.ts";
import { insuranceOf } from "../insurance/insurance-state.ts";
import { CELL } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import { smaller } from "../money/extremes.ts";
import { divCeil } from "../money/rounding.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { enterAccepted } from "../trading/place.ts";
import { loansOf, owedIn, pay, takeForFund } from "./lending.ts";
import type { Holding } from "./margin-state.ts";
import { canLiquidate } from "./risk.ts";
import { isMet } from "./sale.ts";

/** The venue itself, as the owner of the fund's orders. It pays no fee but that of a market with a pool. */
const FUND_USER = VENUE_USER;
/** ms between two sales of what the fund holds. */
export const SALE_EVERY_MS = 2_000;
const MINUTE_MS = 60_000;
const IOC = TYPE.ioc << FLAG.typeShift;

/** Something that the fund pays, takes for it, and loses by that at the index; units. */
interface Takeover {
  readonly pays: bigint;
  readonly takes: bigint;
  readonly loses: bigint;
}

/**
 * How much of `owed` the fund pays for an account that has `other` of the other currency. Where that is worth less at
 * the index than what is owed, the fund takes the same share of both, so that its loss is within the budget. Worked:
 * 10000 USDT owed, 0.3 BTC at 30000 held, a budget of 500 USDT: it pays 5000 and takes 0.15 BTC, which are worth 4500.
 */
function takeoverOf(state: State, market: Market, isQuote: boolean, owed: bigint, other: bigint): Takeover {
  const fund = marginFund(market, isQuote);
  const held = state.ledger.heldByVenue(fund.cellKind, fund.assetId);
  const short = owed - worthOf(market, isQuote, other);
  const budget = short > 0n ? budgetLeft(state, fund) : 0n;
  const pays = smaller(short <= budget ? owed : (owed * budget) / short, held);
  const takes = short > 0n ? divCeil(other * pays, owed) : smaller(other, unitsFor(market, isQuote, pays));
  const loses = pays - worthOf(market, isQuote, takes);
  return { pays, takes, loses: loses > 0n ? loses : 0n };
}

/**
 * The worth at the index of so many units of the other currency, in units of quote (with `isQuote`) or of base, floor.
 */
export function worthOf(market: Market, isQuote: boolean, other: bigint): bigint {
  const perLot = market.index.price * market.unitsPerLotTick;
  if (perLot === 0n) return 0n;
  return isQuote ? (other * perLot) / market.unitsPerLot : (other * market.unitsPerLot) / perLot;
}

/** Units of the other currency that are worth so much of what is owed at the index, ceil. */
function unitsFor(market: Market, isQuote: boolean, owed: bigint): bigint {
  const perLot = market.index.price * market.unitsPerLotTick;
  if (perLot === 0n) return 0n;
  return isQuote ? divCeil(owed * market.unitsPerLot, perLot) : divCeil(owed * perLot, market.unitsPerLot);
}

/**
 * Moves what an account has and owes to the fund, at the index, as far as the fund and its budget reach.
 * Returns whether it took or paid anything.
 */
export function takeOverAccount(state: State, market: Market, row: number): boolean {
  const { ledger, margin } = state;
  let hasPaid = false;
  for (const isQuote of [false, true]) {
    const owed = owedIn(state, row, isQuote);
    if (owed === 0n) continue;
    const takeover = takeoverOf(state, market, isQuote, owed, ledger.available(margin.accounts.cell(row, !isQuote)));
    if (takeover.pays === 0n) continue;
    hasPaid = true;
    let left = takeover.pays;
    takeOver(state, market, row, isQuote, takeover);
    for (const slot of [...loansOf(state, row)]) {
      if (margin.loans.isQuote(slot) === isQuote) left -= pay(state, slot, left, "fund", "liquidated");
    }
  }
  return hasPaid;
}

/** Takes of the account, and notes what the fund holds for sale and what it loses. */
function takeOver(state: State, market: Market, row: number, isQuote: boolean, { takes, loses }: Takeover): void {
  noteLoss(state, marginFund(market, isQuote), loses);
  if (takes === 0n) return;
  takeForFund(state, market, row, !isQuote, takes, "remainder");
  const { margin } = state;
  const key = holdingKey(market.id, !isQuote);
  const holding = margin.holdings.get(key) ?? { units: 0n, cost: 0n };
  holding.units += takes;
  holding.cost += worthOf(market, isQuote, takes);
  margin.holdings.set(key, holding);
  if (margin.sellsAt === 0) margin.sellsAt = state.timeMs + SALE_EVERY_MS;
  state.nextDueMs = Math.min(state.nextDueMs, margin.sellsAt);
}

/**
 * The fund pays debts of each asset in the order in which they came to be, as far as it has the asset and its budget
 * reaches. Of an account whose market has left it takes the other currency for that. Nothing is looked at again while
 * neither has changed.
 */
export function payDebtsWithinBudget(state: State): void {
  const { margin } = state;
  const { debts } = margin;
  const { shares } = insuranceOf.of(state);
  const minute = Math.floor(state.timeMs / MINUTE_MS);
  for (let hasPaid = true; hasPaid; ) {
    hasPaid = false;
    for (const assetId of [...debts.keys()].sort((one, other) => one - other)) {
      const held = state.ledger.heldByVenue(CELL.insurance_margin, assetId);
      const seen = margin.debtsSeen.get(assetId);
      const count = debts.get(assetId)?.size ?? 0;
      const isSame = seen?.held === held && seen.minute === minute && seen.shares === shares && seen.count === count;
      if (held === 0n || isSame) continue;
      if (payDebtsOf(state, assetId)) hasPaid = true;
      else margin.debtsSeen.set(assetId, { held, minute, shares, count });
    }
  }
  // The budget of a rolling hour grows with the minute.
  margin.debtsDueAt = debts.size === 0 ? 0 : (minute + 1) * MINUTE_MS;
  if (debts.size > 0) state.nextDueMs = Math.min(state.nextDueMs, margin.debtsDueAt);
}

/** One pass over the debts of an asset, the oldest first; whether anything was paid. */
function payDebtsOf(state: State, assetId: number): boolean {
  const { margin, ledger, markets } = state;
  const { accounts, loans } = margin;
  let hasPaid = false;
  for (const slot of [...(margin.debts.get(assetId) ?? [])]) {
    const row = loans.account(slot);
    const market = markets[accounts.marketId(row)] as Market;
    const isQuote = loans.isQuote(slot);
    const borrowId = loans.borrowId(slot);
    // A share of the interest that the fund pays comes back to it, and pays on.
    while (loans.find(borrowId) !== NONE) {
      const other = market.delisted ? ledger.available(accounts.cell(row, !isQuote)) : 0n;
      const takeover = takeoverOf(state, market, isQuote, loans.owed(slot), other);
      if (takeover.pays === 0n) break;
      takeOver(state, market, row, isQuote, takeover);
      pay(state, slot, takeover.pays, "fund", "finish");
      hasPaid = true;
    }
  }
  return hasPaid;
}

/** Sells what the fund took over, at the index or better, market by market. */
export function sellHoldings(state: State): void {
  const { margin, markets } = state;
  for (const key of [...margin.holdings.keys()].sort((one, other) => one - other)) {
    const market = markets[Math.floor(key / 2)] as Market;
    // What is left of a market that has left stays in the fund.
    if (market.delisted) margin.holdings.delete(key);
    else if (market.status === "online" && canLiquidate(state, market)) sellHolding(state, market, key % 2 === 1);
  }
  margin.sellsAt = margin.holdings.size === 0 ? 0 : state.timeMs + SALE_EVERY_MS;
  if (margin.sellsAt > 0) state.nextDueMs = Math.min(state.nextDueMs, margin.sellsAt);
}

/** Sells base for quote, or, with `isQuote`, buys base with the quote that was taken over. */
function sellHolding(state: State, market: Market, isQuote: boolean): void {
  const { draft, trade } = state.scratch;
  const { margin, ledger, seats } = state;
  const key = holdingKey(market.id, isQuote);
  const holding = margin.holdings.get(key) as Holding;
  const limit = market.index.price;
  const perLot = isQuote ? limit * market.unitsPerLotTick : market.unitsPerLot;
  const has = smaller(holding.units, ledger.heldByVenue(CELL.insurance_margin, assetOf(market, isQuote)));
  // Less than a lot is not sold any more.
  if (holding.units < perLot) margin.holdings.delete(key);
  if (has < perLot || !isMet(state, market, !isQuote, limit)) return;

  const [gives, gets] = [isQuote, !isQuote].map((quote) =>
    ledger.venueCell(CELL.insurance_margin, assetOf(market, quote)),
  );
  const [gave, got] = [ledger.available(gives as number), ledger.available(gets as number)];
  draft.left = has / perLot;
  draft.price = limit;
  trade.bound = limit;
  const [base, quote] = isQuote ? [gets, gives] : [gives, gets];
  const known = seats.find(FUND_USER, market.id, 0);
  const seat = known === NONE ? seats.add(FUND_USER, market.id, 0, base as number, quote as number) : known;
  enterAccepted(state, state.scratch, FUND_USER, market, seat, IOC | (isQuote ? 0 : FLAG.sell), "");

  const sold = gave - ledger.available(gives as number);
  if (sold === 0n) return;
  const cost = sold === holding.units ? holding.cost : (holding.cost * sold) / holding.units;
  // The index has moved against the fund since it took over: a loss as any other.
  noteLoss(state, marginFund(market, !isQuote), cost - (ledger.available(gets as number) - got));
  holding.units -= sold;
  holding.cost -= cost;
  if (holding.units === 0n) margin.holdings.delete(key);
}

function assetOf({ baseAssetId, quoteAssetId }: Market, isQuote: boolean): number {
  return isQuote ? quoteAssetId : baseAssetId;
}

function holdingKey(marketId: number, isQuote: boolean): number {
  return marketId * 2 + (isQuote ? 1 : 0);
}
