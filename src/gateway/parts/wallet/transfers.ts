/** Transfers between the accounts of a user. */

import type { TransferRow } from "../../../history/transfers/transfer-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { AccountType, Transfer } from "../../current/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { inMarketOrAll } from "../../reading/named-markets.ts";
import { invalidParameter, Refused } from "../../refused.ts";

export function transferHandlers(backend: Backend): Handlers {
  const { state, history } = backend;
  return {
    "POST /assets/transfer": (call) => {
      const { caller, params } = call;
      const { from_account_type: from, to_account_type: to, ccy, amount } = params;
      inMarketOrAll(state, "spot", call, params.market, () => {
        const transfer = { userId: caller.userId, from, to, ccy, amount };
        execute(backend, call, { kind: "transfer", ...transfer }, () => call.answer());
      });
    },

    "GET /assets/transfer-history": (call) => {
      const { caller, params } = call;
      if (!state.assetByCcy.has(params.ccy)) {
        call.refuse(invalidParameter(`the currency ${params.ccy} is not listed.`));
        return;
      }
      return inMarketOrAll(state, "spot", call, params.market, async (market) => {
        const page = await pageFromHistory((query) => history.transfers(query), {
          userId: caller.userId,
          ccy: params.ccy,
          account: params.transfer_type,
          // A transfer is finished when it is there at all, and only those of margin accounts have a market.
          isNone:
            (params.status ?? "finished") !== "finished" || (market !== undefined && params.transfer_type !== "MARGIN"),
          startTime: params.start_time,
          endTime: params.end_time,
          page: params.page,
          limit: params.limit,
        });
        if (page instanceof Refused) call.refuse(page);
        else call.answer(page.rows.map(transferOf), { hasNext: page.hasNext, total: page.total });
      });
    },
  };
}

function transferOf({ transferId, createdAt, from, to, ccy, amount }: TransferRow): Transfer {
  return {
    id: transferId,
    margin_market: "",
    created_at: createdAt,
    from_account_type: from as AccountType,
    to_account_type: to as AccountType,
    ccy,
    amount,
    status: "finished",
  };
}
