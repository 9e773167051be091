/** So many recipients are told apart in a day; whatever more there are wait for a second person. */
const RECIPIENTS_MAX = 100_000;

/**
 * Amounts moved in a day (UTC) without the consent of a second person, by currency and by currency and recipient, in
 * units of the asset.
 */
export class MovedToday {
  /** Counted from 1970. */
  day = 0;
  readonly byCcy = new Map<string, bigint>();
  readonly byRecipient = new Map<string, bigint>();

  of(ccy: string, day: number): bigint {
    return day === this.day ? (this.byCcy.get(ccy) ?? 0n) : 0n;
  }

  /** undefined: nobody more can be told apart today. */
  to(recipient: string, ccy: string, day: number): bigint | undefined {
    if (day !== this.day) return 0n;
    return this.byRecipient.get(`${ccy} ${recipient}`) ?? (this.byRecipient.size < RECIPIENTS_MAX ? 0n : undefined);
  }

  count(recipient: string, ccy: string, day: number, units: bigint): void {
    if (day !== this.day) {
      this.day = day;
      this.byCcy.clear();
      this.byRecipient.clear();
    }
    const key = `${ccy} ${recipient}`;
    this.byCcy.set(ccy, (this.byCcy.get(ccy) ?? 0n) + units);
    this.byRecipient.set(key, (this.byRecipient.get(key) ?? 0n) + units);
  }
}
