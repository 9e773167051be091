/** Transfers between the accounts of a user. */

import type { Market } from "../../../engine/listing/market.ts";
import type { State } from "../../../engine/state.ts";
import type { MarginTransferRow } from "../../../history/margin/margin-queries.ts";
import type { TransferRow } from "../../../history/transfers/transfer-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { AccountType, Transfer } from "../../current/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import { inMarketOrAll } from "../../reading/named-markets.ts";
import { invalidParameter } from "../../refused.ts";

export function transferHandlers(backend: Backend): Handlers {
  const { state, history } = backend;
  return {
    "POST /assets/transfer": (call) => {
      const { caller, params } = call;
      const { from_account_type: from, to_account_type: to, ccy, amount } = params;
      inMarketOrAll(state, "spot", call, params.market, (market) => {
        const transfer = { userId: caller.userId, from, to, ccy, amount };
        const isMargin = (from === "MARGIN") !== (to === "MARGIN") && (from === "SPOT" || to === "SPOT");
        if (isMargin && market === undefined) {
          call.refuse(invalidParameter("market is missing: it names the margin account."));
          return;
        }
        if (isMargin && market !== undefined) {
          const moved = { userId: caller.userId, market: market.name, ccy, amount, isIn: to === "MARGIN" };
          execute(backend, call, { kind: "transfer_margin", ...moved }, () => call.answer());
          return;
        }
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
        const isMargin = params.transfer_type === "MARGIN";
        const asked = {
          userId: caller.userId,
          ccy: params.ccy,
          // A transfer is finished when it is there at all, and only those of margin accounts have a market.
          isNone: (params.status ?? "finished") !== "finished" || (market !== undefined && !isMargin),
          startTime: params.start_time,
          endTime: params.end_time,
          page: params.page,
          limit: params.limit,
        };
        if (isMargin) {
          const page = await pageFromHistory((query) => history.marginTransfers(query), {
            ...asked,
            marketId: market?.id,
          });
          answerPage(call, page, (rows) => rows.map((row) => marginTransferOf(state, row)));
          return;
        }
        const account = params.transfer_type;
        const page = await pageFromHistory((query) => history.transfers(query), { ...asked, account });
        answerPage(call, page, (rows) => rows.map(transferOf));
      });
    },
  };
}

function marginTransferOf({ markets }: State, row: MarginTransferRow): Transfer {
  return {
    id: row.transferId,
    margin_market: (markets[row.marketId] as Market).name,
    created_at: row.createdAt,
    from_account_type: row.isIn ? "SPOT" : "MARGIN",
    to_account_type: row.isIn ? "MARGIN" : "SPOT",
    ccy: row.ccy,
    amount: row.amount,
    status: "finished",
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
