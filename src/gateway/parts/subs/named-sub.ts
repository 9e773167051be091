/** How a caller names a sub-account of its own. */

import type { State } from "../../../engine/state.ts";
import { isOwnSub } from "../../../engine/subs/sub-account.ts";
import type { Refusing } from "../../reading/answering.ts";
import { Refused } from "../../refused.ts";

/** The caller's sub-account of this name; somebody else's is as good as none. */
export function subNamed(state: State, userId: number, name: string, param = "sub_user_name"): number | Refused {
  const subUserId = state.users.byName.get(name);
  if (subUserId !== undefined && isOwnSub(state, userId, subUserId)) return subUserId;
  return new Refused("sub_account_not_found", undefined, `${param} must be the name of a sub-account of yours.`);
}

/** Goes on with the caller's sub-account of this name; refuses the call where there is none. */
export function inSub<Result>(
  state: State,
  call: Refusing & { readonly caller: { readonly userId: number } },
  name: string,
  goOn: (subUserId: number) => Result,
  param?: string,
): Result | undefined {
  const subUserId = subNamed(state, call.caller.userId, name, param);
  if (!(subUserId instanceof Refused)) return goOn(subUserId);
  call.refuse(subUserId);
  return undefined;
}

/** As `inSub`; without a name it goes on with undefined. */
export function inSubOrAll<Result>(
  state: State,
  call: Refusing & { readonly caller: { readonly userId: number } },
  name: string | undefined,
  goOn: (subUserId: number | undefined) => Result,
): Result | undefined {
  return name === undefined ? goOn(undefined) : inSub(state, call, name, goOn);
}
