/** Candles of one market and period: a window into the past that grows backwards, and the open one kept up by deals. */
import { get } from "../api/client.ts";
import type { Deal, Kline } from "../api/records.ts";
import type { Market } from "../market/markets.ts";
import { compare, type Decimal, greater, isZero, lesser, over, plus, times } from "../number/decimal.ts";

export interface Candle {
  /** Start, ms. */
  readonly at: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  /** In what amounts of the market are counted in. */
  readonly volume: Decimal;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Periods as the contract names them, with their words and lengths. */
export const PERIODS = [
  { period: "1min", word: "1m", ms: MINUTE_MS },
  { period: "3min", word: "3m", ms: 3 * MINUTE_MS },
  { period: "5min", word: "5m", ms: 5 * MINUTE_MS },
  { period: "15min", word: "15m", ms: 15 * MINUTE_MS },
  { period: "30min", word: "30m", ms: 30 * MINUTE_MS },
  { period: "1hour", word: "1h", ms: HOUR_MS },
  { period: "2hour", word: "2h", ms: 2 * HOUR_MS },
  { period: "4hour", word: "4h", ms: 4 * HOUR_MS },
  { period: "6hour", word: "6h", ms: 6 * HOUR_MS },
  { period: "12hour", word: "12h", ms: 12 * HOUR_MS },
  { period: "1day", word: "1D", ms: DAY_MS },
  { period: "3day", word: "3D", ms: 3 * DAY_MS },
  { period: "1week", word: "1W", ms: 7 * DAY_MS },
] as const;
export type Period = (typeof PERIODS)[number];

/** Which price the candles are of. */
export type PriceType = "latest_price" | "mark_price" | "index_price";

const PAGE = 500;

export class Candles {
  readonly market: Market;
  readonly period: Period;
  readonly priceType: PriceType;
  #candles: Candle[] = [];
  #hasOlder = true;
  #countedDeal = 0;

  constructor(market: Market, period: Period, priceType: PriceType) {
    this.market = market;
    this.period = period;
    this.priceType = priceType;
  }

  /** Oldest first. */
  get all(): readonly Candle[] {
    return this.#candles;
  }

  /** Reads the newest ones, `newestDeal` being the newest that they can have counted. */
  async readNewest(newestDeal: number, limit = PAGE): Promise<void> {
    const fresh = await this.#read({ limit });
    const from = fresh[0]?.at ?? Number.POSITIVE_INFINITY;
    this.#candles = [...this.#candles.filter(({ at }) => at < from), ...fresh];
    this.#countedDeal = Math.max(this.#countedDeal, newestDeal);
  }

  /** Reads a page before the oldest one; false when there are none. */
  async readOlder(): Promise<boolean> {
    const oldest = this.#candles[0];
    if (oldest === undefined || !this.#hasOlder) return false;
    // Once at a time: the next page begins where this one ends.
    this.#hasOlder = false;
    const older = await this.#read({ limit: PAGE, end_time: oldest.at - 1 });
    this.#hasOlder = older.length > 0;
    this.#candles = [...older.filter(({ at }) => at < oldest.at), ...this.#candles];
    return older.length > 0;
  }

  /** Takes deals in, oldest first; gives the candles that they changed. */
  take(deals: readonly Deal[]): readonly Candle[] {
    if (this.priceType !== "latest_price") return [];
    const changed = new Map<number, Candle>();
    for (const deal of deals) {
      if (deal.deal_id <= this.#countedDeal) continue;
      this.#countedDeal = deal.deal_id;
      const candle = this.#with(deal);
      if (candle !== undefined) changed.set(candle.at, candle);
    }
    return [...changed.values()];
  }

  #with({ created_at, price, amount }: Deal): Candle | undefined {
    const last = this.#candles.at(-1);
    // Weeks do not begin where 1970 did: the next candle begins whole periods behind the last one.
    const base = last?.at ?? 0;
    const at = base + Math.floor((created_at - base) / this.period.ms) * this.period.ms;
    if (last !== undefined && at < last.at) return undefined;
    if (last?.at === at) {
      const { open, high, low, volume } = last;
      const grown = {
        at,
        open,
        high: greater(high, price),
        low: lesser(low, price),
        close: price,
        volume: plus(volume, amount),
      };
      this.#candles[this.#candles.length - 1] = grown;
      return grown;
    }
    const opened = { at, open: last?.close ?? price, high: price, low: price, close: price, volume: amount };
    const candle = { ...opened, high: greater(opened.open, price), low: lesser(opened.open, price) };
    this.#candles.push(candle);
    return candle;
  }

  async #read(range: { limit: number; end_time?: number }): Promise<Candle[]> {
    const { market, period, priceType } = this;
    const query = { market: market.market, period: period.period, price_type: priceType, ...range };
    const rows = await get<Kline[]>(`/v2/${market.product}/kline`, query);
    return rows.map((row) => ({
      at: row.created_at,
      open: row.open,
      high: row.high,
      low: row.low,
      close: row.close,
      volume: volumeOf(row, market.isInverse),
    }));
  }
}

/**
 * Returns the amount that changed hands. A venue that keeps to what existing clients know has volume and value of
 * candles the other way round (docs/reference/compat.md). The prices tell which is which: `value / volume` lies between
 * low and high, of an inverse market its inverse does.
 */
function volumeOf({ volume, value, low, high }: Kline, isInverse: boolean): Decimal {
  if (isZero(volume) || isZero(value)) return volume;
  const [quote, base] = isInverse ? [volume, value] : [value, volume];
  const price = over(quote, base, 18);
  const isAsDocumented = compare(times(price, "2"), low) > 0 && compare(price, times(high, "2")) < 0;
  return isAsDocumented ? volume : value;
}
