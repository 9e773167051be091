/** Decimal texts as people read them. Copying takes the text itself, without what is put between its digits here. */
import {
  compare,
  cut,
  type Decimal,
  fixed,
  isNegative,
  isZero,
  minus,
  over,
  plus,
  type Rounding,
  times,
} from "./decimal.ts";

/** Narrow and not to be broken at. */
const THIN_SPACE = "\u202f";

const MINUS = "−";

/** Stands where a figure would be that the venue has not said yet. */
export const UNKNOWN = "–";

/** `1234567.5` → `1 234 567.5`, with a real minus sign. */
export function grouped(text: Decimal): string {
  const [whole, rest] = text.replace("-", "").split(".") as [string, string | undefined];
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, THIN_SPACE);
  return `${text.startsWith("-") ? MINUS : ""}${groups}${rest === undefined ? "" : `.${rest}`}`;
}

/** Grouped, without zeros at the end that say nothing. */
export function plain(text: Decimal): string {
  return grouped(plus(text, "0"));
}

/**
 * With exactly so many decimals, grouped. The rounding follows from the kind of figure: what somebody owns is cut
 * ("down"), what he is to pay is rounded up, what he gains or loses is the "floor", and prices, averages and rates are
 * rounded to the nearest.
 */
export function shown(text: Decimal, decimals: number, rounding: Rounding = "down"): string {
  return grouped(fixed(text, decimals, rounding));
}

/** A text of fixed decimals in two pieces: what says something, and the zeros behind it. */
export function pieces(text: Decimal, decimals: number): readonly [string, string] {
  const whole = shown(text, decimals);
  const zeros = /\.?0+$/.exec(whole)?.[0] ?? "";
  return whole.includes(".") ? [whole.slice(0, whole.length - zeros.length), zeros] : [whole, ""];
}

const STEPS: ReadonlyArray<readonly [Decimal, string]> = [
  ["1000000000", "B"],
  ["1000000", "M"],
  ["1000", "K"],
];

/**
 * With about four digits and a letter for thousands, millions and billions: for figures that are read, not counted on.
 */
export function short(text: Decimal): string {
  const size = text.replace("-", "");
  const step = STEPS.find(([from]) => compare(size, from) >= 0);
  if (step === undefined) return grouped(significant(text));
  return `${shown(over(text, step[0], 2), 2)} ${step[1]}`;
}

/** At most four digits from the first that is not 0. */
function significant(text: Decimal): Decimal {
  const whole = text.replace("-", "").split(".")[0] as string;
  if (whole !== "0") return cut(text, Math.max(0, 4 - whole.length));
  const zeros = /\.(0*)/.exec(text)?.[1]?.length ?? 0;
  return cut(text, zeros + 4);
}

/** A rate as percent with all its decimals and no zeros behind them: `0.010` → `1 %`. */
export function plainPercent(rate: Decimal): string {
  return `${plain(times(rate, "100"))}${THIN_SPACE}%`;
}

/** A rate as percent: `0.0075` → `0.75 %`. */
export function percent(rate: Decimal, decimals = 2): string {
  return `${shown(times(rate, "100"), decimals, "nearest")}${THIN_SPACE}%`;
}

/** As percent, with its sign in front. */
export function signedPercent(rate: Decimal, decimals = 2): string {
  return `${isNegative(rate) || isZero(rate) ? "" : "+"}${percent(rate, decimals)}`;
}

/** A gain or a loss with its sign: a gain is never shown larger than it is, a loss never smaller. */
export function signed(text: Decimal, decimals: number): string {
  return `${isNegative(text) || isZero(text) ? "" : "+"}${shown(text, decimals, "floor")}`;
}

/** How far `now` is from `before`, as a rate; 0 where there was nothing. */
export function changeRate(before: Decimal, now: Decimal): Decimal {
  return over(minus(now, before), before, 6);
}

export type Direction = "up" | "down" | "";

export function directionOf(text: Decimal): Direction {
  return isZero(text) ? "" : isNegative(text) ? "down" : "up";
}

/** The cue beside the colour. */
export const ARROWS: Readonly<Record<Direction, string>> = { up: "▲", down: "▼", "": "" };

const DAY_FORM = new Intl.DateTimeFormat(undefined, { month: "2-digit", day: "2-digit" });
const TIME_FORM = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

/** Local time of day. */
export function clockTime(ms: number): string {
  return TIME_FORM.format(ms);
}

/** Local day and time. */
export function dayAndTime(ms: number): string {
  return `${DAY_FORM.format(ms)} ${TIME_FORM.format(ms)}`;
}

/** The same as the venue and its log have it. */
export function venueTime(ms: number): string {
  return `${new Date(ms).toISOString().replace("T", " ").slice(0, 19)} UTC`;
}

/** `3:07:45`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number) => `${value}`.padStart(2, "0");
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
