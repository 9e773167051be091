/**
 * Writes client/http.generated.ts and client/sockets.generated.ts: what the TypeScript client knows of the contract, as
 * types, and the little of it that it needs while it runs. Run it after a change in contract/current or
 * contract/websocket; a test fails until then.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Contract, type Endpoint, endpointName, loadContract } from "../src/gateway/current/contract.ts";
import type { Field, RecordType, ValueRule } from "../src/gateway/request/rules.ts";
import { isOn, loadSocketContract, type MarketKind, type SocketContract } from "../src/gateway/ws/contract.ts";
import { enumText, pascal, scalarType, sentence, valueType } from "./generate-types.ts";

/** Where they are written. */
export const HTTP_FILE = fileURLToPath(new URL("../client/http.generated.ts", import.meta.url));
export const SOCKETS_FILE = fileURLToPath(new URL("../client/sockets.generated.ts", import.meta.url));

const LINE_WIDTH = 120;
const KINDS = ["spot", "futures"] as const;

/** The types of every call over HTTP, and the table of what each needs. */
export function httpText(contract: Contract): string {
  const { endpoints, errorCodes, rateGroups } = contract;
  const parts = [
    "// Written by scripts/generate-client.ts from contract/current. Change the contract, not this file.",
    "",
    ...[...contract.enums].map(([name, { values }]) => enumText(name, values)),
    "",
    ...[...contract.records].map(([name, record]) => recordText(name, record)),
    "/** What each call takes. Decimals are texts, times are ms. */",
    "export interface Params {",
    ...endpoints.map(paramsText),
    "}",
    "",
    "/** What each call gives: the record itself, or one row of a list, page or batch. */",
    "export interface Records {",
    ...endpoints.map((endpoint) => `  "${endpointName(endpoint)}": ${recordNames(endpoint)};`),
    "}",
    "",
    "/** How each call gives it. */",
    "export interface Kinds {",
    ...endpoints.map((endpoint) => `  "${endpointName(endpoint)}": "${endpoint.result.kind}";`),
    "}",
    "",
    "/** Codes that the venue refuses with, and what they say. */",
    "export const CODES = {",
    ...errorCodes.map(({ code, meaning }) => `  ${code}: ${JSON.stringify(meaning)},`),
    "} as const;",
    "",
    "/** Requests per second of one account, by group, as long as no answer says otherwise. */",
    "export const GROUP_RATES: Readonly<Record<string, number>> = {",
    ...rateGroups.map(({ name, rate_per_second }) => `  "${name}": ${rate_per_second},`),
    "};",
    "",
    "/** Requests per second of one address. */",
    `export const ADDRESS_RATE = ${contract.limits.get("ip_requests_per_second")};`,
    "",
    "/** What a call needs: a signature, quota of a group, and how many requests it counts as. */",
    "export interface Needs {",
    "  readonly signed: boolean;",
    "  readonly group?: string;",
    "  /** The parameter whose items are counted. */",
    "  readonly items?: string;",
    "  /** Each row of the answer succeeds or fails alone. */",
    "  readonly batch?: true;",
    "}",
    "",
    "export const ENDPOINTS: Readonly<Record<keyof Params, Needs>> = {",
    ...endpoints.map(needsText),
    "};",
  ];
  return `${parts.join("\n")}\n`;
}

/** The types of every channel, and the table of what each needs. */
export function socketsText(contract: SocketContract): string {
  const { enums, records } = contract.values;
  const parts = [
    "// Written by scripts/generate-client.ts from contract/websocket. Change the contract, not this file.",
    "",
    ...[...enums].map(([name, { values }]) => enumText(name, values)),
    "",
    ...[...records].map(([name, record]) =>
      record.kind === "tuple" ? tupleText(name, record) : recordText(name, record),
    ),
    "/** By socket and channel: what is followed, and what each push holds. */",
    "export interface Channels {",
    ...KINDS.flatMap((kind) => [`  ${kind}: {`, ...channelsOf(contract, kind).map(channelText), "  };"]),
    "}",
    "",
    "/** By socket: methods that are calls of HTTP, and which. */",
    "export interface Methods {",
    ...KINDS.flatMap((kind) => [`  ${kind}: {`, ...methodsOf(contract, kind).map((line) => `${line};`), "  };"]),
    "}",
    "",
    "export const METHODS: Methods = {",
    ...KINDS.flatMap((kind) => [`  ${kind}: {`, ...methodsOf(contract, kind).map((line) => `${line},`), "  },"]),
    "};",
    "",
    "export const CHANNELS: Readonly<Record<keyof Channels, Readonly<Record<string, ChannelNeeds>>>> = {",
    ...KINDS.flatMap((kind) => [`  ${kind}: {`, ...channelsOf(contract, kind).map(channelNeedsText), "  },"]),
    "};",
    "",
    "/** What a channel needs: a login, and the name of the list that says what is followed. */",
    "export interface ChannelNeeds {",
    "  readonly signed: boolean;",
    "  readonly list: string;",
    "}",
  ];
  return `${parts.join("\n")}\n`;
}

