/** Finds users by number, name and key. */
import { isFrozen, isTradeBarred } from "../../../engine/accounts/freeze.ts";
import type { State } from "../../../engine/state.ts";
import { type Finder, FOUND_MAX, type Found, idIn } from "../../admin/search.ts";

export const findUsers: Finder = ({ state }, text) => {
  const { users } = state;
  const byId = idIn(text);
  const ids = new Set(byId !== undefined && users.has(byId) ? [byId] : []);
  const part = text.toLowerCase();
  // Every name is looked at: a million take some tens of milliseconds, and operators are few.
  for (let id = 1; id < users.count && ids.size < FOUND_MAX; id++) {
    if ((users.names[id] as string).toLowerCase().includes(part)) ids.add(id);
  }
  return Array.from(ids, (id) => userFound(state, id));
};

export const findKeys: Finder = ({ state }, text) => {
  const key = state.keys.get(text);
  if (key === undefined) return [];
  const says = key.remark === "" ? "API key" : `API key "${key.remark}"`;
  return [{ kind: "key", id: key.accessId, says, userId: key.userId }];
};

/** `by`: what he was found by, unless it is his name or number. */
export function userFound(state: State, userId: number, by = ""): Found {
  const user = state.users.get(userId);
  const status = isFrozen(state, userId) ? ", frozen" : isTradeBarred(state, userId) ? ", barred from trading" : "";
  return {
    kind: "user",
    id: String(userId),
    says: `${user?.name ?? ""}${status}${by === "" ? "" : `, ${by}`}`,
    userId,
  };
}
