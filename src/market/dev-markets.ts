import type { LevelSettings, ListMarket } from "../engine/listing/forms.ts";
import { type CoinMarket, coinMarket } from "./more-markets.ts";

/**
 * The markets of the dev profile: how they are listed, and how those who move them behave. Plain data; dev-venue.ts lists
 * them, market-simulation.ts brings them to life. All names of sources are invented.
 */

export interface SimulatedMarket {
  readonly market: string;
  /** What it is as a futures market; absent of a spot market. */
  readonly contract?: SimulatedContract;
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
  /** Venue time between two looks of makers and sources; a second unless given. */
  readonly refreshMs?: number;
}

/** What a futures market has besides, as it is listed, and whose worth it has. */
export interface SimulatedContract
  extends Required<Pick<ListMarket, "contractType" | "tickSize" | "leverages" | "levels">> {
  /** The spot market that it is worth as much as; while that is not listed it goes its own way. */
  readonly follows: string;
  /** How far above that worth its book stands on average, 10^-8: what funding is paid for, since of 3 hundredths of a percent nothing is. */
  readonly premiumE8: number;
  /** How far it typically strays from there, hundredths of a percent. */
  readonly basisBp: number;
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
  /** Likewise, that for a while it says prices so far off that the index drops it. */
  readonly astrayPerMille: number;
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
  /** Typical amount of the innermost order, in what the market counts amounts in. */
  readonly innerAmount: string;
  /** In a futures market: a position this large is not let grow by further orders. */
  readonly positionMax?: string;
}

export interface TakerHabits {
  readonly names: readonly string[];
  /** Chance that one arrives in a quantum of the walk, in thousandths. */
  readonly arrivalPerMille: number;
  /** Smallest amount; sizes go up to 256 of it, small ones being far more frequent. */
  readonly unitAmount: string;
  /** What each would like to hold, of the base currency or as a position: below it buys, above it sales become more likely. */
  readonly wantedAmount: string;
  /** Holding so much more or less makes one side as likely as it gets. */
  readonly swingAmount: string;
  /** With opportunities they trade so much of what they would by these habits alone, percent: more where makers are often too late. */
  readonly volumePercent?: number;
}

export const MAKERS = ["maker-1", "maker-2"] as const;
export const TAKERS = ["taker-1", "taker-2"] as const;
/** Those whose orders are the weather of the simulated market. */
export const SIMULATED_TRADERS: ReadonlySet<string> = new Set([...MAKERS, ...TAKERS]);
/** What each of them starts with: so much that nobody can drain them, far below what custody of each asset may reach. */
export const HOUSE_FUNDS = { USDT: "200000000", BTC: "1000", ETH: "20000", DSC: "500000000" } as const;

/** What each of them has of it in the futures account. */
export const HOUSE_MARGIN = { USDT: "50000000", BTC: "300" } as const;

/** As many spot markets there are unless more are asked for. */
export const SPOT_MARKETS = 3;

/** The first speaks every second; one of them falls silent or goes astray now and then and is dropped from the index. */
const SOURCES: readonly SimulatedSource[] = [
  { exchange: "northgate", weight: "0.35", everyMs: 1_000, noiseBp: 1, silencePerMille: 0, astrayPerMille: 0 },
  { exchange: "harbour", weight: "0.3", everyMs: 2_000, noiseBp: 2, silencePerMille: 0, astrayPerMille: 0 },
  { exchange: "meridian", weight: "0.2", everyMs: 3_000, noiseBp: 3, silencePerMille: 0, astrayPerMille: 0 },
  { exchange: "quayside", weight: "0.15", everyMs: 5_000, noiseBp: 5, silencePerMille: 20, astrayPerMille: 5 },
];

const LEVERAGES = [1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100];

/** Position levels that end at these amounts: the larger the position, the less leverage and the more margin. */
function levels(amounts: readonly [string, string, string, string, string]): readonly LevelSettings[] {
  return [
    level(amounts[0], 100, "0.005", "0.01"),
    level(amounts[1], 50, "0.01", "0.02"),
    level(amounts[2], 20, "0.025", "0.05"),
    level(amounts[3], 10, "0.05", "0.1"),
    level(amounts[4], 5, "0.1", "0.2"),
  ];
}

function level(
  amount: string,
  leverage: number,
  maintenanceMarginRate: string,
  minInitialMarginRate: string,
): LevelSettings {
  return { amount, leverage, maintenanceMarginRate, minInitialMarginRate };
}

