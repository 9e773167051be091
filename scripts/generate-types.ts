/**
 * Writes types.generated.ts: TypeScript types of every enumeration, record and endpoint of the contract, so that a
 * handler which misspells a field does not compile. Run it after a change in contract/current; a test fails until then.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Contract, type Endpoint, endpointName, loadContract } from "../src/gateway/current/contract.ts";
import type { Field, RecordType, Scalar, ValueRule } from "../src/gateway/request/rules.ts";

const LINE_WIDTH = 120;

/** Where the types are written. */
export const TYPES_FILE = fileURLToPath(new URL("../src/gateway/current/types.generated.ts", import.meta.url));

/** The whole file. */
export function typesText(contract: Contract): string {
  const parts = [
    "// Written by scripts/generate-types.ts from contract/current. Change the contract, not this file.",
    'import type { Refused } from "../refused.ts";',
    "",
    ...[...contract.enums].map(([name, { values }]) => enumText(name, values)),
    "",
    ...[...contract.records].map(([name, record]) => recordText(name, record)),
    "/** The checked parameters of each endpoint. */",
    "export interface EndpointParams {",
    ...contract.endpoints.map((endpoint) => paramsText(contract, endpoint)),
    "}",
    "",
    "/** What `data` holds: the record itself, or one row of a list, page or batch. */",
    "export interface EndpointRecord {",
    ...contract.endpoints.map((endpoint) => `  "${endpointName(endpoint)}": ${recordNames(endpoint)};`),
    "}",
    "",
    "/** What goes into the envelope. */",
    "export interface EndpointKind {",
    ...contract.endpoints.map((endpoint) => `  "${endpointName(endpoint)}": "${endpoint.result.kind}";`),
    "}",
    "",
    "export type EndpointName = keyof EndpointParams;",
    "",
    "/** The endpoints that have a caller. */",
    `export type SignedEndpointName =\n${signedNames(contract).join("\n")};`,
  ];
  return `${parts.join("\n")}\n`;
}

export function enumText(name: string, values: readonly { readonly value: Scalar }[]): string {
  const members = values.map(({ value }) => JSON.stringify(value));
  const line = `export type ${pascal(name)} = ${members.join(" | ")};`;
  if (line.length <= LINE_WIDTH) return line;
  return `export type ${pascal(name)} =\n${members.map((member) => `  | ${member}`).join("\n")};`;
}

function recordText(name: string, record: RecordType): string {
  const isRequest = name.endsWith("Request");
  const lines = record.fields.map((field) => {
    const type = isRequest ? optional(valueType(field), field.nullable) : fieldType(field);
    return `  /** ${sentence(field.meaning)} */\n  readonly ${field.name}: ${type};`;
  });
  return `export interface ${name} {\n${lines.join("\n")}\n}\n`;
}

function paramsText(contract: Contract, endpoint: Endpoint): string {
  const name = endpointName(endpoint);
  if (endpoint.params.length === 0) return `  "${name}": Readonly<Record<string, never>>;`;
  const lines = endpoint.params.map((param) => {
    const item = /^array<(\w+)>$/.exec(param.type)?.[1];
    const eachAlone = item !== undefined && endpoint.result.kind === "batch";
    const type = eachAlone ? `readonly (${itemType(contract, item)} | Refused)[]` : valueType(param);
    return `    readonly ${param.name}: ${optional(type, !param.required && param.default === null)};`;
  });
  return `  "${name}": {\n${lines.join("\n")}\n  };`;
}

function recordNames(endpoint: Endpoint): string {
  const { record, record_by } = endpoint.result;
  const names = new Set([...(record === null ? [] : [record]), ...Object.values(record_by?.values ?? {})]);
  return names.size === 0 ? "never" : [...names].join(" | ");
}

function signedNames(contract: Contract): string[] {
  return contract.endpoints.filter(({ signed }) => signed).map((endpoint) => `  | "${endpointName(endpoint)}"`);
}

/** A value as the checks give it. */
export function valueType(rule: ValueRule): string {
  if (rule.form === "market_list") return "readonly string[]";
  if (rule.form === "id_list") return "readonly number[]";
  const item = /^array<(\w+)>$/.exec(rule.type)?.[1];
  if (item !== undefined) return `readonly ${rule.enum ? pascal(rule.enum) : scalarType(item)}[]`;
  return rule.enum ? pascal(rule.enum) : scalarType(rule.type);
}

/** A field as answers carry it. An enumerated text may also be empty where its meaning says so. */
function fieldType(field: Field): string {
  const base = field.enum ? pascal(field.enum) : undefined;
  const type = field.type.replace(/^object<(\w+)>$/, "$1");
  const rows = /^array<(.+)>$/.exec(type)?.[1];
  let written = base ?? scalarType(type);
  if (rows !== undefined) {
    written = rows === "array<decimal>" ? "readonly (readonly string[])[]" : `readonly ${base ?? scalarType(rows)}[]`;
  } else if (base !== undefined && /\bempty\b/.test(field.meaning)) written = `${base} | ""`;
  return field.nullable ? `${written} | null` : written;
}

function itemType(contract: Contract, item: string): string {
  return contract.records.has(item) ? item : scalarType(item);
}

export function scalarType(type: string): string {
  const scalars: Readonly<Record<string, string>> = {
    string: "string",
    decimal: "string",
    int: "number",
    bool: "boolean",
    object: "Readonly<Record<string, unknown>>",
  };
  return scalars[type] ?? type;
}

export function optional(type: string, isOptional: boolean): string {
  return isOptional ? `${type} | undefined` : type;
}

export function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

export function sentence(meaning: string): string {
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
}

if (import.meta.main) writeFileSync(TYPES_FILE, typesText(loadContract()));
