/**
 * The OpenAPI 3.1 description of the endpoints of the legacy generation that are served, derived from its two
 * contracts.
 */
import { readFileSync } from "node:fs";
import { exampleOf, exampleValue } from "../request/examples.ts";
import type { ValueRule } from "../request/rules.ts";
import { recordSchemas, recordsIn, ref, type Schema, typeSchema, valueSchema } from "../request/schemas.ts";
import { type LegacyContract, type LegacyEndpoint, legacyName } from "./contract.ts";

const DESCRIPTION = `
**This is the older generation of the API**, kept for programs that were written for it. New ones use [the current
one](/docs/api); both see the same accounts, orders and balances. A venue serves it only where its operator has set
\`legacy on\`.

Every answer has an envelope \`{"code", "message", "data"}\` with HTTP status 200: \`code\` 0 is success, any other
code a refusal with \`data: {}\`. A path that is not there is answered 404. Decimals are texts, ids are numbers, times
are seconds unless a field says ms.

**Signing.** Parameters stand in the query or in a body of JSON (a form on \`/perpetual/v1\`), \`access_id\` and
\`tonce\` (ms, at most a minute off) among them. Sort them by name, join \`name=value\` with \`&\`, undecorated,
append \`&secret_key=\` and the secret; the MD5 of it in capitals goes into the header \`authorization\`. On
\`/perpetual/v1\` the SHA-256 of the same text is taken as well, with \`timestamp\` in place of \`tonce\` and the
access id in the header \`AccessId\`.

Each signed call costs one of its group, in 2 s, of main and sub-accounts apart; beyond the group it is refused with
code 213.
`;

const AREAS: Readonly<Record<string, string>> = { "/v1": "Legacy: spot", "/perpetual/v1": "Legacy: futures" };

/** Answers of a venue in which something of everything had happened, by names of endpoints. */
const EXAMPLES = JSON.parse(
  readFileSync(new URL("../../../contract/legacy/examples.json", import.meta.url), "utf8"),
) as Readonly<Record<string, unknown>>;

export interface LegacyServed {
  readonly contract: LegacyContract;
  readonly endpoints: readonly LegacyEndpoint[];
}

export function legacyOpenApiDocument(surfaces: readonly LegacyServed[]): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  let schemas: Record<string, Schema> = {};
  for (const { contract, endpoints } of surfaces) {
    for (const endpoint of endpoints) {
      const operations = paths[endpoint.path] ?? {};
      operations[endpoint.method.toLowerCase()] = operationOf(contract, endpoint);
      paths[endpoint.path] = operations;
    }
    schemas = { ...schemas, ...recordSchemas(contract, endpoints.flatMap(recordsOf)) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "bourse, legacy generation",
      version: "1",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      description: DESCRIPTION.trim(),
    },
    servers: [{ url: "/" }],
    tags: surfaces.map(({ contract }) => ({ name: AREAS[contract.base] })),
    paths,
    components: {
      securitySchemes: {
        signature: {
          type: "apiKey",
          in: "header",
          name: "authorization",
          description: "The digest of the sorted parameters and the secret, 32 or 64 hexadecimal digits.",
        },
      },
      headers: HEADERS,
      schemas: { Refusal: REFUSAL, ...schemas },
    },
  };
}

const REFUSAL: Schema = {
  type: "object",
  description: "Why a call was not done.",
  required: ["code", "message", "data"],
  properties: {
    code: { type: "integer", description: "not 0; docs/reference/errors.md lists the codes", examples: [107] },
    message: { type: "string", examples: ["The balance is not enough."] },
    data: { type: "object", maxProperties: 0 },
  },
};

const HEADERS: Readonly<Record<string, Schema>> = {
  "X-Ratelimit-Limit": { description: "Requests of the group in 2 s.", schema: { type: "integer", minimum: 0 } },
  "X-Ratelimit-Remaining": { description: "Whole requests left.", schema: { type: "integer", minimum: 0 } },
};

