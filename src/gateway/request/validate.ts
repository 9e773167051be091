import { invalidParameter, Refused } from "../refused.ts";
import { readPairs } from "./pairs.ts";
import type { Param, RecordType, ValueRule, Vocabulary } from "./rules.ts";
import { type Check, compileList, compileValue, isObject, type ValueCheck, WRONG } from "./value.ts";

/** Parameters by their wire names. */
export type Params = Record<string, unknown>;

interface Slot {
  readonly name: string;
  readonly check: Check;
  readonly required: boolean;
  /** An empty text means none, as clients send it that leave no field out. (In a query every empty value does.) */
  readonly emptyIsAbsent: boolean;
  readonly unless: ValueRule["required_unless"];
  readonly wrong: Refused;
  readonly missing: Refused;
}

/** The rules for a set of values: the parameters of an endpoint, or the fields of one element of a batch. */
interface Shape {
  readonly slots: readonly Slot[];
  /** All names with their defaults, in the contract's order: copied, so that every request has the same layout. */
  readonly absent: Params;
}

export class ParamsSchema {
  readonly #shape: Shape;

  /** `isBatch`: a wrong item of a list fails alone, because the items are sub-requests. */
  constructor(vocabulary: Vocabulary, params: readonly Param[], isBatch = false) {
    const compile = compilerOf(vocabulary, isBatch);
    this.#shape = {
      slots: params.map((param) => slotOf(param, param.required, compile)),
      absent: Object.fromEntries(params.map((param) => [param.name, param.default ?? undefined])),
    };
  }

  /** From what `parseJsonBody` made of a body: its own refusal, or that a parameter is wrong. */
  ofBody(values: Params | Refused): Params | Refused {
    return values instanceof Refused ? values : checkValues(this.#shape, values);
  }

  /** From values that are read already, whether or not a parameter is wrong. */
  ofValues(values: Params): Params | Refused {
    return checkValues(this.#shape, values);
  }

  /** From the pairs of a query or a form: malformed when they cannot be decoded, invalid when a parameter is wrong. */
  ofPairs(query: string): Params | Refused {
    const values: Params = {};
    const malformed = readPairs(query, (name, value) => {
      // An empty value takes back an earlier one of the same name.
      if (Object.hasOwn(this.#shape.absent, name)) values[name] = value === "" ? undefined : value;
    });
    return malformed ?? checkValues(this.#shape, values);
  }
}

function checkValues(shape: Shape, values: Params): Params | Refused {
  const params: Params = { ...shape.absent };
  for (const slot of shape.slots) {
    const raw = values[slot.name];
    // JSON has null for what a client's record leaves out.
    if (raw === undefined || raw === null || (raw === "" && slot.emptyIsAbsent)) {
      if (slot.required || (slot.unless !== undefined && params[slot.unless.param] !== slot.unless.value)) {
        return slot.missing;
      }
      continue;
    }
    const value = slot.check(raw);
    if (value === WRONG) return slot.wrong;
    if (value instanceof Refused) return value;
    params[slot.name] = value;
  }
  return params;
}

type Compile = (rule: ValueRule) => ValueCheck;

function compilerOf(vocabulary: Vocabulary, eachAlone: boolean): Compile {
  const compile: Compile = (rule) => {
    const item = /^array<(\w+)>$/.exec(rule.type)?.[1];
    if (item === undefined) return compileValue(vocabulary, rule);
    const record = vocabulary.records.get(item);
    const { min_items, max_items, ...itemRule } = rule;
    const inner = record === undefined ? compile({ ...itemRule, type: item }) : recordCheck(record, compile);
    return compileList(vocabulary, rule, inner, eachAlone);
  };
  return compile;
}

/**
 * The check of one element of a list; it gives its parameters or what is wrong with them. A tuple's names are its
 * indexes.
 */
function recordCheck(record: RecordType, compile: Compile): ValueCheck {
  const shape: Shape = {
    slots: record.fields.map((field) => slotOf(field, !field.nullable, compile)),
    absent: Object.fromEntries(record.fields.map((field) => [field.name, undefined])),
  };
  if (record.kind === "tuple") {
    const { length } = record.fields;
    const isTuple = (raw: unknown): raw is Params => Array.isArray(raw) && raw.length === length;
    return {
      check: (raw) => (isTuple(raw) ? checkValues(shape, raw) : WRONG),
      expected: `a list of ${length} members`,
    };
  }
  return { check: (raw) => (isObject(raw) ? checkValues(shape, raw) : WRONG), expected: "an object" };
}

function slotOf(rule: ValueRule, required: boolean, compile: Compile): Slot {
  const { name } = rule;
  // Values are read by plain property access; that is safe as long as no name of the contract is one of every object's.
  if (name in Object.prototype) throw new Error(`The contract has a parameter that every object has: ${name}.`);
  const { check, expected } = compile(rule);
  const unless = rule.required_unless;
  const condition = unless === undefined ? "" : ` unless ${unless.param} is ${JSON.stringify(unless.value)}`;
  return {
    name,
    check,
    required,
    // Not an optional amount: none would mean all there is.
    emptyIsAbsent: !required && (rule.type === "string" || unless !== undefined),
    unless,
    wrong: invalidParameter(`${name} must be ${expected}.`),
    missing: invalidParameter(`${name} is required${condition}.`),
  };
}
