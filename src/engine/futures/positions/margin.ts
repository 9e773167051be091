/**
 * Commands of users that change the margin of their positions: leverage, mode, and the margin of isolated ones.
 * Source: domain 4.9.
 */
import { type Answer, accepted, refused } from "../../answer.ts";
import { waitsForIndex } from "../../listing/index-freshness.ts";
import type { Market } from "../../listing/market.ts";
import { PHASE } from "../../maintenance/maintenance.ts";
import { parseSignedDecimal } from "../../money/decimal.ts";
import { emitRareEvent } from "../../rare-event.ts";
import type { Refusal } from "../../refusal.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import type { AdjustMargin, SetLeverage } from "../command-schemas.ts";
import { exposureWithFamily } from "../orders/exposure.ts";
import { refreshFreeze } from "../orders/held-order.ts";
import { accountSumsOf, atMark, isEquityUnknown, marginOf } from "./account-sums.ts";
import { moveMargin, noteWritten } from "./change-position.ts";
import { type FuturesSpec, levelAt } from "./contract.ts";
import { emitPosition, NO_CHANGE } from "./emit-position.ts";
import { isolatedMargin, shareOf } from "./figures.ts";
import { isHedge, openRow, rowOf } from "./futures-seat.ts";
import { hasPosition, isInUse } from "./settings.ts";

export const MARGIN_MODES = ["cross", "isolated"] as const;

/** Sets margin mode and leverage of a user in one market; positions that are open take the new leverage over. */
export function setLeverage(state: State, command: SetLeverage): Answer {
  const { userId, leverage, marginMode } = command;
  const market = state.markets[command.marketId];
  const refusal = refuseSettings(state, userId, market);
  if (refusal !== undefined) return refusal;
  const { futures: terms } = market as Market & { readonly futures: FuturesSpec };
  if (!MARGIN_MODES.some((mode) => mode === marginMode)) {
    return refused("invalid_command", `margin_mode is one of ${MARGIN_MODES.join(", ")}.`);
  }
  if (!terms.leverages.includes(leverage)) {
    return refused("leverage_not_offered", `leverage is one of ${terms.leverages.join(", ")}.`);
  }
  const isIsolated = marginMode === "isolated";
  const row = rowOf(state, userId, command.marketId);
  const fault = row === NONE ? undefined : settingsFault(state, market as Market, row, isIsolated, leverage);
  if (fault !== undefined) return fault;
  if (row === NONE && leverage > levelAt(terms, 0n).leverage) return aboveLevel(levelAt(terms, 0n).leverage);

  // Nothing is refused below this line.
  applySettings(state, market as Market, openRow(state, userId, market as Market), isIsolated, leverage);
  return accepted({ marginMode, leverage });
}

/** Whether maintenance, or what is asked for at all, stands in the way. */
function refuseSettings(state: State, userId: number, market: Market | undefined): Answer | undefined {
  if (market?.futures === undefined || market.delisted || !state.users.has(userId)) {
    return refused("market_not_found", "There is no such futures market, or no such user.");
  }
  if (state.cancelOnly) return refused("venue_cancel_only", "The venue takes cancels only at present.");
  if (state.futuresPhase === PHASE.maintenance) return refused("maintenance", "Futures are under maintenance.");
  return undefined;
}

function settingsFault(
  state: State,
  market: Market,
  row: number,
  isIsolated: boolean,
  leverage: number,
): Answer | undefined {
  const { seats } = state.futures;
  const changesMode = seats.isIsolated(row) !== isIsolated;
  const changesLeverage = seats.leverage(row) !== leverage;
  if (changesMode && isInUse(state, row)) {
    return refused(
      "futures_in_use",
      "The margin mode can change only without a position and without orders in the market.",
    );
  }
  if (changesLeverage && state.seats.openOrders(seats.seat(row)) > 0) {
    return refused("futures_in_use", "The leverage can change only without orders in the market.");
  }
  const highest = levelAt(market.futures as FuturesSpec, exposureWithFamily(state, row)).leverage;
  if (changesLeverage && leverage > highest) return aboveLevel(highest);
  if (!changesLeverage || !hasPosition(state, row)) return undefined;
  if (waitsForIndex(state, market)) return indexStale();
  const sums = accountSumsOf(state, seats.account(row));
  if (isIsolated) {
    const wanted = marginsAt(state, row, leverage).reduce((sum, { change }) => sum + change, 0n);
    if (wanted <= 0n) return undefined;
    if (isEquityUnknown(state, seats.account(row))) return equityUnknown();
    return wanted > isolatedMargin(sums) ? tooLittle() : undefined;
  }
  const { cash, unrealized, initial, frozen } = sums;
  return cash + unrealized - (initial + initialChange(state, row, leverage)) - frozen < 0n ? tooLittle() : undefined;
}

function aboveLevel(highest: number): Answer {
  return refused("leverage_above_level", `A position of this size has a leverage of at most ${highest}.`);
}

/** Refuses, because the margin that a position must keep is not known while the index is stale. */
function indexStale(): Answer {
  return refused(
    "index_stale",
    "While the index of the market is stale, no margin is taken out and no leverage changes.",
  );
}

function equityUnknown(): Answer {
  return refused(
    "index_stale",
    "While the index under a cross position of the account is stale, nothing of it becomes the margin of an " +
      "isolated one.",
  );
}

