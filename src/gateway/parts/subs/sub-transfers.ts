/** Transfers between a main account and its sub-accounts, and between two of these. */
import type { State } from "../../../engine/state.ts";
import type { SubTransferRow } from "../../../history/subs/sub-transfer-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { AccountType, SubTransfer } from "../../current/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import { invalidParameter, Refused } from "../../refused.ts";
import { inSubOrAll, subNamed } from "./named-sub.ts";

export function subTransferHandlers(backend: Backend): Handlers {
  const { state, history } = backend;
  return {
    "POST /account/subs/transfer": (call) => {
      const { userId } = call.caller;
      const { from_user_name, to_user_name, from_account_type: from, to_account_type: to, ccy, amount } = call.params;
      if (from_user_name === undefined && to_user_name === undefined) {
        call.refuse(invalidParameter("one of from_user_name and to_user_name must be given."));
        return;
      }
      const fromUserId = partyNamed(state, userId, from_user_name, "from_user_name");
      if (fromUserId instanceof Refused) {
        call.refuse(fromUserId);
        return;
      }
      const toUserId = partyNamed(state, userId, to_user_name, "to_user_name");
      if (toUserId instanceof Refused) {
        call.refuse(toUserId);
        return;
      }
      const transfer = { userId, fromUserId, toUserId, from, to, ccy, amount };
      execute(backend, call, { kind: "sub_transfer", ...transfer }, () => call.answer());
    },

    "GET /account/subs/transfer-history": (call) => {
      const { caller, params } = call;
      if (params.ccy !== undefined && !state.assetByCcy.has(params.ccy)) {
        call.refuse(invalidParameter(`the currency ${params.ccy} is not listed.`));
        return;
      }
      return inSubOrAll(state, call, params.sub_user_name, async (subUserId) => {
        const page = await pageFromHistory((query) => history.subTransfers(query), {
          userId: caller.userId,
          subUserId,
          ccy: params.ccy,
          startTime: params.start_time,
          endTime: params.end_time,
          page: params.page,
          limit: params.limit,
        });
        answerPage(call, page, (rows) => rows.map((row) => transferOf(state, row)));
      });
    },
  };
}

/** The main account where no name is given. */
function partyNamed(state: State, userId: number, name: string | undefined, param: string): number | Refused {
  return name === undefined ? userId : subNamed(state, userId, name, param);
}

/** The main account stands under its own name. */
function transferOf({ users }: State, row: SubTransferRow): SubTransfer {
  return {
    id: row.transferId,
    created_at: row.createdAt,
    from_account_type: row.from as AccountType,
    to_account_type: row.to as AccountType,
    from_user_name: users.names[row.fromUserId] as string,
    to_user_name: users.names[row.toUserId] as string,
    ccy: row.ccy,
    amount: row.amount,
    // A transfer is done in one step: one that is refused leaves no record.
    status: "finished",
  };
}
