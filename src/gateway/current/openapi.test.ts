import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointName, loadContract } from "./contract.ts";
import { openApiDocument } from "./openapi.ts";

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, Schema>; headers: Record<string, unknown> };
}

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Record<string, Schema>;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
}

interface Operation {
  readonly parameters?: { name: string }[];
  readonly operationId: string;
  readonly security: readonly object[];
  readonly requestBody?: { content: Record<string, { schema: Schema; example: unknown }> };
  readonly responses: { "200": { headers?: Record<string, { $ref: string }> } };
}

const contract = loadContract();
const documentOf = (endpoints = contract.endpoints) =>
  openApiDocument(contract, endpoints, "SVC") as unknown as Document;

test("every endpoint is described once, under its own name", () => {
  const { paths } = documentOf();
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(described.sort(), contract.endpoints.map(endpointName).sort());
  const ids = Object.values(paths).flatMap((operations) => Object.values(operations).map((each) => each.operationId));
  assert.equal(new Set(ids).size, ids.length);
});

test("every reference leads somewhere, and every schema is used", () => {
  const document = documentOf();
  const text = JSON.stringify(document);
  const named = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]));
  assert.deepEqual([...named].sort(), Object.keys(document.components.schemas).sort());
});

test("endpoints with a rate group tell their headers, and no others do", () => {
  const { paths, components } = documentOf();
  const names = Object.keys(components.headers);
  assert.equal(names.length, 6);
  for (const endpoint of contract.endpoints) {
    const headers = paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.responses["200"].headers ?? {};
    assert.deepEqual(Object.keys(headers), endpoint.group !== null && endpoint.signed ? names : [], endpoint.path);
    for (const [name, { $ref }] of Object.entries(headers)) assert.equal($ref, `#/components/headers/${name}`);
  }
});

test("the example of a request keeps to the forms that the document asks for", () => {
  const { paths, components } = documentOf();
  const judge = (where: string, schema: Schema, value: unknown): void => {
    const { $ref, items, properties = {}, pattern, enum: values } = schema;
    if ($ref !== undefined) judge(where, components.schemas[$ref.split("/").at(-1) as string] as Schema, value);
    else if (items !== undefined) for (const item of value as unknown[]) judge(`${where}[]`, items, item);
    else if (values !== undefined) assert.ok(values.includes(value), where);
    else if (pattern !== undefined) assert.match(String(value), new RegExp(pattern), where);
    else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) judge(`${where}.${name}`, properties[name] as Schema, inner);
    }
  };
  for (const [path, { post }] of Object.entries(paths)) {
    const body = post?.requestBody?.content["application/json"];
    if (body !== undefined) judge(path, body.schema, body.example);
  }
});

test("each call says whether it must be signed", () => {
  const { paths } = documentOf();
  for (const { path, method, signed } of contract.endpoints) {
    assert.equal(paths[path]?.[method.toLowerCase()]?.security.length, signed ? 1 : 0, path);
  }
});

test("what is not served is not listed, neither path nor record", () => {
  const served = contract.endpoints.filter((each) => each.path === "/time");
  const document = documentOf(served);
  assert.deepEqual(Object.keys(document.paths), ["/time"]);
  assert.deepEqual(Object.keys(document.components.schemas), ["Refusal", "ServerTime"]);
});

test("the document names the headers of the venue's own service part", () => {
  const text = JSON.stringify(openApiDocument(contract, contract.endpoints, "ACME"));
  assert.match(text, /X-ACME-SIGN/);
  assert.doesNotMatch(text, /X-SVC-/);
});

test("an undefined value nowhere: the document survives JSON unchanged", () => {
  const document = documentOf();
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
});
