/** The parameters of one legacy endpoint, checked by the contract's rules: as clients of this generation write them. */
import { Refused, type WireRefusal } from "../refused.ts";
import type { Param } from "../request/rules.ts";
import { type Params, ParamsSchema } from "../request/validate.ts";
import type { LegacyContract, LegacyEndpoint, LegacyParam } from "./contract.ts";

/** 10^11 and more of a time are ms, less are seconds. Source: contract/legacy/README.md, open point 10. */
const MS_FROM = 100_000_000_000;

export class LegacyParams {
  readonly #schema: ParamsSchema;
  readonly #params: readonly LegacyParam[];
  readonly #namesInAnyCase: boolean;
  /** Those whose wrong values have a code of their own. */
  readonly #named: readonly { name: string; refused: { as: WireRefusal; values: ReadonlySet<unknown> } }[];

  constructor(contract: LegacyContract, endpoint: LegacyEndpoint) {
    const { params, result, names_in_any_case: namesInAnyCase = false } = endpoint;
    this.#params = params;
    this.#namesInAnyCase = namesInAnyCase;
    this.#named = params.flatMap(({ name, refused_as: as, enum: choice }) => {
      if (as === undefined) return [];
      const values = contract.enums.get(choice ?? "")?.values ?? [];
      return [{ name, refused: { as, values: new Set(values.map(({ value }) => value)) } }];
    });
    // Where a parameter stands is not held against anybody: there are clients of either kind.
    const anywhere = params as readonly unknown[] as readonly Param[];
    this.#schema = new ParamsSchema(contract, anywhere, result.wrapper !== undefined);
  }

  /** The checked parameters; empty texts are none, times are ms. */
  of(sent: Params, path: Params): Params | Refused {
    const values: Params = Object.create(null);
    const byName = this.#namesInAnyCase ? byLowerName(sent) : sent;
    for (const { name, type, form, any_case: anyCase } of this.#params) {
      const raw = path[name] ?? byName[name] ?? (type.startsWith("array") ? membersOf(name, byName) : undefined);
      if (raw === undefined || raw === "") continue;
      const value = type === "bool" ? truthOf(raw) : type.startsWith("array") ? listOf(raw) : raw;
      values[name] = form === MARKET ? asMarketName(value) : anyCase ? inLowerCase(value) : value;
    }
    for (const { name, refused } of this.#named) {
      const value = values[name];
      if (value !== undefined && !refused.values.has(value)) return new Refused(refused.as);
    }
    const params = this.#schema.ofValues(values);
    if (params instanceof Refused) return params;
    for (const name of TIMES) {
      const time = params[name];
      if (typeof time === "number") params[name] = time === 0 ? undefined : time < MS_FROM ? time * 1_000 : time;
    }
    return params;
  }
}

/** The form of names of markets, which clients of this generation write in any case. */
const MARKET = "market";

/** A name of a market as it is listed; whatever is no text stays as it is. */
export function asMarketName(value: unknown): unknown {
  return typeof value === "string" ? value.toUpperCase() : value;
}

function inLowerCase(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value;
}

/** Under their names in lower case; a name that is sent like that wins. */
function byLowerName(sent: Params): Params {
  const values: Params = Object.create(null);
  for (const [name, value] of Object.entries(sent)) values[name.toLowerCase()] ??= value;
  return Object.assign(values, sent);
}

const TIMES = ["start_time", "end_time"];

/** JSON's booleans, 0 and 1, and their words in any case; all else is left for the check to refuse. */
function truthOf(raw: unknown): unknown {
  // A list of one prints like its member.
  if (typeof raw === "object") return raw;
  const word = String(raw).toLowerCase();
  return word === "true" || word === "1" ? true : word === "false" || word === "0" ? false : raw;
}

/**
 * A list whose members came one by one, as `ips[0]` and `ips[1]`; undefined when none did. Bounded by what a request
 * may hold.
 */
function membersOf(name: string, sent: Params): unknown[] | undefined {
  const members: unknown[] = [];
  for (let at = 0; sent[`${name}[${at}]`] !== undefined; at++) members.push(sent[`${name}[${at}]`]);
  return members.length === 0 ? undefined : members;
}

/** A list, or a text that holds one as JSON: what stands in a query or a form can be nothing else. */
function listOf(raw: unknown): unknown {
  if (typeof raw !== "string") return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}
