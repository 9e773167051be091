/**
 * The OpenAPI 3.1 description of the endpoints that are served, derived from the contract. It holds what a client needs
 * and nothing that is not served.
 */

import { LONG_PERIODS } from "../limits/figures.ts";
import { exampleOf, namedExample } from "../request/examples.ts";
import type { Param } from "../request/rules.ts";
import { recordSchemas, recordsIn, ref, type Schema, valueSchema } from "../request/schemas.ts";
import type { Contract, Endpoint } from "./contract.ts";

const DESCRIPTION = `
Every answer has an envelope: \`code\` 0 is success, and then \`data\` holds what the endpoint gives; any other code
is a refusal, whose \`message\` says why. The HTTP status is 200, refusals included, but for too many requests from an
address (429), unknown paths (404), requests that break HTTP or its bounds (400, 408, 413, 431) and a venue that is
stopping (503).

Amounts, prices and rates are decimal texts, times are milliseconds. In requests numbers may be written as JSON
numbers or as text; parameters that are not listed are ignored. Paths answer with and without \`/v2\`.

**Signing.** Calls marked with a lock carry three headers: \`X-SVC-KEY\`, the access id; \`X-SVC-TIMESTAMP\`, the time
in ms; and \`X-SVC-SIGN\`, the HMAC-SHA256, keyed with the secret and in lower-case hexadecimal, of method, path with
query, body and timestamp joined without anything between. A request may be 5 s old; \`X-SVC-WINDOWTIME\` asks for up
to 60000 ms.

Where a venue serves the older generation as well, [a page of its own](/docs/legacy) describes it.
`;

const AREA_NAMES: Readonly<Record<string, string>> = {
  system: "System",
  "spot-market": "Spot market data",
  "spot-trading": "Spot trading",
  "futures-market": "Futures market data",
  "futures-trading": "Futures trading",
  account: "Account",
  assets: "Assets",
  ext: "Extensions of this venue",
};

/** `service` is the SVC of the header names that the document shows. */
export function openApiDocument(contract: Contract, endpoints: readonly Endpoint[], service: string): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const endpoint of endpoints) {
    const operations = paths[endpoint.path] ?? {};
    operations[endpoint.method.toLowerCase()] = operationOf(contract, endpoint);
    paths[endpoint.path] = operations;
  }
  const areas = new Set(endpoints.map(({ area }) => area));
  const description = DESCRIPTION.replaceAll("X-SVC-", `X-${service}-`).trim();
  return {
    openapi: "3.1.0",
    info: { title: "bourse", version: "2", license: { name: "Apache-2.0", identifier: "Apache-2.0" }, description },
    servers: [{ url: "/v2" }],
    tags: [...areas].map((area) => ({ name: AREA_NAMES[area] ?? area })),
    paths,
    components: {
      securitySchemes: {
        key: headerScheme(`X-${service}-KEY`, "The access id of the API key."),
        signature: headerScheme(`X-${service}-SIGN`, "The signature, 64 hexadecimal characters."),
        timestamp: headerScheme(`X-${service}-TIMESTAMP`, "The time of the request in ms, as signed."),
      },
      ...(endpoints.some(hasQuota) ? { headers: HEADERS } : {}),
      responses: { TooManyRequests: TOO_MANY_REQUESTS },
      schemas: { Refusal: REFUSAL, ...recordSchemas(contract, endpoints.flatMap(recordsOf)) },
    },
  };
}

const REFUSAL: Schema = {
  type: "object",
  description: "Why a call was not done.",
  required: ["code", "data", "message"],
  properties: {
    code: { type: "integer", description: "not 0; docs/reference/errors.md lists the codes", examples: [3639] },
    data: { type: "object" },
    message: { type: "string", examples: ["Invalid Parameter: market is required."] },
  },
};

const TOO_MANY_REQUESTS: Schema = {
  description: "Too many requests came from this address.",
  content: { "application/json": { schema: ref("Refusal") } },
};

/** The headers of answers of endpoints with a rate group, while rate limits are on. */
const HEADERS: Readonly<Record<string, Schema>> = {
  "X-RateLimit-Limit": quotaHeader("Requests per second of the group, for this account now."),
  "X-RateLimit-Remaining": quotaHeader("Whole requests left, 0 in debt."),
  ...Object.fromEntries(
    Object.entries(LONG_PERIODS).map(([period, hours]) => [
      `X-RateLimit-LongPeriod-${period}-Remaining`,
      quotaHeader(`Requests left in the window of ${hours} hours, for a main account with its sub-accounts.`),
    ]),
  ),
};

