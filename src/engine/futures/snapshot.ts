/**
 * Futures out and in again, as five chunks of a snapshot: accounts and seats in order of creation, positions by id, the
 * freeze prices of resting orders by order id, and exits by id. Sums, freezes and lists follow from these and are made
 * anew.
 */
import { type BudgetShares, insuranceOf, lossOfRow } from "../insurance/insurance-state.ts";
import { CELL } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { restingInPriority } from "../trading/orders-section.ts";
import { WordBuffer } from "../words.ts";
import { exitBytes, loadExits } from "./exits/exit-snapshot.ts";
import { type Cycle, type CycleText, cycleText } from "./funding/cycle.ts";
import { isolatedIn, watch } from "./liquidation/watch.ts";
import { refreshFreeze, weigh } from "./orders/held-order.ts";
import { cashOf, positionsIn } from "./positions/account-sums.ts";
import { enlist } from "./positions/change-position.ts";
import type { FuturesSpec, PositionLevel } from "./positions/contract.ts";
import { LIQUIDATOR } from "./positions/futures-account.ts";

const ACCOUNT_WORDS = 2;
const SEAT_WORDS = 2;
const POSITION_WORDS = 14;
const FREEZE_WORDS = 2;

/** Terms with their whole numbers as text, which JSON can carry, and the mark price and the cycle of the market. */
export interface TermsText extends Omit<FuturesSpec, "unit" | "tickSize" | "levels"> {
  readonly unit: string;
  readonly tickSize: string;
  readonly levels: readonly (Omit<PositionLevel, "amount"> & { readonly amount: string })[];
  readonly mark: string;
  readonly cycle: CycleText;
}

export function termsText(state: State, { id, futures }: Market): TermsText | undefined {
  if (futures === undefined) return undefined;
  return {
    ...futures,
    unit: futures.unit.toString(),
    tickSize: futures.tickSize.toString(),
    levels: futures.levels.map((level) => ({ ...level, amount: level.amount.toString() })),
    mark: state.futures.live.mark(id).toString(),
    cycle: cycleText(state.futures.cycles[id] as Cycle),
  };
}

export function termsOfText(text: TermsText | undefined): FuturesSpec | undefined {
  if (text === undefined) return undefined;
  const { mark: _, cycle: __, ...terms } = text;
  return {
    ...terms,
    unit: BigInt(text.unit),
    tickSize: BigInt(text.tickSize),
    levels: text.levels.map((level) => ({ ...level, amount: BigInt(level.amount) })),
  };
}

/** Chunks: those of the head comment, and JSON of whose margin is near its end and has been told so. */
export const futuresSection: Section = {
  name: "futures",
  version: 3,
  write: (state) => [
    accountBytes(state),
    seatBytes(state),
    positionBytes(state),
    freezeBytes(state),
    exitBytes(state),
    jsonChunk(alertedIn(state)),
  ],
  read: (state, chunks, version) => {
    const { positions, accounts } = jsonOf(chunks[5]) as AlertedWords;
    // Their slots come with the positions.
    for (const id of positions) state.futures.alertedPositions.set(id, NONE);
    for (const account of accounts) state.futures.alertedAccounts.add(account);
    loadFutures(state, chunks);
    if (version === 2) loadBudget(state, jsonOf(chunks[6]) as BudgetWords);
  },
};

/** Of version 2: what insurance funds may lose and have lost, which the part of insurance funds keeps since. */
interface BudgetWords {
  readonly budget: BudgetShares;
  /** By asset id: the day, and units lost on it. */
  readonly dayLosses: readonly (readonly [assetId: number, atMs: number, units: string])[];
}

function loadBudget(state: State, { budget, dayLosses }: BudgetWords): void {
  const insurance = insuranceOf.of(state);
  insurance.shares = budget;
  for (const [assetId, atMs, units] of dayLosses) {
    insurance.setDay({ cellKind: CELL.insurance_futures, assetId }, lossOfRow([atMs, units]));
  }
}

/** Position ids and futures accounts. */
export interface AlertedWords {
  readonly positions: readonly number[];
  readonly accounts: readonly number[];
}

function alertedIn({ futures }: State): AlertedWords {
  return {
    positions: [...futures.alertedPositions.keys()].sort((one, other) => one - other),
    accounts: [...futures.alertedAccounts].sort((one, other) => one - other),
  };
}

/** Takes the chunks over into a state whose cells, seats and orders are there. */
function loadFutures(state: State, chunks: readonly Uint8Array[]): void {
  const [accounts, seats, positions, freezes, exits] = chunks.slice(0, 5).map((chunk) => WordBuffer.over(chunk)) as [
    WordBuffer,
    WordBuffer,
    WordBuffer,
    WordBuffer,
    WordBuffer,
  ];
  const { futures } = state;
  for (let at = 0; at < accounts.length; at += ACCOUNT_WORDS) {
    futures.accounts.add(int(accounts, at, 0), int(accounts, at, 1), int(accounts, at, 2));
  }
  for (let at = 0; at < seats.length; at += SEAT_WORDS) {
    const row = futures.seats.add(int(seats, at, 0), int(seats, at, 1), int(seats, at, 2));
    futures.seats.setIsolated(row, int(seats, at, 3) !== 0);
  }
  for (let at = 0; at < positions.length; at += POSITION_WORDS) loadPosition(state, positions, at);
  loadExits(state, exits);
  for (let at = 0; at < freezes.length; at += FREEZE_WORDS) {
    const slot = state.orders.find(freezes.f64[at] as number);
    futures.held.enter(slot, futures.seats.rowOf(state.orders.seat(slot)), freezes.i64[at + 1] as bigint);
    weigh(state, state.markets[state.seats.marketId(state.orders.seat(slot))] as Market, slot, 1n);
  }
  for (let row = 0; row < futures.seats.count; row++) refreshFreeze(state, row);
  futures.forgetNoted();
  for (let account = 0; account < futures.accounts.count; account++) {
    if (cashOf(state, account) < 0n) futures.noteOverdrawn(account);
    if (futures.accounts.userId(account) !== LIQUIDATOR) watch(state, account, isolatedIn(state, account));
  }
}

