/** The pages of an account, below /my. */
export const SECTIONS: readonly string[] =
  "portfolio balances transfer statement liabilities deposit withdraw loans pools"
    .split(" ")
    .concat("sub-accounts keys security settings".split(" "));
