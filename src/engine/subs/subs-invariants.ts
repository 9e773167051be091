import { USER_FLAG } from "../accounts/user.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { SUB_PERMISSIONS, subTerms } from "./sub-account.ts";

/**
 * Checks the invariants of sub-accounts between two commands: each has a main account, which has none itself, and no
 * other user has their marks.
 */
export function checkSubs(state: State, { expect }: Census): void {
  const { users } = state;
  let subs = 0;
  let listed = 0;
  for (let userId = 1; userId < users.count; userId++) {
    const main = users.mainUserId(userId);
    for (const sub of users.subsOf(userId)) {
      expect(users.mainUserId(sub) === userId, () => `User ${sub} is listed as a sub-account of ${userId}.`);
      listed++;
    }
    if (main !== 0) {
      subs++;
      expect(users.has(main) && users.mainUserId(main) === 0, () => `The main account of user ${userId} is none.`);
      continue;
    }
    const isFrozenByMain = (users.flags(userId) & USER_FLAG.frozenByMain) !== 0;
    expect(!isFrozenByMain, () => `User ${userId} is frozen by its main account and has none.`);
  }
  expect(subs === listed, () => `There are ${subs} sub-accounts, and ${listed} are listed.`);
  for (const [userId, { permissions }] of subTerms.of(state)) {
    const isSub = users.has(userId) && users.mainUserId(userId) !== 0;
    expect(isSub, () => `User ${userId} has the terms of a sub-account and is none.`);
    const sorted = SUB_PERMISSIONS.filter((permission) => permissions.includes(permission));
    expect(sorted.join() === permissions.join(), () => `User ${userId} has odd permissions: ${permissions.join()}.`);
  }
}
