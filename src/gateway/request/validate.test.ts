import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { endpointName, loadContract } from "../current/contract.ts";
import { EnvelopeRenderer } from "../envelope/renderer.ts";
import { REFUSAL_ROWS } from "../parts.ts";
import { Refused } from "../refused.ts";
import { parseJsonBody } from "./json-body.ts";
import { type Params, ParamsSchema } from "./validate.ts";

const contract = loadContract();
const renderer = new EnvelopeRenderer(REFUSAL_ROWS);
const schemas = new Map(
  contract.endpoints.map((each) => [
    endpointName(each),
    new ParamsSchema(contract, each.params, each.result.kind === "batch"),
  ]),
);

function check(name: string, sent: string | Buffer): Params | Refused {
  const schema = schemas.get(name) as ParamsSchema;
  if (name.startsWith("GET")) return schema.ofPairs(sent.toString());
  return schema.ofBody(parseJsonBody(typeof sent === "string" ? Buffer.from(sent) : sent));
}

function params(name: string, sent: string): Params {
  const result = check(name, sent);
  assert.ok(!(result instanceof Refused), "the parameters were refused");
  return result;
}

/** `[code, message]` as the current generation has them. */
function told(refused: Refused): [number, string] {
  const { code, body } = renderer.render(refused);
  return [code, (JSON.parse(body) as { message: string }).message];
}

/** `[code, message]` of a refusal. */
function refusal(name: string, sent: string | Buffer): [number, string] {
  const result = check(name, sent);
  assert.ok(result instanceof Refused, `${name} took ${sent.toString().slice(0, 100)}`);
  return told(result);
}

const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "60000" };
const order = (changes: object) => JSON.stringify({ ...ORDER, ...changes });
/** An order whose changed value is written as JSON text, for what JSON.stringify would not write. */
const orderText = (name: string, json: string) => JSON.stringify({ ...ORDER, [name]: "@" }).replace('"@"', json);

test("an order comes out with every name of the contract, absent ones undefined or at their default", () => {
  assert.deepEqual(params("POST /spot/order", order({})), {
    ...ORDER,
    ccy: undefined,
    client_id: undefined,
    is_hide: false,
    stp_mode: undefined,
  });
});

test("values may be written in more than one way and come out in one", () => {
  const rows: readonly (readonly [string, string, unknown])[] = [
    ["amount", '"0.01"', "0.01"],
    ["amount", "0.01", "0.01"],
    ["amount", "5", "5"],
    ["amount", '"0.010"', "0.010"],
    ["amount", '"007"', "007"],
    ["amount", '"9999999999999999999.999999999999999999"', "9999999999999999999.999999999999999999"],
    ["amount", "0.123456789012345678", "0.123456789012345678"],
    ["amount", "9007199254740993", "9007199254740993"],
    ["client_id", '"a-Z_09"', "a-Z_09"],
    ["client_id", `"${"x".repeat(32)}"`, "x".repeat(32)],
    ["client_id", '""', undefined],
    ["stp_mode", '""', undefined],
    ["ccy", '""', undefined],
    ["amount", "0.0000001", "0.0000001"],
    ["amount", "0.000000120", "0.00000012"],
    ["amount", "1.2e-7", "0.00000012"],
    ["amount", "12E-8", "0.00000012"],
    ["amount", "1.00000000000000E-2", "0.0100000000000000"],
    ["amount", "5e2", "500"],
    ["amount", "1.2345678901234567e2", "123.45678901234567"],
    ["amount", "1e18", "1000000000000000000"],
    ["client_id", "null", undefined],
    ["is_hide", "true", true],
    ["is_hide", '"true"', true],
    ["is_hide", '"false"', false],
    ["is_hide", "null", false],
    ["stp_mode", '"both"', "both"],
    ["market_type", '"spot"', "SPOT"],
    ["ccy", '"USDT"', "USDT"],
    ["market", '"btc/usdt"', "btc/usdt"],
  ];
  for (const [name, json, value] of rows) {
    assert.equal(params("POST /spot/order", orderText(name, json))[name], value, `${name}: ${json}`);
  }
});

