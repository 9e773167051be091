/**
 * Indicators: lines that are worked out from candles. Each gives a value per candle, undefined where too few candles
 * stand before it. They are only drawn and read, never sent, so binary numbers serve.
 */

export interface Bar {
  /** Start, ms. */
  readonly at: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export type Values = readonly (number | undefined)[];

/** The mean of the last `length` values. */
export function simpleAverage(values: readonly number[], length: number): Values {
  let sum = 0;
  return values.map((value, at) => {
    sum += value - (at >= length ? (values[at - length] as number) : 0);
    return at < length - 1 ? undefined : sum / length;
  });
}

/**
 * Begins with the mean of the first `length` values; each later one moves it by 2 / (length + 1) of the way. Leading
 * gaps are skipped.
 */
export function exponentialAverage(values: Values, length: number): Values {
  return smoothed(values, length, 2 / (length + 1));
}

/** The mean, and `width` standard deviations (of the whole, not of a sample) above and below it. */
export function bollinger(values: readonly number[], length: number, width: number): readonly [Values, Values, Values] {
  const middle = simpleAverage(values, length);
  const spread = middle.map((mean, at) => {
    if (mean === undefined) return undefined;
    const squares = values.slice(at - length + 1, at + 1).reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return width * Math.sqrt(squares / length);
  });
  const off = (sign: number) =>
    middle.map((mean, at) => (mean === undefined ? undefined : mean + sign * (spread[at] as number)));
  return [off(1), middle, off(-1)];
}

const DAY_MS = 86_400_000;

/** The average price since the day began (UTC), each candle's mean of high, low and close weighed by its volume. */
export function volumeWeightedPrice(bars: readonly Bar[]): Values {
  let [day, value, volume] = [Number.NaN, 0, 0];
  return bars.map((bar) => {
    const now = Math.floor(bar.at / DAY_MS);
    if (now !== day) [day, value, volume] = [now, 0, 0];
    value += ((bar.high + bar.low + bar.close) / 3) * bar.volume;
    volume += bar.volume;
    return volume === 0 ? undefined : value / volume;
  });
}

/** 0 to 100: the share of rises in all moves, smoothed as Wilder does. */
export function relativeStrength(values: readonly number[], length: number): Values {
  const moves = values.map((value, at) => (at === 0 ? undefined : value - (values[at - 1] as number)));
  const side = (sign: number) =>
    wilder(
      moves.map((move) => (move === undefined ? undefined : Math.max(0, sign * move))),
      length,
    );
  const [rises, falls] = [side(1), side(-1)];
  return rises.map((rise, at) => {
    const fall = falls[at];
    if (rise === undefined || fall === undefined) return undefined;
    return rise + fall === 0 ? 50 : (100 * rise) / (rise + fall);
  });
}

/** The difference of two exponential averages, its own average, and what lies between them. */
export function convergence(
  values: readonly number[],
  fast: number,
  slow: number,
  signal: number,
): readonly [line: Values, signal: Values, histogram: Values] {
  const [quick, steady] = [exponentialAverage(values, fast), exponentialAverage(values, slow)];
  const difference = (one: Values, other: Values) =>
    one.map((value, at) => {
      const from = other[at];
      return value === undefined || from === undefined ? undefined : value - from;
    });
  const line = difference(quick, steady);
  const average = exponentialAverage(line, signal);
  return [line, average, difference(line, average)];
}

/** The average true range: high to low, or from the close before where that is further, smoothed as Wilder does. */
export function averageTrueRange(bars: readonly Bar[], length: number): Values {
  const ranges = bars.map(({ high, low }, at) => {
    const before = bars[at - 1]?.close;
    if (before === undefined) return high - low;
    return Math.max(high, before) - Math.min(low, before);
  });
  return wilder(ranges, length);
}

function wilder(values: Values, length: number): Values {
  return smoothed(values, length, 1 / length);
}

function smoothed(values: Values, length: number, share: number): Values {
  let [count, sum] = [0, 0];
  let average: number | undefined;
  return values.map((value) => {
    if (value === undefined) return undefined;
    if (average !== undefined) {
      average += share * (value - average);
      return average;
    }
    count++;
    sum += value;
    if (count === length) average = sum / length;
    return average;
  });
}

/** One line of an indicator. */
export interface Line {
  /** The text before its value in the legend. */
  readonly name: string;
  readonly colour: string;
  readonly isHistogram?: boolean;
}

export interface Indicator {
  readonly id: string;
  readonly word: string;
  readonly title: string;
  /** Whether it has a strip of its own below the candles. */
  readonly isApart: boolean;
  readonly lines: readonly Line[];
  readonly of: (bars: readonly Bar[]) => readonly Values[];
}

const AVERAGES = [7, 25, 99];
const COLOURS = ["--average-1", "--average-2", "--average-3"];
const closes = (bars: readonly Bar[]) => bars.map(({ close }) => close);
const averageLines = (word: string) =>
  AVERAGES.map((length, at) => ({ name: `${word} ${length}`, colour: COLOURS[at] as string }));

export const INDICATORS: readonly Indicator[] = [
  {
    id: "ma",
    word: "MA",
    title: `Moving averages of ${AVERAGES.join(", ")} candles`,
    isApart: false,
    lines: averageLines("MA"),
    of: (bars) => AVERAGES.map((length) => simpleAverage(closes(bars), length)),
  },
  {
    id: "ema",
    word: "EMA",
    title: `Exponential moving averages of ${AVERAGES.join(", ")} candles`,
    isApart: false,
    lines: averageLines("EMA"),
    of: (bars) => AVERAGES.map((length) => exponentialAverage(closes(bars), length)),
  },
  {
    id: "bollinger",
    word: "Bollinger",
    title: "Bollinger bands: the mean of 20 candles, and two standard deviations off it",
    isApart: false,
    lines: [
      { name: "Upper", colour: "--average-3" },
      { name: "Middle", colour: "--average-1" },
      { name: "Lower", colour: "--average-3" },
    ],
    of: (bars) => bollinger(closes(bars), 20, 2),
  },
  {
    id: "vwap",
    word: "VWAP",
    title: "Volume-weighted average price since the day began, UTC",
    isApart: false,
    lines: [{ name: "VWAP", colour: "--average-2" }],
    of: (bars) => [volumeWeightedPrice(bars)],
  },
  {
    id: "rsi",
    word: "RSI",
    title: "Relative strength index of 14 candles",
    isApart: true,
    lines: [{ name: "RSI 14", colour: "--average-2" }],
    of: (bars) => [relativeStrength(closes(bars), 14)],
  },
  {
    id: "macd",
    word: "MACD",
    title: "Convergence of the averages of 12 and 26 candles, with its average of 9",
    isApart: true,
    lines: [
      { name: "MACD", colour: "--average-3" },
      { name: "Signal", colour: "--average-1" },
      { name: "Histogram", colour: "--quiet", isHistogram: true },
    ],
    of: (bars) => convergence(closes(bars), 12, 26, 9),
  },
  {
    id: "atr",
    word: "ATR",
    title: "Average true range of 14 candles",
    isApart: true,
    lines: [{ name: "ATR 14", colour: "--average-1" }],
    of: (bars) => [averageTrueRange(bars, 14)],
  },
];

/**
 * Returns the place of the first candle that deals may have changed, where there were `before` and are `now`: the last
 * one of before. Where there was none, as before the first answer, it is the first.
 */
export function firstChanged(before: number, now: number): number {
  return Math.max(0, Math.min(before, now) - 1);
}
