/**
 * Interest of savings: at 00:00 UTC every account earns floor(balance · rate). Source: domain 6.6.
 *
 * What all of it comes to at most is known without looking at anybody, from the sum of what lies there: at midnight it
 * is put aside out of sys:interest; where that does not suffice, the day is owed to everybody in that currency, and
 * paid with the first day that can be. So nobody is paid before others. Then the accounts are booked, a batch a second:
 * a midnight costs a look at every account, and no command more than a batch. A move between accounts books its account
 * first, so that what counts is what lay there at midnight, whenever the account has its turn.
 */
import type { Due } from "../due.ts";
import { CELL } from "../ledger/cell.ts";
import { INT64_MAX } from "../money/int64.ts";
import { divFloor } from "../money/rounding.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { SAVINGS_CELL, SAVINGS_POSTING, SAVINGS_RANK } from "./codes.ts";
import { DAY_MS, type InterestRound, type Savings, savings } from "./savings-state.ts";

/** Accounts that one command books at most, and how long after it the next are booked: a million take 100 s. */
export const BATCH_ROWS = 10_000;
const BATCH_EVERY_MS = 1_000;
const ONE_E8 = 100_000_000n;

/** floor(units · rate). */
export function interestOn(units: bigint, dailyRateE8: number): bigint {
  return divFloor(units * BigInt(dailyRateE8), ONE_E8);
}

/** The next midnight, or the next accounts of the last one. */
export function savingsDue(state: State): Due[] {
  const own = savings.of(state);
  const { accounts, round, nextAt } = own;
  if (accounts.count === 0) return [];
  const midnight = (round?.day ?? own.day + 1) * DAY_MS;
  const run = () => bookBatch(state, own, own.round ?? begin(state, own));
  return [{ atMs: Math.max(midnight, nextAt), rank: SAVINGS_RANK.savings_interest, id: -1, run }];
}

/** Books an account of which the round under way has not come yet. */
export function bookEarly(state: State, row: number): void {
  const own = savings.of(state);
  if (own.round !== undefined && own.accounts.day(row) < own.round.day) bookRows(state, own, own.round, row, row + 1);
}

function begin(state: State, own: Savings): InterestRound {
  const day = ++own.day;
  const round: InterestRound = { day, assets: new Map(), nextRow: 0, endRow: own.accounts.count };
  for (const assetId of [...own.assets.keys()].sort((one, other) => one - other)) putAside(state, own, round, assetId);
  own.round = round;
  return round;
}

function putAside(state: State, own: Savings, round: InterestRound, assetId: number): void {
  const { dailyRateE8, saved, owed } = own.of(assetId);
  // The sum of floors is never above the floor of the sum.
  const most = owed + interestOn(saved, dailyRateE8);
  if (most === 0n) return;
  const isPaid = state.ledger.heldByVenue(CELL.interest, assetId) >= most;
  const left = isPaid ? most : 0n;
  round.assets.set(assetId, { assetId, dailyRateE8, isPaid, left, paid: 0n });
  if (isPaid) postAside(state, assetId, most, round.day);
  emitRareEvent(state, {
    type: "savings_interest_begun",
    dayMs: round.day * DAY_MS,
    ccy: ccyOf(state, assetId),
    dailyRateE8,
    saved: saved.toString(),
    putAside: left.toString(),
  });
}

/** Books as many accounts as this command still may, and ends the midnight with the last of them. */
function bookBatch(state: State, own: Savings, round: InterestRound): void {
  if (own.bookedSeq !== state.seq) own.bookedRows = 0;
  own.bookedSeq = state.seq;
  if (round.assets.size > 0) {
    const to = Math.min(round.nextRow + BATCH_ROWS - own.bookedRows, round.endRow);
    bookRows(state, own, round, round.nextRow, to);
    own.bookedRows += to - round.nextRow;
    round.nextRow = to;
  } else round.nextRow = round.endRow;
  if (own.bookedRows >= BATCH_ROWS) own.nextAt = state.timeMs + BATCH_EVERY_MS;
  if (round.nextRow === round.endRow) end(state, own, round);
}

/** Each account that is not yet booked gets its interest, or is owed it. */
function bookRows(state: State, own: Savings, round: InterestRound, fromRow: number, toRow: number): void {
  const { accounts } = own;
  const { ledger, events } = state;
  const paid = new Map<number, bigint>();
  for (let row = fromRow; row < toRow; row++) {
    const assetId = accounts.assetId(row);
    const terms = round.assets.get(assetId);
    if (terms === undefined || accounts.day(row) >= round.day) continue;
    accounts.setDay(row, round.day);
    const earned = interestOn(ledger.available(accounts.cell(row)), terms.dailyRateE8);
    const due = accounts.owed(row) + earned;
    const asset = own.of(assetId);
    if (!terms.isPaid) {
      const owed = due < INT64_MAX ? due : INT64_MAX;
      asset.owed += owed - accounts.owed(row);
      accounts.setOwed(row, owed);
    } else if (due > 0n) {
      asset.owed -= accounts.owed(row);
      asset.saved += due;
      accounts.setOwed(row, 0n);
      terms.left -= due;
      terms.paid += due;
      ledger.post(events, accounts.cell(row), due, 0n, SAVINGS_POSTING.savings_interest, round.day);
      paid.set(assetId, (paid.get(assetId) ?? 0n) + due);
    }
  }
  for (const [assetId, units] of paid) {
    const aside = ledger.venueCell(SAVINGS_CELL.interest_due, assetId);
    ledger.post(events, aside, -units, 0n, SAVINGS_POSTING.savings_interest, round.day);
  }
  emitRareEvent(state, { type: "savings_interest_booked", dayMs: round.day * DAY_MS, fromRow, toRow });
}

function end(state: State, own: Savings, { day, assets }: InterestRound): void {
  for (const { assetId, left, paid } of assets.values()) {
    if (left > 0n) postAside(state, assetId, -left, day);
    emitRareEvent(state, {
      type: "savings_interest_ended",
      dayMs: day * DAY_MS,
      ccy: ccyOf(state, assetId),
      paid: paid.toString(),
      returned: left.toString(),
      owed: own.of(assetId).owed.toString(),
    });
  }
  own.round = undefined;
}

/** Moves units out of sys:interest, or back when negative. */
function postAside({ ledger, events }: State, assetId: number, units: bigint, day: number): void {
  const { savings_interest } = SAVINGS_POSTING;
  ledger.post(events, ledger.venueCell(CELL.interest, assetId), -units, 0n, savings_interest, day);
  ledger.post(events, ledger.venueCell(SAVINGS_CELL.interest_due, assetId), units, 0n, savings_interest, day);
}

function ccyOf({ assets }: State, assetId: number): string {
  return (assets[assetId] as { ccy: string }).ccy;
}
