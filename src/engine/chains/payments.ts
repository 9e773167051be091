/**
 * Payments that are signed: the venue's memory of what it has sent, or may have sent. Nothing goes to a network that is
 * not here before, and what is here goes there again until it stands; so a payment is made once, however often the
 * process dies.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import { parseDecimal } from "../money/decimal.ts";
import { isOpen } from "../payments/withdrawal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { chainBook, findChainBook, type Payment } from "./chain-book.ts";
import { PURPOSES, type SettlePayment, type SignPayment } from "./command-schemas.ts";
import { whyNotDue, withdrawalOf } from "./withdrawal-payments.ts";

/** Ways in which one payment may have been signed: each replaces the one before it with a higher fee. */
export const SIGNED_MAX = 32;
/** Payments that are out at a time, on one chain; more wait. */
export const PAYMENTS_MAX = 10_000;

export function signPayment(state: State, command: SignPayment): Answer {
  const { chain, paymentId, purpose, fromAddress, nonce, txId, raw } = command;
  const asset = state.assetByCcy.get(command.ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${command.ccy} is not listed.`);
  const amount = parseDecimal(command.amount, asset.scale);
  if (amount === undefined || amount <= 0n) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  if (chain === "" || paymentId === "" || fromAddress === "" || txId === "" || raw === "") {
    return refused("invalid_command", "A payment has a chain, an id, a sender, a transaction and its signed form.");
  }
  if (nonce < 0) return refused("invalid_command", "nonce must be 0 or more.");
  if (!PURPOSES.includes(purpose)) return refused("invalid_command", `purpose must be one of ${PURPOSES.join(", ")}.`);
  const known = findChainBook(state, chain);
  const before = known?.payments.get(paymentId);
  if (before !== undefined) return signAgain(state, before, command);
  if (nonce < (known?.nonces.get(fromAddress) ?? 0)) {
    return refused("nonce_taken", `Another payment from ${fromAddress} was signed with nonce ${nonce}.`);
  }
  const why = purpose === "withdrawal" ? whyNotDue(state, command) : undefined;
  if (why !== undefined) return refused("payment_not_due", why);
  if ((known?.payments.size ?? 0) >= PAYMENTS_MAX) {
    return refused("payment_not_due", `${PAYMENTS_MAX} payments are out on ${chain}; the next waits for one of them.`);
  }

  // Nothing is refused below this line.
  const book = chainBook(state, chain);
  const { toAddress, memo, ccy } = command;
  const terms = { id: paymentId, purpose, fromAddress, nonce, ccy, toAddress, memo, amount: command.amount };
  const times = { createdAt: state.timeMs, signedAt: state.timeMs };
  book.nonces.set(fromAddress, nonce + 1);
  book.payments.set(paymentId, { ...terms, ...times, signed: [{ txId, raw }] });
  emitRareEvent(state, { type: "payment_signed", chain, paymentId, purpose, fromAddress, nonce, txId });
  return accepted({ txId });
}

/** The same transaction once more is no news; another one may differ in its fee alone, which the raw form holds. */
function signAgain(state: State, payment: Payment, command: SignPayment): Answer {
  const { chain, paymentId, purpose, fromAddress, nonce, txId, raw } = command;
  const differs = (["purpose", "fromAddress", "nonce", "ccy", "toAddress", "memo", "amount"] as const).find(
    (field) => payment[field] !== command[field],
  );
  if (differs !== undefined) {
    return refused("payment_differs", `${paymentId} was signed with another ${differs}; it is paid as it was signed.`);
  }
  const same = payment.signed.find((signed) => signed.txId === txId);
  if (same !== undefined) {
    if (same.raw === raw) return accepted({ txId, repeated: true });
    return refused("payment_differs", `The transaction ${txId} was signed in another form.`);
  }
  if (payment.signed.length >= SIGNED_MAX) {
    return refused("payment_not_due", `${paymentId} was signed ${SIGNED_MAX} times; a person has to look at it.`);
  }
  payment.signed.push({ txId, raw });
  payment.signedAt = state.timeMs;
  emitRareEvent(state, { type: "payment_signed", chain, paymentId, purpose, fromAddress, nonce, txId });
  return accepted({ txId });
}

export function settlePayment(state: State, { chain, paymentId, txId, failed }: SettlePayment): Answer {
  const book = findChainBook(state, chain);
  const payment = book?.payments.get(paymentId);
  if (book === undefined || payment === undefined) {
    return refused("payment_not_due", `No payment ${paymentId} is out on ${chain}.`);
  }
  if (!payment.signed.some((signed) => signed.txId === txId)) {
    return refused("payment_differs", `${paymentId} was never signed as ${txId}.`);
  }
  // As long as somebody could still pay it, what was signed for it is kept: nothing else may be signed.
  const withdrawal = withdrawalOf(state, payment);
  if (!failed && withdrawal !== undefined && isOpen(withdrawal)) {
    return refused("payment_not_due", `${paymentId} is not finished yet.`);
  }

  // Nothing is refused below this line.
  book.payments.delete(paymentId);
  emitRareEvent(state, { type: "payment_settled", chain, paymentId, txId, failed });
  return accepted({});
}
