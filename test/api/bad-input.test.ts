import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { endpointName, loadContract } from "../../src/gateway/current/contract.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";

/** Whatever is wrong with a request: the specified code, no data, and no trace. */
describe("bad input", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let hash: string;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "100000", BTC: "10" });
    await user.client.act(ORDER, limitOrder("buy", "0.1", "20000"));
    await user.client.act(ORDER, limitOrder("sell", "0.1", "30000"));
  });
  beforeEach(() => {
    hash = venue.stateHash();
  });
  afterEach(() => assert.equal(venue.stateHash(), hash, "a refused request left a trace"));
  after(() => venue.close());

  async function assertRefused(path: string, body: string | Buffer, code: number): Promise<void> {
    const answer = await user.client.send("POST", path, body);
    const shown = body.toString("latin1").slice(0, 120);
    assert.equal(answer.code, code, `${path} ${shown} was answered with ${answer.code}: ${answer.message}`);
    assert.deepEqual(answer.data, {}, shown);
    assert.notEqual(answer.message, "", shown);
  }

  test("a body that cannot be read is malformed", async () => {
    const bodies: readonly (string | Buffer)[] = [
      "",
      " ",
      "{",
      "}",
      "[]",
      "[{}]",
      "null",
      "true",
      "1",
      "12345678901234567890",
      '"text"',
      "market=BTCUSDT&side=buy",
      "{'market':'BTCUSDT'}",
      '{"market":"BTCUSDT",}',
      '{"market":"BTCUSDT"} {}',
      '{"market":NaN}',
      '{"market":0x10}',
      '{"amount":01}',
      '{"amount":1.}',
      '{"amount":+1}',
      '{"market":"\n"}',
      '{"market":"\\x41"}',
      "\ufeff{}",
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.alloc(64),
      `{"a":${"[".repeat(100)}${"]".repeat(100)}}`,
      `{"a":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`,
    ];
    for (const body of bodies) await assertRefused(ORDER, body, 4004);
  });

  /** Values that no text, number or choice of an order can be. */
  const JUNK: readonly string[] = [
    "{}",
    "[]",
    '["BTCUSDT"]',
    '[["BTCUSDT"]]',
    '{"toString":"BTCUSDT"}',
    '{"__proto__":{"a":1}}',
    "true",
    "false",
    '"\\u0000"',
    '"BTCUSDT\\u0000"',
    '"\\ud800"',
    '"\\u202e"',
    '"ＢＴＣＵＳＤＴ"',
    '" "',
    '"constructor"',
    '"__proto__"',
    '"toString"',
    '"hasOwnProperty"',
    `"${"9".repeat(70)}"`,
    `"${"x".repeat(5_000)}"`,
    "-1",
    "1e400",
    "-1e400",
  ];

  test("a junk value anywhere is a wrong parameter", async () => {
    const order = limitOrder("buy", "0.1", "20000", { is_hide: false, stp_mode: "ct", client_id: "id", ccy: "BTC" });
    for (const name of Object.keys(order)) {
      for (const junk of JUNK) {
        if (name === "is_hide" && (junk === "true" || junk === "false")) continue;
        // A text that may be a client id, for all that it looks like.
        if (name === "client_id" && /^"(constructor|__proto__|toString|hasOwnProperty)"$/.test(junk)) continue;
        const rest = Object.entries(order).filter(([other]) => other !== name);
        const body = `{${rest.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join()},"${name}":${junk}}`;
        await assertRefused(ORDER, body, 3639);
      }
    }
  });

  test("numbers are decimals or they are wrong", async () => {
    const wrong = [
      "-0.1",
      "+0.1",
      ".1",
      "1.",
      "1,5",
      "1e-1",
      "1E5",
      "0x1",
      "1_000",
      " 1",
      "1 ",
      "",
      "Infinity",
      "NaN",
      "null",
      "١",
      "1\u0000",
      "0.1.1",
      `1${"0".repeat(30)}`,
      `0.${"0".repeat(30)}1`,
      "9".repeat(20),
    ];
    for (const name of ["amount", "price"]) {
      for (const text of wrong) {
        await assertRefused(ORDER, JSON.stringify(limitOrder("buy", "0.1", "20000", { [name]: text })), 3639);
      }
      for (const number of ["1e30", "1e-7", "-0.1", "123456789012345678901", "0.1234567890123456789", "-1e5"]) {
        const rest = { ...limitOrder("buy", "0.1", "20000"), [name]: undefined };
        const body = `${JSON.stringify(rest).slice(0, -1)},"${name}":${number}}`;
        await assertRefused(ORDER, body, 3639);
      }
    }
  });

  test("client ids hold 1 to 32 plain characters", async () => {
    for (const client_id of [
      "a b",
      "a.b",
      "a/b",
      "é",
      "a\n",
      "\u0000",
      "x".repeat(33),
      "😀",
      "'",
      '"',
      "{}",
      "a\ud800",
    ]) {
      await assertRefused(ORDER, JSON.stringify(limitOrder("buy", "0.1", "20000", { client_id })), 3639);
    }
    for (const client_id of [1, 0, true, [], {}, ["id"]]) {
      await assertRefused(ORDER, JSON.stringify(limitOrder("buy", "0.1", "20000", { client_id })), 3639);
    }
  });

  test("choices are spelled exactly (account types in lower case, too), and a price is needed unless the type is market", async () => {
    for (const more of [
      { side: "BUY" },
      { side: "short" },
      { side: 1 },
      { type: "Limit" },
      { type: "stop" },
      { type: ["limit"] },
      { market_type: "Spot" },
      { market_type: "FUTURES" },
      { stp_mode: "none" },
      { stp_mode: "CT" },
      { is_hide: "True" },
      { is_hide: 1 },
      { price: undefined },
      { price: null },
      { price: undefined, type: "ioc" },
      { market: null },
      { amount: null },
    ]) {
      await assertRefused(ORDER, JSON.stringify(limitOrder("buy", "0.1", "20000", more)), 3639);
    }
    await assertRefused(ORDER, JSON.stringify(marketOrder("buy", "300", { ccy: 5 })), 3639);
  });

  test("names of every object are no parameters and reach no prototype", async () => {
    const order = JSON.stringify(limitOrder("buy", "0.1", "-1")).slice(1);
    for (const extra of [
      '"__proto__":{"price":"20000","isAdmin":true},',
      '"constructor":{"prototype":{"price":"20000"}},',
      '"__proto__":null,',
      '"toString":null,"valueOf":1,"hasOwnProperty":"no",',
    ]) {
      await assertRefused(ORDER, `{${extra}${order}`, 3639);
    }
    assert.equal(({} as Record<string, unknown>)["isAdmin"], undefined);
    await assertRefused(ORDER, '{"__proto__":{"market":"BTCUSDT","market_type":"SPOT","side":"buy"}}', 3639);
  });

  test("of a repeated key the last one counts, for the signature covers the text and not its reading", async () => {
    const order = JSON.stringify(limitOrder("buy", "0.1", "20000"));
    await assertRefused(ORDER, `${order.slice(0, -1)},"amount":"x"}`, 3639);
    await assertRefused(ORDER, `${order.slice(0, -1)},"market":"NOPE"}`, 3639);
    await assertRefused(ORDER, `${order.slice(0, -1)},"amount":"0.00001"}`, 3127);
  });

  test("ids are whole numbers from 1", async () => {
    const wrong = ["0", "-1", "1.5", '"1e3"', '"0x1"', '" 1"', '""', "null", "[]", "{}", "true", '"9007199254740993"'];
    wrong.push("9007199254740993", "123456789012345678901234567890", '"１"');
    for (const path of ["/v2/spot/cancel-order", "/v2/spot/modify-order"]) {
      for (const id of wrong) {
        await assertRefused(path, `{"market":"BTCUSDT","market_type":"SPOT","price":"20000","order_id":${id}}`, 3639);
      }
    }
    for (const ids of ["1", '"1,2"', "{}", "null", "[]", '{"0":1,"length":1}', `[${Array(101).fill(1)}]`]) {
      await assertRefused("/v2/spot/cancel-batch-order", `{"market":"BTCUSDT","order_ids":${ids}}`, 3639);
    }
  });

  test("wrong queries are refused like wrong bodies", async () => {
    const page = "/v2/spot/pending-order?market_type=SPOT";
    const deals = "/v2/spot/user-deals?market=BTCUSDT&market_type=SPOT";
    const rows: readonly (readonly [target: string, code: number])[] = [
      ["/v2/spot/pending-order", 3639],
      ["/v2/spot/pending-order?market_type=", 3639],
      ["/v2/spot/pending-order?market_type=Spot", 3639],
      ["/v2/spot/pending-order?market_type=SPOT&market_type=", 3639],
      ["/v2/spot/pending-order?market_type[]=SPOT", 3639],
      [`${page}&page=0`, 3639],
      [`${page}&page=-1`, 3639],
      [`${page}&page=1.5`, 3639],
      [`${page}&page=1e3`, 3639],
      [`${page}&page=1000000001`, 3639],
      [`${page}&page=99999999999999999999`, 3639],
      [`${page}&limit=0`, 3639],
      [`${page}&limit=1001`, 3639],
      [`${page}&limit=ten`, 3639],
      [`${page}&side=both`, 3639],
      [`${page}&market=NOPE`, 3639],
      [`${page}&market=btcusdt`, 3639],
      [`${page}&client_id=${"x".repeat(33)}`, 3639],
      [`${page}&client_id=%00`, 3639],
      [`${page}&market=%ff`, 4004],
      [`${page}&market=%`, 4004],
      [`${page}&market=%zz`, 4004],
      [`${page}&market=%ed%a0%80`, 4004],
      [`${deals}&start_time=-1`, 3639],
      [`${deals}&start_time=yesterday`, 3639],
      [`${deals}&end_time=1e12`, 3639],
      [`${deals}&end_time=9007199254740992`, 3639],
      [`${deals}&page=1000&limit=1000`, 3639],
      ["/v2/spot/order-status?market=BTCUSDT", 3639],
      ["/v2/spot/order-status?market=BTCUSDT&order_id=0", 3639],
      ["/v2/spot/order-status?market=BTCUSDT&order_id=abc", 3639],
      ["/v2/spot/order-status?market=BTCUSDT&order_id=1,2", 3639],
      ["/v2/spot/order-status?market=__proto__&order_id=1", 3639],
      ["/v2/spot/batch-order-status?market=BTCUSDT&order_ids=", 3639],
      ["/v2/spot/batch-order-status?market=BTCUSDT&order_ids=1,", 3639],
      ["/v2/spot/batch-order-status?market=BTCUSDT&order_ids=1,x", 3639],
      [`/v2/spot/batch-order-status?market=BTCUSDT&order_ids=${Array(101).fill(1)}`, 3639],
      ["/v2/account/trade-fee-rate?market=BTCUSDT&market_type=OPTIONS", 3639],
      ["/v2/spot/depth?market=BTCUSDT&limit=7&interval=0", 3639],
      ["/v2/spot/depth?market=BTCUSDT&limit=5&interval=0.5", 3639],
      ["/v2/spot/depth?market=BTCUSDT&limit=5", 3639],
      ["/v2/spot/depth?market=constructor&limit=5&interval=0", 3639],
      ["/v2/spot/deals?market=BTCUSDT&limit=1001", 3639],
      ["/v2/spot/deals?market=BTCUSDT&last_id=-1", 3639],
      ["/v2/spot/kline?market=BTCUSDT&period=2min", 3639],
      ["/v2/spot/kline?market=BTCUSDT&period=1min&price_type=mark_price", 3639],
      ["/v2/spot/kline?market=BTCUSDT&period=1min&limit=1001", 3639],
      ["/v2/spot/ticker?market=,", 3639],
      ["/v2/spot/market?market=BTCUSDT,,ETHUSDT", 3639],
      [`/v2/spot/market?market=${"x".repeat(65)}`, 3639],
    ];
    for (const [target, code] of rows) {
      const answer = await user.client.send("GET", target);
      assert.deepEqual([answer.code, answer.data], [code, {}], `${target}: ${answer.message}`);
    }
  });

  test("no endpoint falls over anything that is thrown at all its parameters at once", async () => {
    const values = [
      null,
      true,
      -1,
      1e308,
      "",
      "\u0000",
      "😀",
      "__proto__",
      [],
      [[]],
      [null],
      {},
      { a: { a: [] } },
      [{}],
    ];
    for (const endpoint of loadContract().endpoints.filter(({ path }) =>
      /^\/(spot|assets|account|futures\/market)/.test(path),
    )) {
      for (const value of values) {
        const given = Object.fromEntries(endpoint.params.map(({ name }) => [name, value]));
        const body = JSON.stringify({ ...given, orders: [value], order_ids: [value] });
        const query = new URLSearchParams(Object.keys(given).map((name) => [name, String(value)]));
        const target = endpoint.method === "GET" ? `${endpoint.path}?${query}` : endpoint.path;
        const response = await fetch(venue.base + target, {
          method: endpoint.method,
          headers: user.client.headersFor(endpoint.method, target, endpoint.method === "GET" ? "" : body),
          ...(endpoint.method === "GET" ? {} : { body }),
        });
        const answer = (await response.json()) as { code: number };
        assert.ok(response.status === 200 || response.status === 404, `${endpointName(endpoint)}: ${response.status}`);
        assert.notEqual(answer.code, 4003, `${endpointName(endpoint)} with ${JSON.stringify(value)}`);
      }
    }
    // The one thing among them that is sound: a switch, with true.
    await user.client.act("/v2/account/settings", { cet_discount_enabled: false });
    assert.deepEqual(venue.control.failures, []);
  });
});
