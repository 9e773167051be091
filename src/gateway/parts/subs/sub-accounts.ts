/** Sub-accounts as their main account makes, lists and freezes them. Source: domain 6.3. */
import { isFrozen } from "../../../engine/accounts/freeze.ts";
import type { State } from "../../../engine/state.ts";
import { SUB_PERMISSIONS, termsOf } from "../../../engine/subs/sub-account.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import type { SubAccount } from "../../current/types.generated.ts";
import { cutPage } from "../../reading/cut-page.ts";
import { execute } from "../../reading/execute.ts";
import { answerPage } from "../../reading/from-history.ts";
import { usdValueOf } from "../../reading/usd-value.ts";
import { inSub, inSubOrAll } from "./named-sub.ts";

export function subAccountHandlers(backend: Backend): Handlers {
  const { state } = backend;
  const freezing =
    (frozen: boolean): Handler<"POST /account/subs/frozen" | "POST /account/subs/unfrozen"> =>
    (call) => {
      const { userId } = call.caller;
      inSub(state, call, call.params.sub_user_name, (subUserId) =>
        execute(backend, call, { kind: "freeze_sub_account", userId, subUserId, frozen }, () => call.answer()),
      );
    };
  return {
    "POST /account/subs": (call) => {
      const { sub_user_name: name, permissions = SUB_PERMISSIONS, remark } = call.params;
      const { userId } = call.caller;
      execute(backend, call, { kind: "create_sub_account", userId, name, permissions, remark }, () => call.answer());
    },

    "GET /account/subs": (call) => {
      const { sub_user_name: name, is_frozen: wantsFrozen } = call.params;
      inSubOrAll(state, call, name, (wanted) => {
        const { users } = state;
        const subs = users
          .subsOf(call.caller.userId)
          .filter((id) => isFrozen(state, id) === wantsFrozen && (wanted ?? id) === id)
          .toReversed();
        answerPage(call, cutPage(subs, call.params), (rows) => rows.map((id) => subOf(state, id)));
      });
    },

    "POST /account/subs/frozen": freezing(true),
    "POST /account/subs/unfrozen": freezing(false),

    "GET /account/subs/info": (call) => {
      const user = state.users.get(call.caller.userId);
      const isSub = user?.mainUserId !== undefined;
      call.answer({ user_type: isSub ? "SUB_ACCOUNT" : "NORMAL", sub_user_name: isSub ? user.name : null });
    },
  };
}

function subOf(state: State, userId: number): SubAccount {
  return {
    sub_user_name: state.users.names[userId] as string,
    is_frozen: isFrozen(state, userId),
    // Nobody else can be given a sub-account to work with.
    is_authorized: false,
    permissions: [...termsOf(state, userId).permissions],
    balance_usd: usdValueOf(state, userId),
  };
}
