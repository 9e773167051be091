/**
 * The invariants of futures between two commands, worked out anew from orders, positions and cells. Source: domain 10,
 * numbers 12-22.
 */
import { CELL, cellKey, VENUE } from "../ledger/cell.ts";
import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { feeOn } from "../money/rate.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import type { Book } from "../trading/book.ts";
import { NONE } from "../trading/order.ts";
import { markOf } from "./funding/mark.ts";
import { isCrossDue, isIsolatedDue } from "./liquidation/liquidation.ts";
import { spareSurplus } from "./liquidation/margin-use.ts";
import { mayLiquidate } from "./liquidation/may-liquidate.ts";
import { untold } from "./liquidation/watch.ts";
import { sureBuyingPower } from "./orders/buying-power.ts";
import { exposureOf } from "./orders/exposure.ts";
import { freezeOfSide } from "./orders/freeze.ts";
import { isReducing } from "./orders/held-order.ts";
import {
  accountSumsOf,
  cashOf,
  crossOf,
  hasCross,
  marginOf,
  positionsIn,
  positionsOf,
} from "./positions/account-sums.ts";
import { type FuturesSpec, positionBound, signOf, tradeValue } from "./positions/contract.ts";
import { crossMargin, isolatedMargin } from "./positions/figures.ts";
import { LIQUIDATOR } from "./positions/futures-account.ts";
import { isHedge } from "./positions/futures-seat.ts";

type Expect = Census["expect"];

/** Sums over the resting orders of one side of a seat. */
interface Side {
  lots: bigint;
  value: bigint;
  fees: bigint;
  reducing: bigint;
}

/** Says what does not hold. Reads only. */
export function checkFutures(state: State, expect: Expect): void {
  const { futures } = state;
  const sides = new Map<number, [Side, Side]>();
  for (const market of state.markets) {
    if (market.futures === undefined) continue;
    checkMarket(state, market, sides, expect);
    const isLookedAt = state.futures.thresholds.isLookedAt(market.id, Number(markOf(state, market)));
    expect(isLookedAt, () => `The mark of ${market.name} has reached a threshold unnoticed.`);
  }
  for (let row = 0; row < futures.seats.count; row++) checkSeat(state, row, sides.get(row), expect);
  for (const [account, frozen] of frozenByAccount(state).entries()) checkAccount(state, account, frozen, expect);
  checkMarginCells(state, expect);
  for (const [id, slot] of futures.alertedPositions) {
    const { positions } = futures;
    const isKnown = positions.positionId(slot) === id && positions.isIsolated(slot) && positions.isHeld(slot);
    expect(isKnown, () => `An alert is kept of position ${id}, which is none.`);
  }
  expect(futures.isTouched === futures.hasWork, () => "What waits to be looked at is not known by its flag.");
  expect(futures.noted.length === 0, () => `${futures.noted.length} futures accounts wait to be looked at.`);
}

/** 12 and 13, and what the resting orders of the market hold back. */
function checkMarket(state: State, market: Market, sides: Map<number, [Side, Side]>, expect: Expect): void {
  const { futures, ledger } = state;
  const { positions, live } = futures;
  const terms = market.futures as FuturesSpec;
  const open = { long: 0n, short: 0n, settled: 0n };
  let listed = 0;
  for (const slot of positionsIn(state, market.id)) {
    listed++;
    open[positions.isShort(slot) ? "short" : "long"] += positions.amount(slot);
    open.settled += signOf(terms, positions.isShort(slot)) * positions.settleCost(slot);
    checkPosition(state, market, slot, expect);
    if (listed > positions.live) break;
  }
  const clearing = ledger.find(cellKey(CELL.clearing, VENUE, market.id));
  const cleared = clearing < 0 ? 0n : ledger.available(clearing);
  expect(open.long === open.short, () => `${market.name} has ${open.long} lots long and ${open.short} short.`);
  expect(
    live.openInterest(market.id) === open.long,
    () => `${market.name} counts an open interest of ${live.openInterest(market.id)} lots and has ${open.long}.`,
  );
  expect(
    cleared + open.settled === 0n,
    () => `The clearing cell of ${market.name} holds ${cleared} units against positions of ${open.settled}.`,
  );
  expect(
    futures.silent.has(market.id) === (!market.delisted && !isIndexFresh(market)),
    () => `${market.name} is kept as ${futures.silent.has(market.id) ? "silent" : "spoken of"}, and is not.`,
  );
  weighBook(state, market, sides);
}

