import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Endpoint, endpointName, loadContract } from "../../src/gateway/current/contract.ts";
import type { EndpointName } from "../../src/gateway/current/types.generated.ts";
import type { ValueRule } from "../../src/gateway/request/rules.ts";
import { EXAMPLES, openStage, type Params, type Stage } from "../conformance/examples.ts";
import type { ApiClient, Envelope } from "../support/api-client.ts";

const contract = loadContract();

/** Names of parameters that point at something somebody has. */
const ID = /_ids?$|^client_id$|user_name$/;

/** What nobody ever had, in place of an id. */
const NEVER = 900_000_000_001;

/** The served endpoints that take an id of something, from the contract: a new one is tried without a word here. */
const takers = contract.endpoints.filter(
  (endpoint) => endpoint.signed && EXAMPLES[endpointName(endpoint) as EndpointName] !== undefined && takesId(endpoint),
);

function takesId(endpoint: Endpoint): boolean {
  const rules: readonly ValueRule[] = endpoint.params.flatMap((param) => [
    param,
    ...(contract.records.get(/^array<(\w+)>$/.exec(param.type)?.[1] ?? "")?.fields ?? []),
  ]);
  // Who places an order names it: a client id beside an amount and without an id points at nothing.
  // So does who makes a sub-account: only then its name has a form.
  const pointing = rules.filter(({ name, form }) => ID.test(name) && form !== "sub_user_name");
  const names = pointing.map(({ name }) => name);
  const places = rules.some(({ name }) => name === "amount") && names.every((name) => name === "client_id");
  return names.length > 0 && !places;
}

/** The same parameters with ids that never existed. */
function withoutIds(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((each, index) => (ID.test(name) ? NEVER + index : withoutIds(each)));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutIds(each, key)]));
  }
  if (!ID.test(name)) return value;
  if (typeof value === "number") return NEVER;
  return /^[0-9,]+$/.test(String(value)) ? String(value).replaceAll(/[0-9]+/g, String(NEVER)) : "never-used";
}

describe("ids of other users are answered as if they had never existed", () => {
  let stage: Stage;
  let stranger: ApiClient;
  before(async () => {
    stage = await openStage();
    stranger = (await stage.venue.addUser("stranger", { USDT: "100000", BTC: "10" })).client;
  });
  after(() => stage.venue.close());

  function call(client: ApiClient, endpoint: Endpoint, params: Params): Promise<Envelope> {
    const path = `/v2${endpoint.path}`;
    return endpoint.method === "GET" ? client.get(path, params as Record<string, string>) : client.post(path, params);
  }

  test("the contract's endpoints with ids are found", () => {
    const names = takers.map(endpointName);
    for (const name of ["POST /spot/cancel-order", "GET /spot/batch-order-status", "POST /spot/batch-modify-order"]) {
      assert.ok(names.includes(name), name);
    }
    assert.ok(!names.includes("POST /spot/order"));
  });

  for (const endpoint of takers) {
    test(endpointName(endpoint), async () => {
      const params = await EXAMPLES[endpointName(endpoint) as EndpointName]?.(stage);
      assert.ok(params !== undefined);
      const absent = withoutIds(params) as Params;
      assert.notDeepEqual(absent, params, "the example names no id");

      const before = stage.venue.stateHash();
      const ofNobody = await call(stranger, endpoint, absent);
      const ofOther = await call(stranger, endpoint, params);
      assert.equal(JSON.stringify(ofOther), JSON.stringify(ofNobody));
      assert.equal(stage.venue.stateHash(), before, "a stranger changed something");

      // The ids were there to be had: their owner gets another answer.
      const ofOwner = await call(stage.caller.client, endpoint, params);
      assert.equal(ofOwner.code, 0, ofOwner.message);
      assert.notEqual(JSON.stringify(ofOwner), JSON.stringify(ofOther));
    });
  }
});
