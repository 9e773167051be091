import type { PlantedFault } from "../world.ts";

/**
 * Rules that keep an adversary from gaining, and a strategy that gains when one is taken out, from which play on where
 * that is rare.
 */
const STOPS: ReadonlyArray<readonly [rule: string, strategy: string, name: string, from?: number]> = [
  ["depthAtIndex", "thin_book", "depth that is not there speaks"],
  ["meansOverMinutes", "thin_book", "a minute without a sample does not count"],
  ["boundedMark", "thin_book", "the mark goes wherever premiums lead"],
  ["staleIndexWaits", "silent_index", "a deal stands in for a silent index"],
  ["guardedFund", "let_go", "the ladder and deleveraging spend the insurance fund"],
  ["deductionByIndex", "wash_deduction", "fees are deducted at the latest price of the coin"],
  ["bandsByIndex", "sweep", "prices of orders are held to the latest price"],
  ["interruptions", "sweep", "no market is interrupted"],
  ["silentBands", "silent_index", "a silent index holds no prices of orders", 880],
  ["anchoredInterruptions", "hold_auction", "an interrupted market opens wherever two accounts say"],
  ["heldTriggers", "fright", "triggers of futures by the latest price fire and trade wherever that is", 95],
  ["delistingWaits", "last_mark", "a market leaves at an old mark", 515],
  ["bankruptTakenOver", "last_mark", "the fund pays for all who are bankrupt when a suspended market leaves", 740],
  ["openingsByIndex", "last_second", "an opening auction opens wherever two accounts say"],
  ["laddersEndAtCost", "drift", "the venue keeps what it took over while the index goes on"],
  ["cappedTakenOver", "capped_leg", "a leg that cannot pay its funding stays", 650],
  ["fundingWithinBudget", "capped_leg", "the fund pays the funding of what it took over without a bound", 150],
  ["soldAtIndex", "slide", "an insolvent margin account is sold below the index", 700],
  ["timeAtRisk", "flicker", "an order that is shown for an instant counts for a minute"],
  ["rebatesOnFeesKept", "wash_for_rebate", "a rebate is a share of what providers have been given"],
  ["additionsByLoss", "squeeze_add", "additions to a narrow pool are taken as far from the index as to a wide one"],
  ["additionsByIndex", "off_index", "additions are taken wherever a pool has been moved"],
  ["ordersByResult", "line", "an order of who owes is not looked at by its result"],
  ["reversibleStays", "late_debt", "what a deposit was exchanged for leaves before it is settled"],
  ["silenceHoldsAccount", "surety", "the money of an account leaves for another market while one index is silent", 100],
  ["withdrawalsCheckedAgain", "late_debt", "a withdrawal is paid whatever its user owes by then"],
];

/** A rule that no strategy is told to find the lack of: why, and the test that does. */
export interface NotPlayed {
  readonly because: string;
  readonly test: string;
}

const BY_MODEL = "the model of margin in the world of spot finds it";

