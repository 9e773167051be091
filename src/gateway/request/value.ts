import { invalidParameter, Refused } from "../refused.ts";
import { isCleanText } from "./clean-text.ts";
import { digitsOfNumber, LongNumber } from "./json-body.ts";
import { boundOf, type EnumType, type Scalar, type ValueRule, type Vocabulary } from "./rules.ts";

/** Answer of a check to a value that is not as it must be. */
export const WRONG = Symbol("wrong");

/** `raw` is what JSON or the query holds, never undefined. A `Refused` says more than "must be `expected`" could. */
export type Check = (raw: unknown) => unknown;

export interface ValueCheck {
  readonly check: Check;
  /** Completes the sentence "NAME must be …". */
  readonly expected: string;
}

const MAX_INT = Number.MAX_SAFE_INTEGER;

/** The check of one value that is no list. */
export function compileValue(vocabulary: Vocabulary, rule: ValueRule): ValueCheck {
  if (rule.form === "market_list") return joinedTexts(vocabulary, rule);
  if (rule.form === "id_list") return joinedIds(vocabulary, rule);
  if (rule.enum) return oneOf(vocabulary.enums.get(rule.enum));
  switch (rule.type) {
    case "string":
      return text(vocabulary, rule.form);
    case "int":
      return rule.numbers_only === true ? numbersOnly(whole(vocabulary, rule)) : whole(vocabulary, rule);
    case "decimal":
      return decimal(vocabulary, rule.form ?? "decimal");
    case "bool":
      return bool;
    case "object":
      return { check: (raw) => (isObject(raw) ? raw : WRONG), expected: "an object" };
    default:
      throw new Error(`${rule.name} has a type that no check knows: ${rule.type}.`);
  }
}

/**
 * The check of a list. With `eachAlone` a wrong item becomes a refusal in its place, so that the rest of a batch goes
 * on; otherwise it fails the whole.
 */
export function compileList(vocabulary: Vocabulary, rule: ValueRule, item: ValueCheck, eachAlone: boolean): ValueCheck {
  const min = boundOf(vocabulary, rule.min_items) ?? 0;
  const max = boundOf(vocabulary, rule.max_items) ?? 0;
  const wrongItem = invalidParameter(`each item of ${rule.name} must be ${item.expected}.`);
  const check = (raw: unknown) => {
    if (!Array.isArray(raw) || raw.length < min || raw.length > max) return WRONG;
    // The live venue reads the list as one value.
    if (rule.numbers_only === true && raw.some((each) => typeof each === "string")) return wrongItem;
    const values: unknown[] = [];
    for (const each of raw) {
      const value = item.check(each);
      const refused = value === WRONG ? wrongItem : value instanceof Refused ? value : undefined;
      if (refused !== undefined && !eachAlone) return refused;
      values.push(refused ?? value);
    }
    return values;
  };
  return { check, expected: `a list of ${min} to ${max} items` };
}

export function isObject(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw) && !(raw instanceof LongNumber);
}

function text(vocabulary: Vocabulary, formName: string | undefined): ValueCheck {
  const form = formName === undefined ? undefined : vocabulary.forms.get(formName);
  if (form !== undefined) {
    const pattern = new RegExp(form.pattern, "su");
    const fits = (raw: unknown) => typeof raw === "string" && pattern.test(raw) && isCleanText(raw);
    return { check: (raw) => (fits(raw) ? raw : WRONG), expected: form.expected };
  }
  const max = boundOf(vocabulary, "text_chars_max") as number;
  return {
    check: (raw) => (typeof raw === "string" && raw.length <= max && isCleanText(raw) ? raw : WRONG),
    expected: `a text of at most ${max} characters`,
  };
}

function oneOf(choice: EnumType | undefined): ValueCheck {
  const values = choice?.values.map((each) => each.value) ?? [];
  const known = new Map<unknown, Scalar>(values.map((value) => [value, value]));
  if (choice?.or_lower_case) for (const value of values) known.set(String(value).toLowerCase(), value);
  const expected = values.map((value) => JSON.stringify(value)).join(", ");
  const described = values.length === 1 ? expected : `one of ${expected}`;
  if (typeof values[0] !== "number") return { check: (raw) => known.get(raw) ?? WRONG, expected: described };
  const whole = int(0, undefined).check;
  const check = (raw: unknown) => {
    return known.get(whole(raw)) ?? WRONG;
  };
  return { check, expected: described };
}

function int(min: number, max: number = MAX_INT): ValueCheck {
  const expected = max === MAX_INT ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`;
  const check = (raw: unknown) => {
    // Adding 0 turns a negative zero into a plain one.
    const value = typeof raw === "number" ? raw + 0 : intOfText(raw);
    return Number.isSafeInteger(value) && value >= min && value <= max ? value : WRONG;
  };
  return { check, expected };
}

function whole(vocabulary: Vocabulary, { min, max }: ValueRule): ValueCheck {
  return int(boundOf(vocabulary, min) ?? 0, boundOf(vocabulary, max));
}

function numbersOnly({ check, expected }: ValueCheck): ValueCheck {
  return { check: (raw) => (typeof raw === "string" ? WRONG : check(raw)), expected: `${expected}, as a number` };
}

/** NaN for what is no whole number. Sixteen digits may exceed what is exact; the caller checks. */
function intOfText(raw: unknown): number {
  const digits = raw instanceof LongNumber ? raw.text : raw;
  return typeof digits === "string" && /^[0-9]{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
}

/** Gives the text: amounts never pass through a double, except one that JSON has as a number of at most 15 digits. */
function decimal(vocabulary: Vocabulary, formName: string): ValueCheck {
  const form = vocabulary.forms.get(formName);
  if (form === undefined) throw new Error(`The contract has no form "${formName}".`);
  const pattern = new RegExp(form.pattern);
  const check = (raw: unknown) => {
    const isNumber = typeof raw === "number" || raw instanceof LongNumber;
    const digits = isNumber ? digitsOfNumber(raw) : raw;
    return typeof digits === "string" && pattern.test(digits) ? digits : WRONG;
  };
  return { check, expected: form.expected };
}

const bool: ValueCheck = {
  check: (raw) => (raw === true || raw === "true" ? true : raw === false || raw === "false" ? false : WRONG),
  expected: "true or false",
};

function joinedTexts(vocabulary: Vocabulary, rule: ValueRule): ValueCheck {
  const max = boundOf(vocabulary, rule.max_items) as number;
  const market = text(vocabulary, "market").check;
  const check = (raw: unknown) => {
    if (typeof raw !== "string") return WRONG;
    const names = raw.split(",", max + 1);
    return names.length <= max && names.every((name) => market(name) !== WRONG) ? names : WRONG;
  };
  return { check, expected: `1 to ${max} market names joined by commas` };
}

function joinedIds(vocabulary: Vocabulary, rule: ValueRule): ValueCheck {
  const max = boundOf(vocabulary, rule.max_items) as number;
  const id = int(1).check;
  const check = (raw: unknown) => {
    if (typeof raw !== "string") return WRONG;
    const ids = raw.split(",", max + 1).map(id);
    return ids.length <= max && !ids.includes(WRONG) ? ids : WRONG;
  };
  return { check, expected: `1 to ${max} ids joined by commas` };
}
