/** Ids of payments, by what they pay. */
const WITHDRAWAL = "withdrawal ";

export function withdrawalPaymentId(withdrawId: number): string {
  return `${WITHDRAWAL}${withdrawId}`;
}

/** The withdrawal that a payment of this id pays; undefined when it pays none. */
export function withdrawIdIn(paymentId: string): number | undefined {
  return paymentId.startsWith(WITHDRAWAL) ? Number(paymentId.slice(WITHDRAWAL.length)) : undefined;
}
