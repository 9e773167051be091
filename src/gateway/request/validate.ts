/**
 * The parameters of a request, checked against the contract. One schema per endpoint is compiled at start; it gives the
 * handler a fresh object with exactly the contract's names, absent ones undefined or at their default. Unknown names are
 * ignored, and nothing a client names a field can reach a prototype: only the contract's own names are ever read.
 */
import type { Contract, Endpoint, RecordType, ValueRule } from "../current/contract.ts";
import { invalidParameter, Refused } from "../refused.ts";
import { readQuery } from "./pairs.ts";
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

/** What a set of values must be: the parameters of an endpoint, or the fields of one element of a batch. */
interface Shape {
  readonly slots: readonly Slot[];
  /** All names with their defaults, in the contract's order: copied, so that every request has the same layout. */
  readonly absent: Params;
}

export class ParamsSchema {
  readonly #shape: Shape;

  constructor(
    contract: Contract,
    endpoint: Pick<Endpoint, "method" | "params"> & { readonly result: { readonly kind: string } },
  ) {
    const compile = compilerOf(contract, endpoint.result.kind === "batch");
    this.#shape = {
      slots: endpoint.params.map((param) => slotOf(param, param.required, compile)),
      absent: Object.fromEntries(endpoint.params.map((param) => [param.name, param.default ?? undefined])),
    };
  }

  /** From what `parseJsonBody` made of a POST body: its own refusal, or 3639 when a parameter is wrong. */
  ofBody(values: Params | Refused): Params | Refused {
    return values instanceof Refused ? values : checkValues(this.#shape, values);
  }

  /** From values that are read already: 3639 when a parameter is wrong. */
  ofValues(values: Params): Params | Refused {
    return checkValues(this.#shape, values);
  }

  /** From a GET query: 4004 when it cannot be decoded, 3639 when a parameter is wrong. */
  ofQuery(query: string): Params | Refused {
    const values: Params = {};
    const malformed = readQuery(query, (name, value) => {
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

/** `eachAlone`: a wrong item of a list fails alone, because the items are the sub-requests of a batch. */
function compilerOf(contract: Contract, eachAlone: boolean): Compile {
  const compile: Compile = (rule) => {
    const item = /^array<(\w+)>$/.exec(rule.type)?.[1];
    if (item === undefined) return compileValue(contract, rule);
    const record = contract.records.get(item);
    const { min_items, max_items, ...itemRule } = rule;
    const inner = record === undefined ? compile({ ...itemRule, type: item }) : recordCheck(record, compile);
    return compileList(contract, rule, inner, eachAlone);
  };
  return compile;
}

/** The check of one element of a list; it gives its parameters or what is wrong with them. A tuple's names are its indexes. */
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
