import assert from "node:assert/strict";
import { test } from "node:test";
import { loadContract } from "../../src/gateway/current/contract.ts";
import { type LegacyEndpoint, legacyName, loadLegacyContract } from "../../src/gateway/legacy/contract.ts";
import { legacyBreaches } from "./legacy-shape.ts";

const contracts = (["spot", "futures"] as const).map((area) => loadLegacyContract(area, loadContract()));

function breachesOf(name: string, envelope: unknown, params = {}): string[] {
  const contract = contracts.find(({ endpoints }) => endpoints.some((each) => legacyName(each) === name));
  const endpoint = contract?.endpoints.find((each) => legacyName(each) === name);
  return legacyBreaches(contract as (typeof contracts)[0], endpoint as LegacyEndpoint, envelope, params);
}

const ok = (data: unknown) => ({ code: 0, data, message: "Ok" });
const success = (data: unknown) => ({ code: 0, data, message: "Success" });
const DEAL = { id: 1, date: 1_750_000_000, date_ms: 1_750_000_000_000, amount: "1", price: "2", type: "buy" };
const CHANGE = {
  time: 1_750_000_000,
  account: 0,
  business: "trade",
  business_id: 7,
  asset: "BTC",
  change: "-0.5",
  balance: "1",
};
const RATE = { time: 1_750_000_000.5, market: "BTCUSDT", asset: "USDT", funding_rate: "-0.1", funding_rate_real: "0" };
const PAGE = { has_next: false, curr_page: 1, count: 1, data: [CHANGE], total: 1, total_page: 1 };
const LOANS = { min_amount: "1", max_amount: "2", day_rate: "0.1" };
const CONFIG = { market: "BTCUSDT", leverage: 5, day_rate: "0.1", BTC: LOANS, USDT: LOANS };
const [DEALS, HISTORY, FUNDING] = [
  "GET /v1/market/deals",
  "GET /v1/account/balance/history",
  "GET /perpetual/v1/market/funding_history",
];

test("right answers pass", () => {
  assert.deepEqual(breachesOf(DEALS, ok([DEAL])), []);
  assert.deepEqual(breachesOf(HISTORY, success(PAGE)), []);
  assert.deepEqual(breachesOf(FUNDING, ok({ records: [RATE], offset: 0, limit: 10 })), []);
  assert.deepEqual(breachesOf("GET /v1/margin/config", success(CONFIG), { market: "BTCUSDT" }), []);
  assert.deepEqual(breachesOf("GET /v1/margin/config", success([CONFIG])), []);
  assert.deepEqual(breachesOf("GET /v1/common/maintain/info", ok({})), []);
  const elements = [{ code: 600, message: "no", data: {} }];
  assert.deepEqual(breachesOf("DELETE /v1/order/pending/batch", success(elements)), []);
});

/** Each row is wrong in one way. */
test("wrong ones are found out", () => {
  const rows: readonly (readonly [what: string, name: string, envelope: unknown])[] = [
    ["the word of the other paths", DEALS, success([DEAL])],
    ["a code", DEALS, { ...ok([DEAL]), code: 1 }],
    ["a member more around it", DEALS, { ...ok([DEAL]), pagination: {} }],
    ["ms for seconds", DEALS, ok([{ ...DEAL, date: DEAL.date_ms }])],
    ["seconds for ms", DEALS, ok([{ ...DEAL, date_ms: DEAL.date }])],
    ["a fraction where seconds are whole", DEALS, ok([{ ...DEAL, date: 1_750_000_000.5 }])],
    ["a number for a decimal", DEALS, ok([{ ...DEAL, price: 2 }])],
    ["a text for an id", DEALS, ok([{ ...DEAL, id: "1" }])],
    ["no choice", DEALS, ok([{ ...DEAL, type: "BUY" }])],
    ["a map for a list", DEALS, ok({})],
    ["a field less", HISTORY, success({ ...PAGE, data: [{ ...CHANGE, time: undefined }] })],
    ["a page without its total", HISTORY, success({ ...PAGE, total: undefined })],
    ["a sign where there is none", HISTORY, success({ ...PAGE, data: [{ ...CHANGE, balance: "-1" }] })],
    ["rows as another page has them", FUNDING, ok({ data: [RATE], offset: 0, limit: 10 })],
    ["a total that is not told", FUNDING, ok({ records: [RATE], offset: 0, limit: 10, total: 1 })],
    ["a wrong row of an asset", "GET /v1/margin/config", success([{ ...CONFIG, BTC: { day_rate: "0.1" } }])],
    ["one where there should be a list", "GET /v1/margin/config", success(CONFIG)],
    ["something where there is nothing", "POST /v1/margin/flat", success([])],
    ["a failed element with data", "DELETE /v1/order/pending/batch", success([{ code: 600, message: "no", data: 1 }])],
    ["an element without its record", "DELETE /v1/order/pending/batch", success([{ code: 0, message: "", data: {} }])],
    ["a tuple that is short", "GET /v1/market/kline", ok([[1_750_000_000, "1", "1", "1", "1", "1"]])],
    ["a tuple with a wrong member", "GET /v1/market/kline", ok([[1_750_000_000, "1", "1", "1", "1", "1", 1]])],
    ["a map with a wrong member", "GET /v1/common/currency/rate", ok({ BTC_to_USD: 1 })],
  ];
  for (const [what, name, envelope] of rows) assert.notDeepEqual(breachesOf(name, envelope), [], what);
});
