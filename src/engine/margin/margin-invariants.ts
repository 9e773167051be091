/**
 * The invariants of margin accounts and their loans between two commands. They are checked from the rows, and share no
 * sum with the code that wrote them.
 */
import { CELL, cellKey } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import type { Census } from "../part.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { HOUR_MS } from "./loan.ts";
import type { MarginSpec } from "./margin-state.ts";
import { canLiquidate } from "./risk.ts";

export function checkMargin(state: State, { expect }: Census): void {
  const { margin, ledger, markets } = state;
  const { accounts, loans } = margin;
  const lent = new Map<number, bigint>();
  let count = 0;
  for (const id of margin.terms.keys()) {
    const { name, index } = markets[id] as Market;
    const isLookedAt = margin.thresholds.isLookedAt(id, Number(index.price));
    expect(isLookedAt, () => `The index of ${name} has reached a threshold unnoticed.`);
  }
  for (let row = 0; row < accounts.count; row++) {
    const market = markets[accounts.marketId(row)] as Market;
    const userId = accounts.userId(row);
    const report = (what: string) => () => `The margin account of user ${userId} in ${market.name} ${what}.`;
    expect(state.users.has(userId) && margin.terms.has(market.id), report("is of nobody, or of no margin market"));
    expect(accounts.find(userId, market.id) === row, report("cannot be found"));
    const isOwn = (cell: number, place: number) =>
      ledger.keyOf(cell) === cellKey(CELL.margin, userId, market.id * 2 + place);
    expect(isOwn(accounts.baseCell(row), 0) && isOwn(accounts.quoteCell(row), 1), report("has foreign cells"));
    const sums = new Map<string, bigint>();
    const add = (what: string, units: bigint) => sums.set(what, (sums.get(what) ?? 0n) + units);
    let its = 0;
    let debts = 0;
    let before = 0;
    for (let slot = accounts.head(row); slot >= 0; slot = loans.next(slot)) {
      const id = loans.borrowId(slot);
      const of = (what: string) => () => `Loan ${id} ${what}.`;
      expect(id > before && id < margin.nextBorrowId && loans.find(id) === slot, of("stands where it should not"));
      expect(loans.account(slot) === row, of("is another account's"));
      expect(loans.principal(slot) >= 0n && loans.interest(slot) >= 0n, of("owes less than nothing"));
      expect(
        loans.owed(slot) > 0n && loans.principal(slot) <= loans.amount(slot),
        of("owes nothing, or more than was lent"),
      );
      const assetId = loans.isQuote(slot) ? market.quoteAssetId : market.baseAssetId;
      lent.set(assetId, (lent.get(assetId) ?? 0n) + loans.principal(slot));
      add(`principal ${loans.isQuote(slot)}`, loans.principal(slot));
      add(`interest ${loans.isQuote(slot)}`, loans.interest(slot));
      if (loans.isDebt(slot)) {
        debts++;
        expect(margin.debts.get(assetId)?.has(slot) === true, of("is a debt that nobody will pay"));
      } else {
        // 29: one accrual at once, and one for each full hour.
        const hours = Math.floor((state.timeMs - loans.createdAt(slot)) / HOUR_MS);
        expect(loans.accruals(slot) === 1 + hours, of(`was charged ${loans.accruals(slot)} times in ${hours} hours`));
        expect(margin.interestDue.at(loans.place(slot)) === slot, of("will not be charged"));
        const isLate = loans.expiredAt(slot) <= state.timeMs;
        expect(
          isLate === (margin.expired.get(market.id)?.has(slot) === true) || margin.liquidations.has(row),
          of("is past its term"),
        );
      }
      before = id;
      its++;
      count++;
    }
    expect(its === accounts.loans(row) && debts === accounts.debts(row), report("counts its loans wrongly"));
    for (const isQuote of [false, true]) {
      const isSum =
        accounts.principal(row, isQuote) === (sums.get(`principal ${isQuote}`) ?? 0n) &&
        accounts.interest(row, isQuote) === (sums.get(`interest ${isQuote}`) ?? 0n);
      expect(isSum, report("does not owe the sum of its loans"));
    }
    const liquidation = margin.liquidations.get(row);
    expect(liquidation === undefined || accounts.owes(row), report("is liquidated and owes nothing"));
    expect(!margin.warned.has(row) || its > debts, report("is warned and owes nothing"));
    checkThreshold(state, market, row, its > debts && liquidation === undefined, expect, report);
  }
  expect(count === loans.live, () => `${loans.live} loans are stored and accounts have ${count}.`);
  for (const assetId of new Set([...lent.keys(), ...margin.lent.keys()])) {
    const [counted, noted] = [lent.get(assetId) ?? 0n, margin.lent.get(assetId) ?? 0n];
    expect(counted === noted, () => `Loans of asset ${assetId} come to ${counted} and are noted as ${noted}.`);
  }
  expect(margin.noted.size === 0 && margin.ending.size === 0, () => "Margin accounts wait to be looked at.");
  for (const [assetId, debts] of margin.debts) {
    const fund = ledger.heldByVenue(CELL.insurance_margin, assetId);
    expect(
      fund === 0n || debts.size === 0 || !holds(state, "fundPaysInOrder") || holds(state, "soldAtIndex"),
      () => `The margin fund has ${fund} units of asset ${assetId}, and debts stand.`,
    );
  }
}

/** The index at which an account is looked at is where it comes to its next rate, and not one tick later or earlier. */
function checkThreshold(
  state: State,
  market: Market,
  row: number,
  isWatched: boolean,
  expect: Census["expect"],
  report: (what: string) => () => string,
): void {
  const { margin } = state;
  const [falls, rises] = [0, 1].map((way) => margin.thresholds.at(row, way));
  if (!isWatched) {
    expect(falls === undefined && rises === undefined, report("is watched without need"));
    return;
  }
  const { liqRateE8, warnRateE8 } = margin.terms.get(market.id) as MarginSpec;
  const rate = margin.warned.has(row) ? liqRateE8 : warnRateE8;
  const isReached = (price: bigint) => isAtRate(state, market, row, price, rate);
  if (falls !== undefined) {
    const at = BigInt(falls);
    expect(at < 1n || (isReached(at) && !isReached(at + 1n)), report(`is watched at ${falls}, which is not its rate`));
  } else if (rises !== undefined) {
    const at = BigInt(rises);
    expect(
      at < 1n || (isReached(at) && (at === 1n || !isReached(at - 1n))),
      report(`is watched at ${rises}, which is not its rate`),
    );
  } else expect(!isReached(1n) && !isReached(market.maxPrice), report("is not watched"));
  // Nobody stays as he is at his liquidation rate while he could be liquidated.
  const isDue = canLiquidate(state, market) && isAtRate(state, market, row, market.index.price, liqRateE8);
  expect(!isDue, report("is due for liquidation"));
}

/** (Q - Iq) + P (B - Ib) <= rate (Dq + P Db), in the exact integers of both assets. */
function isAtRate(
  { margin: { accounts }, ledger }: State,
  market: Market,
  row: number,
  price: bigint,
  rateE8: bigint,
): boolean {
  const total = (cell: number) => ledger.available(cell) + ledger.frozen(cell);
  const quote = total(accounts.quoteCell(row)) - accounts.interest(row, true);
  const base = total(accounts.baseCell(row)) - accounts.interest(row, false);
  const [dq, db] = [accounts.principal(row, true), accounts.principal(row, false)];
  const perLot = market.unitsPerLot;
  const perTick = price * market.unitsPerLotTick;
  return (quote * perLot + base * perTick) * 100_000_000n <= rateE8 * (dq * perLot + db * perTick);
}