/** Adds up what rests, by seat and side. */
function weighBook(state: State, market: Market, sides: Map<number, [Side, Side]>): void {
  const { orders, futures } = state;
  const book = state.books[market.id] as Book;
  for (const side of [0, 1] as const) {
    for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) {
      const row = futures.seats.rowOf(orders.seat(slot));
      const both: [Side, Side] = sides.get(row) ?? [nothing(), nothing()];
      sides.set(row, both);
      const lots = orders.left(slot);
      if (isReducing(orders.flags(slot))) {
        both[side].reducing += lots;
        continue;
      }
      const value = tradeValue(market.futures as FuturesSpec, futures.held.freezePrice(slot), lots);
      both[side].lots += lots;
      both[side].value += value;
      both[side].fees += feeOn(value, BigInt(orders.takerFeeRateE8(slot)));
    }
  }
}

function nothing(): Side {
  return { lots: 0n, value: 0n, fees: 0n, reducing: 0n };
}

/** 14, 15 and 16. */
function checkPosition(state: State, market: Market, slot: number, expect: Expect): void {
  const { positions, seats } = state.futures;
  const id = positions.positionId(slot);
  const report = (what: string) => () => `Position ${id} in ${market.name} ${what}.`;
  const row = positions.seat(slot);
  expect(id > 0 && id < state.nextPositionId, report("has an id that was never given out"));
  expect(positions.amount(slot) > 0n, report("is open and holds nothing"));
  expect(positions.entryCost(slot) >= 0n && positions.settleCost(slot) >= 0n, report("has a cost below 0"));
  expect(marginOf(state, slot) >= 0n, report("has a margin below 0"));
  expect(positions.isIsolated(slot) === seats.isIsolated(row), report("is not of its seat's margin mode"));
  expect(seats.position(row, positions.isShort(slot)) === slot, report("is not known to its seat"));
  expect(positions.marketId(slot) === market.id, report("is listed with a foreign market"));
  expect(
    state.seats.userId(seats.seat(row)) === positions.userId(slot),
    report("belongs to another user than its seat"),
  );
  expect(positions.account(slot) === seats.account(row), report("belongs to another account than its seat"));
  expect(positions.topAmount(slot) >= positions.amount(slot), report("was never as large as it is"));
  expect(positions.topCost(slot) >= positions.entryCost(slot), report("never cost as much as it does"));
  expect(positions.createdAt(slot) <= positions.updatedAt(slot), report("was changed before it was opened"));
  expect(positions.updatedAt(slot) <= state.timeMs, report("comes from the future"));
}

/** 17, 20 and 22. */
function checkSeat(state: State, row: number, sides: [Side, Side] | undefined, expect: Expect): void {
  const { seats } = state.futures;
  const seat = seats.seat(row);
  const userId = state.seats.userId(seat);
  const market = state.markets[state.seats.marketId(seat)] as Market;
  const report = (what: string) => () => `The seat of user ${userId} in futures market ${market.name} ${what}.`;
  const hedge = isHedge(state, userId);
  const held = [seats.closable(row, 0), seats.closable(row, 1)] as const;
  let frozen = 0n;
  for (const side of [0, 1] as const) {
    const own = sides?.[side] ?? nothing();
    expect(seats.lots(row, side) === own.lots, report(`counts ${seats.lots(row, side)} regular lots of ${own.lots}`));
    expect(
      seats.value(row, side) === own.value,
      report(`counts orders worth ${seats.value(row, side)} of ${own.value}`),
    );
    expect(seats.fees(row, side) === own.fees, report(`counts fees of ${seats.fees(row, side)} of ${own.fees}`));
    expect(seats.reducing(row, side) === own.reducing, report("does not count the lots of orders that only reduce"));
    // A buy reduces a short position, which stands first here, a sell a long one.
    const isOpen = seats.position(row, side === 0) !== NONE;
    expect(
      isOpen === held[side] > 0n,
      report(`holds ${held[side]} lots of a position that ${isOpen ? "is" : "is not"} open`),
    );
    expect(own.reducing <= held[side], report(`would reduce ${held[side]} lots by ${own.reducing}`));
    const free = own.lots - (held[side] - own.reducing);
    const opening = hedge ? own.lots : free > 0n ? free : 0n;
    frozen += freezeOfSide(own.lots, own.value, own.fees, opening, seats.leverage(row));
  }
  expect(seats.frozen(row) === frozen, report(`has frozen ${seats.frozen(row)} units for orders of ${frozen}`));
  expect(hedge || held[0] === 0n || held[1] === 0n, report("holds both sides in one-way mode"));
  const bound = positionBound(market.futures as FuturesSpec);
  expect(
    userId === LIQUIDATOR || exposureOf(state, row) <= bound,
    report("may come to hold more than the last level allows"),
  );
  expect(seats.leverage(row) >= 1, report("has no leverage"));
  expect(
    state.seats.quoteCell(seat) === state.futures.accounts.cell(seats.account(row)),
    report("pays from a foreign cell"),
  );
}

