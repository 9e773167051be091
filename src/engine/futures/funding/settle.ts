/** Settlement: three times a day what a position has gained or lost on paper becomes money. Source: domain 4.16. */
import { USER_FLAG } from "../../accounts/user.ts";
import { POSTING } from "../../ledger/posting.ts";
import { waitsForIndex } from "../../listing/index-freshness.ts";
import type { Market } from "../../listing/market.ts";
import { emitRareEvent } from "../../rare-event.ts";
import type { State } from "../../state.ts";
import { atMark, marginOf, positionsIn } from "../positions/account-sums.ts";
import { clearingCell, noteWritten } from "../positions/change-position.ts";
import { emitPosition, NO_CHANGE } from "../positions/emit-position.ts";
import { LIQUIDATOR } from "../positions/futures-account.ts";
import { cycleOf } from "./cycle.ts";
import { byId } from "./funding.ts";
import { nextFundingTime } from "./funding-rate.ts";

/** Hours between settlements, on multiples from 00:00 UTC. */
const SETTLEMENT_EVERY_H = 8;

/** The first settlement after `afterMs`. */
export function nextSettlement(afterMs: number): number {
  return nextFundingTime(afterMs, SETTLEMENT_EVERY_H);
}

/**
 * Settles every position whose user has not switched that off, oldest first; those of a market whose index is stale
 * when it is back. What the venue has taken over is not settled: its result belongs to the insurance fund when there is
 * one. Without positions all settlements that were missed are one.
 */
export function runSettlement(state: State): void {
  const { futures } = state;
  const atMs = futures.settlesAt;
  futures.settlesAt = nextSettlement(futures.positions.live === 0 ? state.timeMs : atMs);
  const open: number[] = [];
  for (const market of state.markets) {
    if (market.futures === undefined) continue;
    if (waitsForIndex(state, market)) {
      if (cycleOf(state, market).settlesAt === 0) cycleOf(state, market).settlesAt = atMs;
      continue;
    }
    // One by one: as arguments of one call a hundred thousand are more than its stack holds.
    for (const slot of positionsIn(state, market.id)) open.push(slot);
  }
  settleAll(state, open, atMs);
}

/** Settles the positions of a market whose settlement has waited for its index. */
export function settleLate(state: State, market: Market): void {
  const cycle = cycleOf(state, market);
  const atMs = cycle.settlesAt;
  cycle.settlesAt = 0;
  settleAll(state, [...positionsIn(state, market.id)], atMs);
}

function settleAll(state: State, open: number[], atMs: number): void {
  const { users } = state;
  const { positions } = state.futures;
  let isSettled = false;
  for (const slot of byId(state, open)) {
    const userId = positions.userId(slot);
    if (userId === LIQUIDATOR || (users.flags(userId) & USER_FLAG.settleOff) !== 0) continue;
    if (settle(state, slot)) isSettled = true;
  }
  if (isSettled) emitRareEvent(state, { type: "settled", atMs });
}

/** Whether there was anything to settle. */
function settle(state: State, slot: number): boolean {
  const { ledger, events, futures } = state;
  const { positions, accounts } = futures;
  const { value, unrealized } = atMark(state, slot);
  const isIsolated = positions.isIsolated(slot);
  // A margin that is gone waits for its liquidation.
  if (unrealized === 0n || (isIsolated && marginOf(state, slot) + unrealized < 0n)) return false;
  const market = state.markets[positions.marketId(slot)] as Market;
  const id = positions.positionId(slot);
  const cell = isIsolated ? positions.marginCell(slot) : accounts.cell(positions.account(slot));
  ledger.post(events, clearingCell(state, market), -unrealized, 0n, POSTING.settle, id);
  ledger.post(events, cell, unrealized, 0n, POSTING.settle, id);
  positions.setSettleCost(slot, value);
  positions.setRealized(slot, positions.realized(slot) + unrealized);
  noteWritten(state, slot);
  const marginChange = isIsolated ? unrealized : 0n;
  emitPosition(state, slot, { ...NO_CHANGE, reason: "settle", value, pnl: unrealized, marginChange });
  return true;
}
