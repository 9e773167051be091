/**
 * The pool of a market once more, in plain words: fractions are compared by products, levels are looked for one price
 * after the other.
 */
import type { Side } from "../../../../src/engine/command.ts";
import { least } from "../model/numbers.ts";
import type { ModelMarket } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";

export interface ModelProvider {
  readonly userId: number;
  shares: bigint;
  addedAt: number;
  /**
   * Base and quote of dividends, then of what was traded; what was counted per share when the shares changed last, and
   * what is due.
   */
  seen: bigint[];
  due: bigint[];
  /** What was paid on each of the last days, in quote units. */
  paid: bigint[];
}

export interface ModelPool {
  isFinite: boolean;
  low: bigint;
  high: bigint;
  start: bigint;
  digits: number;
  x: bigint;
  y: bigint;
  ox: bigint;
  oy: bigint;
  shares: bigint;
  pots: [bigint, bigint];
  /** Per share, in 2^-64: as `seen`. */
  counted: bigint[];
  providers: ModelProvider[];
  midnight: number;
}

export interface ModelLevel {
  readonly price: bigint;
  readonly lots: bigint;
}

/** A curve as the levels before have left it. */
type Curve = Pick<ModelPool, "x" | "y" | "ox" | "oy">;

/** Domain 5.2: the next price of the grid from `ticks` on, upwards or downwards. */
export function onGrid(ticks: bigint, digits: number, up: boolean): bigint {
  let at = ticks;
  let step = 1n;
  for (let length = at.toString().length; length > digits; length--) step *= 10n;
  const over = at % step;
  if (over !== 0n) at += up ? step - over : -over;
  return at;
}

/** Domain 5.3: what a curve offers at a price. */
export function lotsAt(curve: Curve, market: ModelMarket, side: Side, price: bigint): bigint {
  const { lot: u, lotTick: c } = market;
  const [X, Y] = [curve.x + curve.ox, curve.y + curve.oy];
  const away = side === "sell" ? price * c * X - Y * u : Y * u - price * c * X;
  if (away <= 0n) return 0n;
  return least(away / (2n * price * c * u), side === "sell" ? curve.x / u : curve.y / (price * c));
}

/**
 * The levels of a side from best to worst, while `reaches` them. The first one lies beyond the best order of the other
 * side.
 */
export function levelsOf(
  market: ModelMarket,
  pool: ModelPool,
  side: Side,
  reaches: (price: bigint) => boolean = () => true,
  most = Number.POSITIVE_INFINITY,
): ModelLevel[] {
  if (market.status !== "online" || pool.shares === 0n) return [];
  const up = side === "sell";
  const { lot: u, lotTick: c } = market;
  let curve: Curve = { x: pool.x, y: pool.y, ox: pool.ox, oy: pool.oy };
  const own = ((curve.y + curve.oy) * u) / (c * (curve.x + curve.ox));
  const guard = (up ? market.buys : market.sells)[0]?.price;
  let at = up ? own + 1n : least(own, market.maxPrice);
  if (guard !== undefined) at = up ? (guard + 1n > at ? guard + 1n : at) : least(guard - 1n, at);
  const levels: ModelLevel[] = [];
  for (;;) {
    if (at < 1n || at > market.maxPrice) return levels;
    at = onGrid(at, pool.digits, up);
    if (at < 1n || (up && at > market.maxPrice) || !reaches(at) || levels.length >= most) return levels;
    const lots = lotsAt(curve, market, side, at);
    if (lots > 0n) {
      levels.push({ price: at, lots });
      curve = after(curve, market, side, at, lots);
    }
    at += up ? 1n : -1n;
  }
}

export function after<Of extends Curve>(curve: Of, market: ModelMarket, side: Side, price: bigint, lots: bigint): Of {
  const sign = side === "sell" ? 1n : -1n;
  const value = price * lots * market.lotTick;
  return { ...curve, x: curve.x - sign * lots * market.lot, y: curve.y + sign * value };
}

/** Lets all shares earn. */
export function earn(pool: ModelPool, which: number, units: bigint): void {
  pool.counted[which] = (pool.counted[which] ?? 0n) + (units * 2n ** 64n) / pool.shares;
}

/** Takes down what somebody has earned. */
export function note(pool: ModelPool, provider: ModelProvider): void {
  for (const which of [0, 1, 2, 3]) {
    const more = (pool.counted[which] ?? 0n) - (provider.seen[which] ?? 0n);
    provider.due[which] = (provider.due[which] ?? 0n) + (provider.shares * more) / 2n ** 64n;
    provider.seen[which] = pool.counted[which] ?? 0n;
  }
}

/** Pays dividends; what they are worth in quote units. */
export function payOut(venue: ModelVenue, market: ModelMarket, pool: ModelPool, provider: ModelProvider): bigint {
  note(pool, provider);
  const [base, quote] = [provider.due[0] ?? 0n, provider.due[1] ?? 0n];
  provider.due[0] = 0n;
  provider.due[1] = 0n;
  pool.pots[0] -= base;
  pool.pots[1] -= quote;
  if (base > 0n) venue.balance(provider.userId, market.base.id).available += base;
  if (quote > 0n) venue.balance(provider.userId, market.quote.id).available += quote;
  return quote + worth(pool, base);
}

/** Base units in quote units at the pool's price. */
export function worth({ x, y, ox, oy }: ModelPool, base: bigint): bigint {
  return x + ox === 0n ? 0n : (base * (y + oy)) / (x + ox);
}

/** Half of a fee goes to the providers. */
export function shareFee(market: ModelMarket, assetId: number, fee: bigint): bigint {
  const { pool } = market;
  if (pool === undefined || pool.shares === 0n) return 0n;
  const half = fee / 2n;
  const which = assetId === market.base.id ? 0 : 1;
  pool.pots[which] += half;
  earn(pool, which, half);
  return half;
}
