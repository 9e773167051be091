import assert from "node:assert/strict";
import { test } from "node:test";
import { loadContract } from "../current/contract.ts";
import { legacyName, loadLegacyContract } from "./contract.ts";
import { legacyOpenApiDocument } from "./openapi.ts";

interface Operation {
  readonly operationId: string;
  readonly deprecated: boolean;
  readonly parameters: readonly { name: string; in: string }[];
  readonly security: readonly object[];
}

const surfaces = (["spot", "futures"] as const).map((area) => {
  const contract = loadLegacyContract(area, loadContract());
  return { contract, endpoints: contract.endpoints };
});
const document = legacyOpenApiDocument(surfaces) as unknown as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: object };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);

test("every endpoint is described once, as one of the past, under a name of its own", () => {
  const names = surfaces.flatMap(({ endpoints }) => endpoints.map(legacyName));
  assert.deepEqual(operations.map(({ name }) => name).sort(), names.sort());
  assert.ok(operations.every(({ operation }) => operation.deprecated));
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.deepEqual([new Set(ids).size, ids.filter((id) => !/^[a-z]\w+$/.test(id))], [ids.length, []]);
});

test("every reference leads somewhere, and every schema is used", () => {
  const text = JSON.stringify(document);
  const named = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]));
  assert.deepEqual([...named].sort(), Object.keys(document.components.schemas).sort());
});

test("what a path has in braces is a parameter of it, and no other is in the path", () => {
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((param) => param.in === "path").map(({ name }) => name);
    assert.deepEqual(
      inPath,
      [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
    );
  }
});