function channelsOf({ channels }: SocketContract, kind: MarketKind) {
  return channels.filter((channel) => isOn(kind, channel));
}

function methodsOf({ calls }: SocketContract, kind: MarketKind): string[] {
  return calls.flatMap(({ method, endpoint }) =>
    endpoint === undefined ? [] : [`    "${method}": "${endpoint[kind]}"`],
  );
}

function channelText({ name, subscribe, update }: SocketContract["channels"][number]): string {
  const item = /^array<(\w+)>$/.exec(subscribe.params[0]?.type ?? "")?.[1] ?? "string";
  return `    ${name}: { item: ${scalarType(item)}; push: ${update.record} };`;
}

function channelNeedsText({ name, signed, subscribe }: SocketContract["channels"][number]): string {
  return `    ${name}: { signed: ${signed}, list: "${subscribe.params[0]?.name}" },`;
}

function recordText(name: string, record: RecordType): string {
  const isRequest = name.endsWith("Request");
  const lines = record.fields.map((field) => {
    const mayLack = isRequest ? field.nullable : field.optional === true;
    const type = isRequest ? inputType(field) : fieldType(field);
    return (
      `  /** ${sentence(field.meaning)} */\n  readonly ${field.name}${mayLack ? "?" : ""}: ` +
      `${type}${mayLack ? " | undefined" : ""};`
    );
  });
  return `export interface ${name} {\n${lines.join("\n")}\n}\n`;
}

function tupleText(name: string, { fields }: RecordType): string {
  const members = fields.map((field) => `${camel(field.meaning)}: ${fieldType(field)}`);
  const line = `export type ${name} = readonly [${members.join(", ")}];\n`;
  return line.length <= LINE_WIDTH
    ? line
    : `export type ${name} = readonly [\n${members.map((member) => `  ${member},\n`).join("")}];\n`;
}

/** `price step` → `priceStep`: members of tuples are named for who reads them. */
function camel(meaning: string): string {
  const [words = ""] = meaning.split(";");
  return words.trim().replace(/\s+(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function paramsText(endpoint: Endpoint): string {
  const name = endpointName(endpoint);
  if (endpoint.params.length === 0) return `  "${name}": Readonly<Record<string, never>>;`;
  const lines = endpoint.params.map((param) => {
    const comment = `    /** ${sentence(param.rule)} */`;
    return (
      `${comment}\n    readonly ${param.name}${param.required ? "" : "?"}: ` +
      `${inputType(param)}${param.required ? "" : " | undefined"};`
    );
  });
  return `  "${name}": {\n${lines.join("\n")}\n  };`;
}

/** A value as a caller gives it: a list that travels as one text may be given as a list, too. */
function inputType(rule: ValueRule): string {
  if (rule.form === "market_list") return "string | readonly string[]";
  if (rule.form === "id_list") return "string | readonly number[]";
  const item = /^array<(\w+)>$/.exec(rule.type)?.[1];
  return item !== undefined && rule.enum == null ? `readonly ${scalarType(item)}[]` : valueType(rule);
}

/** A value as the venue gives it. An enumerated text may also be empty where its meaning says so. */
function fieldType(field: Field): string {
  const base = field.enum ? pascal(field.enum) : undefined;
  const type = field.type.replace(/^object<(\w+)>$/, "$1");
  const rows = /^array<(.+)>$/.exec(type)?.[1];
  let written = base ?? scalarType(type);
  if (rows === "array<decimal>") written = "readonly (readonly [price: string, amount: string])[]";
  else if (rows !== undefined) written = `readonly ${base ?? scalarType(rows)}[]`;
  else if (base !== undefined && /\bempty\b/.test(field.meaning ?? "")) written = `${base} | ""`;
  return field.nullable ? `${written} | null` : written;
}

function recordNames({ result: { record, record_by } }: Endpoint): string {
  const names = new Set([...(record === null ? [] : [record]), ...Object.values(record_by?.values ?? {})]);
  return names.size === 0 ? "Readonly<Record<string, never>>" : [...names].join(" | ");
}

function needsText(endpoint: Endpoint): string {
  const { signed, group, quota, params } = endpoint;
  const items = quota === "1" ? undefined : params.find(({ type }) => type.startsWith("array<"))?.name;
  const members = [
    `signed: ${signed}`,
    ...(group === null || !signed ? [] : [`group: "${group}"`]),
    ...(items === undefined ? [] : [`items: "${items}"`]),
    ...(endpoint.result.kind === "batch" ? ["batch: true"] : []),
  ];
  const line = `  "${endpointName(endpoint)}": { ${members.join(", ")} },`;
  if (line.length <= LINE_WIDTH) return line;
  return `  "${endpointName(endpoint)}": {\n${members.map((member) => `    ${member},\n`).join("")}  },`;
}

if (import.meta.main) {
  writeFileSync(HTTP_FILE, httpText(loadContract()));
  writeFileSync(SOCKETS_FILE, socketsText(loadSocketContract()));
}
