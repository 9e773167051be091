import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type RawAnswer, RawClient } from "../fuzz/raw-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

interface Signed {
  readonly key: string;
  readonly sign: string;
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
}

const PARTS = ["key", "sign", "timestamp", "method", "path", "query", "body"] as const;

describe("a signature holds for the bytes it was made for, and for its time", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let raw: RawClient;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "1000000000", BTC: "1000" });
    raw = new RawClient(Number(new URL(venue.base).port));
  });
  after(async () => {
    raw.close();
    await venue.close();
  });

  /** A sound request; `signedAt` is the venue's time unless given. */
  function signed(
    method: "GET" | "POST",
    path: string,
    query: string,
    body = "",
    signedAt = venue.control.timeMs,
  ): Signed {
    const { accessId, secret } = user.client.key ?? assert.fail("the user has a key");
    const timestamp = `${signedAt}`;
    const sign = createHmac("sha256", secret).update(`${method}${path}${query}${body}${timestamp}`).digest("hex");
    return { key: accessId, sign, timestamp, method, path, query, body };
  }

  /** The bytes of a request; every part as it is, one character a byte. */
  function bytesOf(request: Signed, more = "", service = "SVC"): Buffer {
    const { key, sign, timestamp, method, path, query, body } = request;
    const head = [
      `${method} ${path}${query} HTTP/1.1`,
      "Host: venue",
      `X-${service}-KEY: ${key}`,
      `X-${service}-SIGN: ${sign}`,
      `X-${service}-TIMESTAMP: ${timestamp}`,
      ...(body === "" ? [] : [`Content-Length: ${body.length}`]),
      ...(more === "" ? [] : [more]),
    ];
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`, "latin1");
  }

  async function answerTo(bytes: Buffer): Promise<RawAnswer> {
    const { answers } = await raw.ask(bytes);
    return answers.at(-1) ?? assert.fail("no answer came");
  }

  async function codeOf(bytes: Buffer): Promise<number> {
    return (JSON.parse((await answerTo(bytes)).body) as { code: number }).code;
  }

  const ORDER = JSON.stringify(limitOrder("buy", "0.01", "20000", { client_id: "flip" }));
  const rows = [
    ["an order", () => signed("POST", "/v2/spot/order", "", ORDER)],
    ["an order with a query", () => signed("POST", "/v2/spot/order", "?a=1", ORDER)],
    ["a query", () => signed("GET", "/v2/spot/pending-order", "?market=BTCUSDT&market_type=SPOT&page=1&limit=10")],
    ["a query that is encoded", () => signed("GET", "/v2/spot/pending-order", "?client_id=a%2Db&market_type=SPOT")],
  ] as const;
  for (const [what, make] of rows) {
    test(`${what}: with any one bit of any part flipped it is not accepted`, async () => {
      const sound = make();
      assert.equal(await codeOf(bytesOf(sound)), 0, "as it was signed it is accepted");
      const before = venue.stateHash();
      let flips = 0;
      for (const part of PARTS) {
        for (let bit = 0; bit < sound[part].length * 8; bit++) {
          const bytes = Buffer.from(sound[part], "latin1");
          bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
          const { status, body } = await answerTo(bytesOf({ ...sound, [part]: bytes.toString("latin1") }));
          const { code } = JSON.parse(body) as { code: number };
          assert.notEqual(code, 0, `bit ${bit} of the ${part}: ${status} ${body}`);
          flips++;
        }
      }
      assert.ok(flips > 1_000);
      assert.equal(venue.stateHash(), before);
    });
  }

  test("no byte can be moved from one signed part into the next", async () => {
    const query = signed("GET", "/v2/spot/pending-order", "?market_type=SPOT&limit=11");
    const tenth = signed("GET", "/v2/spot/pending-order", "?market_type=SPOT&limit=10");
    const order = signed("POST", "/v2/spot/order", "", ORDER);
    const moved: readonly Signed[] = [
      { ...tenth, query: tenth.query.slice(0, -1), timestamp: `0${tenth.timestamp}` },
      { ...query, query: query.query.slice(0, -1), body: "1" },
      { ...query, query: query.query.slice(0, -1), timestamp: `1${query.timestamp}` },
      { ...query, query: `${query.query}1`, timestamp: query.timestamp.slice(1) },
      { ...order, body: ORDER.slice(1), path: `${order.path}{` },
      { ...order, body: `/order${ORDER}`, path: "/v2/spot" },
      { ...order, body: `${ORDER}1`, timestamp: order.timestamp.slice(1) },
      { ...order, method: "POS", path: `T${order.path}` },
    ];
    const before = venue.stateHash();
    for (const request of moved) assert.notEqual(await codeOf(bytesOf(request)), 0, JSON.stringify(request));
    assert.equal(venue.stateHash(), before);
  });

  test("a mark between the parts of a query cannot be encoded away under its signature", async () => {
    const query = "?market_type=SPOT&client_id=a&limit=10";
    const request = signed("GET", "/v2/spot/pending-order", query);
    assert.equal(await codeOf(bytesOf(request)), 0);
    for (const [mark, encoded] of [
      ["&client_id", "%26client_id"],
      ["_id=", "_id%3D"],
      ["_id=", "_id%3d"],
    ] as const) {
      assert.equal(await codeOf(bytesOf({ ...request, query: query.replace(mark, encoded) })), 4006, encoded);
    }
    const doubled = signed("GET", "/v2/spot/pending-order", "?market_type=SPOT&client_id=a%2Db");
    assert.equal(await codeOf(bytesOf({ ...doubled, query: doubled.query.replace("%", "%25") })), 4006);
  });

  test("two of a signature header are none", async () => {
    const order = signed("POST", "/v2/spot/order", "", ORDER);
    for (const [name, value, code] of [
      ["KEY", order.key, 4005],
      ["SIGN", order.sign, 4008],
      ["TIMESTAMP", order.timestamp, 4010],
    ] as const) {
      assert.equal(await codeOf(bytesOf(order, `X-SVC-${name}: ${value}`)), code, name);
    }
  });

  test("the window of time is exact to the millisecond, under every name of its header", async () => {
    const signedAt = venue.control.timeMs + 1_000_000;
    // Columns: how old the request is when it comes, the header with its own window, the code.
    const edges: readonly (readonly [number, string | undefined, number])[] = [
      [0, undefined, 0],
      [4_999, undefined, 0],
      [5_000, undefined, 0],
      [5_001, undefined, 4010],
      [-5_000, undefined, 0],
      [-5_001, undefined, 4010],
      [0, "1", 0],
      [1, "1", 0],
      [2, "1", 4010],
      [59_999, "60000", 0],
      [60_000, "60000", 0],
      [60_001, "60000", 4017],
      [60_000, "59999", 4010],
      [60_000, "60001", 0],
      [60_000, "999999999999999", 0],
      [60_001, "999999999999999", 4017],
      [60_001, undefined, 4017],
      [-5_000, "60000", 0],
      [-5_001, "60000", 4010],
      [0, "0", 4010],
      [0, "", 4010],
      [0, "-1", 4010],
      [0, "1e3", 4010],
      [0, "5000 ms", 4010],
    ];
    for (const service of ["SVC", "svc", "COINEX"]) {
      for (const [ageMs, window, code] of edges) {
        venue.control.timeMs = signedAt + ageMs;
        const request = signed("GET", "/v2/assets/spot/balance", "", "", signedAt);
        const more = window === undefined ? "" : `X-${service}-WINDOWTIME: ${window}`;
        assert.equal(
          await codeOf(bytesOf(request, more, service)),
          code,
          `${ageMs} ms old, window ${window}, ${service}`,
        );
      }
    }
    venue.control.timeMs = signedAt + 60_001;
  });

  test("a repeated change is a second change while its time lasts, and refused after it", async () => {
    const order = bytesOf(signed("POST", "/v2/spot/order", "", ORDER));
    const ids: number[] = [];
    for (let times = 0; times < 2; times++) {
      const { code, data } = JSON.parse((await answerTo(order)).body) as { code: number; data: { order_id: number } };
      assert.equal(code, 0);
      ids.push(data.order_id);
    }
    assert.equal(new Set(ids).size, 2);
    const cancel = { market: "BTCUSDT", market_type: "SPOT", order_id: ids[0] };
    const cancelling = bytesOf(signed("POST", "/v2/spot/cancel-order", "", JSON.stringify(cancel)));
    assert.deepEqual([await codeOf(cancelling), await codeOf(cancelling)], [0, 3600]);
    venue.control.timeMs += 5_001;
    assert.deepEqual([await codeOf(order), await codeOf(cancelling)], [4010, 4010]);
  });
});
