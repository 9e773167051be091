/** Deposits and withdrawals as the legacy generation tells of them. */
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal, parseDecimal } from "../../../engine/money/decimal.ts";
import { termsOn } from "../../../engine/payments/chain-terms.ts";
import type { DepositStatus } from "../../../engine/payments/deposit.ts";
import type { Method } from "../../../engine/payments/method.ts";
import type { WithdrawalStatus } from "../../../engine/payments/withdrawal.ts";
import type { State } from "../../../engine/state.ts";
import type { DepositRow } from "../../../history/payments/payment-queries.ts";
import { trimmed } from "../../legacy/records/spot-orders.ts";
import { seconds } from "../../legacy/records/time.ts";
import type {
  LegacyDeposit,
  LegacyDepositStatus,
  LegacyTransferMethod,
  LegacyWithdraw,
  LegacyWithdrawStatus,
} from "../../legacy/types.generated.ts";
import { NOTHING } from "../../reading/market-printer.ts";
import { depositConfirmations } from "./deposits.ts";
import type { WithdrawalTold } from "./withdrawals.ts";

/**
 * In these words a deposit stands in one of these ways; what is swept after it was credited has no word of its own
 * here.
 */
export const DEPOSIT_STATUSES = {
  processing: ["processing", "exception"],
  confirming: ["confirming"],
  cancel: ["cancelled"],
  finish: ["finished"],
  too_small: ["too_small"],
  to_hot: [],
} as const satisfies Record<LegacyDepositStatus, readonly DepositStatus[]>;

const STATUS_OF_DEPOSIT = Object.fromEntries(
  Object.entries(DEPOSIT_STATUSES).flatMap(([word, statuses]) => statuses.map((status) => [status, word])),
) as Record<DepositStatus, LegacyDepositStatus>;

const STATUS_OF_WITHDRAWAL = {
  created: "audit",
  audit_required: "audit",
  audited: "pass",
  processing: "processing",
  confirming: "confirming",
  cancellation_failed: "processing",
  finished: "finish",
  cancelled: "cancel",
  failed: "fail",
} as const satisfies Record<WithdrawalStatus, LegacyWithdrawStatus>;

const METHOD = { on_chain: "onchain", inter_user: "local" } as const satisfies Record<Method, LegacyTransferMethod>;
export const METHOD_OF = { onchain: "on_chain", local: "inter_user" } as const satisfies Record<
  LegacyTransferMethod,
  Method
>;

/** The separator between an address and its memo. */
const MEMO_MARK = ":";

/** An address with its memo, where there is one. */
export function addressText(address: string, memo: string): string {
  return memo === "" ? address : `${address}${MEMO_MARK}${memo}`;
}

/** The address and the memo of what a client sends as one. */
export function addressAndMemo(text: string): { readonly address: string; readonly memo: string } {
  const at = text.lastIndexOf(MEMO_MARK);
  return at < 0 ? { address: text, memo: "" } : { address: text.slice(0, at), memo: text.slice(at + 1) };
}

/** Longer ones are shown by their ends. */
const SHOWN_WHOLE_MAX = 16;
const END_CHARS = 6;

function shortened(address: string): string {
  if (address.length <= SHOWN_WHOLE_MAX) return address;
  return `${address.slice(0, END_CHARS)}...${address.slice(-END_CHARS)}`;
}

/** Nothing is credited before a deposit is finished. */
export function legacyDepositOf(state: State, row: DepositRow): LegacyDeposit {
  const asset = state.assetByCcy.get(row.ccy) as Asset;
  const actual = row.status === "finished" ? row.actualAmount : formatDecimal(0n, asset.scale);
  const units = (text: string) => parseDecimal(text, asset.scale) as bigint;
  const status = STATUS_OF_DEPOSIT[row.status];
  const address = addressText(row.toAddress, row.memo);
  return {
    coin_deposit_id: row.depositId,
    create_time: seconds(row.createdAt),
    amount: row.amount,
    amount_display: trimmed(row.amount),
    diff_amount: formatDecimal(units(row.amount) - units(actual), asset.scale),
    min_amount: termsOn(asset, row.chain)?.settings.minDepositAmount ?? NOTHING,
    actual_amount: actual,
    actual_amount_display: trimmed(actual),
    confirmations: depositConfirmations(state, row),
    tx_id: row.txId,
    tx_id_display: row.txId,
    coin_address: address,
    coin_address_display: shortened(address),
    add_explorer: "",
    coin_type: row.ccy,
    smart_contract_name: row.chain,
    transfer_method: METHOD[row.method],
    status,
    status_display: status,
    remark: row.remark,
    explorer: "",
  };
}

/** A withdrawal as it is answered when it is asked for. */
export function legacyWithdrawalOf(one: WithdrawalTold): LegacyWithdraw {
  return {
    coin_withdraw_id: one.withdrawId,
    create_time: seconds(one.createdAt),
    coin_type: one.ccy,
    smart_contract_name: one.chain,
    coin_address: addressText(one.toAddress, one.memo),
    transfer_method: METHOD[one.method],
    amount: one.amount,
    actual_amount: one.actualAmount,
    tx_fee: one.fee,
    fee_asset: one.feeCcy,
    tx_id: one.txId,
    confirmations: one.confirmations,
    status: statusOf(one),
    remark: one.remark,
  };
}

/** As it is shown in lists. */
export function listedWithdrawalOf(one: WithdrawalTold): LegacyWithdraw {
  const record = legacyWithdrawalOf(one);
  const shown = shortened(record.coin_address);
  return {
    ...record,
    amount_display: trimmed(one.amount),
    actual_amount_display: trimmed(one.actualAmount),
    coin_address_display: shown,
    app_coin_address_display: shown,
    add_explorer: "",
    explorer: "",
    status_display: record.status,
    fee: NOTHING,
  };
}

/**
 * One that failed before there was a transaction was turned down: by a review, or stopped before anything was signed.
 */
function statusOf({ status, txId }: WithdrawalTold): LegacyWithdrawStatus {
  return status === "failed" && txId === "" ? "not_pass" : STATUS_OF_WITHDRAWAL[status];
}