function int(buffer: WordBuffer, at: number, half: number): number {
  return buffer.i32[at * 2 + half] as number;
}

function accountBytes({ futures: { accounts } }: State): Uint8Array<ArrayBuffer> {
  const out = new WordBuffer(accounts.count * ACCOUNT_WORDS);
  for (let account = 0; account < accounts.count; account++) {
    const fields = [accounts.userId(account), accounts.assetId(account), accounts.cell(account)];
    out.i32.set(fields, account * ACCOUNT_WORDS * 2);
  }
  return out.bytes;
}

function seatBytes({ futures: { seats } }: State): Uint8Array<ArrayBuffer> {
  const out = new WordBuffer(seats.count * SEAT_WORDS);
  for (let row = 0; row < seats.count; row++) {
    const fields = [seats.seat(row), seats.account(row), seats.leverage(row), seats.isIsolated(row) ? 1 : 0];
    out.i32.set(fields, row * SEAT_WORDS * 2);
  }
  return out.bytes;
}

function positionBytes(state: State): Uint8Array<ArrayBuffer> {
  const { positions } = state.futures;
  const slots = state.markets.flatMap(({ id, futures }) => (futures === undefined ? [] : [...positionsIn(state, id)]));
  slots.sort((left, right) => positions.positionId(left) - positions.positionId(right));
  const out = new WordBuffer(slots.length * POSITION_WORDS);
  slots.forEach((slot, place) => {
    const at = place * POSITION_WORDS;
    out.f64[at] = positions.positionId(slot);
    out.i32[at * 2 + 2] = positions.seat(slot);
    out.i32[at * 2 + 3] = positions.isShort(slot) ? 1 : 0;
    out.i32[at * 2 + 4] = positions.marginCell(slot);
    out.i64[at + 3] = positions.amount(slot);
    out.i64[at + 4] = positions.entryCost(slot);
    out.i64[at + 5] = positions.settleCost(slot);
    out.i64[at + 6] = positions.realized(slot);
    out.i64[at + 7] = positions.topAmount(slot);
    out.i64[at + 8] = positions.topCost(slot);
    out.i64[at + 9] = positions.topMargin(slot);
    out.f64[at + 10] = positions.createdAt(slot);
    out.f64[at + 11] = positions.updatedAt(slot);
    out.i64[at + 12] = positions.firstPrice(slot);
    out.i64[at + 13] = positions.latestPrice(slot);
  });
  return out.bytes;
}

function loadPosition(state: State, rows: WordBuffer, at: number): void {
  const { positions, live } = state.futures;
  const slot = positions.allocate();
  const isShort = int(rows, at, 3) !== 0;
  const id = rows.f64[at] as number;
  positions.setPositionId(slot, id);
  if (state.futures.alertedPositions.has(id)) state.futures.alertedPositions.set(id, slot);
  positions.setMarginCell(slot, int(rows, at, 4));
  positions.setEntryCost(slot, rows.i64[at + 4] as bigint);
  positions.setSettleCost(slot, rows.i64[at + 5] as bigint);
  positions.setRealized(slot, rows.i64[at + 6] as bigint);
  positions.setTopAmount(slot, rows.i64[at + 7] as bigint);
  positions.setTopCost(slot, rows.i64[at + 8] as bigint);
  positions.setTopMargin(slot, rows.i64[at + 9] as bigint);
  positions.setCreatedAt(slot, rows.f64[at + 10] as number);
  positions.setUpdatedAt(slot, rows.f64[at + 11] as number);
  positions.setFirstPrice(slot, rows.i64[at + 12] as bigint);
  positions.setLatestPrice(slot, rows.i64[at + 13] as bigint);
  enlist(state, slot, int(rows, at, 2), isShort);
  positions.setAmount(slot, rows.i64[at + 3] as bigint);
  const marketId = positions.marketId(slot);
  if (!isShort) live.setOpenInterest(marketId, live.openInterest(marketId) + positions.amount(slot));
}

function freezeBytes(state: State): Uint8Array<ArrayBuffer> {
  const { orders, futures, books, markets } = state;
  const slots = restingInPriority(
    state,
    books.filter((_, marketId) => markets[marketId]?.futures !== undefined),
  );
  slots.sort((left, right) => orders.orderId(left) - orders.orderId(right));
  const out = new WordBuffer(slots.length * FREEZE_WORDS);
  slots.forEach((slot, place) => {
    out.f64[place * FREEZE_WORDS] = orders.orderId(slot);
    out.i64[place * FREEZE_WORDS + 1] = futures.held.freezePrice(slot);
  });
  return out.bytes;
}
