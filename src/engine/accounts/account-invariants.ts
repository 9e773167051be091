/** Checks the invariants of users and their fee levels between two commands. */
import { isRate } from "../money/rate.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { feeLevels } from "./fee-level.ts";

/** Says what does not hold. Reads only. */
export function checkAccounts(state: State, census: Census): void {
  checkFeeLevels(state, census);
  const { users } = state;
  let deducting = 0;
  for (let userId = 1; userId < users.count; userId++) if (users.get(userId)?.feeDeduction === true) deducting++;
  census.expect(
    users.deducting === deducting,
    () => `${users.deducting} users are counted as paying fees by deduction and ${deducting} do.`,
  );
}

/** The rates of who is on a level are its own ones or the level's, and the level is there. */
function checkFeeLevels(state: State, census: Census): void {
  const { users } = state;
  for (const [userId, terms] of users.onFeeLevel) {
    const report = (what: string) => () => `User ${userId} ${what}.`;
    const level = feeLevels.of(state).get(terms.level ?? "");
    census.expect(users.has(userId) && level !== undefined, report("is on a fee level that there is not"));
    if (level === undefined) continue;
    const maker = terms.makerFeeRateE8 === -1 ? level.makerFeeRateE8 : terms.makerFeeRateE8;
    const taker = terms.takerFeeRateE8 === -1 ? level.takerFeeRateE8 : terms.takerFeeRateE8;
    const isSettled = users.makerFeeRateE8(userId) === maker && users.takerFeeRateE8(userId) === taker;
    census.expect(isSettled && isRate(maker) && isRate(taker), report("pays other rates than its level and its own"));
  }
}
