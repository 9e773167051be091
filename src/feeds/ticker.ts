import { SecondQueue } from "./second-queue.ts";
import { SlidingExtreme } from "./sliding-extreme.ts";

/** The candle of one second. Prices in ticks, volumes in lots, value in units of the quote asset. */
export interface TradedSecond {
  readonly second: number;
  /** Close of the second with a trade before it, or the first price there ever was. */
  readonly open: bigint;
  /** Highest and lowest price, the open included. */
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
  readonly value: bigint;
  /** The part of `volume` whose taker bought. */
  readonly volumeBuy: bigint;
}

/** The figures of a market in the last 24 hours; all 0 before its first trade. Units as in TradedSecond. */
export interface TickerView {
  readonly last: bigint;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly volume: bigint;
  readonly value: bigint;
  readonly volumeBuy: bigint;
  readonly volumeSell: bigint;
}

export const TICKER_WINDOW_S = 86_400;

/** Sums grow up to here in 64 bits before they are folded into a bigint that knows no bound. */
const UNFOLDED_MAX = 1n << 63n;

/** The second that is not over yet. */
interface OpenSecond {
  second: number;
  open: bigint;
  high: bigint;
  low: bigint;
  volume: bigint;
  value: bigint;
  volumeBuy: bigint;
}

/**
 * The trailing 86,400 s of a market, exact to the second: at second S it holds the seconds from S - 86,400 on. Only
 * seconds with trades take memory, and a deal makes no garbage but the bigints it is handed.
 *
 * A second is a candle whose open is the close before it, so the open of the window is the price 24 hours ago, and the
 * high and the low include it. Source: domain 8, ticker and kline.
 */
export class Ticker {
  /** Closed seconds of the window. */
  readonly #seconds = new SecondQueue();
  readonly #highest = new SlidingExtreme("highest");
  readonly #lowest = new SlidingExtreme("lowest");
  /** Sums over the closed seconds. */
  #volume = 0n;
  #value = 0n;
  #volumeBuy = 0n;
  #current: OpenSecond | undefined;
  /** Volume, value and bought volume of the current second that are not in `#current` yet. */
  readonly #unfolded = new BigUint64Array(3);
  #last = 0n;
  /** The window as it was seen last; none when something has come or gone since. */
  #view: TickerView | undefined;

  /** Takes the seconds that history kept; the last one tells the last price even when it is out of the window. */
  load(seconds: readonly TradedSecond[]): void {
    this.#view = undefined;
    for (const second of seconds) this.#keep(second);
    this.#last = seconds.at(-1)?.close ?? this.#last;
  }

  deal(timeMs: number, price: bigint, lots: bigint, value: bigint, takerSells: boolean): void {
    this.#view = undefined;
    const second = Math.floor(timeMs / 1000);
    const current = this.#current?.second === second ? this.#current : this.#begin(second, price);
    if (price > current.high) current.high = price;
    if (price < current.low) current.low = price;
    const sums = this.#unfolded;
    if ((sums[0] as bigint) >= UNFOLDED_MAX || (sums[1] as bigint) >= UNFOLDED_MAX) this.#fold(current);
    sums[0] = BigInt.asUintN(64, (sums[0] as bigint) + lots);
    sums[1] = BigInt.asUintN(64, (sums[1] as bigint) + value);
    if (!takerSells) sums[2] = BigInt.asUintN(64, (sums[2] as bigint) + lots);
    this.#last = price;
  }

  /**
   * The window as it stands at a time, which never falls from one call to the next. While nothing is another it is the
   * same object.
   */
  view(nowMs: number): TickerView {
    const from = Math.floor(nowMs / 1000) - TICKER_WINDOW_S;
    if (this.#current !== undefined && this.#current.second < from) this.#close(this.#current);
    this.#expireBefore(from);
    this.#view ??= this.#seen();
    return this.#view;
  }

  #seen(): TickerView {
    const current = this.#current;
    if (current !== undefined) this.#fold(current);
    const first = this.#seconds.first() ?? current;
    const last = this.#last;
    const volume = this.#volume + (current?.volume ?? 0n);
    const volumeBuy = this.#volumeBuy + (current?.volumeBuy ?? 0n);
    return {
      last,
      open: first?.open ?? last,
      high: better(this.#highest.value, current?.high, (one, other) => one > other) ?? last,
      low: better(this.#lowest.value, current?.low, (one, other) => one < other) ?? last,
      volume,
      value: this.#value + (current?.value ?? 0n),
      volumeBuy,
      volumeSell: volume - volumeBuy,
    };
  }

  #begin(second: number, price: bigint): OpenSecond {
    if (this.#current !== undefined) this.#close(this.#current);
    this.#expireBefore(second - TICKER_WINDOW_S);
    const open = this.#last === 0n ? price : this.#last;
    this.#current = { second, open, high: open, low: open, volume: 0n, value: 0n, volumeBuy: 0n };
    return this.#current;
  }

  #close(current: OpenSecond): void {
    this.#view = undefined;
    this.#fold(current);
    this.#keep({ ...current, close: this.#last });
    this.#current = undefined;
  }

  #fold(current: OpenSecond): void {
    const sums = this.#unfolded;
    current.volume += sums[0] as bigint;
    current.value += sums[1] as bigint;
    current.volumeBuy += sums[2] as bigint;
    sums.fill(0n);
  }

  #keep(second: TradedSecond): void {
    this.#seconds.push(second);
    this.#highest.add(second.second, second.high);
    this.#lowest.add(second.second, second.low);
    this.#volume += second.volume;
    this.#value += second.value;
    this.#volumeBuy += second.volumeBuy;
  }

  #expireBefore(second: number): void {
    if (this.#seconds.firstSecond >= second) return;
    this.#view = undefined;
    while (this.#seconds.firstSecond < second) {
      const { volume, value, volumeBuy } = this.#seconds.first() as TradedSecond;
      this.#volume -= volume;
      this.#value -= value;
      this.#volumeBuy -= volumeBuy;
      this.#seconds.shift();
    }
    this.#highest.expireBefore(second);
    this.#lowest.expireBefore(second);
  }
}

function better(
  one: bigint | undefined,
  other: bigint | undefined,
  isBetter: (one: bigint, other: bigint) => boolean,
): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isBetter(one, other) ? one : other;
}
