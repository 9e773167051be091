/**
 * The fields of the operator's calls: what each may hold, checked before anything becomes a command, and in words for
 * the command line's help and the documents. Liberal in how a value is written, as the API is: numbers may come as
 * text.
 */
import { isDecimal } from "../../engine/money/decimal.ts";
import { invalidParameter, Refused } from "../refused.ts";
import { isCleanText } from "../request/clean-text.ts";
import { digitsOfNumber, LongNumber } from "../request/json-body.ts";
import { didYouMean } from "../request/similar-name.ts";
import { isObject, WRONG } from "../request/value.ts";

const NAME_CHARS_MAX = 64;
const FIELD_NAME = /^[\w.-]{1,64}$/;

/** How a value is given on the command line. */
export type Shape = "text" | "flag" | "list" | "record" | "records";

/** The form of one value: its shape, its check, and its description. */
export interface Form<Value> {
  readonly shape: Shape;
  /** The placeholder of the value in the help. */
  readonly values: string;
  /** Completes the sentence "NAME must be …". */
  readonly expected: string;
  /** All values that it may have, where they can be listed. */
  readonly choices?: readonly string[];
  /** The form of each item of a list. */
  readonly item?: Form<unknown>;
  /** The fields of each record. */
  readonly fields?: Fields;
  /** The value behind what JSON holds, or `WRONG`; a Refused says more than `expected` could. */
  check(raw: unknown, names: Names): Value | Refused | typeof WRONG;
}

/** By what names people call what has an id. */
export interface Names {
  userIdOf(name: string): number | undefined;
}

export interface Field<Value> {
  readonly form: Form<unknown>;
  readonly meaning: string;
  readonly required: boolean;
  /** null is a value of its own: it takes back what was set. */
  readonly clearable: boolean;
  /** Of the type only. */
  readonly value?: Value;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of a body, by the names of its fields. */
export type Values<All extends Fields> = { readonly [Name in keyof All]: All[Name] extends Field<infer V> ? V : never };

export function required<Value>(form: Form<Value>, meaning: string): Field<Value> {
  return { form, meaning, required: true, clearable: false };
}

export function optional<Value>(form: Form<Value>, meaning: string): Field<Value | undefined> {
  return { form, meaning, required: false, clearable: false };
}

export function clearable<Value>(form: Form<Value>, meaning: string): Field<Value | null | undefined> {
  return { form, meaning, required: false, clearable: true };
}

/**
 * The values of `body`, or why it is refused: a name that no field has comes first, since a misspelt field would
 * otherwise look as if it had been taken.
 */
export function readValues<All extends Fields>(
  fields: All,
  body: Readonly<Record<string, unknown>>,
  names: Names,
  of = "",
): Values<All> | Refused {
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) return unknownField(unknown, fields, of);
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    // Only own names: what a client calls a field can never reach a prototype.
    const raw = Object.hasOwn(body, name) ? body[name] : undefined;
    if (raw === null && field.clearable) values[name] = null;
    else if (raw === undefined || raw === null) {
      if (field.required) return invalidParameter(`${of}${name} is required.`);
      values[name] = undefined;
    } else {
      const value = field.form.check(raw, names);
      if (value === WRONG) return invalidParameter(`${of}${name} must be ${field.form.expected}.`);
      if (value instanceof Refused) return value;
      values[name] = value;
    }
  }
  return values as Values<All>;
}

/**
 * The refusal of a name that no field has. The name is a client's own word, and is repeated only where it looks like
 * one.
 */
export function unknownField(name: string, fields: Fields, of = ""): Refused {
  const known = Object.keys(fields);
  const shown = FIELD_NAME.test(name) ? ` ${name}` : " of this name";
  const hint = didYouMean(name, known, (similar) => similar);
  const all = known.length === 0 ? " This takes no fields." : ` There are ${known.join(", ")}.`;
  return invalidParameter(`${of}there is no field${shown}.${hint === "" ? all : hint}`);
}

/** One line of text of `min` to `max` characters. */
export function text(values: string, min: number, max: number): Form<string> {
  const isText = (raw: string) => raw.length >= min && raw.length <= max && isCleanText(raw);
  return {
    shape: "text",
    values,
    expected: min === 0 ? `a line of at most ${max} characters` : `a line of ${min} to ${max} characters`,
    check: (raw) => (typeof raw === "string" && isText(raw) ? raw : WRONG),
  };
}

/** The address of a site, to be shown as a link: nothing that a browser would run. */
export function webAddress(max: number): Form<string> {
  const line = text("URL", 0, max);
  const check: Form<string>["check"] = (raw, names) => {
    const address = line.check(raw, names);
    return typeof address === "string" && isWebAddress(address) ? address : WRONG;
  };
  return { ...line, expected: `an http or https address of at most ${max} characters, or empty`, check };
}

function isWebAddress(text: string): boolean {
  return text === "" || (/^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text));
}

export function oneOf<Name extends string>(names: readonly Name[]): Form<Name> {
  return {
    shape: "text",
    values: names.join("|"),
    choices: names,
    expected: names.length === 1 ? `"${names[0]}"` : `one of ${names.join(", ")}`,
    check: (raw) => names.find((name) => name === raw) ?? WRONG,
  };
}

/** A plain decimal; gives its text. */
export function decimal(values: string): Form<string> {
  const check = (raw: unknown) => {
    const digits = digitsOf(raw);
    return digits !== undefined && isDecimal(digits) ? digits : WRONG;
  };
  return { shape: "text", values, expected: 'a plain decimal such as "0.5", without sign or exponent', check };
}

