/**
 * The wire contract of the current generation, read from `contract/current` once at start. Routes, parameter checks,
 * permissions, OpenAPI and the generated types all come from here; contract/README.md explains the keys.
 */
import { readFileSync } from "node:fs";

export type Method = "GET" | "POST";
export type ResultKind = "object" | "array" | "page" | "batch" | "empty";
export type Permission = "read" | "trade" | "withdraw";
export type Scalar = string | number | boolean;

/** What a value must look like; shared by parameters and by the fields of request records. */
export interface ValueRule {
  readonly name: string;
  readonly type: string;
  readonly enum?: string | null;
  readonly form?: string;
  /** A number, or the name of a limit. */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly min_items?: number | string;
  readonly max_items?: number | string;
  readonly required_unless?: { readonly param: string; readonly value: Scalar };
}

export interface Param extends ValueRule {
  readonly in: "query" | "body";
  readonly required: boolean;
  readonly default: Scalar | null;
  readonly rule: string;
}

export interface Field extends ValueRule {
  readonly nullable: boolean;
  readonly meaning: string;
}

export interface RecordType {
  /** A tuple is a list whose members are the fields in order. */
  readonly kind?: "tuple";
  readonly fields: readonly Field[];
  readonly notes?: readonly string[];
}

export interface Result {
  readonly kind: ResultKind;
  readonly record: string | null;
  readonly pagination: readonly ("has_next" | "total")[];
  readonly record_by?: { readonly param: string; readonly values: Readonly<Record<string, string>> };
  readonly flat_under_compat?: boolean;
}

export interface Endpoint {
  /** Which file describes it, and so where its records are found. */
  readonly area: string;
  readonly method: Method;
  readonly path: string;
  readonly title: string;
  readonly signed: boolean;
  /** Present on signed endpoints, as are `callers` and `sub_permission`. */
  readonly permission?: Permission;
  readonly callers?: "main" | "any";
  readonly sub_permission?: string | null;
  readonly group: string | null;
  readonly quota: string;
  readonly params: readonly Param[];
  readonly result: Result;
  readonly notes: readonly string[];
  readonly alias_of?: string;
}

export interface Form {
  readonly name: string;
  readonly pattern: string;
  readonly expected: string;
}

export interface ErrorCode {
  readonly code: number;
  readonly meaning: string;
  readonly when: string;
}

export interface RateGroup {
  readonly name: string;
  readonly rate_per_second: number;
  /** Part in the long cycle: `slowed` groups count there and are slowed down by it, `counted` ones only count. */
  readonly long_cycle?: "slowed" | "counted";
}

export interface EnumType {
  readonly values: readonly { readonly value: Scalar; readonly meaning: string }[];
  /** The texts are taken in lower case, too; they are told as they stand. */
  readonly or_lower_case?: boolean;
  readonly notes: readonly string[];
}

export interface Contract {
  /** In the order of the files. */
  readonly endpoints: readonly Endpoint[];
  /** By name; a record that several areas share is the same in all of them. */
  readonly records: ReadonlyMap<string, RecordType>;
  readonly enums: ReadonlyMap<string, EnumType>;
  readonly forms: ReadonlyMap<string, Form>;
  readonly limits: ReadonlyMap<string, number>;
  readonly rateGroups: readonly RateGroup[];
  readonly errorCodes: readonly ErrorCode[];
}

/** `"POST /spot/order"`: how an endpoint is named in code. */
export function endpointName(endpoint: Pick<Endpoint, "method" | "path">): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** A bound of the contract: the number itself, or the limit it names. */
export function boundOf(contract: Contract, bound: number | string | undefined): number | undefined {
  if (typeof bound !== "string") return bound;
  const limit = contract.limits.get(bound);
  if (limit === undefined) throw new Error(`The contract names a limit "${bound}" that system.json does not list.`);
  return limit;
}

const AREAS = ["system", "spot-market", "spot-trading", "futures-market", "futures-trading", "account", "assets"];
const FOLDER = new URL("../../../contract/current/", import.meta.url);

interface AreaFile {
  readonly endpoints: readonly Omit<Endpoint, "area">[];
  readonly records: Readonly<Record<string, RecordType>>;
}

interface SystemFile extends AreaFile {
  readonly rate_groups: readonly RateGroup[];
  readonly limits: readonly { readonly name: string; readonly value: number }[];
  readonly forms: readonly Form[];
}

/** Reads the whole contract. Throws when a file is missing or does not hold JSON. */
export function loadContract(): Contract {
  const endpoints: Endpoint[] = [];
  const records = new Map<string, RecordType>();
  for (const area of AREAS) {
    const file = readArea<AreaFile>(area);
    for (const endpoint of file.endpoints) endpoints.push({ area, ...endpoint });
    for (const [name, record] of Object.entries(file.records)) records.set(name, record);
  }
  const system = readArea<SystemFile>("system");
  return {
    endpoints,
    records,
    enums: new Map(Object.entries(readArea<{ enums: Record<string, EnumType> }>("enums").enums)),
    forms: new Map(system.forms.map((form) => [form.name, form])),
    limits: new Map(system.limits.map((limit) => [limit.name, limit.value])),
    rateGroups: system.rate_groups,
    errorCodes: readArea<{ codes: ErrorCode[] }>("errors").codes,
  };
}

function readArea<File>(area: string): File {
  return JSON.parse(readFileSync(new URL(`${area}.json`, FOLDER), "utf8")) as File;
}
