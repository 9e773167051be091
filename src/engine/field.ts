/**
 * Fields of JSON commands: what each must be, as one declaration that gives its TypeScript type, the check at the
 * engine's door and the words of the refusal. Whether a value makes sense is for the command itself to say.
 */

/** Longest text and longest list that a command may carry. */
const TEXT_CHARS_MAX = 4_096;
const LIST_ITEMS_MAX = 256;

export interface Field<Value = unknown, Optional extends boolean = boolean> {
  /** Ends the sentence "<field> must be ...". */
  readonly expected: string;
  /** Whether it may be left out. */
  readonly optional: Optional;
  /** It holds what nobody is to read: the log's words leave it out. */
  readonly isSealed?: boolean | undefined;
  fits(value: unknown): value is Value;
}

/** By the names of the fields, in the order in which they are checked. */
export type Fields = Readonly<Record<string, Field>>;

type OptionalNames<All extends Fields> = {
  [Name in keyof All]: All[Name]["optional"] extends true ? Name : never;
}[keyof All];
type ValueOf<One> = One extends Field<infer Value> ? Value : never;

/** The values that fields of these kinds hold. */
export type Values<All extends Fields> = {
  readonly [Name in Exclude<keyof All, OptionalNames<All>>]: ValueOf<All[Name]>;
} & { readonly [Name in OptionalNames<All>]?: ValueOf<All[Name]> | undefined };

export const text = field(`a string of at most ${TEXT_CHARS_MAX} characters`, isText);
/** A decimal number in whole units of its asset, as on the wire. */
export const decimal = field("a decimal as a string", isText);
export const flag = field("true or false", (value): value is boolean => typeof value === "boolean");
/** A text that was encrypted before it reached the engine. */
export const sealed = { ...text, isSealed: true };
/** Ids, counts and ms. */
export const whole = field("a whole number", (value): value is number => Number.isSafeInteger(value));
export const texts = listOf("strings", text);
export const textOrNull = field("a string, or null", isTextOrNull);
export const decimalOrNull = field("a decimal as a string, or null", isTextOrNull);

/** A list of what fits `item`. `items` names them in the plural. */
export function listOf<Value>(items: string, item: Field<Value>): Field<readonly Value[], false> {
  return field(
    `a list of at most ${LIST_ITEMS_MAX} ${items}`,
    (value): value is readonly Value[] =>
      Array.isArray(value) && value.length <= LIST_ITEMS_MAX && value.every((one) => item.fits(one)),
  );
}

/** An object with these fields; others may stand beside them. */
export function recordOf<const All extends Fields>(fields: All): Field<Values<All>, false> {
  return field(
    "an object",
    (value): value is Values<All> =>
      isObject(value) && Object.entries(fields).every(([name, expected]) => hasField(value, name, expected)),
  );
}

export function optional<Value>(required: Field<Value>): Field<Value, true> {
  return { ...required, optional: true };
}

/** Also null. */
export function orNull<Value>(required: Field<Value>): Field<Value | null, false> {
  return field(
    `${required.expected}, or null`,
    (value): value is Value | null => value === null || required.fits(value),
  );
}

/**
 * A field that holds one of these words. Which of them it may be at present is for the command to say, as for any text.
 */
export function word<Word extends string>(): Field<Word, false> {
  return text as Field<string> as Field<Word, false>;
}

export function hasField(record: Readonly<Record<string, unknown>>, name: string, expected: Field): boolean {
  const value = record[name];
  return value === undefined ? expected.optional : expected.fits(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= TEXT_CHARS_MAX;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

function field<Value>(expected: string, fits: (value: unknown) => value is Value): Field<Value, false> {
  return { expected, optional: false, fits };
}