/** A plain decimal that may have a minus before it; gives its text. */
export function signedDecimal(values: string): Form<string> {
  const check = (raw: unknown) => {
    const digits = digitsOf(raw);
    return digits !== undefined && isDecimal(digits.replace(/^-/, "")) ? digits : WRONG;
  };
  return { shape: "text", values, expected: 'a plain decimal such as "0.5" or "-0.5", without exponent', check };
}

export function whole(values: string, min: number, max: number): Form<number> {
  const check = (raw: unknown) => {
    const digits = digitsOf(raw);
    const value = digits !== undefined && /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
    return Number.isSafeInteger(value) && value >= min && value <= max ? value : WRONG;
  };
  return { shape: "text", values, expected: `a whole number from ${min} to ${max}`, check };
}

/** The last time that a date can be printed of. */
const TIME_MAX = 8_640_000_000_000_000;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:?\d\d)$/;
const msForm = whole("MS", 0, TIME_MAX);

/** A time; gives its ms. Without a zone nobody could say which time is meant. */
export const time: Form<number> = {
  shape: "text",
  values: "TIME",
  expected: "ms, or a time with its zone such as 2026-01-31T12:00:00Z or 2026-01-31T12:00:00+02:00",
  check(raw, names) {
    if (typeof raw !== "string" || !raw.includes("T")) return msForm.check(raw, names);
    const ms = ISO_TIME.test(raw) ? Date.parse(raw) : Number.NaN;
    return ms >= 0 ? ms : WRONG;
  },
};

/** A time, or 0 for none at all. */
export const timeOrZero: Form<number> = { ...time, values: "TIME|0", expected: `${time.expected}, or 0` };

const USER_ID_MAX = 2 ** 31 - 2;
const idForm = whole("USER", 1, USER_ID_MAX);

/** A user, by id or name; gives the id. Whether there is a user with that id is for the engine to say. */
export const userId: Form<number> = {
  shape: "text",
  values: "USER",
  expected: "the id or the name of a user",
  check(raw, names) {
    const id = idForm.check(raw, names);
    if (id !== WRONG || typeof raw !== "string" || /^\d*$/.test(raw)) return id;
    return (
      names.userIdOf(raw) ?? new Refused("user_not_found", `There is no user named ${raw.slice(0, NAME_CHARS_MAX)}.`)
    );
  },
};

/** Of calls that must not be carried out twice when they are sent again. */
export const reference: Field<string | undefined> = optional(
  text("TEXT", 1, 128),
  "sent again with it, the call is answered as the first time and done once; kept for ever",
);

/** A number above 0 that need not be whole. */
export function factor(values: string, max: number): Form<number> {
  const check = (raw: unknown) => {
    const digits = digitsOf(raw);
    const value = digits !== undefined && isDecimal(digits) ? Number(digits) : 0;
    return value > 0 && value <= max ? value : WRONG;
  };
  return { shape: "text", values, expected: `a number above 0 and at most ${max}`, check };
}

export const flag: Form<boolean> = {
  shape: "flag",
  values: "true|false",
  expected: "true or false",
  check: (raw) => (typeof raw === "boolean" ? raw : WRONG),
};

export function listOf<Value>(item: Form<Value>, max: number): Form<Value[]> {
  const check = (raw: unknown, names: Names) => {
    if (!Array.isArray(raw) || raw.length > max) return WRONG;
    const values = raw.map((each) => item.check(each, names));
    return values.includes(WRONG as never) ? WRONG : (values as Value[]);
  };
  const { values, expected } = item;
  return { shape: "list", values, item, expected: `a list of at most ${max} items, each ${expected}`, check };
}

/** Objects with fields of their own. */
export function records<All extends Fields>(fields: All, max: number): Form<Values<All>[]> {
  const names = Object.entries(fields).map(([name, field]) => (field.required ? name : `${name}?`));
  const check = (raw: unknown, known: Names) => {
    if (!Array.isArray(raw) || raw.length > max || !raw.every(isObject)) return WRONG;
    const rows: Values<All>[] = [];
    for (const [at, each] of raw.entries()) {
      const row = readValues(fields, each, known, `in item ${at + 1}, `);
      if (row instanceof Refused) return row;
      rows.push(row);
    }
    return rows;
  };
  const values = `${Object.keys(fields)
    .slice(0, 2)
    .map((name) => `${name}=…`)
    .join(",")}`;
  return {
    shape: "records",
    values,
    fields,
    expected: `a list of at most ${max} objects {${names.join(", ")}}`,
    check,
  };
}

/** An object with fields of its own, or the word none. */
export function recordOrNone<All extends Fields>(fields: All): Form<Values<All> | "none"> {
  const names = Object.keys(fields);
  const check = (raw: unknown, known: Names) => {
    if (raw === "none") return "none";
    return isObject(raw) ? readValues(fields, raw, known, "in it, ") : WRONG;
  };
  const values = `${names.map((name) => `${name}=…`).join(",")}|none`;
  return { shape: "record", values, fields, expected: `an object {${names.join(", ")}}, or none`, check };
}

/** A number's digits, however they were written. */
function digitsOf(raw: unknown): string | undefined {
  if (typeof raw === "number" || raw instanceof LongNumber) return digitsOfNumber(raw);
  return typeof raw === "string" ? raw : undefined;
}