function tooLittle(): Answer {
  return refused("insufficient_balance", "The account cannot cover the margin.");
}

/** Returns the change that a leverage makes to the margin of each isolated position of a seat. */
function marginsAt(state: State, row: number, leverage: number): { slot: number; change: bigint }[] {
  const { seats, positions } = state.futures;
  return openSlots(state, row).map((slot) => {
    const settled = positions.settleCost(slot);
    const margin = marginOf(state, slot);
    const moved = margin + shareOf(settled, leverage) - shareOf(settled, seats.leverage(row));
    const least = leastMargin(state, slot, leverage);
    return { slot, change: (moved > least ? moved : least) - margin };
  });
}

/** Returns the margin that an isolated position must keep: its initial margin, and its loss so far. */
function leastMargin(state: State, slot: number, leverage: number): bigint {
  const { unrealized } = atMark(state, slot);
  return shareOf(state.futures.positions.settleCost(slot), leverage) + (unrealized < 0n ? -unrealized : 0n);
}

/** How much more initial margin the cross positions of a seat take up at a leverage. */
function initialChange(state: State, row: number, leverage: number): bigint {
  return openSlots(state, row).reduce((sum, slot) => {
    const { value, initial } = atMark(state, slot);
    return sum + shareOf(value, leverage) - initial;
  }, 0n);
}

function openSlots({ futures }: State, row: number): number[] {
  return [futures.seats.position(row, false), futures.seats.position(row, true)].filter((slot) => slot !== NONE);
}

function applySettings(state: State, market: Market, row: number, isIsolated: boolean, leverage: number): void {
  const { seats } = state.futures;
  const changesLeverage = seats.leverage(row) !== leverage;
  if (!changesLeverage && seats.isIsolated(row) === isIsolated) return;
  const changes = isIsolated && changesLeverage ? marginsAt(state, row, leverage) : [];
  seats.setIsolated(row, isIsolated);
  seats.setLeverage(row, leverage);
  for (const { slot, change } of changes) moveNoted(state, slot, change, "leverage");
  if (!isIsolated && changesLeverage) for (const slot of openSlots(state, row)) moveNoted(state, slot, 0n, "leverage");
  refreshFreeze(state, row);
  emitRareEvent(state, {
    type: "leverage_changed",
    userId: state.seats.userId(seats.seat(row)),
    marketId: market.id,
    marginMode: isIsolated ? "isolated" : "cross",
    leverage,
  });
}

/** Moves margin of an open position and tells of it. */
function moveNoted(state: State, slot: number, change: bigint, reason: "margin" | "leverage"): void {
  moveMargin(state, slot, change, state.futures.positions.positionId(slot));
  noteWritten(state, slot);
  emitPosition(state, slot, { ...NO_CHANGE, reason, marginChange: change });
}

/** Adds cash to the margin of an isolated position, or takes of it what it need not keep. */
export function adjustMargin(state: State, command: AdjustMargin): Answer {
  const { userId, positionSide } = command;
  const market = state.markets[command.marketId];
  const refusal = refuseSettings(state, userId, market);
  if (refusal !== undefined) return refusal;
  if ((positionSide !== undefined) !== isHedge(state, userId)) {
    return refused("position_side_mismatch", "position_side is given in hedge mode, and there only.");
  }
  if (positionSide !== undefined && positionSide !== "long" && positionSide !== "short") {
    return refused("invalid_command", "position_side is long or short.");
  }
  const { futures: terms } = market as Market & { readonly futures: FuturesSpec };
  const { scale } = state.assets[terms.settleAssetId] as { scale: number };
  const signed = parseSignedDecimal(command.amount, scale);
  const takes = signed !== undefined && signed < 0n;
  const amount = takes ? -signed : signed;
  if (amount === undefined || amount === 0n) {
    return refused("invalid_command", `amount is a decimal other than 0 with at most ${scale} decimals.`);
  }
  const row = rowOf(state, userId, command.marketId);
  const open = row === NONE ? [] : openSlots(state, row);
  const { positions } = state.futures;
  const slot = open.find((at) => positionSide === undefined || positions.isShort(at) === (positionSide === "short"));
  if (slot === undefined) return refused("no_position", "There is no such position.");
  if (!positions.isIsolated(slot)) return refused("not_isolated", "Only an isolated position has a margin of its own.");
  if (takes && waitsForIndex(state, market as Market)) return indexStale();
  if (!takes && isEquityUnknown(state, positions.account(slot))) return equityUnknown();
  const fault = takes ? takingFault(state, row, slot, amount) : addingFault(state, slot, amount);
  if (fault !== undefined) return refused(fault, "The margin cannot be changed by so much.");

  // Nothing is refused below this line.
  moveNoted(state, slot, takes ? -amount : amount, "margin");
  return accepted({ positionId: positions.positionId(slot) });
}

function addingFault(state: State, slot: number, amount: bigint): Refusal | undefined {
  const free = isolatedMargin(accountSumsOf(state, state.futures.positions.account(slot)));
  return amount > free ? "insufficient_balance" : undefined;
}

function takingFault(state: State, row: number, slot: number, amount: bigint): Refusal | undefined {
  const left = marginOf(state, slot) - amount;
  return left < leastMargin(state, slot, state.futures.seats.leverage(row)) ? "insufficient_balance" : undefined;
}
