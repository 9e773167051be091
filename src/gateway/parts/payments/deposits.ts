/** The history of a caller's deposits. */
import { confirmationsAt, headOf, payments } from "../../../engine/payments/payments.ts";
import type { State } from "../../../engine/state.ts";
import type { DepositRow } from "../../../history/payments/payment-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Deposit } from "../../current/types.generated.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";

export function depositHandlers({ state, history }: Backend): Handlers {
  return {
    "GET /assets/deposit-history": async (call) => {
      const { caller, params } = call;
      const { ccy, tx_id: txId, status, page, limit } = params;
      if (ccy !== undefined && !state.assetByCcy.has(ccy)) {
        call.refuse("asset_not_found");
        return;
      }
      const query = { userId: caller.userId, ccy, txId, statuses: status && [status], page, limit };
      const found = await pageFromHistory((each) => history.deposits(each), query);
      answerPage(call, found, (rows) => rows.map((row) => depositOf(state, row)));
    },
  };
}

function depositOf(state: State, row: DepositRow): Deposit {
  return {
    deposit_id: row.depositId,
    created_at: row.createdAt,
    tx_id: row.txId,
    tx_id_display: row.txId,
    ccy: row.ccy,
    chain: row.chain,
    deposit_method: row.method,
    amount: row.amount,
    actual_amount: row.status === "finished" ? row.actualAmount : "",
    to_address: row.toAddress,
    confirmations: depositConfirmations(state, row),
    status: row.status,
    tx_explorer_url: "",
    to_addr_explorer_url: "",
    remark: row.remark,
  };
}

/** Confirmations go on while the venue still looks; what is over shows how many there were. */
export function depositConfirmations(state: State, row: DepositRow): number {
  const live = payments.of(state).deposits.get(row.depositId);
  if (live === undefined || live.status === "cancelled") return row.confirmations;
  return confirmationsAt(headOf(state, live.chain), live.height);
}
