import { isFrozen } from "../../engine/accounts/freeze.ts";
import type { State } from "../../engine/state.ts";
import { hasSubPermission } from "../../engine/subs/sub-account.ts";
import type { KeyDirectory } from "./key-directory.ts";

/** The key directory that the engine's live state is. */
export function engineKeys(state: State): KeyDirectory {
  // Looked up at each use: a venue that goes back has others.
  return {
    find: (accessId) => state.keys.get(accessId),
    isFrozen: (userId) => isFrozen(state, userId),
    isSubAccount: (userId) => state.users.mainUserId(userId) !== 0,
    hasSubPermission: (userId, permission) => hasSubPermission(state, userId, permission),
  };
}