test("a wrong value of an order gets 3639 and a sentence that names it", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["market", "1"],
    ["market", '""'],
    ["market", '["BTCUSDT"]'],
    ["market", '{"toString":1}'],
    ["market", `"${"X".repeat(65)}"`],
    ["market_type", '"Spot"'],
    ["market_type", '"futures"'],
    ["market_type", '"FUTURES"'],
    ["market_type", '""'],
    ["side", '"BUY"'],
    ["side", "true"],
    ["side", '"__proto__"'],
    ["type", '"stop"'],
    ["amount", '""'],
    ["amount", '"-1"'],
    ["amount", '"+1"'],
    ["amount", '"1e2"'],
    ["amount", '"1,5"'],
    ["amount", '".5"'],
    ["amount", '"5."'],
    ["amount", '" 5"'],
    ["amount", '"5 "'],
    ["amount", '"5\\n"'],
    ["amount", '"0x10"'],
    ["amount", '"NaN"'],
    ["amount", '"Infinity"'],
    ["amount", '"٣"'],
    ["amount", '"10000000000000000000"'],
    ["amount", '"0.0000000000000000001"'],
    ["amount", "-0.5"],
    ["amount", "1e400"],
    ["amount", "1e21"],
    ["amount", "1e-19"],
    ["amount", "-1e-7"],
    ["amount", "0.1234567890123456789"],
    ["amount", "100000000000000000000000e-23"],
    ["amount", "true"],
    ["amount", "{}"],
    ["amount", "[1]"],
    ["price", '"abc"'],
    ["client_id", '"white space"'],
    ["client_id", `"${"x".repeat(33)}"`],
    ["client_id", '"é"'],
    ["client_id", "12"],
    ["client_id", "12345678901234567890"],
    ["is_hide", '"True"'],
    ["is_hide", '"1"'],
    ["is_hide", "1"],
    ["stp_mode", '"none"'],
  ];
  for (const [name, json] of rows) {
    const [code, message] = refusal("POST /spot/order", orderText(name, json));
    assert.equal(code, 3639, `${name}: ${json}`);
    assert.match(message, new RegExp(`^Invalid Parameter: ${name} must be .+\\.$`));
  }
});

test("what is required and not there is named, and a market order needs no price", () => {
  for (const name of ["market", "market_type", "side", "type", "amount"]) {
    for (const absent of [undefined, null]) {
      const message = `Invalid Parameter: ${name} is required.`;
      assert.deepEqual(refusal("POST /spot/order", order({ [name]: absent })), [3639, message]);
    }
  }
  for (const type of ["limit", "maker_only", "ioc", "fok"]) {
    const message = 'Invalid Parameter: price is required unless type is "market".';
    assert.deepEqual(refusal("POST /spot/order", order({ type, price: undefined })), [3639, message]);
  }
  assert.equal(params("POST /spot/order", order({ type: "market", price: undefined })).price, undefined);
});

test("a body that cannot be read gets 4004", () => {
  const rows: readonly (string | Buffer)[] = [
    "",
    " ",
    "null",
    "true",
    "5",
    "12345678901234567890",
    '"text"',
    "[]",
    `[${order({})}]`,
    "{",
    "{}}",
    "{'a':1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":NaN}',
    '{"a":"\n"}',
    `\ufeff${order({})}`,
    "market=BTCUSDT",
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from(order({}), "utf16le"),
    `{"a":${"[".repeat(40)}${"]".repeat(40)}}`,
    `{"a":${'{"a":'.repeat(40)}1${"}".repeat(40)}}`,
    "[".repeat(500_000),
    '{"a":'.repeat(100_000),
  ];
  for (const body of rows) {
    const [code, message] = refusal("POST /spot/order", body);
    assert.equal(code, 4004, body.toString().slice(0, 40));
    assert.match(message, /^The body is .+\.$/);
  }
});

test("brackets inside texts do not count as depth", () => {
  const text = `"${'[{\\"'.repeat(50)}"`;
  assert.equal(params("POST /spot/order", orderText("note", text)).market, "BTCUSDT");
});

test("names from a client reach no prototype, and the last of two equal names counts", () => {
  const body = `{"__proto__":{"market":"EVIL","price":"1"},"constructor":{"prototype":{"x":1}},${order({}).slice(1)}`;
  const result = params("POST /spot/order", body);
  assert.equal(result.market, "BTCUSDT");
  assert.equal(Object.getPrototypeOf(result), Object.prototype);
  assert.equal(({} as Params).market, undefined);
  const inherited = '{"__proto__":{"market":"BTCUSDT","market_type":"SPOT","side":"buy","type":"market","amount":"1"}}';
  assert.deepEqual(refusal("POST /spot/order", inherited), [3639, "Invalid Parameter: market is required."]);
  assert.equal(params("POST /spot/order", `${order({}).slice(0, -1)},"amount":"7"}`).amount, "7");
  assert.equal(params("POST /spot/order", order({ toString: 1, unknown: { deep: [1] } })).market, "BTCUSDT");
});