/** Returns the sum of the freezes of each account's seats, by account. */
function frozenByAccount({ futures: { accounts, seats } }: State): bigint[] {
  const frozen = new Array<bigint>(accounts.count).fill(0n);
  for (let row = 0; row < seats.count; row++) {
    const account = seats.account(row);
    frozen[account] = (frozen[account] as bigint) + seats.frozen(row);
  }
  return frozen;
}

/** 16, 17 and 18. */
function checkAccount(state: State, account: number, frozen: bigint, expect: Expect): void {
  const { accounts, positions, overdrawn } = state.futures;
  const userId = accounts.userId(account);
  const report = (what: string) => () =>
    `The futures account of user ${userId} in asset ${accounts.assetId(account)} ${what}.`;
  let listed = 0;
  let cross = 0;
  for (const slot of positionsOf(state, account)) {
    listed++;
    if (!positions.isIsolated(slot)) cross++;
    expect(positions.account(slot) === account, report("lists a foreign position"));
    if (listed > positions.live) break;
  }
  expect(accounts.crossPositions(account) === cross, report(`does not count its ${cross} cross positions`));
  expect(accounts.frozen(account) === frozen, report(`has frozen ${accounts.frozen(account)} units of ${frozen}`));
  const cash = cashOf(state, account);
  expect(overdrawn.has(account) === cash < 0n, report(`holds ${cash} units of cash, and is not listed so`));
  const fund = state.ledger.find(cellKey(CELL.insurance_futures, VENUE, accounts.assetId(account)));
  const isFundEmpty = fund < 0 || state.ledger.available(fund) === 0n;
  expect(cash >= 0n || hasCross(state, account) || isFundEmpty, report("is short of cash that the insurance fund has"));
  if (userId !== LIQUIDATOR) checkHealth(state, account, report, expect);
  const sums = accountSumsOf(state, account);
  const free = isolatedMargin(sums);
  expect(free <= (cash > 0n ? cash : 0n), report("could transfer more than its cash"));
  const sure = sureBuyingPower(state, account);
  if (sure === undefined || cross === 0) return;
  const left = { cross: sure.cross - frozen, isolated: sure.isolated - frozen };
  expect(left.cross <= crossMargin(sums), report(`is taken to have ${left.cross} units of ${crossMargin(sums)}`));
  expect(left.isolated <= free, report(`is taken to have ${left.isolated} units of ${free} to move`));
}

/** 19: what is due to be liquidated is, unless that is suspended; whom it may concern soon has been told. */
function checkHealth(state: State, account: number, report: (what: string) => () => string, expect: Expect): void {
  const { positions } = state.futures;
  const isSuspended = (slot: number) => !mayLiquidate(state, state.markets[positions.marketId(slot)] as Market);
  for (const slot of positionsOf(state, account)) {
    if (!positions.isIsolated(slot)) continue;
    const id = positions.positionId(slot);
    const isDue = isIsolatedDue(state, slot);
    expect(!isDue || isSuspended(slot), report(`has position ${id}, which is due to be liquidated`));
  }
  const cross = crossOf(state, account);
  const isDue = cross.length > 0 && isCrossDue(state, account);
  expect(!isDue || cross.every(isSuspended), report("is due to be liquidated"));
  const spare = spareSurplus(state, account);
  expect(
    spare === undefined || spare >= 0n || isDue,
    report(`could lose ${spare} quarters of a unit more than what it has before it is looked at`),
  );
  for (const id of untold(state, account)) expect(false, report(`has not been told of ${id ?? "its cross positions"}`));
}

/** 16: a cell of isolated margin without a position is empty. */
function checkMarginCells(state: State, expect: Expect): void {
  const { ledger, futures } = state;
  const used = new Set<number>();
  for (const market of state.markets) {
    if (market.futures === undefined) continue;
    for (const slot of positionsIn(state, market.id)) used.add(futures.positions.marginCell(slot));
  }
  for (let cell = 0; cell < ledger.count; cell++) {
    const kind = ledger.marks(cell) & 255;
    if (kind !== CELL.isolated_long && kind !== CELL.isolated_short) continue;
    const isHeld = used.has(cell) || ledger.available(cell) === 0n;
    expect(isHeld, () => `A margin of ${ledger.available(cell)} units belongs to no position.`);
  }
}
