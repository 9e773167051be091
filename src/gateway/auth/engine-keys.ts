import type { State } from "../../engine/state.ts";
import { hasSubPermission } from "../../engine/subs/sub-account.ts";
import type { KeyDirectory } from "./key-directory.ts";

/** The key directory that the engine's live state is. */
export function engineKeys(state: State): KeyDirectory {
  const { users, keys } = state;
  return {
    find: (accessId) => keys.get(accessId),
    isFrozen: (userId) => users.isFrozen(userId),
    isSubAccount: (userId) => users.mainUserId(userId) !== 0,
    hasSubPermission: (userId, permission) => hasSubPermission(state, userId, permission),
  };
}
