/**
 * Fee levels: named rates that the operator defines and gives to users, for whom they stand in for those of the
 * markets. Source: domain 6.3.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import { parseRateE8 } from "../money/rate.ts";
import { emitRareEvent } from "../rare-event.ts";
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import type { DeleteFeeLevel, SetFeeLevel } from "./command-schemas.ts";
import type { Users } from "./user.ts";

/** So that their list stays short enough to answer whole. */
export const FEE_LEVELS_MAX = 100;

const LEVEL = /^[A-Za-z0-9_-]{1,32}$/;

export interface FeeLevel {
  readonly level: string;
  /** Of spot markets. */
  readonly makerFeeRateE8: number;
  readonly takerFeeRateE8: number;
}

/** All levels by name. */
export const feeLevels = new Slot(() => new Map<string, FeeLevel>());

/** Defines a level, or gives it other rates: those of the future orders of all who are on it. */
export function setFeeLevel(state: State, command: SetFeeLevel): Answer {
  const { level } = command;
  const makerFeeRateE8 = parseRateE8(command.makerFeeRate);
  const takerFeeRateE8 = parseRateE8(command.takerFeeRate);
  if (!LEVEL.test(level)) {
    return refused("invalid_command", "The name of a fee level is 1 to 32 letters, digits, _ and -.");
  }
  if (makerFeeRateE8 === undefined || takerFeeRateE8 === undefined) {
    return refused("invalid_command", "Fee rates are decimals from 0 to below 1 with at most 8 decimals.");
  }
  if (!feeLevels.of(state).has(level) && feeLevels.of(state).size >= FEE_LEVELS_MAX) {
    return refused("invalid_command", `There are at most ${FEE_LEVELS_MAX} fee levels.`);
  }
  feeLevels.of(state).set(level, { level, makerFeeRateE8, takerFeeRateE8 });
  for (const userId of usersOn(state.users, level)) settleRates(state, userId);
  emitRareEvent(state, { type: "fee_level_set", level });
  return accepted({ level });
}

/** Takes a level back that nobody is on any more. */
export function deleteFeeLevel(state: State, { level }: DeleteFeeLevel): Answer {
  if (!feeLevels.of(state).has(level)) return refused("fee_level_not_found", `There is no fee level ${level}.`);
  const [first] = usersOn(state.users, level);
  if (first !== undefined) {
    return refused("invalid_command", `User ${first} is on the fee level ${level}; give its users another one first.`);
  }
  feeLevels.of(state).delete(level);
  emitRareEvent(state, { type: "fee_level_deleted", level });
  return accepted({ level });
}

/** Makes a user's row say which rates hold: its own, else those of its level, else the market's, which is -1. */
export function settleRates(state: State, userId: number): void {
  const { users } = state;
  const { level, makerFeeRateE8, takerFeeRateE8 } = users.feeTermsOf(userId);
  const rates = level === undefined ? undefined : feeLevels.of(state).get(level);
  users.setMakerFeeRateE8(userId, makerFeeRateE8 >= 0 ? makerFeeRateE8 : (rates?.makerFeeRateE8 ?? -1));
  users.setTakerFeeRateE8(userId, takerFeeRateE8 >= 0 ? takerFeeRateE8 : (rates?.takerFeeRateE8 ?? -1));
}

function* usersOn({ onFeeLevel }: Users, level: string): Generator<number> {
  for (const [userId, terms] of onFeeLevel) if (terms.level === level) yield userId;
}
