declare module "../event.ts" {
  interface RareEvents {
    /** Insurance funds may lose these shares of themselves: in a market and hour, in a currency and day. */
    fund_budget_set: { readonly hourRate: string; readonly dayRate: string };
  }
}
