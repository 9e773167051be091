import type { Command } from "../../../src/engine/command.ts";
import type { ListMarket } from "../../../src/engine/listing/command-schemas.ts";
import { formatDecimal } from "../../../src/engine/money/decimal.ts";
import { Random } from "../random.ts";

/**
 * What a simulated venue of spot and futures is like and what goes on in it; every seed has its own. Prices in ticks.
 */
export interface World {
  readonly seed: number;
  readonly users: number;
  /** How many of FUTURES are listed, beside one spot market. */
  readonly futures: number;
  readonly scale: number;
  readonly amountPrecision: number;
  readonly pricePrecision: number;
  readonly tickSize: number;
  readonly middle: number;
  /** Distance of orders from the index. */
  readonly reach: number;
  /** Percent by which the index leaves the middle: most of the time, and when it jumps. */
  readonly drift: number;
  readonly jump: number;
  /** Whose prices lean to one side of the index, in ticks: a premium that funding follows. */
  readonly lean: number;
  readonly lots: number;
  /** Bounds of the position levels in lots. */
  readonly bounds: readonly [number, number, number];
  readonly leverages: readonly number[];
  /**
   * How many of the user's first positions a user could pay at leverage 1, in hundredths; of the insurance fund
   * likewise.
   */
  readonly wealth: number;
  readonly fund: number;
  /** Percentages. */
  readonly hedge: number;
  readonly isolated: number;
  readonly settleOff: number;
  readonly hidden: number;
  readonly stp: number;
  readonly odd: number;
  readonly waitPercent: number;
  readonly waits: readonly number[];
  readonly mix: Readonly<Record<FuturesAction, number>>;
}

export const FUTURES_ACTIONS = [
  "order",
  "market_order",
  "close",
  "modify",
  "cancel",
  "cancel_many",
  "stop",
  "modify_stop",
  "cancel_stop",
  "conditional",
  "cancel_group",
  "protection",
  "mass_quote",
  "index",
  "stale",
  "tick",
  "exit",
  "transfer",
  "leverage",
  "margin",
  "mode",
  "fund",
  "spot_order",
  "deposit",
  "user",
  "market",
  "status",
  "maintenance",
] as const;
export type FuturesAction = (typeof FUTURES_ACTIONS)[number];

/** The spot market, and the futures markets in the order in which they are listed: markets 0 to 3 at first. */
export const SPOT = "BTCUSDT";
export const FUTURES = ["BTCUSDT", "BTCUSD", "ETHUSDT"] as const;
export const CCYS = ["BTC", "ETH", "USDT", "USD"] as const;

/** Calm venues and crashes, rich funds and empty ones, one market and three, seconds and days. */
export function worldOf(seed: number): World {
  const random = new Random(seed ^ 0xf07e5);
  // Where a unit is worth much, figures meet their bounds to the unit.
  const coarse = random.chance(35);
  const scale = coarse ? 4 : random.whole(7, 9);
  const middle = coarse ? random.pick([300, 2_000]) : random.pick([300, 2_000, 9_000]);
  const calm = random.chance(25);
  return {
    seed,
    users: random.pick([2, 3, 4, 6, 9]),
    futures: random.whole(1, 3),
    scale,
    amountPrecision: coarse ? 3 : random.whole(0, 3),
    pricePrecision: coarse ? 1 : random.whole(0, 2),
    tickSize: random.pick([1, 1, 1, 5]),
    middle,
    reach: Math.max(3, random.pick([middle >> 7, middle >> 5])),
    drift: random.pick([0, 1, 3]),
    jump: calm ? 2 : random.pick([6, 15, 40]),
    lean: random.pick([0, 0, 1, -1, middle >> 6, -(middle >> 6)]),
    lots: random.pick([10, 60, 250]),
    bounds: random.pick([
      [50, 400, 4_000],
      [200, 1_000, 3_000],
      [2_000, 3_000, 6_000],
    ] as const),
    leverages: random.pick([
      [1, 3, 10, 50],
      [5, 20, 50],
      [2, 10, 20],
    ]),
    wealth: random.pick([10, 40, 200, 2_000]),
    fund: random.pick([0, 0, 1, 20, 1_000]),
    hedge: random.pick([0, 40, 100]),
    isolated: random.pick([0, 50, 100]),
    settleOff: random.pick([0, 30]),
    hidden: random.pick([0, 10]),
    stp: random.pick([0, 20]),
    odd: random.pick([0, 1, 4]),
    waitPercent: random.pick([2, 10, 30]),
    waits: random.pick([
      [500, 2_000, 6_000],
      [2_000, 61_000, 600_000],
      [1_000, 61_000, 3_600_000, 14_400_000],
    ]),
    mix: {
      order: random.pick([30, 60]),
      market_order: random.pick([4, 12]),
      close: random.pick([3, 12]),
      modify: 8,
      cancel: random.pick([2, 10]),
      cancel_many: 2,
      stop: random.pick([1, 8]),
      modify_stop: 1,
      cancel_stop: 1,
      conditional: random.pick([0, 4, 10]),
      cancel_group: 1,
      protection: random.pick([0, 1, 2]),
      mass_quote: random.pick([0, 2, 6]),
      index: random.pick([2, 8, 20]),
      stale: random.pick([0, 1]),
      tick: 6,
      exit: random.pick([2, 10]),
      transfer: random.pick([2, 6]),
      leverage: 4,
      margin: random.pick([1, 5]),
      mode: 2,
      fund: random.pick([0, 1]),
      spot_order: random.pick([2, 12]),
      deposit: random.pick([0, 1]),
      user: 1,
      market: random.pick([0, 1]),
      status: random.pick([0, 0, 1]),
      maintenance: random.pick([0, 0, 1]),
    },
  };
}

