/** The endpoints by which a caller requests, cancels and looks up withdrawals. */

import type { Command } from "../../../engine/command.ts";
import type { Engine, Outcome } from "../../../engine/engine.ts";
import { decodeEvents, type RareEvents } from "../../../engine/event.ts";
import { termsOn } from "../../../engine/payments/chain-terms.ts";
import type { Method } from "../../../engine/payments/method.ts";
import { payments } from "../../../engine/payments/payments.ts";
import { withdrawalConfirmations } from "../../../engine/payments/withdrawal.ts";
import type { State } from "../../../engine/state.ts";
import type { WithdrawalRow } from "../../../history/payments/payment-queries.ts";
import type { Backend } from "../../backend.ts";
import { isAbove } from "../../bounds.ts";
import type { Handlers } from "../../current/api.ts";
import type { Withdrawal } from "../../current/types.generated.ts";
import type { Answering } from "../../reading/answering.ts";
import { execute } from "../../reading/execute.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import { invalidParameter, Refused } from "../../refused.ts";

export function withdrawalHandlers(backend: Backend): Handlers {
  const { state, history } = backend;
  return {
    "POST /assets/withdraw": (call) => {
      const { ccy, chain = "", withdraw_method: method, amount, fee_ccy: feeCcy, memo = "", remark = "" } = call.params;
      const toAddress = targetOf(backend, call.params);
      const wish =
        toAddress instanceof Refused ? toAddress : { ccy, chain, method, toAddress, memo, amount, feeCcy, remark };
      askWithdrawal(backend, call, wish, (told) => call.answer(withdrawalOf(told)));
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
      answerPage(call, found, (rows) => rows.map((row) => withdrawalOf(withdrawalNow(state, row))));
    },

    "POST /assets/cancel-withdraw": (call) => {
      const { caller, params } = call;
      const command = { kind: "cancel_withdrawal" as const, userId: caller.userId, withdrawId: params.withdraw_id };
      execute(backend, call, command, () => call.answer());
    },
  };
}

/** A withdrawal as a user requests it, with the address as its chain spells it. */
export interface WithdrawalWish {
  readonly ccy: string;
  /** Empty between users. */
  readonly chain: string;
  readonly method: Method;
  readonly toAddress: string;
  readonly memo: string;
  /** The amount debited from the balance. It includes the fee, unless the fee is paid in another currency. */
  readonly amount: string;
  readonly feeCcy: string | undefined;
  readonly remark: string;
}

/** A withdrawal as the venue last told of it. */
export type WithdrawalTold = Omit<WithdrawalRow, "userId" | "note">;

/**
 * Asks for a withdrawal, which waits for an operator where it is above the bound for that, and goes on with it as it
 * stands then.
 */
export function askWithdrawal(
  backend: Backend,
  call: Answering & { readonly caller: { readonly userId: number } },
  wish: WithdrawalWish | Refused,
  goOn: (told: WithdrawalTold) => void,
): void {
  const command = (asked: WithdrawalWish): Command => {
    const needsReview = (backend.reviewBounds ?? []).some((bounds) => isAbove(bounds, asked.ccy, asked.amount));
    return { kind: "withdraw", userId: call.caller.userId, needsReview, ...asked };
  };
  execute(backend, call, wish instanceof Refused ? wish : command(wish), (outcome, engine) =>
    goOn(toldIn(outcome, engine)),
  );
}

interface Target {
  readonly ccy: string;
  readonly chain: string | undefined;
  readonly to_address: string;
  readonly withdraw_method: string;
}

function targetOf(backend: Backend, { ccy, chain, to_address: address, withdraw_method }: Target): string | Refused {
  if (withdraw_method !== "on_chain") return address;
  if (chain === undefined) return invalidParameter("chain is required for a withdrawal on_chain.");
  const noAddress = `to_address is no address of the chain ${chain}.`;
  return spelled(backend, ccy, chain, address) ?? new Refused("address_invalid", undefined, noAddress);
}

/**
 * The address as its chain spells it; undefined when it is none. Whether anything moves there is for the engine to say.
 */
export function spelled(
  { state, addresses }: Backend,
  ccy: string,
  chain: string,
  address: string,
): string | undefined {
  const asset = state.assetByCcy.get(ccy);
  if (addresses === undefined || asset === undefined || termsOn(asset, chain) === undefined) return address;
  return addresses.normalized(chain, address);
}

/** A withdrawal as the command that made it told of it last. */
function toldIn({ from, to }: Outcome, { events }: Engine): WithdrawalTold {
  let told: RareEvents["withdrawal_moved"] | undefined;
  for (const event of decodeEvents(events, from, to)) {
    if (event.kind === "json" && event.event.type === "withdrawal_moved") told = event.event;
  }
  return told as RareEvents["withdrawal_moved"];
}

function withdrawalOf(one: WithdrawalTold): Withdrawal {
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

/** A withdrawal out of history as it stands now. */
export function withdrawalNow(state: State, row: WithdrawalRow): WithdrawalRow {
  return { ...row, confirmations: confirmationsNow(state, row) };
}

/** Confirmations go on while the venue still looks; what is over shows how many there were. */
export function confirmationsNow(state: State, row: WithdrawalRow): number {
  const live = payments.of(state).withdrawals.get(row.withdrawId);
  return live === undefined ? row.confirmations : withdrawalConfirmations(state, live);
}
