import assert from "node:assert/strict";
import { test } from "node:test";
import { type Endpoint, endpointName, loadContract } from "../../src/gateway/current/contract.ts";
import { refusalBreaches, shapeBreaches } from "./shape.ts";

const contract = loadContract();

function breachesOf(name: string, envelope: unknown): string[] {
  const endpoint = contract.endpoints.find((each) => endpointName(each) === name) as Endpoint;
  return shapeBreaches(contract, endpoint, envelope);
}

const DEAL = { deal_id: 1, created_at: 1_750_000_000_000, side: "buy", price: "1.50", amount: "2" };
const USER_DEAL = {
  deal_id: 1,
  created_at: 1_750_000_000_000,
  order_id: 3,
  market: "BTCUSDT",
  margin_market: null,
  side: "buy",
  price: "1",
  amount: "1",
  role: "taker",
  fee: "0",
  fee_ccy: "BTC",
};

/** Each row is wrong in one way. */
test("a wrong answer is found out", () => {
  const ok = (data: unknown) => ({ code: 0, data, message: "OK" });
  const rows: readonly (readonly [what: string, name: string, envelope: unknown])[] = [
    ["no object", "GET /ping", []],
    ["a code", "GET /ping", { code: 1, data: { result: "pong" }, message: "OK" }],
    ["no message", "GET /ping", { code: 0, data: { result: "pong" } }],
    ["another message", "GET /ping", { code: 0, data: { result: "pong" }, message: "fine" }],
    ["pagination where there is none", "GET /ping", { ...ok({ result: "pong" }), pagination: {} }],
    ["a field less", "GET /ping", ok({})],
    ["a field more", "GET /ping", ok({ result: "pong", more: 1 })],
    ["another type", "GET /ping", ok({ result: 1 })],
    ["a list for an object", "GET /ping", ok([{ result: "pong" }])],
    ["an object for a list", "GET /spot/deals", ok(DEAL)],
    ["null", "GET /spot/deals", ok([{ ...DEAL, price: null }])],
    ["a number for a decimal", "GET /spot/deals", ok([{ ...DEAL, price: 1.5 }])],
    ["an exponent", "GET /spot/deals", ok([{ ...DEAL, price: "1e5" }])],
    ["an empty decimal", "GET /spot/deals", ok([{ ...DEAL, price: "" }])],
    ["a sign", "GET /spot/deals", ok([{ ...DEAL, price: "-1" }])],
    ["a text for an id", "GET /spot/deals", ok([{ ...DEAL, deal_id: "1" }])],
    ["half an id", "GET /spot/deals", ok([{ ...DEAL, deal_id: 1.5 }])],
    ["a time in seconds", "GET /spot/deals", ok([{ ...DEAL, created_at: 1_750_000_000 }])],
    ["a choice that is none", "GET /spot/deals", ok([{ ...DEAL, side: "BUY" }])],
    ["the second row", "GET /spot/deals", ok([DEAL, { ...DEAL, side: "" }])],
    ["a page without pagination", "GET /spot/user-deals", ok([USER_DEAL])],
    ["a total that is not listed", "GET /spot/user-deals", page([USER_DEAL], { has_next: false, total: 1 })],
    ["no total where it is listed", "GET /spot/pending-order", page([], { has_next: false })],
    ["has_next as a number", "GET /spot/user-deals", page([USER_DEAL], { has_next: 0 })],
    ["a failed element with data", "POST /spot/cancel-batch-order", ok([{ code: 3600, data: {}, message: "no" }])],
    ["an element without its record", "POST /spot/cancel-batch-order", ok([{ code: 0, data: null, message: "OK" }])],
    ["data where there is none", "POST /spot/cancel-all-order", ok({ count: 1 })],
  ];
  for (const [what, name, envelope] of rows) assert.notDeepEqual(breachesOf(name, envelope), [], what);
});

test("a right answer passes", () => {
  assert.deepEqual(breachesOf("GET /ping", { code: 0, data: { result: "pong" }, message: "OK" }), []);
  assert.deepEqual(breachesOf("GET /spot/deals", { code: 0, data: [DEAL, DEAL], message: "OK" }), []);
  assert.deepEqual(breachesOf("GET /spot/user-deals", page([USER_DEAL], { has_next: true })), []);
  const failed = { code: 3600, data: null, message: "There is no such order." };
  assert.deepEqual(breachesOf("POST /spot/cancel-batch-order", { code: 0, data: [failed], message: "OK" }), []);
});

test("a refusal is one only in its whole form", () => {
  assert.deepEqual(refusalBreaches({ code: 3639, data: {}, message: "no" }, 3639), []);
  for (const wrong of [
    { code: 3600, data: {}, message: "no" },
    { code: 3639, data: null, message: "no" },
    { code: 3639, data: {}, message: "" },
    { code: 3639, data: {} },
    { code: 3639, data: {}, message: "no", more: 1 },
  ]) {
    assert.notDeepEqual(refusalBreaches(wrong, 3639), []);
  }
});

function page(data: unknown, pagination: unknown): unknown {
  return { code: 0, data, pagination, message: "OK" };
}