const RATES = [
  ["0.005", "0.02"],
  ["0.02", "0.1"],
  ["0.1", "0.3"],
] as const;
const LEVEL_LEVERAGE = [50, 10, 3];

/** The listing of a futures market, as the venue begins with it. */
export function futuresListing(world: World, market: string): ListMarket {
  const isInverse = market === "BTCUSD";
  const amountPrecision = isInverse ? 0 : world.amountPrecision;
  const { pricePrecision, bounds, middle, tickSize } = world;
  const lots = (count: number) => formatDecimal(BigInt(count), amountPrecision);
  const ticks = (count: number) => formatDecimal(BigInt(count), pricePrecision);
  return {
    kind: "list_market",
    market,
    marketType: "FUTURES",
    contractType: isInverse ? "inverse" : "linear",
    baseCcy: market.slice(0, 3),
    quoteCcy: market.slice(3),
    amountPrecision,
    pricePrecision,
    minAmount: lots(isInverse ? Math.ceil((400 * middle) / 10 ** (world.scale + pricePrecision)) + 1 : 2),
    maxAmount: lots(bounds[2]),
    maxPrice: ticks(middle * 4),
    makerFeeRate: "0.0003",
    takerFeeRate: "0.0005",
    tickSize: ticks(tickSize),
    leverages: world.leverages,
    levels: RATES.map(([maintenanceMarginRate, minInitialMarginRate], at) => ({
      amount: lots(bounds[at] as number),
      leverage: LEVEL_LEVERAGE[at] as number,
      maintenanceMarginRate,
      minInitialMarginRate,
    })),
  };
}

export function spotListing({ amountPrecision, pricePrecision, middle }: World): ListMarket {
  return {
    kind: "list_market",
    market: SPOT,
    baseCcy: "BTC",
    quoteCcy: "USDT",
    amountPrecision,
    pricePrecision,
    minAmount: formatDecimal(1n, amountPrecision),
    maxPrice: formatDecimal(BigInt(middle * 4), pricePrecision),
    makerFeeRate: "0.001",
    takerFeeRate: "0.002",
  };
}

/** What a user begins with in a currency, or with `share` the insurance fund, in units. */
export function wealthOf(world: World, ccy: string, share = world.wealth): bigint {
  const { scale, amountPrecision, pricePrecision, middle, lots } = world;
  const value =
    ccy === "USDT"
      ? BigInt(middle * lots) * 10n ** BigInt(scale - amountPrecision - pricePrecision)
      : (BigInt(lots) * 10n ** BigInt(scale + pricePrecision)) / BigInt(middle);
  return (value * BigInt(share)) / 100n;
}

/** An index price so many percent off the middle, named by so many sources; a second one may lie or be silent. */
export function indexOf(world: World, market: string, percent: number, sources = 1): Command {
  const ticks = Math.max(world.tickSize, Math.round((world.middle * (100 + percent)) / 100));
  const price = formatDecimal(BigInt(ticks), world.pricePrecision);
  const liar = formatDecimal(BigInt(ticks * 2), world.pricePrecision);
  const all = [
    { exchange: "one", price },
    { exchange: "two", price },
    { exchange: "three", price: liar },
  ];
  return { kind: "set_index_prices", market, marketType: "FUTURES", sources: all.slice(0, sources) };
}
