/** Events of savings; units as decimal digits. A move between accounts is `transferred`. */
declare module "../event.ts" {
  interface RareEvents {
    savings_rate_set: { readonly ccy: string; readonly dailyRate: string };
    /**
     * A midnight, for one currency: what lies there, and what is put aside for its interest; 0 where the cell cannot
     * pay all of it.
     */
    savings_interest_begun: {
      readonly dayMs: number;
      readonly ccy: string;
      readonly dailyRateE8: number;
      readonly saved: string;
      readonly putAside: string;
    };
    /** Accounts from one row to before another got their interest, or are owed it. */
    savings_interest_booked: { readonly dayMs: number; readonly fromRow: number; readonly toRow: number };
    /** Everybody has been looked at: what was paid of the currency, what goes back, and what the venue owes by now. */
    savings_interest_ended: {
      readonly dayMs: number;
      readonly ccy: string;
      readonly paid: string;
      readonly returned: string;
      readonly owed: string;
    };
  }
}

export {};