test("ids are whole numbers from 1, as number or text, never rounded", () => {
  const cancel = (json: string) => `{"market":"BTCUSDT","market_type":"SPOT","order_id":${json}}`;
  for (const [json, id] of [
    ["7", 7],
    ['"7"', 7],
    ["7.0", 7],
    ["9007199254740991", 9007199254740991],
  ] as const) {
    assert.equal(params("POST /spot/cancel-order", cancel(json)).order_id, id);
  }
  const wrong = ["0", "-0", "-1", "1.5", '"1.0"', '""', '"x"', '" 7"', '"1e3"', "1e400", "true", "[7]", "{}"];
  const tooLarge = ["9007199254740992", "9007199254740993", '"9007199254740993"', "99999999999999999999"];
  const almostOne = ["1.00000000000000000001"];
  for (const json of [...wrong, ...tooLarge, ...almostOne]) {
    assert.equal(refusal("POST /spot/cancel-order", cancel(json))[0], 3639, json);
  }
});

test("a query: empty values are absent, unknown names ignored, the last of equal names counts", () => {
  const name = "GET /spot/pending-order";
  const plain = { market: undefined, market_type: "SPOT", side: undefined, client_id: undefined, page: 1, limit: 10 };
  assert.deepEqual(params(name, "market_type=SPOT"), plain);
  assert.deepEqual(params(name, "market=&side=&client_id&page=&limit=&market_type=SPOT&&=&x=1&__proto__=2"), plain);
  assert.deepEqual(params(name, "market_type=MARGIN&market_type=SPOT&page=2&page=3&limit=20"), {
    ...plain,
    page: 3,
    limit: 20,
  });
  assert.equal(params(name, "m%61rket_type=SP%4FT&market=BTC+USDT").market, "BTC USDT");
  assert.deepEqual(refusal(name, "market_type=SPOT&market_type="), [
    3639,
    "Invalid Parameter: market_type is required.",
  ]);
});

test("a query that cannot be decoded gets 4004, even in a name that nobody asks for", () => {
  for (const query of ["market_type=SPOT&x=%", "market_type=%zz", "%ff=1&market_type=SPOT", "x=%C3&market_type=SPOT"]) {
    assert.equal(refusal("GET /spot/pending-order", query)[0], 4004, query);
  }
});

test("pages and limits keep to their bounds", () => {
  const rows: readonly (readonly [string, string, string, readonly [number, number]])[] = [
    ["GET /spot/pending-order", "market_type=SPOT", "limit", [1, 1_000]],
    ["GET /spot/pending-order", "market_type=SPOT", "page", [1, 1_000_000_000]],
    ["GET /spot/deals", "market=X", "limit", [1, 1_000]],
    ["GET /spot/kline", "market=X&period=1min", "limit", [1, 1_000]],
    ["GET /assets/amm/income-history", "market=X", "limit", [1, 100]],
    ["GET /refer/referee", "", "limit", [1, 100]],
    ["GET /spot/deals", "market=X", "last_id", [0, Number.MAX_SAFE_INTEGER]],
    ["GET /spot/kline", "market=X&period=1min", "start_time", [0, Number.MAX_SAFE_INTEGER]],
  ];
  for (const [name, others, bounded, [min, max]] of rows) {
    for (const value of [min, max]) assert.equal(params(name, `${others}&${bounded}=${value}`)[bounded], value);
    for (const value of [min - 1, max + 1, "1.5", "x", "-1", "0x1", "%201"]) {
      assert.equal(refusal(name, `${others}&${bounded}=${value}`)[0], 3639, `${name} ${bounded}=${value}`);
    }
  }
});

