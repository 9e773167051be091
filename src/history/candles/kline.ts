/** Candle lengths in seconds, by the names of the wire. Source: domain 8, kline. */
export const KLINE_PERIODS = {
  "1min": 60,
  "3min": 180,
  "5min": 300,
  "15min": 900,
  "30min": 1800,
  "1hour": 3600,
  "2hour": 7200,
  "4hour": 14400,
  "6hour": 21600,
  "12hour": 43200,
  "1day": 86400,
  "3day": 259200,
  "1week": 604800,
} as const;

export type KlinePeriod = keyof typeof KLINE_PERIODS;

/** The kinds of prices that a candle is made of; the position in the list is the number in the tables. */
export const PRICE_TYPES = ["latest_price", "index_price", "mark_price"] as const;
export type PriceType = (typeof PRICE_TYPES)[number];

/** Prices in ticks, `volume` in lots, `value` in units of the quote asset; the sums may exceed 64 bits. */
export interface Candle {
  /** Start of the candle, ms. */
  readonly createdAt: number;
  /** Close of the candle before, or the first price there ever was. */
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
  readonly value: bigint;
}

const WEEK_S = KLINE_PERIODS["1week"];
/** Weeks start on Monday 00:00 UTC; the first Monday of the epoch was 1970-01-05. All else starts at the epoch. */
const FIRST_MONDAY_S = 4 * 86400;

/** Start, in seconds, of the candle of `periodS` seconds that contains `second`. */
export function candleStart(periodS: number, second: number): number {
  const origin = periodS === WEEK_S ? FIRST_MONDAY_S : 0;
  return Math.floor((second - origin) / periodS) * periodS + origin;
}

/**
 * The candles that start from `fromS` to `toS`, both candle starts, one per period: those of `traded`, which ascend,
 * and flat ones at the last close between them. `before` is the newest candle earlier than `fromS`; candles begin with
 * the first trade there ever was.
 */
export function withoutGaps(
  traded: readonly Candle[],
  before: Candle | undefined,
  fromS: number,
  toS: number,
  periodS: number,
): Candle[] {
  const candles: Candle[] = [];
  let close = before?.close;
  let next = 0;
  for (let startS = fromS; startS <= toS; startS += periodS) {
    const candle = traded[next];
    if (candle !== undefined && candle.createdAt === startS * 1000) {
      candles.push(candle);
      close = candle.close;
      next++;
    } else if (close !== undefined) {
      candles.push(flatCandle(startS * 1000, close));
    }
  }
  return candles;
}

function flatCandle(createdAt: number, price: bigint): Candle {
  return { createdAt, open: price, high: price, low: price, close: price, volume: 0n, value: 0n };
}
