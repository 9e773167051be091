import { SPOT_PARTS } from "../parts.ts";
import { Random } from "../random.ts";
import { least } from "./model/numbers.ts";
import { KINDS, type Kind } from "./part.ts";

/** What a simulated venue is like and what goes on in it; every seed has its own. Amounts in lots, prices in ticks. */
export interface Settings {
  readonly seed: number;
  readonly users: number;
  /** How many of the markets of markets.ts are listed. */
  readonly markets: number;
  /** Scale of every asset; decimals of amounts and of prices. */
  readonly scale: number;
  readonly amountPrecision: number;
  readonly pricePrecision: number;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly maxPrice: bigint;
  /** Where prices lie, how far from there they reach, and how far the middle wanders within a run. */
  readonly middle: number;
  readonly reach: number;
  readonly wander: number;
  readonly amounts: readonly [bigint, bigint];
  /** Units of each asset that a user begins with. */
  readonly funds: bigint;
  /**
   * Percentages: of orders that are hidden, that bear a self-trade mode, of odd numbers, of orders of the first user.
   */
  readonly hidden: number;
  readonly stp: number;
  readonly odd: number;
  readonly first: number;
  /** How many of the orders are priced on their own side of the middle, where they rest. */
  readonly apart: number;
  /** Percentage of users who begin with fees in the deduction currency, and that currency. */
  readonly deducting: number;
  readonly deductionCcy: string;
  /** ms that one step in so many waits for. */
  readonly waits: readonly number[];
  readonly waitPercent: number;
  /** About how long an auction lasts. */
  readonly auctionMs: number;
  /** How often each kind of step comes, in shares. */
  readonly mix: Readonly<Record<string, number>>;
}

/**
 * The settings of a seed: most venues are small and busy, some poor, some at the bounds of int64, some full of stop
 * orders. With `about`, the name of a part, there happens much to that part in each of them.
 */
export function settingsOf(seed: number, about?: string): Settings {
  const random = new Random(seed ^ 0x5eed);
  const drawn = random.weighted(KINDS);
  const kind = about === undefined ? drawn : isKind(about) ? about : "everyday";
  const scale = kind === "extreme" ? 0 : random.whole(4, 10);
  const amountPrecision = kind === "extreme" ? 0 : random.whole(0, Math.min(4, scale - 2));
  const pricePrecision = kind === "extreme" ? 0 : random.whole(0, Math.min(3, scale - amountPrecision));
  const middle = kind === "extreme" ? 1_000 : random.pick([20, 300, 30_000]);
  const lotTick = 10n ** BigInt(scale - amountPrecision - pricePrecision);
  const typical = BigInt(middle) * lotTick;
  const maxPrice = kind === "extreme" ? 1_023n : BigInt(middle * random.pick([2, 50]));
  // Listing check L3.
  const lotsMax = (2n ** 63n - 1n) / (maxPrice * lotTick);
  const amounts: readonly [bigint, bigint] =
    kind === "extreme" ? [2n ** 47n, 2n ** 51n] : random.pick([[1n, 60n] as const, [2n, 5_000n] as const]);
  const rich = (2n ** 63n - 1n) / 16n;
  const dear =
    amounts[1] * (typical > 10n ** BigInt(scale - amountPrecision) ? typical : 10n ** BigInt(scale - amountPrecision));
  // From users who run out of funds with the first orders to users who never do.
  const wanted = dear * BigInt(random.pick([1, 4, 30, 1_000]));
  return {
    seed,
    users: random.whole(1, 8),
    markets: random.whole(1, 4),
    scale,
    amountPrecision,
    pricePrecision,
    minAmount: random.pick([1n, 2n, amounts[0]]),
    maxAmount: kind === "extreme" ? 2n ** 53n - 1n : least(amounts[1] * random.pick([1n, 20n]), lotsMax),
    maxPrice,
    middle,
    reach: kind === "extreme" ? 8 : random.pick([2, 5, Math.max(5, middle >> 4)]),
    wander: kind === "extreme" ? 8 : random.pick([0, 0, middle >> 3, middle >> 1]),
    amounts,
    funds: kind === "extreme" ? rich : least(wanted, rich),
    hidden: random.pick([0, 10, 50]),
    stp: random.pick([0, 20, 80]),
    odd: random.pick([0, 1, 5]),
    first: random.pick([0, 0, 60]),
    apart: random.pick([0, 20, 70]),
    deducting: random.pick([0, 0, 50, 100]),
    deductionCcy: random.pick(["DSC", "DSC", "USDT", "BTC", "AAA"]),
    waits: random.pick([
      [1, 999],
      [1, 5_000, 61_000],
      [250, 1_000, 3_600_000],
      [20, 1_000, 2_592_000_000],
    ]),
    waitPercent: random.pick([1, 5, 25]),
    auctionMs: random.pick([500, 20_000]),
    mix: mixOf(random, kind, about),
    ...(kind === "crowd" ? { ...CROWD, funds: least(dear * 2_000n, rich) } : kind === "auctions" ? AUCTIONS : {}),
    ...(kind === "margin" ? { ...MARGIN, reach: Math.max(3, middle >> 3) } : {}),
    ...SPOT_PARTS.find(({ name }) => name === about)?.about,
  };
}

/** How much more often than otherwise at most what a venue is about happens. */
const MUCH = 3;

/** Orders pile up until there are too many of them. */
const CROWD: Partial<Settings> = {
  users: 3,
  markets: 1,
  first: 98,
  apart: 99,
};

/** Markets come and go, each with an auction of a few dozen bids of nearly the same price. */
const AUCTIONS: Partial<Settings> = {
  markets: 2,
  amounts: [1n, 6n],
  minAmount: 1n,
  reach: 3,
  wander: 0,
  apart: 0,
  waits: [1, 40],
  waitPercent: 20,
  auctionMs: 100,
};

/** Few people borrow in one market whose index leaps; hours and days pass. */
const MARGIN: Partial<Settings> = {
  users: 4,
  markets: 1,
  wander: 0,
  waits: [2_500, 6_000, 6_000, 6_000, 6_000, 6_000, 6_000, 20_000, 20_000, 3_600_000, 3_600_000, 86_400_000],
  waitPercent: 12,
};

function isKind(name: string): name is Kind {
  return Object.hasOwn(KINDS, name);
}

/** How often each action comes in a venue of this kind, and those of the part that it is about. */
function mixOf(random: Random, kind: Kind, about: string | undefined): Readonly<Record<string, number>> {
  const consists = kind === "auctions" || kind === "crowd";
  const shares = SPOT_PARTS.flatMap((part) =>
    Object.entries(part.actions).map((action) => [part.name, ...action] as const),
  );
  const numbers = shares.map(([part, name, { often }]) => {
    const numbers = often[kind] ?? (consists ? [0] : often.usual);
    const drawn = random.pick(numbers);
    return [name, part === about ? Math.max(...numbers) * MUCH : drawn] as const;
  });
  return Object.fromEntries(numbers);
}
