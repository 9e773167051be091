import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { ApiKey, KeyDirectory } from "./auth/key-directory.ts";
import { SecretVault } from "./auth/secret-vault.ts";
import { type Handlers, servedEndpoints } from "./current/api.ts";
import type { Call } from "./current/call.ts";
import { endpointName, loadContract } from "./current/contract.ts";
import type { SpotOrder } from "./current/types.generated.ts";
import { createGateway, type GatewayOptions } from "./gateway.ts";
import type { HttpServer } from "./http/server.ts";
import type { BatchElement } from "./reading/execute.ts";
import { asJson } from "./reading/json-text.ts";
import { invalidParameter, marketNotFound, Refused } from "./refused.ts";

// Source: the worked example of the interface description, with its secret and its time.
const SECRET = "test-secret-0001";
const NOW = 1_750_000_000_000;
const ORDER_BODY =
  '{"market":"BTCUSDT","market_type":"SPOT","side":"buy","type":"limit",' +
  '"amount":"0.01","price":"60000","client_id":"demo-1"}';
const ORDER_SIGNATURE = "41f2d7ed823f7cc7d4ddaeb76a9b8dd45e545a64f47e947e869b768ea18d5507";

const vault = SecretVault.inMemory();
const key: ApiKey = {
  accessId: "ID",
  userId: 7,
  secretCipher: vault.seal("ID", SECRET),
  permissions: ["read", "trade"],
  ipWhitelist: [],
  expiredAt: 0,
};
const directory: KeyDirectory = {
  find: (accessId) => (accessId === "ID" ? key : undefined),
  isFrozen: () => false,
  isSubAccount: () => false,
  hasSubPermission: () => false,
};

const orders: Call<"POST /spot/order">[] = [];
const orderJson = '{"order_id":1,"market":"BTCUSDT"}';

const handlers: Handlers = {
  "GET /ping": (call) => call.answer({ result: "pong" }),
  "GET /time": (call) => call.answer({ timestamp: call.nowMs }),
  "GET /maintain/info": (call) => call.answer([]),
  "GET /spot/index": (call) => {
    throw new Error(`no index of ${call.params.market?.join()}`);
  },
  "GET /spot/ticker": async (call) => {
    await Promise.resolve();
    if (call.params.market?.[0] === "BROKEN") throw new Error("the tape has torn");
    call.refuse(marketNotFound(call.params.market?.[0] ?? ""));
  },
  "POST /spot/order": (call) => {
    orders.push(call);
    setImmediate(() => call.answer(asJson(orderJson)));
  },
  "POST /spot/batch-order": (call) => {
    const results = call.params.orders.map((each): BatchElement<SpotOrder> => {
      if (each instanceof Refused) return each;
      return each.side === "buy" ? { data: asJson(orderJson) } : new Refused("insufficient_balance");
    });
    call.answer(results);
  },
  "POST /spot/cancel-all-order": (call) => call.answer(),
  "POST /spot/cancel-order": (call) => call.refuse("order_not_found"),
  "GET /spot/finished-order": (call) => call.answer(asJson("[]"), { hasNext: true }),
  "GET /spot/pending-order": (call) => call.answer([], { hasNext: false, total: 0 }),
};

const failures: object[] = [];
const options: GatewayOptions = {
  handlers,
  directory,
  vault,
  log: { error: (details) => void failures.push(details) },
  now: () => NOW,
  serviceNames: ["SVC", "COINEX"],
  compat: true,
  explainSignatures: true,
};

interface Envelope {
  code: number;
  data: unknown;
  message: string;
  pagination?: unknown;
}

