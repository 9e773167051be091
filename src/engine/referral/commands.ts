import { USER_FLAG } from "../accounts/user.ts";
import { type Answer, accepted, refused } from "../answer.ts";
import { parseRateE8 } from "../money/rate.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { BindReferee, CreateReferCode, SetAgent } from "./command-schemas.ts";
import { DAY_MS, type ReferCode, referralOf } from "./referral-state.ts";

/**
 * All that is given back of a fee, in 10^-8: anyone who invites himself by a second account, or goes round in a circle
 * of friends, gets his own fees cheaper and never earns by trading.
 */
export const REBATE_MAX_E8 = 50_000_000;
const REMARK_CHARS_MAX = 256;
/** Steps up from an inviter that are looked at for a circle. */
const CHAIN_MAX = 1_000;

export function createReferCode(state: State, command: CreateReferCode): Answer {
  const { userId, code } = command;
  const own = referralOf(state);
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (!/^[A-Za-z0-9]{4,32}$/.test(code)) return refused("invalid_command", "A code has 4 to 32 letters and digits.");
  if (own.codes.has(code)) return refused("refer_code_taken", `The code ${code} is taken.`);
  const referrerRateE8 = parseRateE8(command.referrerRate);
  const refereeRateE8 = parseRateE8(command.refereeRate);
  if (referrerRateE8 === undefined || refereeRateE8 === undefined) {
    return refused("invalid_command", "Shares are decimals from 0 to below 1 with at most 8 decimals.");
  }
  if (referrerRateE8 + refereeRateE8 + (own.agents.get(userId)?.rateE8 ?? 0) > REBATE_MAX_E8) return TOO_HIGH;
  own.codes.set(code, { code, userId, referrerRateE8, refereeRateE8 });
  emitRareEvent(state, { type: "refer_code_created", code, userId, referrerRateE8, refereeRateE8 });
  return accepted({ code });
}

export function bindReferee(state: State, { userId, code }: BindReferee): Answer {
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (!referralOf(state).codes.has(code)) return notFound(code);
  if (referralOf(state).referees.has(userId)) {
    return refused("already_referred", "Somebody invited the user already.");
  }
  const refusal = refuseInviter(state, state.users.mainOf(userId), code);
  if (refusal !== undefined) return refusal;
  invite(state, userId, code);
  return accepted({ userId });
}

/** Why a code does not invite a user of the family of a main account; 0: a new main account. */
export function refuseInviter(state: State, mainUserId: number, code: string): Answer | undefined {
  const known = referralOf(state).codes.get(code);
  if (known === undefined) return notFound(code);
  if (!isAbove(state, mainUserId, known.userId)) return undefined;
  return refused("refers_in_a_circle", "A user is not invited by himself, his own family, or whom he invited.");
}

/** Binds a user to a code, against which nothing speaks. */
export function invite(state: State, userId: number, code: string): void {
  const own = referralOf(state);
  if (own.referees.size === 0) own.day = Math.floor(state.timeMs / DAY_MS);
  own.invite(userId, code, state.timeMs);
  state.users.setFlags(userId, state.users.flags(userId) | USER_FLAG.referred);
  emitRareEvent(state, { type: "referee_bound", userId, code, referrerId: (own.codeOf(userId) as ReferCode).userId });
}

function notFound(code: string): Answer {
  return refused("refer_code_not_found", `There is no code ${code}.`);
}

export function setAgent(state: State, { userId, ofUserId, rate, remark }: SetAgent): Answer {
  const own = referralOf(state);
  if (!state.users.has(userId) || !state.users.has(ofUserId)) {
    return refused("user_not_found", "There is no user with that id.");
  }
  const rateE8 = rate === null ? 0 : parseRateE8(rate);
  if (rateE8 === undefined || remark.length > REMARK_CHARS_MAX) {
    return refused("invalid_command", "A share is a decimal from 0 to below 1 with at most 8 decimals, or null.");
  }
  if (state.users.mainOf(userId) === state.users.mainOf(ofUserId)) {
    return refused("refers_in_a_circle", "A user is no agent of himself.");
  }
  for (const code of own.codes.values()) {
    if (code.userId === userId && code.referrerRateE8 + code.refereeRateE8 + rateE8 > REBATE_MAX_E8) return TOO_HIGH;
  }
  if (rate === null) own.agents.delete(userId);
  else own.agents.set(userId, { ofUserId, rateE8, remark });
  emitRareEvent(state, { type: "agent_set", userId, ofUserId, rateE8: rate === null ? null : rateE8, remark });
  return accepted({ userId });
}

const TOO_HIGH = refused("rebate_too_high", "All shares of a fee together are at most a half of it.");

/**
 * Whether a main account is the inviter, or invited him, directly or through others; accounts of one family count as
 * one.
 */
function isAbove(state: State, main: number, inviterId: number): boolean {
  const own = referralOf(state);
  let above: number | undefined = inviterId;
  for (let steps = 0; above !== undefined; steps++) {
    if (state.users.mainOf(above) === main || steps === CHAIN_MAX) return true;
    above = own.codeOf(above)?.userId;
  }
  return false;
}
