import { USER_FLAG } from "../accounts/user.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { REBATE_MAX_E8 } from "./commands.ts";
import { referralOf } from "./referral-state.ts";

/** Checks the invariants of referral between two commands. Source: domain 6.7 and 10, number 44. */
export function checkReferral(state: State, { expect }: Census): void {
  const { codes, referees, agents, today, closing } = referralOf(state);
  for (const { code, userId, referrerRateE8, refereeRateE8 } of codes.values()) {
    const all = referrerRateE8 + refereeRateE8 + (agents.get(userId)?.rateE8 ?? 0);
    expect(all <= REBATE_MAX_E8, () => `The code ${code} gives back ${all} of a fee.`);
  }
  for (const [userId, { code, firstDepositAt, firstDepositValue, depositValue }] of referees) {
    const isMarked = (state.users.flags(userId) & USER_FLAG.referred) !== 0;
    const inviter = codes.get(code)?.userId;
    expect(isMarked && inviter !== undefined && inviter !== userId, () => `User ${userId} was invited by nobody.`);
    expect(
      firstDepositValue >= 0n && firstDepositValue <= depositValue && (firstDepositAt > 0 || depositValue === 0n),
      () => `User ${userId} brought ${depositValue} in all, and ${firstDepositValue} first.`,
    );
  }
  for (const [userId, { units }] of [...today, ...closing]) {
    expect(referees.has(userId), () => `Trades of user ${userId} are counted, whom nobody invited.`);
    for (const amount of units.values()) expect(amount > 0n, () => `Of user ${userId} ${amount} units are counted.`);
  }
}
