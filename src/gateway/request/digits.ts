const ZERO = 0x30;

/** The number that a text of 1 to `max` decimal digits says, `max` being 15 at most; -1 for any other text. */
export function numberOfDigits(text: string, max: number): number {
  if (text.length === 0 || text.length > max) return -1;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** The same of a number that is written in one way only, without a zero in front. */
export function numberOfPlainDigits(text: string, max: number): number {
  return text.length > 1 && text.charCodeAt(0) === ZERO ? -1 : numberOfDigits(text, max);
}
