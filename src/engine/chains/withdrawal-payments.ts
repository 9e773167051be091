/** Whether a payment and the withdrawal that it pays agree. */
import type { Asset } from "../listing/asset.ts";
import { formatDecimal } from "../money/decimal.ts";
import { payments } from "../payments/payments.ts";
import { isOpen, isWaiting, type Withdrawal } from "../payments/withdrawal.ts";
import type { State } from "../state.ts";
import type { Payment } from "./chain-book.ts";
import type { SignPayment } from "./command-schemas.ts";
import { withdrawIdIn } from "./payment-ids.ts";
import { haltOf } from "./withdrawal-halt.ts";

/** The withdrawal that a payment pays, as long as it is remembered. */
export function withdrawalOf(state: State, { id, purpose }: Pick<Payment, "id" | "purpose">): Withdrawal | undefined {
  const withdrawId = purpose === "withdrawal" ? withdrawIdIn(id) : undefined;
  return withdrawId === undefined ? undefined : payments.of(state).withdrawals.get(withdrawId);
}

/** Why a withdrawal is not to be paid in this way; undefined when it is. */
export function whyNotDue(state: State, command: SignPayment): string | undefined {
  const { paymentId: id, purpose, chain, ccy, toAddress, memo, amount } = command;
  if (haltOf(state) !== undefined) return "Withdrawals are halted.";
  const one = withdrawalOf(state, { id, purpose });
  if (one === undefined || !isOpen(one) || isWaiting(one)) return `${id} is not to be paid at present.`;
  const { ccy: ownCcy, scale } = state.assets[one.assetId] as Asset;
  const isSame =
    one.chain === chain &&
    ownCcy === ccy &&
    one.toAddress === toAddress &&
    one.memo === memo &&
    formatDecimal(one.actualAmount, scale) === amount;
  return isSame ? undefined : `${id} is to be paid otherwise.`;
}
