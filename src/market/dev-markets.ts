/**
 * The markets of the dev profile: how they are listed, and how those who move them behave. Plain data; dev-venue.ts lists
 * them, market-simulation.ts brings them to life. All names of sources are invented.
 */

export interface SimulatedMarket {
  readonly market: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly amountPrecision: number;
  readonly pricePrecision: number;
  /** Whole units, as on the wire. */
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly maxPrice: string;
  /** Where the price starts and what it is drawn back to. */
  readonly anchorPrice: string;
  /** Standard deviation of a day, hundredths of a percent. */
  readonly dailyVolatilityBp: number;
  /** Share of the shocks that all markets have in common; squares of common and own sum to 100^2. */
  readonly commonPercent: number;
  readonly ownPercent: number;
  readonly sources: readonly SimulatedSource[];
  readonly ladders: readonly LadderShape[];
  readonly takers: TakerHabits;
}

/** One exchange that the index looks at. */
export interface SimulatedSource {
  readonly exchange: string;
  readonly weight: string;
  /** It speaks this often. */
  readonly everyMs: number;
  /** Typical distance from the market's worth, hundredths of a percent. */
  readonly noiseBp: number;
  /** Chance at each time it would speak, in thousandths, that it falls silent for a while instead. */
  readonly silencePerMille: number;
}

/** The orders of one maker: the same number on each side, ever wider apart and ever larger. */
export interface LadderShape {
  readonly maker: string;
  /** Orders a side. */
  readonly rungs: number;
  /** Distance of the innermost order from the market's worth, 10^-8 of the price. */
  readonly innerOffsetE8: number;
  /** Each rung is so many percent as far away as the one before, and as large. */
  readonly offsetGrowthPercent: number;
  readonly amountGrowthPercent: number;
  /** Typical amount of the innermost order, base currency. */
  readonly innerAmount: string;
}

export interface TakerHabits {
  readonly names: readonly string[];
  /** Chance that one arrives in a quantum of the walk, in thousandths. */
  readonly arrivalPerMille: number;
  /** Smallest amount, base currency; sizes go up to 256 of it, small ones being far more frequent. */
  readonly unitAmount: string;
  /** What each would like to hold of the base currency: below it buys, above it sales become more likely. */
  readonly wantedBase: string;
}

export const MAKERS = ["maker-1", "maker-2"] as const;
export const TAKERS = ["taker-1", "taker-2"] as const;
/** What each of them starts with: so much that nobody can drain them, far below what custody of each asset may reach. */
export const HOUSE_FUNDS = { USDT: "200000000", BTC: "1000", ETH: "20000", DSC: "500000000" } as const;

/** The first speaks every second; one of them falls silent now and then, long enough to be dropped from the index. */
const SOURCES: readonly SimulatedSource[] = [
  { exchange: "northgate", weight: "0.35", everyMs: 1_000, noiseBp: 1, silencePerMille: 0 },
  { exchange: "harbour", weight: "0.3", everyMs: 2_000, noiseBp: 2, silencePerMille: 0 },
  { exchange: "meridian", weight: "0.2", everyMs: 3_000, noiseBp: 3, silencePerMille: 0 },
  { exchange: "quayside", weight: "0.15", everyMs: 5_000, noiseBp: 5, silencePerMille: 20 },
];

export const DEV_MARKETS: readonly SimulatedMarket[] = [
  {
    market: "BTCUSDT",
    baseCcy: "BTC",
    quoteCcy: "USDT",
    amountPrecision: 6,
    pricePrecision: 2,
    minAmount: "0.0001",
    maxAmount: "9000",
    maxPrice: "10000000",
    anchorPrice: "60000",
    dailyVolatilityBp: 265,
    commonPercent: 96,
    ownPercent: 28,
    sources: SOURCES,
    ladders: ladders(10_000, 17_000, "0.06"),
    takers: { names: TAKERS, arrivalPerMille: 200, unitAmount: "0.001", wantedBase: HOUSE_FUNDS.BTC },
  },
  {
    market: "ETHUSDT",
    baseCcy: "ETH",
    quoteCcy: "USDT",
    amountPrecision: 6,
    pricePrecision: 2,
    minAmount: "0.001",
    maxAmount: "90000",
    maxPrice: "1000000",
    anchorPrice: "3000",
    dailyVolatilityBp: 340,
    commonPercent: 80,
    ownPercent: 60,
    sources: SOURCES,
    ladders: ladders(14_000, 24_000, "1.2"),
    takers: { names: TAKERS, arrivalPerMille: 150, unitAmount: "0.02", wantedBase: HOUSE_FUNDS.ETH },
  },
  {
    market: "DSCUSDT",
    baseCcy: "DSC",
    quoteCcy: "USDT",
    amountPrecision: 2,
    pricePrecision: 6,
    minAmount: "10",
    maxAmount: "90000000",
    maxPrice: "1000",
    anchorPrice: "0.0765",
    dailyVolatilityBp: 450,
    commonPercent: 28,
    ownPercent: 96,
    sources: SOURCES,
    ladders: ladders(35_000, 60_000, "8000"),
    takers: { names: TAKERS, arrivalPerMille: 100, unitAmount: "500", wantedBase: HOUSE_FUNDS.DSC },
  },
];

/** Two makers with 20 orders a side each; the second stands a little wider, so that levels interleave. */
function ladders(firstOffsetE8: number, secondOffsetE8: number, innerAmount: string): readonly LadderShape[] {
  const shape = { rungs: 20, offsetGrowthPercent: 125, amountGrowthPercent: 117, innerAmount };
  return [
    { maker: MAKERS[0], innerOffsetE8: firstOffsetE8, ...shape },
    { maker: MAKERS[1], innerOffsetE8: secondOffsetE8, ...shape },
  ];
}
