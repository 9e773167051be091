/**
 * Handles the effects of a command or a price on futures accounts: liquidations come first, then the insurance fund
 * lifts the accounts that it can. Source: domain 4.6, 4.13 and 11.3.
 */

import { formatDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { endLadders } from "./liquidation/inventory.ts";
import { liquidate } from "./liquidation/liquidation.ts";
import { forgetAlerts, isolatedIn, watch } from "./liquidation/watch.ts";
import { cashOf, hasCross } from "./positions/account-sums.ts";
import { cover } from "./positions/change-position.ts";
import { LIQUIDATOR } from "./positions/futures-account.ts";

/**
 * Looks after the accounts that the command has touched or that a mark has reached, by currency and user, until nothing
 * more follows. With `everywhere` marks count that moved before, too: what was suspended may go on.
 */
export function settleFutures(state: State, everywhere: boolean): void {
  const { accounts, overdrawn } = state.futures;
  const { thresholds, movedMarks, ladders } = state.futures;
  // One that could not go on under maintenance or a pause ends with that, not two seconds later.
  endLadders(state, everywhere ? [...ladders].sort((one, other) => one - other) : [...movedMarks]);
  const reached = reachedBy(state, everywhere ? thresholds.dirty : movedMarks);
  if (movedMarks.size > 0) forgetAlerts(state);
  movedMarks.clear();
  const isReached = new Set(reached);
  for (let due = takeNoted(state, reached); due.length > 0; due = takeNoted(state, new Set())) {
    for (const account of due) {
      if (accounts.userId(account) === LIQUIDATOR) continue;
      state.futures.evaluations++;
      const written = state.futures.takeWritten(account);
      const isolated = isReached.delete(account) ? isolatedIn(state, account) : written;
      liquidate(state, account, isolated);
      watch(state, account, isolated);
      if (cashOf(state, account) < 0n) state.futures.noteOverdrawn(account);
    }
  }
  if (overdrawn.size > 0) liftOverdrawn(state);
  state.futures.isTouched = state.futures.hasWork;
}

/** Accounts that have a position whose threshold the mark of its market has reached. */
function reachedBy({ markets, futures }: State, marketIds: Iterable<number>): Set<number> {
  const reached = new Set<number>();
  for (const id of marketIds) {
    if (markets[id]?.delisted !== false) continue;
    for (const { row } of futures.thresholds.reached(id, Number(futures.live.mark(id)))) {
      reached.add(futures.seats.account(row));
    }
  }
  return reached;
}

/** All that have to be looked at, in the order in which that happens. */
function takeNoted({ futures }: State, reached: Set<number>): number[] {
  const { accounts, noted } = futures;
  for (const account of noted) {
    accounts.setNoted(account, false);
    reached.add(account);
  }
  noted.length = 0;
  return [...reached].sort(
    (left, right) => accounts.assetId(left) - accounts.assetId(right) || accounts.userId(left) - accounts.userId(right),
  );
}

/**
 * An account without a cross position whose cash is below 0, from a bankrupt close or the dust of many fees, is lifted
 * to 0 by the insurance fund, as far as that reaches; the oldest first.
 */
function liftOverdrawn(state: State): void {
  const { overdrawn } = state.futures;
  for (const account of [...overdrawn].sort((left, right) => left - right)) {
    const cash = cashOf(state, account);
    if (cash < 0n && !hasCross(state, account)) lift(state, account, -cash);
    if (cashOf(state, account) >= 0n) overdrawn.delete(account);
  }
}

function lift(state: State, account: number, missing: bigint): void {
  const { accounts } = state.futures;
  const amount = cover(state, account, missing, 0);
  if (amount === 0n) return;
  const asset = state.assets[accounts.assetId(account)] as { ccy: string; scale: number };
  emitRareEvent(state, {
    type: "account_lifted",
    userId: accounts.userId(account),
    ccy: asset.ccy,
    amount: formatDecimal(amount, asset.scale),
  });
}