const HEADERS_BY_REFERENCE = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function operationOf(contract: LegacyContract, endpoint: LegacyEndpoint): Schema {
  const { method, permission, group, signed, notes, path } = endpoint;
  const described = [
    permission === undefined ? "" : `Needs a key with the \`${permission}\` permission.`,
    signed && group !== null ? `Draws on the group \`${group}\`.` : "",
    ...(notes ?? []),
  ].filter(Boolean);
  const inPlace = (place: string) => endpoint.params.filter((param) => param.in === place);
  const asQuery = method === "GET" || method === "DELETE";
  const asParameters = [...inPlace("path"), ...(asQuery ? endpoint.params.filter(({ in: at }) => at !== "path") : [])];
  const name = legacyName(endpoint);
  const inCamelCase = path.replaceAll(/[^a-z0-9]+(\w)/g, (_, first: string) => first.toUpperCase());
  return {
    operationId: `${method.toLowerCase()}${inCamelCase.replaceAll(/\W/g, "")}`,
    tags: [AREAS[contract.base]],
    summary: endpoint.title,
    ...(described.length === 0 ? {} : { description: described.join(" ") }),
    deprecated: true,
    security: signed ? [{ signature: [] }] : [],
    parameters: asParameters.map((param) => ({
      in: param.in === "path" ? "path" : "query",
      name: param.name,
      required: param.required,
      description: param.rule,
      schema: paramSchema(contract, param),
      ...(param.required ? { example: exampleValue(contract, param) } : {}),
    })),
    ...(asQuery ? {} : { requestBody: bodyOf(contract, endpoint) }),
    responses: {
      "200": {
        description: "The envelope; a code other than 0 is a refusal.",
        ...(signed && group !== null ? { headers: HEADERS_BY_REFERENCE } : {}),
        content: {
          "application/json": {
            schema: { anyOf: [envelopeOf(contract, endpoint), ref("Refusal")] },
            ...(EXAMPLES[name] === undefined ? {} : { example: EXAMPLES[name] }),
          },
        },
      },
    },
  };
}

function paramSchema(contract: LegacyContract, param: ValueRule & { readonly default?: unknown }): Schema {
  const schema = valueSchema(contract, param);
  return param.default === null || param.default === undefined ? schema : { ...schema, default: param.default };
}

function bodyOf(contract: LegacyContract, { params, path }: LegacyEndpoint): Schema {
  const fields = params.filter((param) => param.in !== "path");
  const schema = {
    type: "object",
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map((param) => [param.name, { ...paramSchema(contract, param), description: param.rule }]),
    ),
  };
  const content = { schema, example: exampleOf(contract, fields) };
  return path.startsWith("/perpetual/")
    ? { content: { "application/x-www-form-urlencoded": content, "application/json": content } }
    : { content: { "application/json": content } };
}

function envelopeOf(contract: LegacyContract, endpoint: LegacyEndpoint): Schema {
  const properties = {
    code: { type: "integer", const: 0 },
    message: { type: "string" },
    data: dataOf(contract, endpoint),
  };
  return { type: "object", required: Object.keys(properties), properties };
}

function dataOf(contract: LegacyContract, { result }: LegacyEndpoint): Schema {
  const { kind, record, item, values, wrapper, page, depth, list_without: named } = result;
  if (kind === "empty") return { type: "object", maxProperties: 0 };
  const row = record === null ? typeSchema(contract, { name: "", type: item as string }) : ref(record);
  const listed = { type: "array", items: row };
  const mapped = (members: Schema): Schema => ({ type: "object", additionalProperties: members });
  switch (kind) {
    case "map":
      return mapped(depth === 2 ? mapped(row) : values === "array" ? listed : row);
    case "array":
      return wrapper === undefined ? listed : { type: "array", items: around(wrapper, "data", row) };
    case "page":
      return around(
        page as string,
        contract.records.get(page as string)?.fields[0]?.name === "records" ? "records" : "data",
        listed,
      );
    default:
      return named === undefined ? row : { anyOf: [row, listed] };
  }

  /** The record of this name, with one of its members put in. */
  function around(name: string, member: string, schema: Schema): Schema {
    const { properties, ...rest } = recordSchemas(contract, [name])[name] as { properties: Schema };
    return { ...rest, properties: { ...properties, [member]: schema } };
  }
}

/** The records that an endpoint names. */
function recordsOf({ params, result }: LegacyEndpoint): string[] {
  return [...(result.record === null ? [] : [result.record]), ...params.flatMap((param) => recordsIn(param.type))];
}
