/**
 * The markets of a dev venue: how they are listed, which a listing says, and how those who move them behave.
 * dev-venue.ts lists them, market-simulation.ts brings them to life. All names of sources are invented.
 */
import type { ListMarket } from "../../engine/listing/command-schemas.ts";
import { type ListedFutures, type ListedMarket, type Listing, shippedListing } from "../../listing/listing.ts";
import { type CoinMarket, coinMarket, type MarketSpec, ownCharacter, trimmed } from "./more-markets.ts";

export interface SimulatedMarket extends Listed, Omit<Character, "contract"> {
  /** Its properties as a futures market; absent of a spot market. */
  readonly contract?: SimulatedContract;
}

/** How a market is listed, and where its price starts. */
export interface Listed {
  readonly market: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly amountPrecision: number;
  readonly pricePrecision: number;
  /** Whole units, as on the wire; without bounds the listing checks make some. */
  readonly minAmount: string;
  readonly maxAmount?: string;
  readonly maxPrice?: string;
  readonly fees: { readonly makerFeeRate: string; readonly takerFeeRate: string };
  /** Where the price starts and what it is drawn back to. */
  readonly anchorPrice: string;
}

/** How a market behaves. */
export interface Character {
  /** How the book of a futures market stands to its worth. */
  readonly contract?: Pick<SimulatedContract, "premiumE8" | "basisBp">;
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

/** The properties that only a futures market has, as it is listed, and the market whose worth it has. */
export interface SimulatedContract
  extends Required<Pick<ListMarket, "contractType" | "tickSize" | "leverages" | "levels">> {
  /** The spot market that it is worth as much as; while that is not listed it goes its own way. */
  readonly follows: string;
  /**
   * How far above that worth its book stands on average, 10^-8: what funding is paid for, since of 3 hundredths of a
   * percent nothing is.
   */
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
  /**
   * The holding that each taker wants, of the base currency or as a position: below it purchases become more likely,
   * above it sales.
   */
  readonly wantedAmount: string;
  /** Holding so much more or less makes one side as likely as it gets. */
  readonly swingAmount: string;
  /**
   * With opportunities they trade so much of what they would by these habits alone, percent: more where makers are
   * often too late.
   */
  readonly volumePercent?: number;
}

export const MAKERS = ["maker-1", "maker-2"] as const;
export const TAKERS = ["taker-1", "taker-2"] as const;
/** Those whose orders are the weather of the simulated market. */
export const SIMULATED_TRADERS: ReadonlySet<string> = new Set([...MAKERS, ...TAKERS]);
/**
 * The funds that each of them starts with: so much that nobody can drain them, far below what custody of each asset may
 * reach.
 */
export const HOUSE_FUNDS = { USDT: "50000000", BTC: "1000", ETH: "20000", DSC: "500000000" } as const;

/** The funds that each of them has besides, in the futures account. */
export const HOUSE_MARGIN = { USDT: "12500000", BTC: "300" } as const;

/** As many spot markets there are unless more are asked for. */
export const SPOT_MARKETS = 3;

/**
 * The first speaks every second; one of them falls silent or goes astray now and then and is dropped from the index.
 */
const SOURCES: readonly SimulatedSource[] = [
  { exchange: "northgate", weight: "0.35", everyMs: 1_000, noiseBp: 1, silencePerMille: 0, astrayPerMille: 0 },
  { exchange: "harbour", weight: "0.3", everyMs: 2_000, noiseBp: 2, silencePerMille: 0, astrayPerMille: 0 },
  { exchange: "meridian", weight: "0.2", everyMs: 3_000, noiseBp: 3, silencePerMille: 0, astrayPerMille: 0 },
  { exchange: "quayside", weight: "0.15", everyMs: 5_000, noiseBp: 5, silencePerMille: 20, astrayPerMille: 5 },
];

/** The spot markets beyond the first three that a venue of `count` spot markets has. */
export function coinMarkets(count: number): CoinMarket[] {
  const house = { makers: MAKERS, takers: TAKERS, sources: SOURCES };
  return Array.from({ length: Math.max(0, count - SPOT_MARKETS) }, (_, at) => coinMarket(SPOT_MARKETS + 1 + at, house));
}

/** All markets of a venue with this listing, or with so many spot markets and the small one. */
export function devMarkets(count: number, listing?: Listing): readonly SimulatedMarket[] {
  if (listing !== undefined) return listedMarkets(listing);
  return [...DEV_MARKETS, ...coinMarkets(count).map(({ character }) => character)];
}

/** How the markets that people know behave; all others behave as their figures suggest (more-markets.ts). */
const CHARACTERS: Readonly<Record<string, Character>> = {
  BTCUSDT: {
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
  ETHUSDT: {
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
  DSCUSDT: {
    dailyVolatilityBp: 450,
    commonPercent: 28,
    ownPercent: 96,
    sources: SOURCES,
    ladders: ladders(35_000, 60_000, "8000"),
    takers: {
      names: TAKERS,
      arrivalPerMille: 50,
      unitAmount: "10",
      wantedAmount: HOUSE_FUNDS.DSC,
      swingAmount: "100000000",
      volumePercent: 820,
    },
  },
  "BTCUSDT futures": {
    contract: { premiumE8: 55_000, basisBp: 1 },
    dailyVolatilityBp: 265,
    commonPercent: 96,
    ownPercent: 28,
    sources: SOURCES,
    ladders: ladders(8_000, 14_000, "0.09", "40"),
    takers: { names: TAKERS, arrivalPerMille: 200, unitAmount: "0.0015", wantedAmount: "0", swingAmount: "8" },
  },
  "ETHUSDT futures": {
    contract: {
      premiumE8: 60_000,
      basisBp: 1,
    },
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
  "BTCUSD futures": {
    contract: {
      premiumE8: 65_000,
      basisBp: 1,
    },
    dailyVolatilityBp: 265,
    commonPercent: 96,
    ownPercent: 28,
    sources: SOURCES,
    ladders: ladders(13_000, 22_000, "3000", "2000000"),
    takers: { names: TAKERS, arrivalPerMille: 60, unitAmount: "50", wantedAmount: "0", swingAmount: "400000" },
  },
};

/** The markets of a listing, as the simulation moves them. */
export function listedMarkets(listing: Listing): readonly SimulatedMarket[] {
  const { spot, futures } = listing;
  const prices = new Map(listing.assets.map(({ ccy, usd_price: price }) => [ccy, Number(price)]));
  const house = { makers: MAKERS, takers: TAKERS, sources: SOURCES };
  const named = (listed: ListedMarket, suffix: string, contract: SimulatedContract | undefined, at: number) => {
    const spec = specOf(listed, prices);
    const character = CHARACTERS[listed.market + suffix] ?? ownCharacter(at, spec, house, contract !== undefined);
    const { contract: manners, ...rest } = character as Character;
    return { ...spec.listed, ...rest, ...(contract === undefined ? {} : { contract: { ...contract, ...manners } }) };
  };
  const spots = spot.map((each, at) => named(each, "", undefined, at + 1));
  const follows = ({ market, base_ccy: base }: ListedFutures) =>
    [market, `${base}USDT`].find((name) => spots.some((each) => each.market === name)) ?? "";
  const contracts = futures.map((each, at) =>
    named(each, " futures", { follows: follows(each), ...MANNERS, ...termsOf(each) }, at + 1),
  );
  return [...spots, ...contracts];
}

/** The behaviour of a futures market unless its character has its own. */
const MANNERS = { premiumE8: 60_000, basisBp: 1 };

function termsOf({ contract_type: contractType, tick_size: tickSize, leverage: leverages, levels }: ListedFutures) {
  return {
    ...{ contractType, tickSize, leverages },
    levels: levels.map(({ amount, leverage, maintenance_margin_rate, min_initial_margin_rate }) => ({
      ...{ amount, leverage },
      maintenanceMarginRate: maintenance_margin_rate,
      minInitialMarginRate: min_initial_margin_rate,
    })),
  };
}

function specOf(listed: ListedMarket, prices: ReadonlyMap<string, number>): MarketSpec {
  const { base_ccy: baseCcy, quote_ccy: quoteCcy } = listed;
  const pricePrecision = listed.quote_ccy_precision;
  const isInverse = (listed as Partial<ListedFutures>).contract_type === "inverse";
  const [base, quote] = [prices.get(baseCcy) as number, prices.get(quoteCcy) as number];
  return {
    // An inverse contract is worth one of its quote currency.
    unitUsd: isInverse ? quote : base,
    listed: {
      ...{ market: listed.market, baseCcy, quoteCcy },
      ...{ amountPrecision: listed.base_ccy_precision, pricePrecision, minAmount: listed.min_amount },
      ...(listed.max_amount === undefined ? {} : { maxAmount: listed.max_amount }),
      ...(listed.max_price === undefined ? {} : { maxPrice: listed.max_price }),
      fees: { makerFeeRate: listed.maker_fee_rate, takerFeeRate: listed.taker_fee_rate },
      anchorPrice: trimmed(base / quote, pricePrecision),
    },
  };
}

/** The listing of a dev venue unless another one is named. */
export const SMALL_LISTING = shippedListing("small");

export const DEV_MARKETS: readonly SimulatedMarket[] = listedMarkets(SMALL_LISTING);

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
