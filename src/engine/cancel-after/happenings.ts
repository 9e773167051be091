/** What is told of cancelling by the clock; the ends of the orders follow as of any cancel. */
declare module "../event.ts" {
  interface Happenings {
    /** A timer has run out: the orders that its user had in its scope by then are cancelled from here on. */
    cancel_after_fired: { readonly userId: number; readonly scope: string; readonly atMs: number };
  }
}

export {};
