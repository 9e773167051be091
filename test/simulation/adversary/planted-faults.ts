import type { PlantedFault } from "../world.ts";

/** Rules that keep an adversary from gaining, and a strategy that gains when one is taken out, from which play on where that is rare. */
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
  {
    name: "others add to a pool wherever it has been moved",
    part: "off_index",
    file: "amm/add.ts",
    code: 'holds(state, "additionsByIndex")',
    instead: 'holds(state, "additionsByIndex") && state.timeMs < 0',
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
];
