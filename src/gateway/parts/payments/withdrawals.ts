/** What a caller lets go out: asked for, thought better of, looked up. */

import type { Engine, Outcome } from "../../../engine/engine.ts";
import { decodeEvents, type Happenings } from "../../../engine/event.ts";
import { termsOn } from "../../../engine/payments/chain-terms.ts";
import { payments } from "../../../engine/payments/payments.ts";
import { withdrawalConfirmations } from "../../../engine/payments/withdrawal.ts";
import type { State } from "../../../engine/state.ts";
import type { WithdrawalRow } from "../../../history/payments/payment-queries.ts";
import type { Backend } from "../../backend.ts";
import { isAbove } from "../../bounds.ts";
import type { Handlers } from "../../current/api.ts";
import type { Withdrawal } from "../../current/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import { invalidParameter, Refused } from "../../refused.ts";

export function withdrawalHandlers(backend: Backend): Handlers {
  const { state, history } = backend;
  return {
    "POST /assets/withdraw": (call) => {
      const { caller, params } = call;
      const { ccy, chain = "", withdraw_method: method, amount, fee_ccy: feeCcy } = params;
      const toAddress = spelled(backend, params);
      if (toAddress instanceof Refused) {
        call.refuse(toAddress);
        return;
      }
      const needsReview = (backend.reviewBounds ?? []).some((bounds) => isAbove(bounds, ccy, amount));
      const wish = { method, chain, toAddress, memo: params.memo ?? "", remark: params.remark ?? "", feeCcy };
      const command = { kind: "withdraw" as const, userId: caller.userId, ccy, amount, needsReview, ...wish };
      execute(backend, call, command, (outcome, engine) => call.answer(withdrawalTold(outcome, engine)));
    },

    "GET /assets/withdraw": async (call) => {
      const { caller, params } = call;
      const { ccy, withdraw_id: withdrawId, status, page, limit } = params;
      if (ccy !== undefined && !state.assetByCcy.has(ccy)) {
        call.refuse("asset_not_found");
        return;
      }
      const query = { userId: caller.userId, ccy, withdrawId, status, page, limit };
      const found = await pageFromHistory((each) => history.withdrawals(each), query);
      answerPage(call, found, (rows) =>
        rows.map((row) => withdrawalOf({ ...row, confirmations: confirmationsNow(state, row) })),
      );
    },

    "POST /assets/cancel-withdraw": (call) => {
      const { caller, params } = call;
      const command = { kind: "cancel_withdrawal" as const, userId: caller.userId, withdrawId: params.withdraw_id };
      execute(backend, call, command, () => call.answer());
    },
  };
}

interface Target {
  readonly ccy: string;
  readonly chain: string | undefined;
  readonly to_address: string;
  readonly withdraw_method: string;
}

/** The address as its chain spells it. Whether anything moves there is for the engine to say. */
function spelled({ state, addresses }: Backend, target: Target): string | Refused {
  const { ccy, chain, to_address: address, withdraw_method: method } = target;
  if (method !== "on_chain") return address;
  if (chain === undefined) return invalidParameter("chain is required for a withdrawal on_chain.");
  const asset = state.assetByCcy.get(ccy);
  if (addresses === undefined || asset === undefined || termsOn(asset, chain) === undefined) return address;
  return addresses.normalized(chain, address) ?? invalidParameter(`to_address is no address of the chain ${chain}.`);
}

/** A withdrawal as the command that made it told of it last. */
function withdrawalTold({ from, to }: Outcome, { events }: Engine): Withdrawal {
  let told: Happenings["withdrawal_moved"] | undefined;
  for (const event of decodeEvents(events, from, to)) {
    if (event.kind === "json" && event.event.type === "withdrawal_moved") told = event.event;
  }
  return withdrawalOf(told as Happenings["withdrawal_moved"]);
}

type Told = Omit<WithdrawalRow, "userId" | "note">;

function withdrawalOf(one: Told): Withdrawal {
  return {
    withdraw_id: one.withdrawId,
    created_at: one.createdAt,
    ccy: one.ccy,
    chain: one.chain,
    withdraw_method: one.method,
    memo: one.memo,
    amount: one.amount,
    fee_ccy: one.feeCcy,
    actual_amount: one.actualAmount,
    tx_fee: one.fee,
    tx_id: one.txId,
    to_address: one.toAddress,
    confirmations: one.confirmations,
    explorer_address_url: "",
    explorer_tx_url: "",
    status: one.status,
    remark: one.remark,
  };
}

/** Confirmations go on while the venue still looks; what is over shows how many there were. */
export function confirmationsNow(state: State, row: WithdrawalRow): number {
  const live = payments.of(state).withdrawals.get(row.withdrawId);
  return live === undefined ? row.confirmations : withdrawalConfirmations(state, live);
}
