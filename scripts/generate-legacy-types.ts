/**
 * Writes src/gateway/legacy/types.generated.ts: the types of the legacy generation, as generate-types.ts does for the
 * current one. Run it after a change in contract/legacy; a test fails until then.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadContract } from "../src/gateway/current/contract.ts";
import {
  type LegacyContract,
  type LegacyEndpoint,
  type LegacyParam,
  legacyName,
  loadLegacyContract,
} from "../src/gateway/legacy/contract.ts";
import type { Field, RecordType } from "../src/gateway/request/rules.ts";
import { enumText, optional, pascal, scalarType, sentence, valueType } from "./generate-types.ts";

/** Where the types are written. */
export const LEGACY_TYPES_FILE = fileURLToPath(new URL("../src/gateway/legacy/types.generated.ts", import.meta.url));

/** The whole file. */
export function legacyTypesText(contracts: readonly LegacyContract[]): string {
  const endpoints = contracts.flatMap((contract) => contract.endpoints);
  const records = new Map(contracts.flatMap((contract) => [...contract.records]));
  const enums = contracts[0]?.enums ?? new Map();
  const written = [...records].filter(([name]) => !GENERIC.has(name)).map(([name, record]) => recordText(name, record));
  const used = [...enums].filter(([name]) => written.concat(endpoints.map(paramsText)).join().includes(pascal(name)));
  const parts = [
    "// Written by scripts/generate-legacy-types.ts from contract/legacy. Change the contract, not this file.",
    'import type { Refused } from "../refused.ts";',
    "",
    ...used.map(([name, { values }]) => enumText(name, values)),
    "",
    ...written,
    "/** The checked parameters of each endpoint. */",
    "export interface LegacyParamsOf {",
    ...endpoints.map(paramsText),
    "}",
    "",
    "/** What `data` holds: the record itself, or one row of it. */",
    "export interface LegacyRecord {",
    ...endpoints.map((endpoint) => `  "${legacyName(endpoint)}": ${resultType(endpoint)};`),
    "}",
    "",
    "export interface LegacyKind {",
    ...endpoints.map((endpoint) => `  "${legacyName(endpoint)}": "${endpoint.result.kind}";`),
    "}",
    "",
    "export type LegacyName = keyof LegacyParamsOf;",
  ];
  return `${parts.join("\n")}\n`;
}

/** Records whose rows are those of the endpoint that uses them. */
const GENERIC: ReadonlySet<string> = new Set([
  "LegacyPage",
  "LegacyRecordsPage",
  "LegacyBatchItem",
  "PerpetualPage",
  "PerpetualPageTotal",
]);

function recordText(name: string, record: RecordType): string {
  if (record.kind === "tuple") {
    const members = record.fields.map((field) => `  /** ${sentence(field.meaning)} */\n  ${fieldType(field)},`);
    return `export type ${name} = readonly [\n${members.join("\n")}\n];\n`;
  }
  const isRequest = name.endsWith("Request");
  const lines = record.fields.map((field) => {
    if (isRequest)
      return (
        `  /** ${sentence(field.meaning)} */\n  readonly ${field.name}: ` +
        `${optional(valueType(field), field.nullable)};`
      );
    const key = field.name.startsWith("<") ? "[other: string]" : field.optional ? `${field.name}?` : field.name;
    const type = field.name.startsWith("<") ? `${fieldType(field)} | string | number` : fieldType(field);
    return `  /** ${sentence(field.meaning)} */\n  readonly ${key}: ${type};`;
  });
  return `export interface ${name} {\n${lines.join("\n")}\n}\n`;
}

function fieldType(field: Field): string {
  const map = /^map<(\w+)>$/.exec(field.type)?.[1];
  const list = /^array<(\w+)>$/.exec(field.type)?.[1];
  const one = (type: string) => (field.enum ? pascal(field.enum) : type === "float" ? "number" : scalarType(type));
  const written =
    map === undefined
      ? list === undefined
        ? one(field.type)
        : `readonly ${one(list)}[]`
      : `Readonly<Record<string, ${one(map)}>>`;
  return field.nullable ? `${written} | null` : written;
}

function paramsText(endpoint: LegacyEndpoint): string {
  const name = legacyName(endpoint);
  if (endpoint.params.length === 0) return `  "${name}": Readonly<Record<string, never>>;`;
  const lines = endpoint.params.map((param: LegacyParam) => {
    const eachAlone = param.type.startsWith("array") && endpoint.result.wrapper !== undefined;
    const type = eachAlone ? `readonly (${param.type.slice("array<".length, -1)} | Refused)[]` : valueType(param);
    const isTime = param.name === "start_time" || param.name === "end_time";
    return `    readonly ${param.name}: ${optional(type, isTime || (!param.required && param.default === null))};`;
  });
  return `  "${name}": {\n${lines.join("\n")}\n  };`;
}

function resultType({ result }: LegacyEndpoint): string {
  if (result.wrapper !== undefined) return `{ code: number; message: string; data: ${result.record} | null }`;
  if (result.record === null) return result.item === undefined ? "never" : scalarType(result.item);
  if (result.depth === 2) return `Readonly<Record<string, ${result.record}>>`;
  return result.values === "array" ? `readonly ${result.record}[]` : result.record;
}

if (import.meta.main) {
  const current = loadContract();
  const contracts = [loadLegacyContract("spot", current), loadLegacyContract("futures", current)];
  writeFileSync(LEGACY_TYPES_FILE, legacyTypesText(contracts));
}
