/**
 * Exact arithmetic on decimal texts, as the API sends and takes them: `"60004.06"`, with a sign where something can be
 * lost. Nothing passes through a binary fraction; where a result would have no end, the caller names its decimals and
 * which way it is rounded.
 */

/** A plain decimal as text. What is no such text counts as malformed and throws. */
export type Decimal = string;

interface Scaled {
  readonly units: bigint;
  /** Decimals: the value is `units / 10^scale`. */
  readonly scale: number;
}

/**
 * "down" and "up": toward zero and away from it; "floor": the next lower one, so that gains shrink and losses grow;
 * "nearest": the nearer one, a half away from zero.
 */
export type Rounding = "down" | "up" | "floor" | "nearest";

const FORM = /^-?\d+(?:\.\d*)?$|^-?\.\d+$/;

/** Whether a text that somebody typed is a plain decimal without a sign. */
export function isDecimal(text: string): boolean {
  return !text.startsWith("-") && FORM.test(text);
}

export function plus(one: Decimal, other: Decimal): Decimal {
  const [a, b, scale] = aligned(one, other);
  return plain({ units: a + b, scale });
}

export function minus(one: Decimal, other: Decimal): Decimal {
  const [a, b, scale] = aligned(one, other);
  return plain({ units: a - b, scale });
}

export function times(one: Decimal, other: Decimal): Decimal {
  const [a, b] = [scaled(one), scaled(other)];
  return plain({ units: a.units * b.units, scale: a.scale + b.scale });
}

/** `one / other` with so many decimals; 0 where `other` is. */
export function over(one: Decimal, other: Decimal, decimals: number, rounding: Rounding = "down"): Decimal {
  const [a, b] = aligned(one, other);
  if (b === 0n) return "0";
  const [dividend, divisor] = b < 0n ? [-a, -b] : [a, b];
  return plain({ units: divided(dividend * 10n ** BigInt(decimals), divisor, rounding), scale: decimals });
}

/** With at most so many decimals, the rest rounded. */
export function cut(text: Decimal, decimals: number, rounding: Rounding = "down"): Decimal {
  const { units, scale } = scaled(text);
  if (scale <= decimals) return plain({ units, scale });
  return plain({ units: divided(units, 10n ** BigInt(scale - decimals), rounding), scale: decimals });
}

/** The multiple of `step` at or before it. */
export function onGrid(text: Decimal, step: Decimal, rounding: Rounding = "down"): Decimal {
  return times(over(text, step, 0, rounding), step);
}

/** Negative, 0 or positive, as `one - other` is. */
export function compare(one: Decimal, other: Decimal): number {
  const [a, b] = aligned(one, other);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isZero(text: Decimal): boolean {
  return scaled(text).units === 0n;
}

/** Whether the wire says that there is none: an empty text, or 0. */
export function isNone(text: string): boolean {
  return text === "" || isZero(text);
}

export function isPositive(text: Decimal): boolean {
  return scaled(text).units > 0n;
}

export function isNegative(text: Decimal): boolean {
  return scaled(text).units < 0n;
}

export function lesser(one: Decimal, other: Decimal): Decimal {
  return compare(one, other) <= 0 ? one : other;
}

export function greater(one: Decimal, other: Decimal): Decimal {
  return compare(one, other) >= 0 ? one : other;
}

/** With exactly so many decimals: zeros are added, further decimals are rounded. */
export function fixed(text: Decimal, decimals: number, rounding: Rounding = "down"): Decimal {
  const { units, scale } = scaled(cut(text, decimals, rounding));
  return withPoint(units * 10n ** BigInt(decimals - scale), decimals);
}

/** How many decimals a text has. */
export function decimalsOf(text: Decimal): number {
  const point = text.indexOf(".");
  return point < 0 ? 0 : text.length - point - 1;
}

/** 10^-decimals. */
export function unit(decimals: number): Decimal {
  return withPoint(1n, decimals);
}

/** A comparable whole number for texts of up to 18 decimals, for sorting many of them. */
export function sortKey(text: Decimal): bigint {
  const { units, scale } = scaled(text);
  return units * 10n ** BigInt(18 - scale);
}

function scaled(text: Decimal): Scaled {
  if (!FORM.test(text)) throw new Error(`"${text}" is no plain decimal.`);
  const point = text.indexOf(".");
  if (point < 0) return { units: BigInt(text), scale: 0 };
  const isNegativeText = text.startsWith("-");
  const digits = text.slice(isNegativeText ? 1 : 0).replace(".", "");
  const units = BigInt(digits === "" ? "0" : digits);
  return { units: isNegativeText ? -units : units, scale: text.length - point - 1 };
}

function aligned(one: Decimal, other: Decimal): [bigint, bigint, number] {
  const [a, b] = [scaled(one), scaled(other)];
  const scale = Math.max(a.scale, b.scale);
  return [a.units * 10n ** BigInt(scale - a.scale), b.units * 10n ** BigInt(scale - b.scale), scale];
}

function divided(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const rest = dividend - quotient * divisor;
  if (rest === 0n || rounding === "down") return quotient;
  const away = quotient + (dividend < 0n ? -1n : 1n);
  if (rounding === "up") return away;
  if (rounding === "floor") return dividend < 0n ? away : quotient;
  return 2n * (rest < 0n ? -rest : rest) >= divisor ? away : quotient;
}

/** Without needless zeros. */
function plain({ units, scale }: Scaled): Decimal {
  const text = withPoint(units, scale);
  return scale === 0 ? text : text.replace(/\.?0+$/, "");
}

function withPoint(units: bigint, scale: number): Decimal {
  if (scale === 0) return `${units}`;
  const sign = units < 0n ? "-" : "";
  const digits = `${units < 0n ? -units : units}`.padStart(scale + 1, "0");
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
