/** Events of cancelling by the clock. The ends of the orders follow as of any cancel. */
declare module "../event.ts" {
  interface RareEvents {
    /** A timer has run out: the orders that its user had in its scope by then are cancelled from here on. */
    cancel_after_fired: { readonly userId: number; readonly scope: string; readonly atMs: number };
    /**
     * A connection that was watched is over: the open orders of its user in the scope and these markets (none: all) are
     * cancelled from here on.
     */
    connection_lost: {
      readonly userId: number;
      readonly scope: string;
      readonly marketIds: readonly number[];
      readonly atMs: number;
    };
  }
}

export {};
