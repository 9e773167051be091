import { USER_FLAG } from "../../engine/accounts/user.ts";
import type { State } from "../../engine/state.ts";
import type { KeyDirectory } from "./key-directory.ts";

/** The key directory that the engine's live state is. */
export function engineKeys(state: State): KeyDirectory {
  const { users, keys } = state;
  return {
    find: (accessId) => keys.get(accessId),
    isFrozen: (userId) => (users.flags(userId) & USER_FLAG.frozen) !== 0,
    isSubAccount: (userId) => users.mainUserId(userId) !== 0,
    // Sub-accounts cannot be granted anything beyond spot trading yet.
    hasSubPermission: () => false,
  };
}
