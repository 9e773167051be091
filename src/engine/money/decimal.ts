/** Decimal strings at the edge, scaled integers inside. The grammar has no sign and no exponent. */
const DECIMAL = /^(\d{1,19})(?:\.(\d{1,18}))?$/;

/** Whether `text` is a plain decimal: up to 19 digits, then up to 18 decimals. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/**
 * `text` in units of 10^-scale; undefined when it is no decimal or has more significant decimals than `scale`: nothing
 * is ever rounded on the way in. Trailing zeros are fine.
 */
export function parseDecimal(text: string, scale: number): bigint | undefined {
  if (text.length + scale <= EXACT_DIGITS) return parseShort(text, scale);
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const whole = match[1] as string;
  const fraction = match[2] ?? "";
  if (fraction.length <= scale) return BigInt(whole + fraction.padEnd(scale, "0"));
  for (let index = scale; index < fraction.length; index++) if (fraction[index] !== "0") return undefined;
  return BigInt(whole + fraction.slice(0, scale));
}

/** As `parseDecimal`, of a text that may have a minus before it. */
export function parseSignedDecimal(text: string, scale: number): bigint | undefined {
  if (!text.startsWith("-")) return parseDecimal(text, scale);
  const units = parseDecimal(text.slice(1), scale);
  return units === undefined ? undefined : -units;
}

/** Whole numbers of so many digits come through a double unchanged. */
const EXACT_DIGITS = 15;
const POINT = 0x2e;
const ZERO = 0x30;

/** As parseDecimal, in half the time: what the text stands for has few enough digits for a double. */
function parseShort(text: string, scale: number): bigint | undefined {
  if (!DECIMAL.test(text)) return undefined;
  let units = 0;
  let decimals = 0;
  let at = 0;
  for (; at < text.length && text.charCodeAt(at) !== POINT; at++) units = units * 10 + text.charCodeAt(at) - ZERO;
  for (at++; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (decimals < scale) {
      units = units * 10 + digit;
      decimals++;
    } else if (digit !== 0) return undefined;
  }
  for (; decimals < scale; decimals++) units *= 10;
  return BigInt(units);
}

/** `value` units of 10^-scale as a decimal string with exactly `scale` decimals. */
export function formatDecimal(value: bigint, scale: number): string {
  if (value < 0n) return `-${formatDecimal(-value, scale)}`;
  const digits = value.toString();
  if (scale === 0) return digits;
  if (digits.length > scale) return `${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
  return `0.${digits.padStart(scale, "0")}`;
}

/** As `formatDecimal`, without zeros at the end of the decimals, and without a point behind which nothing is left. */
export function trimmedDecimal(value: bigint, scale: number): string {
  const text = formatDecimal(value, scale);
  if (scale === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end--;
  if (text.charCodeAt(end - 1) === POINT) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** 10^exponent. */
export function pow10(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
