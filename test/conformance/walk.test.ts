import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Endpoint, endpointName, loadContract } from "../../src/gateway/current/contract.ts";
import type { EndpointName } from "../../src/gateway/current/types.generated.ts";
import type { Param, ValueRule } from "../../src/gateway/request/rules.ts";
import type { ApiClient, Envelope } from "../support/api-client.ts";
import { EMPTY_BY_NATURE, EXAMPLES, NEEDED_ALL_THE_SAME, openStage, type Params, type Stage } from "./examples.ts";
import { extremesOf, wrongValuesOf } from "./rule-values.ts";
import { refusalBreaches, shapeBreaches } from "./shape.ts";

const contract = loadContract();
const served = contract.endpoints.filter((endpoint) => exampleOf(endpoint) !== undefined);

function exampleOf(endpoint: Endpoint) {
  return EXAMPLES[endpointName(endpoint) as EndpointName];
}

/** Every endpoint that is served is called for real, well and badly, as the contract's data says. */
describe("conformance with the contract", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.venue.close());

  test("what is served has an example, what has an example is served, and the document lists exactly that", async () => {
    const response = await fetch(`${stage.venue.base}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(listed.sort(), served.map(endpointName).sort());
    assert.equal(Object.keys(EXAMPLES).length, served.length, "an example is for no endpoint of the contract");
  });

  test("what is not served is not there", async () => {
    for (const endpoint of contract.endpoints.filter((each) => exampleOf(each) === undefined)) {
      for (const path of pathsOf(endpoint)) {
        const response = await fetch(stage.venue.base + path, { method: endpoint.method });
        assert.equal(response.status, 404, path);
        assert.deepEqual(refusalBreaches(await response.json(), 4004), [], path);
      }
    }
  });

  for (const endpoint of served) {
    describe(endpointName(endpoint), () => {
      test("answers with exactly the contract's fields, with and without the version in its path", async () => {
        const answers: Envelope[] = [];
        for (const path of pathsOf(endpoint)) {
          const params = await paramsFor(endpoint, stage);
          const answer = await call(stage, endpoint, params, path);
          assert.deepEqual(shapeBreaches(contract, endpoint, answer, params), []);
          assert.ok(!isBare(answer) || EMPTY_BY_NATURE.has(endpointName(endpoint)), "the example shows nothing");
          answers.push(answer);
        }
        const [versioned, bare] = answers as [Envelope, Envelope];
        if (endpoint.method === "GET" && !makesSomething(endpoint)) assert.deepEqual(bare, versioned);
      });

      test("needs no more than its required parameters, and each of them", async () => {
        const params = await paramsFor(endpoint, stage);
        const optional = endpoint.params.filter((param) => !param.required && param.required_unless === undefined);
        const kept = NEEDED_ALL_THE_SAME[endpointName(endpoint) as EndpointName];
        const least = without(params, ...optional.map(({ name }) => name).filter((name) => name !== kept));
        assert.deepEqual(shapeBreaches(contract, endpoint, await call(stage, endpoint, least), least), []);
        for (const param of endpoint.params.filter((each) => !optional.includes(each))) {
          await assertRefused(stage, endpoint, without(params, param.name));
          await assertRefused(stage, endpoint, { ...params, [param.name]: null });
        }
      });

      test("refuses what a parameter may not be", async () => {
        const params = await paramsFor(endpoint, stage);
        for (const param of endpoint.params) {
          for (const wrong of wrongOf(param)) {
            await assertRefused(stage, endpoint, { ...params, [param.name]: wrong });
          }
        }
      });

      test("takes every choice and both bounds of a parameter", async () => {
        for (const param of endpoint.params) {
          for (const value of extremesOf(contract, param)) {
            const answer = await call(stage, endpoint, { ...(await paramsFor(endpoint, stage)), [param.name]: value });
            // The choice may be refused for what it means here; but it is one.
            assert.doesNotMatch(answer.message, new RegExp(`${param.name} must be`), `${param.name} ${value}`);
          }
        }
      });

      const elements = elementsOf(endpoint);
      if (elements !== undefined) {
        test("lets an element fail alone", async () => {
          const { orders } = (await paramsFor(endpoint, stage)) as { orders: readonly Params[] };
          const element = orders[0] as Params;
          for (const field of elements) {
            const wrong = wrongOf(field).map((value) => ({ ...element, [field.name]: value }));
            const broken = field.nullable ? wrong : [...wrong, without(element, field.name)];
            if (broken.length === 0) continue;
            const answer = await call(stage, endpoint, { orders: broken });
            assert.equal(answer.code, 0, answer.message);
            assert.deepEqual(
              answer.data.map(({ code, data }: Envelope) => [code, data]),
              broken.map(() => [3639, null]),
              `${field.name}: ${JSON.stringify(answer.data)}`,
            );
          }
        });
      }

      test("answers to its own method only", async () => {
        const own = contract.endpoints.filter(({ path }) => path === endpoint.path).map(({ method }) => String(method));
        for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"].filter((each) => !own.includes(each))) {
          for (const path of pathsOf(endpoint)) {
            assert.deepEqual(refusalBreaches(await stage.caller.client.send(method, path), 4009), [], method);
          }
        }
      });

      test(endpoint.signed ? "is answered to nobody without a key" : "needs no key", async () => {
        const { anybody } = stage.venue;
        const answer = await call(stage, endpoint, await paramsFor(endpoint, stage), endpoint.path, anybody);
        if (endpoint.signed) assert.deepEqual(refusalBreaches(answer, 4005), []);
        else assert.equal(answer.code, 0);
      });
    });
  }
});

function paramsFor(endpoint: Endpoint, stage: Stage): Params | Promise<Params> {
  return exampleOf(endpoint)?.(stage) ?? {};
}

/** Whether two calls with the same parameters see different things, because the example itself does something. */
function makesSomething(endpoint: Endpoint): boolean {
  return ["pending-order", "pending-stop-order", "conditional-order", "iceberg-order", "batch-order-status"].some(
    (name) => endpoint.path.endsWith(`/${name}`),
  );
}

function pathsOf(endpoint: Endpoint): readonly string[] {
  return [`/v2${endpoint.path}`, endpoint.path];
}

async function call(
  { caller }: Stage,
  endpoint: Endpoint,
  params: Params,
  path = `/v2${endpoint.path}`,
  client: ApiClient = caller.client,
): Promise<Envelope> {
  if (endpoint.method === "POST") return await client.post(path, params);
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  return await client.get(path, Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
}

async function assertRefused(stage: Stage, endpoint: Endpoint, params: Params): Promise<void> {
  const answer = await call(stage, endpoint, params);
  assert.deepEqual(refusalBreaches(answer, 3639), [], JSON.stringify(params));
}

/** Whether the answer holds no record at all. */
function isBare({ data }: Envelope): boolean {
  return Array.isArray(data) && data.length === 0;
}

function without(params: Params, ...names: readonly string[]): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
}

/** The fields of a batch's sub-requests; undefined when the endpoint has none. */
function elementsOf(endpoint: Endpoint) {
  if (endpoint.result.kind !== "batch") return undefined;
  const record = /^array<(\w+)>$/.exec(endpoint.params.find(({ name }) => name === "orders")?.type ?? "")?.[1];
  return record === undefined ? undefined : contract.records.get(record)?.fields;
}

function wrongOf(rule: ValueRule | Param): unknown[] {
  const isText = (rule as Param).in === "query";
  return wrongValuesOf(contract, { rule, isText, wrongTruths: ["yes", 1] });
}