/** The spot markets beyond the first three that a venue of `count` spot markets has. */
export function coinMarkets(count: number): CoinMarket[] {
  const house = { makers: MAKERS, takers: TAKERS, sources: SOURCES };
  return Array.from({ length: Math.max(0, count - SPOT_MARKETS) }, (_, at) => coinMarket(SPOT_MARKETS + 1 + at, house));
}

/** All markets of a venue with so many spot markets. */
export function devMarkets(count: number): readonly SimulatedMarket[] {
  return [...DEV_MARKETS, ...coinMarkets(count).map(({ character }) => character)];
}

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
    takers: {
      names: TAKERS,
      arrivalPerMille: 200,
      unitAmount: "0.001",
      wantedAmount: HOUSE_FUNDS.BTC,
      swingAmount: "200",
    },
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
    takers: {
      names: TAKERS,
      arrivalPerMille: 150,
      unitAmount: "0.02",
      wantedAmount: HOUSE_FUNDS.ETH,
      swingAmount: "4000",
      volumePercent: 270,
    },
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
    ladders: ladders(35_000, 60_000, "400"),
    takers: {
      names: TAKERS,
      arrivalPerMille: 50,
      unitAmount: "10",
      wantedAmount: HOUSE_FUNDS.DSC,
      swingAmount: "100000000",
      volumePercent: 820,
    },
  },
  {
    market: "BTCUSDT",
    contract: {
      follows: "BTCUSDT",
      premiumE8: 55_000,
      basisBp: 1,
      contractType: "linear",
      tickSize: "0.01",
      leverages: LEVERAGES,
      levels: levels(["20", "50", "100", "250", "500"]),
    },
    baseCcy: "BTC",
    quoteCcy: "USDT",
    amountPrecision: 4,
    pricePrecision: 2,
    minAmount: "0.0001",
    maxAmount: "500",
    maxPrice: "1000000",
    anchorPrice: "60000",
    dailyVolatilityBp: 265,
    commonPercent: 96,
    ownPercent: 28,
    sources: SOURCES,
    ladders: ladders(8_000, 14_000, "0.09", "40"),
    takers: { names: TAKERS, arrivalPerMille: 200, unitAmount: "0.0015", wantedAmount: "0", swingAmount: "8" },
  },
  {
    market: "ETHUSDT",
    contract: {
      follows: "ETHUSDT",
      premiumE8: 60_000,
      basisBp: 1,
      contractType: "linear",
      tickSize: "0.01",
      leverages: LEVERAGES,
      levels: levels(["400", "1000", "2000", "5000", "10000"]),
    },
    baseCcy: "ETH",
    quoteCcy: "USDT",
    amountPrecision: 3,
    pricePrecision: 2,
    minAmount: "0.001",
    maxAmount: "10000",
    maxPrice: "100000",
    anchorPrice: "3000",
    dailyVolatilityBp: 340,
    commonPercent: 80,
    ownPercent: 60,
    sources: SOURCES,
    ladders: ladders(11_000, 19_000, "1.8", "800"),
    takers: {
      names: TAKERS,
      arrivalPerMille: 150,
      unitAmount: "0.03",
      wantedAmount: "0",
      swingAmount: "160",
      volumePercent: 320,
    },
  },
  {
    market: "BTCUSD",
    contract: {
      follows: "BTCUSDT",
      premiumE8: 65_000,
      basisBp: 1,
      contractType: "inverse",
      tickSize: "0.1",
      leverages: LEVERAGES,
      levels: levels(["1000000", "3000000", "6000000", "15000000", "30000000"]),
    },
    baseCcy: "BTC",
    quoteCcy: "USD",
    amountPrecision: 0,
    pricePrecision: 1,
    minAmount: "10",
    maxAmount: "30000000",
    maxPrice: "1000000",
    anchorPrice: "60000",
    dailyVolatilityBp: 265,
    commonPercent: 96,
    ownPercent: 28,
    sources: SOURCES,
    ladders: ladders(13_000, 22_000, "3000", "2000000"),
    takers: { names: TAKERS, arrivalPerMille: 60, unitAmount: "50", wantedAmount: "0", swingAmount: "400000" },
  },
];

/** Two makers with 20 orders a side each; the second stands a little wider, so that levels interleave. */
function ladders(
  firstOffsetE8: number,
  secondOffsetE8: number,
  innerAmount: string,
  positionMax?: string,
): readonly LadderShape[] {
  const bound = positionMax === undefined ? {} : { positionMax };
  const shape = { rungs: 20, offsetGrowthPercent: 125, amountGrowthPercent: 117, innerAmount, ...bound };
  return [
    { maker: MAKERS[0], innerOffsetE8: firstOffsetE8, ...shape },
    { maker: MAKERS[1], innerOffsetE8: secondOffsetE8, ...shape },
  ];
}
