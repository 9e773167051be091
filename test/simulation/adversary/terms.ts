/** What a play is played in; every seed has its own. Shares and distances are in parts per million unless said. */
import { Random } from "../random.ts";

export const MARKETS = {
  spot: { name: "BTCUSDT", isFutures: false },
  coin: { name: "DSCUSDT", isFutures: false },
  perp: { name: "BTCUSDT", isFutures: true },
  inverse: { name: "BTCUSD", isFutures: true },
  other: { name: "ETHUSDT", isFutures: true },
  /** Listed in plays that are about its opening. */
  fresh: { name: "ETHUSDT", isFutures: false },
} as const;
export type MarketKey = keyof typeof MARKETS;
export const MARKET_KEYS = Object.keys(MARKETS) as readonly MarketKey[];

export const UNDERLYINGS = ["BTC", "ETH", "DSC"] as const;
export type Underlying = (typeof UNDERLYINGS)[number];

/** What the index of a market follows. */
export const UNDERLYING: Readonly<Record<MarketKey, Underlying>> = {
  spot: "BTC",
  coin: "DSC",
  perp: "BTC",
  inverse: "BTC",
  other: "ETH",
  fresh: "ETH",
};

export const PRICE_PRECISION: Readonly<Record<MarketKey, number>> = {
  spot: 2,
  coin: 6,
  perp: 2,
  inverse: 2,
  other: 3,
  fresh: 3,
};
export const AMOUNT_PRECISION: Readonly<Record<MarketKey, number>> = {
  spot: 6,
  coin: 2,
  perp: 4,
  inverse: 0,
  other: 3,
  fresh: 4,
};
export const SCALE = 8;

/** How the fair price moves: not at all, by steps too small to reach a bankruptcy from within, or by jumps beyond. */
export type Path = "still" | "steps" | "jumps";

export interface Terms {
  readonly seed: number;
  /** When the play begins. */
  readonly startMs: number;
  readonly lastsMs: number;
  readonly path: Path;
  /** The largest step of the path; a jump goes as far as `jump`. */
  readonly step: number;
  readonly jump: number;
  /** Which share of its steps it goes one way. */
  readonly trend: number;
  readonly feedEveryMs: number;
  /** What may go wrong, and when, from the start of the play. */
  readonly outage: { readonly fromMs: number; readonly toMs: number; readonly of: readonly Underlying[] } | undefined;
  readonly maintenance:
    | {
        readonly fromMs: number;
        readonly toMs: number;
        /** How long, on which side of it, orders that only make are taken. */
        readonly protectsMs: number;
        readonly protects: "before" | "after" | "around";
      }
    | undefined;
  /** A market that leaves, as everybody knows from the beginning. */
  readonly delisting:
    | {
        readonly market: MarketKey;
        readonly atMs: number;
        /** So long before it does nobody may trade in it any more; 0: up to the end everybody may. */
        readonly suspendedMs: number;
      }
    | undefined;
  /** Spot markets are interrupted, as in production. */
  readonly interrupts: boolean;
  readonly restartsAtMs: readonly number[];
  /** The coarser the levels, the sooner a large position meets them. */
  readonly maintenanceRate: string;
  readonly initialRate: string;
  readonly maxLeverage: number;
  readonly fund: string;
  readonly fees: boolean;
  /** Honest makers: their distance from the fair price, lots at each price, none at all. */
  readonly makers: { readonly away: number; readonly lots: number; readonly levels: number } | undefined;
  readonly holders: number;
  readonly stops: number;
}

/** A step crosses at most half of what a position keeps when it is let go. */
export function termsOf(seed: number): Terms {
  const random = new Random(seed ^ 0xadd);
  const rates = random.pick([
    ["0.005", "0.01", 100],
    ["0.005", "0.008", 125],
    ["0.01", "0.02", 50],
  ] as const);
  const least = Number(rates[0]) * 1_000_000;
  const usualMs = random.chance(5) ? 1_200_000 : random.pick([90_000, 150_000, 300_000]);
  const trouble = random.weighted({ none: 8, outage: 3, maintenance: 2 });
  const from = random.whole(5, 60) * 1_000;
  const outageMs = random.pick([20_000, 62_000, 75_000, 140_000]);
  // What happens when the sources are back belongs to the play.
  const lastsMs = trouble === "outage" ? Math.max(usualMs, from + outageMs + 60_000) : usualMs;
  // Eight-hour instants and days lie within the play as often as not.
  const edge = 1_750_032_000_000 + random.pick([0, 0, 28_800_000, 57_600_000]);
  return {
    seed,
    startMs: edge - random.pick([1_000, 20_000, 61_000, 119_000, 240_000]),
    lastsMs,
    path: random.weighted({ still: 4, steps: 5, jumps: 2 }),
    step: random.pick([200, Math.floor(least / 4), Math.floor(least / 2), Math.floor(least / 2)]),
    trend: random.pick([0, 0, 0.3, -0.3]),
    jump: random.pick([15_000, 40_000, 120_000]),
    feedEveryMs: lastsMs > 300_000 ? 30_000 : random.pick([5_000, 5_000, 15_000]),
    outage:
      trouble === "outage"
        ? {
            fromMs: from,
            toMs: from + outageMs,
            of: random.pick([UNDERLYINGS, UNDERLYINGS, ["BTC"], ["ETH"]] as const),
          }
        : undefined,
    maintenance:
      trouble === "maintenance"
        ? {
            fromMs: from,
            toMs: from + random.pick([10_000, 61_000]),
            protectsMs: random.pick([0, 15_000]),
            protects: random.pick(["before", "after", "around"] as const),
          }
        : undefined,
    delisting: random.chance(25)
      ? {
          market: random.pick(["perp", "perp", "perp", "inverse", "other", "spot", "coin"] as const),
          atMs: trouble === "none" ? random.whole(20_000, lastsMs) : from + random.pick([500, 62_500, 70_000, 80_000]),
          // Of a number of its own, so that everything else of a seed stays as it was.
          suspendedMs: new Random(seed ^ 0x5d5).pick([0, 0, 1, 5_000, 30_000]),
        }
      : undefined,
    interrupts: random.chance(80),
    restartsAtMs: random.chance(30) ? [random.whole(1, lastsMs)] : [],
    maintenanceRate: rates[0],
    initialRate: rates[1],
    maxLeverage: rates[2],
    fund: random.pick(["0", "1000", "100000", "5000000"]),
    fees: random.chance(60),
    makers: random.chance(55)
      ? {
          away: random.pick([100, 500, 2_000]),
          lots: random.pick([200, 2_000, 50_000]),
          levels: random.pick([1, 3]),
        }
      : undefined,
    holders: random.whole(0, 3),
    stops: random.whole(0, 2),
  };
}

/** Ticks of the fair price of a market at the start; a part per million of it is a whole number of ticks. */
export function startTicks(market: MarketKey): bigint {
  return { BTC: 6_000_000n, ETH: 3_000_000n, DSC: 1_000_000n }[UNDERLYING[market]];
}