/** Rules that no strategy is told to find the lack of; a test holds both lists to all rules that there are. */
export const NOT_PLAYED: Readonly<Record<string, NotPlayed>> = {
  adjustWithinCustody: { because: "an operator's own mistake", test: "src/engine/wallet/adjust.test.ts" },
  interestFunded: { because: "an operator's command", test: "src/engine/savings/savings.test.ts" },
  creditFunded: { because: "an operator's command", test: "src/engine/credit/credit.test.ts" },
  numberedKeys: { because: "names of keys", test: "src/engine/accounts/commands.test.ts" },
  identities: { because: "signing in", test: "src/engine/identity/identity.test.ts" },
  debtBarsWithdrawal: {
    because: `${BY_MODEL}; the debt is the fund's, whatever is withdrawn`,
    test: "src/engine/margin/debt.test.ts",
  },
  fundPaysInOrder: { because: `${BY_MODEL}; logs of rules version 4 hang on it`, test: "test/golden/golden.test.ts" },
  leftDebtsPaid: { because: BY_MODEL, test: "src/engine/margin/debt.test.ts" },
  marginKeepsIndex: { because: "an operator's command, and kept seed 7373", test: "src/engine/margin/debt.test.ts" },
  sparedIsWatched: { because: BY_MODEL, test: "src/engine/margin/margin.test.ts" },
  leavesWithLast: { because: "kept seed 50073 of the world of futures", test: "src/engine/futures/delisting.test.ts" },
  authority: {
    because: "test/engine/authority.test.ts tries the orders of an operator's calls",
    test: "src/engine/operators/operators.test.ts",
  },
  cancelAfter: {
    because: "a timer is its user's own; the model of spot finds what it cancels otherwise",
    test: "src/engine/cancel-after/cancel-after.test.ts",
  },
  conditionalOrders: {
    because:
      "a command that was not there before; the model of spot finds what " +
      "it does otherwise, and a deal far from the index moves no trail",
    test: "src/engine/stops/conditional.test.ts",
  },
  icebergs: {
    because: "a command that was not there before; the strategy icebergs finds a slice that leans on a mark too early",
    test: "src/engine/trading/iceberg.test.ts",
  },
  reducingGoesOn: {
    because:
      "it lets a borrower do more, and nothing that costs others; the model " +
      "of credit in the world of spot finds what it lets through otherwise",
    test: "test/engine/borrower-reduces.test.ts",
  },
  connectionsWatched: {
    because: "a connection is its user's own; the model of spot finds what its end cancels otherwise",
    test: "src/engine/cancel-after/watch.test.ts",
  },
  familyCounts: {
    because: "pieces of a position win across a jump within the budget, and so does a whole one",
    test: "test/engine/families.test.ts",
  },
  freezeHoldsFamily: {
    because: "an operator's command: who is frozen does nothing in a play",
    test: "test/engine/families.test.ts",
  },
  interruptionsHoldOnce: {
    because: "who is held up, and for how long, is no gain of anybody within a play",
    test: "test/exploits/held-up-liquidation.test.ts",
  },
  nobodysDepositWaits: {
    because: "who pays without a memo gains nothing by it",
    test: "src/engine/payments/deposits.test.ts",
  },
  makerProtection: {
    because: "without it there are no quotes to pull; pulled_quotes finds a wall of them that leans on a mark",
    test: "src/engine/market-maker/protection.test.ts",
  },
  massQuotes: {
    because: "quotes are held to the rules of single orders, which a property compares them with",
    test: "src/engine/market-maker/mass-quote.test.ts",
  },
  liabilities: {
    because: "a count changes no balance; who is left out of it or given too little finds it by his own check",
    test: "src/engine/liabilities/liabilities.test.ts",
  },
  listedChainsChecked: { because: "an operator's command", test: "src/engine/listing/list.test.ts" },
  additionsByOneSide: {
    because: "the model of pools in the world of spot finds it",
    test: "test/engine/pools.test.ts",
  },
};

export const PLAYED_RULES: readonly string[] = STOPS.map(([rule]) => rule);

/** Guards of accounts: each is one line of the engine. */
const OF_ACCOUNTS: readonly PlantedFault[] = [
  {
    name: "more may leave a borrower than what is beyond his debt",
    part: "line",
    file: "credit/risk.ts",
    code: "const free = backing - debt;",
    instead: "const free = backing;",
  },
  {
    name: "an order loses half of a deposit that could be taken back",
    part: "late_debt",
    file: "payments/reversible.ts",
    code: "const TRADED_PERCENT = 98n;",
    instead: "const TRADED_PERCENT = 50n;",
  },
  {
    name: "a withdrawal is begun whatever its user owes by then",
    part: "late_debt",
    file: "payments/pay.ts",
    code: "const hindrance = refusePaying(state, one);",
    instead: "const hindrance = undefined as ReturnType<typeof refusePaying>;",
  },
  {
    name: "all of a fee beside a pool bears a rebate",
    part: "wash_for_rebate",
    file: "referral/trades.ts",
    code: "pool === undefined ? fee : fee - providersPart(pool, fee)",
    instead: "fee",
  },
];