describe("a gateway", () => {
  let gateway: HttpServer;
  let base: string;
  before(async () => {
    gateway = createGateway(options);
    const { port } = await gateway.listen("127.0.0.1", 0);
    gateway.open();
    base = `http://127.0.0.1:${port}`;
  });
  after(() => gateway.drain(1_000));

  async function ask(target: string, init?: RequestInit): Promise<Envelope> {
    const response = await fetch(base + target, init);
    assert.equal(response.status, 200);
    return (await response.json()) as Envelope;
  }

  function signed(method: string, target: string, body?: string, service = "SVC"): Promise<Envelope> {
    const sign = createHmac("sha256", SECRET)
      .update(`${method}${target}${body ?? ""}${NOW}`)
      .digest("hex");
    return ask(target, { method, headers: headersOf(sign, service), ...(body === undefined ? {} : { body }) });
  }

  function headersOf(sign: string, service = "SVC"): Record<string, string> {
    return { [`X-${service}-KEY`]: "ID", [`X-${service}-SIGN`]: sign, [`x-${service}-timestamp`]: `${NOW}` };
  }

  test("takes the order of the worked example, signature and all", async () => {
    const headers = headersOf(ORDER_SIGNATURE);
    const answer = await ask("/v2/spot/order", { method: "POST", headers, body: ORDER_BODY });
    assert.deepEqual(answer, { code: 0, data: { order_id: 1, market: "BTCUSDT" }, message: "OK" });
    const call = orders.pop() as Call<"POST /spot/order">;
    assert.equal(call.caller.userId, 7);
    assert.equal(call.params.client_id, "demo-1");
    assert.equal(call.nowMs, NOW);
    assert.equal(call.remoteAddress, "127.0.0.1");
  });

  test("answers with and without the version in the path, and under both service names", async () => {
    for (const path of ["/v2/time", "/time"]) assert.deepEqual((await ask(path)).data, { timestamp: NOW });
    for (const service of ["SVC", "COINEX", "svc"]) {
      assert.equal((await signed("GET", "/spot/pending-order?market_type=SPOT", undefined, service)).code, 0);
    }
    assert.equal((await ask("/v2/maintain-info")).code, 0, "a second spelling needs no handler of its own");
  });

  test("takes the older signature form, as it is configured to", async () => {
    const sign = createHash("sha256").update(`POST/v2/spot/order${ORDER_BODY}${NOW}${SECRET}`).digest("hex");
    const answer = await ask("/v2/spot/order", { method: "POST", headers: headersOf(sign), body: ORDER_BODY });
    assert.equal(answer.code, 0);
  });

  test("puts each kind of result into its envelope", async () => {
    const page = "?market_type=SPOT";
    assert.deepEqual(await signed("GET", `/v2/spot/pending-order${page}`), {
      code: 0,
      data: [],
      pagination: { has_next: false, total: 0 },
      message: "OK",
    });
    assert.deepEqual((await signed("GET", `/v2/spot/finished-order${page}`)).pagination, { has_next: true });
    const all = '{"market":"BTCUSDT","market_type":"SPOT"}';
    assert.deepEqual(await signed("POST", "/v2/spot/cancel-all-order", all), { code: 0, data: {}, message: "OK" });
    const one = '{"market":"BTCUSDT","market_type":"SPOT","order_id":5}';
    const gone = { code: 3600, data: {}, message: "Order not found" };
    assert.deepEqual(await signed("POST", "/v2/spot/cancel-order", one), gone);
  });

  test("answers a batch element by element, with the fields beside data under compat", async () => {
    const order = JSON.parse(ORDER_BODY) as object;
    const body = JSON.stringify({ orders: [order, { ...order, side: "sell" }, { ...order, price: "cheap" }] });
    const { code, data } = await signed("POST", "/v2/spot/batch-order", body);
    assert.equal(code, 0);
    const record = { order_id: 1, market: "BTCUSDT" };
    const [placed, refused, invalid] = data as [Envelope, Envelope, Envelope];
    assert.deepEqual(placed, { code: 0, data: record, message: "OK", ...record });
    assert.deepEqual(refused, { code: 3109, data: null, message: "balance not enough" });
    assert.deepEqual([invalid.code, invalid.data], [3639, null]);
  });

  test("names an unknown market in the form that clients match", async () => {
    const answer = await ask("/v2/spot/ticker?market=NOPE");
    assert.deepEqual(answer, { code: 3639, data: {}, message: "Invalid Parameter: market NOPE not found" });
  });

  test("answers 4003 for a handler that throws, at once or later, and lives on", async () => {
    for (const target of ["/spot/index?market=X", "/spot/ticker?market=BROKEN"]) {
      const count = failures.length;
      const answer = await ask(target);
      assert.deepEqual([answer.code, answer.data], [4003, {}]);
      assert.doesNotMatch(answer.message, /torn|index/);
      assert.equal(failures.length, count + 1);
    }
    assert.equal((await ask("/ping")).code, 0);
  });

  /** Each row puts right what was wrong in the row before and is wrong in the next check. */
  test("checks in the order of the contract", async () => {
    const right = headersOf(ORDER_SIGNATURE);
    const wrongBody = "{";
    const headersFor = (body: string) =>
      headersOf(createHmac("sha256", SECRET).update(`POST/v2/spot/order${body}${NOW}`).digest("hex"));
    const rows: readonly (readonly [string, string, Record<string, string>, string, number])[] = [
      ["an unknown method", "PUT", {}, wrongBody, 4009],
      ["no key", "POST", {}, wrongBody, 4005],
      ["no signature", "POST", { "x-svc-key": "ID" }, wrongBody, 4008],
      ["no timestamp", "POST", { "x-svc-key": "ID", "x-svc-sign": ORDER_SIGNATURE }, wrongBody, 4010],
      ["a wrong signature", "POST", right, wrongBody, 4006],
      ["a body that is no JSON", "POST", headersFor(wrongBody), wrongBody, 4004],
      ["a parameter", "POST", headersFor("{}"), "{}", 3639],
      ["nothing", "POST", right, ORDER_BODY, 0],
    ];
    for (const [what, method, headers, body, code] of rows) {
      assert.equal((await ask("/v2/spot/order", { method, headers, body })).code, code, `wrong is ${what}`);
    }
    const nowhere = await fetch(`${base}/v2/spot/nowhere`, { method: "PUT" });
    assert.equal(nowhere.status, 404);
    assert.equal(((await nowhere.json()) as Envelope).code, 4004);
  });

  test("explains a refused signature in development", async () => {
    const headers = headersOf("0".repeat(64));
    const { message } = await ask("/v2/spot/order", { method: "POST", headers, body: ORDER_BODY });
    assert.ok(message.endsWith(`POST/v2/spot/order${ORDER_BODY}${NOW}`));
  });

  test("ignores signature headers where none are needed", async () => {
    assert.equal((await ask("/ping", { headers: headersOf("rubbish") })).code, 0);
  });

  test("neither serves nor lists what has no handler", async () => {
    assert.equal((await fetch(`${base}/v2/spot/depth`)).status, 404);
    const document = (await (await fetch(`${base}/openapi.json`)).json()) as { paths: object };
    const expected = servedEndpoints(loadContract(), handlers).map(({ path }) => path);
    assert.deepEqual(Object.keys(document.paths), expected);
    assert.ok(expected.includes("/maintain-info"));
  });

  test("serves its documents with tags, compressed, and the page under a strict policy", async () => {
    const plain = await fetch(`${base}/openapi.json`, { headers: { "accept-encoding": "identity" } });
    assert.equal(plain.headers.get("content-encoding"), null);
    const tag = plain.headers.get("etag") as string;
    const zipped = await fetch(`${base}/openapi.json`, { headers: { "accept-encoding": "gzip" } });
    assert.equal(zipped.headers.get("content-encoding"), "gzip");
    assert.deepEqual(await zipped.json(), await plain.json());
    const again = await fetch(`${base}/openapi.json`, { headers: { "if-none-match": tag } });
    assert.deepEqual([again.status, await again.text()], [304, ""]);

    const page = await fetch(`${base}/docs/api`);
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self'/);
    assert.equal(page.headers.get("x-content-type-options"), "nosniff");
    const html = await page.text();
    for (const [, source] of html.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="(\/[^"]*)"/g)) {
      const part = await fetch(base + source, { method: "HEAD" });
      assert.deepEqual([part.status, await part.text()], [200, ""], `${source}`);
    }
    // The picture in the tab stands in the page itself, and names the namespace of its kind.
    const outside = html.replaceAll(/"data:[^"]*"/g, "");
    assert.doesNotMatch(outside, /https?:/, "the page needs nothing from elsewhere");
  });
});

test("a handler for something that is no endpoint stops the start", () => {
  const wrong = { ...handlers, "GET /spot/secrets": () => {} } as Handlers;
  assert.throws(() => createGateway({ ...options, handlers: wrong }), /no endpoint of the contract/);
});

test("no two parts of the gateway may claim one path", () => {
  const pages = new Map([["/v2/ping", new Map([["GET", () => {}]])]]);
  assert.throws(() => createGateway({ ...options, pages }), /claim the path/);
});

test("a message goes out as one line of JSON whatever it holds", async () => {
  const odd = 'a"b\n\u2028\ud800';
  const only: Handlers = { "GET /ping": (call) => call.refuse(invalidParameter(odd)) };
  const gateway = createGateway({ ...options, handlers: only });
  const { port } = await gateway.listen("127.0.0.1", 0);
  gateway.open();
  const answer = (await (await fetch(`http://127.0.0.1:${port}/ping`)).json()) as Envelope;
  assert.equal(answer.message, `Invalid Parameter: ${odd}`);
  assert.ok(loadContract().endpoints.map(endpointName).includes("GET /ping"));
  await gateway.drain(1_000);
});
