/**
 * The JSON object of a request body, or why it cannot be read (4004). Nothing is rounded on the way: a number of more
 * digits than a double holds keeps its text.
 */
import { isUtf8 } from "node:buffer";
import { malformed, type Refused } from "../refused.ts";

/** A number whose digits a double may not hold; the checks read its text. */
export class LongNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Zeros that an exponent may stand for; no decimal of the contract has as many digits. */
const ZEROS_MAX = 40;

/**
 * The digits of a number of a body, without an exponent, as far as that is possible: JSON writes small numbers as
 * `1e-7`, and so do most programs. Nothing is rounded; what stands for too many zeros stays as it is.
 */
export function digitsOfNumber(number: number | LongNumber): string {
  const text = typeof number === "number" ? String(number) : number.text;
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?[eE]([+-]?[0-9]{1,2})$/.exec(text);
  if (match === null) return text;
  const [, sign, whole, decimals = "", exponent] = match as unknown as [string, string, string, string?, string?];
  const shift = Number(exponent);
  if (Math.abs(shift) > ZEROS_MAX) return text;
  const digits = "0".repeat(Math.max(0, -shift)) + whole + decimals + "0".repeat(Math.max(0, shift - decimals.length));
  const point = whole.length + Math.max(0, -shift) + shift;
  const left = digits.slice(0, point).replace(/^0+(?=[0-9])/, "");
  return sign + left + (point < digits.length ? `.${digits.slice(point)}` : "");
}

/** Deeper than any request of the contract; beyond it a body is taken for an attack. */
const DEPTH_MAX = 32;

/** Any number of at most 15 digits comes through a double unchanged. */
const LONG_DIGITS = /[0-9][0-9.]{15}/;

export function parseJsonBody(bytes: Buffer): Record<string, unknown> | Refused {
  if (!isUtf8(bytes)) return malformed("The body is not valid UTF-8.");
  const text = bytes.toString("utf8");
  if (isTooDeep(text)) return malformed(`The body is nested deeper than ${DEPTH_MAX} levels.`);
  let value: unknown;
  try {
    value = LONG_DIGITS.test(text) ? JSON.parse(text, keepLongNumber as Reviver) : JSON.parse(text);
  } catch {
    return malformed("The body is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof LongNumber) {
    return malformed("The body is not a JSON object.");
  }
  return value as Record<string, unknown>;
}

type Reviver = (key: string, value: unknown) => unknown;

/** The third argument, the source text of the value, is younger than the types. */
function keepLongNumber(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== "number") return value;
  const source = context.source as string;
  return source.length > 15 ? new LongNumber(source) : value;
}

/** Counts brackets outside of strings. A body with a single opening bracket, the common one, needs no count. */
function isTooDeep(text: string): boolean {
  if (text.indexOf("{", text.indexOf("{") + 1) < 0 && text.indexOf("[") < 0) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > DEPTH_MAX) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