/** Faults of premiums: what counts in a book, and for how much. */
const OF_PREMIUMS: readonly PlantedFault[] = [
  {
    name: "an impact price counts orders of any age",
    part: "flicker",
    file: "futures/funding/sampling.ts",
    code: "impactPrice(levelsAtRisk(state, market, side, before), quantity",
    instead: "impactPrice(levelsAtRisk(state, market, side), quantity",
  },
  {
    name: "an order that grows is as old as it was",
    part: "flicker",
    file: "trading/modify.ts",
    code: "if (moves || draft.left > orders.left(slot)) orders.setPrio(",
    instead: "if (moves) orders.setPrio(",
  },
  {
    name: "quotes that are pulled before they are filled speak for a mark",
    part: "pulled_quotes",
    file: "trading/at-risk.ts",
    code: "const atRisk = lots - (withheld.get(price) ?? 0n);",
    instead: "const atRisk = lots - (withheld.get(-price) ?? 0n);",
  },
  {
    name: "the next slice of an iceberg has rested as long as the one before",
    part: "icebergs",
    file: "trading/iceberg.ts",
    code: "if (lots === orders.iceberg(slot).shown) orders.setPrio(slot, state.nextPrio++);",
    instead: "if (lots === 0n) orders.setPrio(slot, state.nextPrio++);",
  },
  {
    name: "what rested while nobody could take it counts at once",
    part: "flicker",
    file: "futures/funding/sampling.ts",
    code: "if (minute.openedAt(state.timeMs) > sinceMs) return AT_INDEX;",
    instead: "minute.openedAt(state.timeMs);",
  },
  {
    name: "ticks at which nothing could be sampled are left out of the mean",
    part: "flicker",
    file: "futures/funding/premium-minute.ts",
    code: "BigInt(ticks)",
    instead: "BigInt(sampled)",
  },
  {
    name: "a book that has changed is read once, while its orders are young",
    part: "flicker",
    file: "futures/funding/premium-minute.ts",
    code: "return last.before >= this.changedBelow ? last.sample : undefined;",
    instead: "return last.sample;",
  },
];

/** So many plays must be enough to find that a rule is missing. */
const PLAYS = 2_000;

/** Faults of pools. */
const OF_POOLS: readonly PlantedFault[] = [
  {
    name: "a pool offers three times what it should at each price",
    part: "sandwich",
    file: "amm/curve.ts",
    code: "const lots = (price * c * wholeBase - wholeQuote) / (2n * price * c * u);",
    instead: "const lots = (3n * (price * c * wholeBase - wholeQuote)) / (2n * price * c * u);",
  },
  {
    name: "a last share earns what was earned before it came",
    part: "last_share",
    file: "amm/add.ts",
    code: "settleClaims(pool, provider);",
    instead: "provider.seen.fill(0n);",
  },
  {
    name: "all of a fee is the providers'",
    part: "last_share",
    file: "amm/fill.ts",
    code: "(fee * DIVIDEND_PERCENT) / 100n",
    instead: "fee",
  },
  {
    name: "an addition is paid for in base and half of the quote",
    part: "thin_range",
    file: "amm/add.ts",
    code: "quote: divCeil(shares * hasQuote, all),",
    instead: "quote: divCeil(shares * hasQuote, 2n * all),",
  },
  {
    name: "an addition makes a tenth more shares than it pays for",
    part: "thin_range",
    file: "amm/add.ts",
    code: "    shares,\n    base: divCeil",
    instead: "    shares: shares + shares / 10n,\n    base: divCeil",
  },
  {
    name: "an interruption lets everybody out of a pool",
    part: "just_in_time",
    file: "amm/remove.ts",
    code: 'status === "bidding" && addedAt > biddingAt ?',
    instead: 'status === "bidding" ?',
  },
  {
    name: "liquidity comes for a moment and goes",
    part: "just_in_time",
    file: "amm/remove.ts",
    code: "AUCTION_WAIT_MS : DAY_MS)",
    instead: "AUCTION_WAIT_MS : 1_000)",
  },
];

export const ADVERSARY_FAULTS: readonly PlantedFault[] = [
  ...STOPS.map(([rule, part, name, from = 1]) => ({
    name,
    part,
    from,
    seeds: PLAYS,
    file: "rules-version.ts",
    code: "return rulesVersion >= SINCE[rule];",
    instead: `return rulesVersion >= SINCE[rule] && rule !== "${rule}";`,
  })),
  ...OF_POOLS,
  ...[...OF_ACCOUNTS, ...OF_PREMIUMS].map((fault) => ({ ...fault, seeds: PLAYS })),
];
