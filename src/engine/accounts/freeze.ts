/**
 * Whether an account is frozen or barred from trading, by a word about itself or about its main account. Source: domain
 * 6.3.
 */
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { ANY_FREEZE, USER_FLAG } from "./user.ts";

/**
 * Flags by which an operator stops a main account together with its sub-accounts. Otherwise its owner would go on
 * trading there, and lose to a friend what he may not withdraw.
 */
const OF_FAMILY = USER_FLAG.frozen | USER_FLAG.tradeBarred;

/** The flags of a user, with those that come from its main account. */
export function flagsWithMain(state: State, userId: number): number {
  const { users } = state;
  const flags = users.flags(userId);
  const main = users.mainUserId(userId);
  if (!main || !holds(state, "freezeHoldsFamily")) return flags;
  return flags | (users.flags(main) & OF_FAMILY);
}

/** Whether no signed call of the user is served. */
export function isFrozen(state: State, userId: number): boolean {
  return (flagsWithMain(state, userId) & ANY_FREEZE) !== 0;
}

/** Whether an operator keeps the user from trading. */
export function isTradeBarred(state: State, userId: number): boolean {
  return (flagsWithMain(state, userId) & USER_FLAG.tradeBarred) !== 0;
}