test("numbers of an enumeration, steps and booleans of a query", () => {
  const depth = params("GET /spot/depth", "market=BTCUSDT&limit=20&interval=0.01");
  assert.deepEqual([depth.limit, depth.interval], [20, "0.01"]);
  for (const wrong of [
    "limit=7&interval=0",
    "limit=20&interval=0.03",
    "limit=5.0&interval=0",
    "limit=20&interval=0.010",
  ]) {
    assert.equal(refusal("GET /spot/depth", `market=BTCUSDT&${wrong}`)[0], 3639, wrong);
  }
  assert.equal(params("GET /account/subs", "is_frozen=true").is_frozen, true);
  assert.equal(params("GET /account/subs", "").is_frozen, false);
  for (const wrong of ["1", "True", "yes"]) assert.equal(refusal("GET /account/subs", `is_frozen=${wrong}`)[0], 3639);
  assert.equal(refusal("GET /spot/kline", "market=X&period=1min&price_type=mark_price")[0], 3639);
});

test("a market list holds at most 10 names, a list of ids at most 100", () => {
  const name = "GET /spot/market";
  assert.equal(params(name, "").market, undefined);
  assert.deepEqual(params(name, "market=BTCUSDT").market, ["BTCUSDT"]);
  const ten = Array.from({ length: 10 }, (_, index) => `M${index}`);
  assert.deepEqual(params(name, `market=${ten.join("%2C")}`).market, ten);
  for (const list of [[...ten, "M10"].join(","), "A,,B", ",", "A,"]) {
    assert.equal(refusal(name, `market=${list}`)[0], 3639, list);
  }
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  const status = (list: string) => `market=BTCUSDT&order_ids=${list}`;
  assert.deepEqual(params("GET /spot/batch-order-status", status(ids.join(","))).order_ids, ids);
  for (const list of [[...ids, 101].join(","), "1,x", "1,,2", "0", "1,-2"]) {
    assert.equal(refusal("GET /spot/batch-order-status", status(list))[0], 3639, list);
  }
});

test("in a batch a wrong element fails alone, a wrong batch as a whole", () => {
  const name = "POST /spot/batch-order";
  const { orders } = params(name, JSON.stringify({ orders: [ORDER, { ...ORDER, amount: "x" }, 5, null, ORDER] }));
  const results = orders as readonly (Params | Refused)[];
  assert.deepEqual(
    results.map((each) => (each instanceof Refused ? told(each)[1] : each.market)),
    [
      "BTCUSDT",
      'Invalid Parameter: amount must be a plain decimal such as "0.5", without sign or exponent, of at most 19 ' +
        "digits before and 18 after the point.",
      "Invalid Parameter: each item of orders must be an object.",
      "Invalid Parameter: each item of orders must be an object.",
      "BTCUSDT",
    ],
  );
  for (const whole of [{}, { orders: [] }, { orders: ORDER }, { orders: "[]" }, { orders: Array(101).fill(ORDER) }]) {
    assert.equal(refusal(name, JSON.stringify(whole))[0], 3639);
  }
  const ids = params(
    "POST /spot/cancel-batch-order",
    '{"market":"BTCUSDT","order_ids":[1,"2","x",0,9007199254740993]}',
  );
  const given = ids.order_ids as readonly (number | Refused)[];
  assert.deepEqual(
    given.map((each) => (each instanceof Refused ? "refused" : each)),
    [1, 2, "refused", "refused", "refused"],
  );
});

test("a list outside of batches fails as a whole", () => {
  const name = "POST /account/subs";
  const sub = (permissions: unknown) => JSON.stringify({ sub_user_name: "trader-1", permissions });
  assert.deepEqual(params(name, sub(["FUTURES", "AMM"])).permissions, ["FUTURES", "AMM"]);
  assert.equal(refusal(name, sub(["FUTURES", "futures"]))[0], 3639);
  assert.equal(refusal(name, JSON.stringify({ sub_user_name: "ab" }))[0], 3639);
});

test("no body and no query, however odd, makes a schema throw", () => {
  const names = [...schemas.keys()];
  const values = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.dictionary(fc.string(), values), fc.string(), (name, odd, text) => {
      const known = contract.endpoints.find((each) => endpointName(each) === name)?.params ?? [];
      const body = {
        ...odd,
        ...Object.fromEntries(known.map(({ name: key }, index) => [key, Object.values(odd)[index]])),
      };
      const query = known.map(({ name: key }) => `${key}=${text}`).join("&");
      const result = check(name, name.startsWith("GET") ? query : JSON.stringify(body));
      assert.ok(
        result instanceof Refused ? [3639, 4004].includes(REFUSAL_ROWS[result.refusal].v2) : typeof result === "object",
      );
    }),
    runs(500),
  );
});
