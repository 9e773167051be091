import { USER_FLAG } from "../../accounts/user.ts";
import { type Answer, accepted, refused } from "../../answer.ts";
import { ACCOUNTS } from "../../command.ts";
import { refuseAccountWrite } from "../../maintenance/maintenance.ts";
import { emitRareEvent } from "../../rare-event.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import type { ChangeFuturesSettings } from "../command-schemas.ts";

export const POSITION_MODES = ["one_way", "hedge"] as const;

/** Sets position mode and settlement switch of a user; the mode only while it holds nothing and has ordered nothing. */
export function changeFuturesSettings(state: State, command: ChangeFuturesSettings): Answer {
  const { users } = state;
  const { userId, positionMode, settleSwitch } = command;
  if (!users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (positionMode === undefined && settleSwitch === undefined) {
    return refused("invalid_command", "Name a position_mode, a settle_switch or both.");
  }
  if (positionMode !== undefined && !POSITION_MODES.some((mode) => mode === positionMode)) {
    return refused("invalid_command", `position_mode is one of ${POSITION_MODES.join(", ")}.`);
  }
  const hindrance = refuseAccountWrite(state);
  if (hindrance !== undefined) return hindrance;
  let flags = users.flags(userId);
  if (settleSwitch !== undefined) flags = settleSwitch ? flags & ~USER_FLAG.settleOff : flags | USER_FLAG.settleOff;
  if (positionMode !== undefined) flags = positionMode === "hedge" ? flags | USER_FLAG.hedge : flags & ~USER_FLAG.hedge;
  if (((flags ^ users.flags(userId)) & USER_FLAG.hedge) !== 0 && usesFutures(state, userId)) {
    return refused("futures_in_use", "The position mode can change only without futures positions and pending orders.");
  }
  if (flags !== users.flags(userId)) {
    users.setFlags(userId, flags);
    emitRareEvent(state, { type: "futures_settings_changed", userId });
  }
  return accepted({});
}

/** Whether a user has a position, an order or a stop order in any futures market. */
function usesFutures(state: State, userId: number): boolean {
  for (const seat of state.seats.ofUser(userId)) {
    const row = state.futures.seats.rowOf(seat);
    if (row !== NONE && isInUse(state, row)) return true;
  }
  return state.stops.ofUser(userId, ACCOUNTS.indexOf("futures")).length > 0;
}

/** Whether a seat has a position or a resting order. */
export function isInUse(state: State, row: number): boolean {
  return hasPosition(state, row) || state.seats.openOrders(state.futures.seats.seat(row)) > 0;
}

export function hasPosition({ futures }: State, row: number): boolean {
  return futures.seats.position(row, false) !== NONE || futures.seats.position(row, true) !== NONE;
}
