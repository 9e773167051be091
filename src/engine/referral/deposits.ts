import type { Asset } from "../listing/asset.ts";
import { usdSum } from "../listing/usd-price.ts";
import type { State } from "../state.ts";
import { referralOf } from "./referral-state.ts";

/**
 * Counts what an invited user has brought, by the index of that time; what has none counts with 0. For display. Source:
 * domain 6.7.
 */
export function countDeposit(state: State, userId: number, { id }: Asset, units: bigint): void {
  const referee = referralOf(state).referees.get(userId);
  if (referee === undefined) return;
  const value = usdSum(state, [[id, units]]) ?? 0n;
  if (referee.firstDepositAt === 0) {
    referee.firstDepositAt = state.timeMs;
    referee.firstDepositValue = value;
  }
  referee.depositValue += value;
}
