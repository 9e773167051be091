/**
 * The wire contract of the current generation, read from `contract/current` once at start. Routes, parameter checks,
 * permissions, OpenAPI and the generated types all come from here; contract/README.md explains the keys.
 */
import { readFileSync } from "node:fs";
import type { Permission } from "../auth/key-directory.ts";
import type { RateGroup } from "../limits/figures.ts";
import type { EnumType, Form, Param, RecordType, Vocabulary } from "../request/rules.ts";

export type Method = "GET" | "POST";
export type ResultKind = "object" | "array" | "page" | "batch" | "empty";

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

export interface ErrorCode {
  readonly code: number;
  readonly meaning: string;
  readonly when: string;
}

export interface Contract extends Vocabulary {
  /** In the order of the files. */
  readonly endpoints: readonly Endpoint[];
  readonly rateGroups: readonly RateGroup[];
  readonly errorCodes: readonly ErrorCode[];
}

/** `"POST /spot/order"`: how an endpoint is named in code. */
export function endpointName(endpoint: Pick<Endpoint, "method" | "path">): string {
  return `${endpoint.method} ${endpoint.path}`;
}

const AREAS = [
  "system",
  "spot-market",
  "spot-trading",
  "futures-market",
  "futures-trading",
  "account",
  "assets",
  "ext",
];
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

let contract: Contract | undefined;

/** The whole contract, read at the first call. Throws when a file is missing or does not hold JSON. */
export function loadContract(): Contract {
  contract ??= readContract();
  return contract;
}

function readContract(): Contract {
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