const HEADERS_BY_REFERENCE = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function quotaHeader(description: string): Schema {
  return { description, schema: { type: "integer", minimum: 0 } };
}

function hasQuota(endpoint: Endpoint): boolean {
  return endpoint.group !== null && endpoint.signed;
}

function headerScheme(name: string, description: string): Schema {
  return { type: "apiKey", in: "header", name, description };
}

function operationOf(contract: Contract, endpoint: Endpoint): Schema {
  const permission =
    endpoint.permission === undefined ? "" : `Needs a key with the \`${endpoint.permission}\` permission.`;
  const group = hasQuota(endpoint) ? `Draws on the rate limit of the group \`${endpoint.group}\`.` : "";
  const alias = endpoint.alias_of === undefined ? "" : `Another spelling of \`${endpoint.alias_of}\`.`;
  return {
    operationId: operationIdOf(endpoint),
    tags: [AREA_NAMES[endpoint.area] ?? endpoint.area],
    summary: endpoint.title,
    ...(permission || group || alias ? { description: [permission, group, alias].filter(Boolean).join(" ") } : {}),
    security: endpoint.signed ? [{ key: [], signature: [], timestamp: [] }] : [],
    ...(endpoint.method === "GET"
      ? { parameters: queryOf(contract, endpoint) }
      : { requestBody: bodyOf(contract, endpoint) }),
    responses: {
      "200": {
        description: "The envelope; a code other than 0 is a refusal.",
        ...(hasQuota(endpoint) ? { headers: HEADERS_BY_REFERENCE } : {}),
        content: { "application/json": { schema: { anyOf: [envelopeOf(endpoint), ref("Refusal")] } } },
      },
      "429": { $ref: "#/components/responses/TooManyRequests" },
    },
  };
}

/** `getSpotOrderStatus`; a second spelling of a path would come out the same and says that it is one. */
function operationIdOf(endpoint: Endpoint): string {
  const words = endpoint.path.split(/[^a-z]+/).filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return `${endpoint.method.toLowerCase()}${name}${endpoint.alias_of === undefined ? "" : "Alias"}`;
}

function queryOf(contract: Contract, endpoint: Endpoint): Schema[] {
  return endpoint.params.map((param) => ({
    in: "query",
    name: param.name,
    required: param.required,
    description: param.rule,
    schema: paramSchema(contract, param),
    ...(param.required ? namedExample(param) : {}),
  }));
}

function bodyOf(contract: Contract, endpoint: Endpoint): Schema {
  const properties = endpoint.params.map((param): [string, Schema] => [
    param.name,
    { ...paramSchema(contract, param), description: param.rule },
  ]);
  const schema = {
    type: "object",
    required: endpoint.params.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(properties),
  };
  return { required: true, content: { "application/json": { schema, example: exampleOf(contract, endpoint.params) } } };
}

function paramSchema(contract: Contract, param: Param): Schema {
  return { ...valueSchema(contract, param), ...(param.default === null ? {} : { default: param.default }) };
}

function envelopeOf(endpoint: Endpoint): Schema {
  const { kind, pagination } = endpoint.result;
  const properties: Record<string, unknown> = { code: { type: "integer", const: 0 }, data: dataOf(endpoint) };
  if (kind === "page") {
    const fields = pagination.map((name) => [name, { type: name === "total" ? "integer" : "boolean" }]);
    properties.pagination = { type: "object", required: pagination, properties: Object.fromEntries(fields) };
  }
  properties.message = { type: "string" };
  return { type: "object", required: Object.keys(properties), properties };
}

function dataOf(endpoint: Endpoint): Schema {
  const { kind, record, record_by } = endpoint.result;
  if (kind === "empty" || record === null) return { type: "object", maxProperties: 0 };
  const names = [...new Set([record, ...Object.values(record_by?.values ?? {})])];
  const row: Schema = names.length === 1 ? ref(record) : { anyOf: names.map(ref) };
  if (kind === "object") return row;
  if (kind !== "batch") return { type: "array", items: row };
  const element = {
    type: "object",
    required: ["code", "data", "message"],
    properties: {
      code: { type: "integer" },
      data: { anyOf: [row, { type: "null" }] },
      message: { type: "string" },
    },
  };
  return { type: "array", items: element };
}

/** The records that an endpoint names. */
function recordsOf({ params, result }: Endpoint): string[] {
  const answered = [result.record ?? [], Object.values(result.record_by?.values ?? {})].flat();
  return [...answered, ...params.flatMap((param) => recordsIn(param.type))];
}
