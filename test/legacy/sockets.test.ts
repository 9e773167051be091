/** The legacy sockets as such: who may ask, what is refused, how much one may follow. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ApiClient, ApiKeyPair } from "../support/api-client.ts";
import { LegacySocketClient } from "../support/legacy-socket-client.ts";
import { type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

/** Codes of contract/legacy/errors.json. */
const INVALID = 1;
const UNAVAILABLE = 3;
const UNKNOWN_METHOD = 4;
const LOG_IN_FIRST = 6;
const LOGIN_REFUSED = 11;

describe("the legacy sockets", () => {
  let venue: ApiVenue;
  let alice: ApiClient;
  let key: ApiKeyPair;
  before(async () => {
    venue = await bitcoinApiVenue();
    alice = (await venue.addUser("alice", { USDT: "1000000", BTC: "100" })).client;
    key = alice.key as ApiKeyPair;
  });
  after(() => venue.close());

  test("ping, time, and what is none of its methods", async () => {
    for (const path of ["/", "/perpetual", "/perpetual/"]) {
      const socket = await venue.legacySocket(undefined, path);
      assert.deepEqual(await socket.ask("server.ping"), { error: null, result: "pong", id: 1 });
      assert.equal(await socket.query("server.time"), Math.floor(venue.control.timeMs / 1_000));
      assert.equal(await socket.refused("server.pong"), UNKNOWN_METHOD);
      assert.equal(await socket.refused("constructor"), UNKNOWN_METHOD);
      assert.equal(await socket.refused("server.ping", 1), INVALID);
      assert.equal(await socket.refused("server.auth", "token", "web"), LOGIN_REFUSED);
      socket.send({ id: 99, method: "server.ping" });
      assert.equal((await socket.take(({ id }) => id === 99)).result, "pong", "parameters may be left out");
      await socket.close();
    }
  });

  test("methods of the other kind of market are none of this socket's", async () => {
    const [spot, futures] = [await venue.legacySocket(alice), await venue.legacySocket(alice, "/perpetual")];
    for (const method of ["price.query", "position.subscribe", "position.query"]) {
      assert.equal(await spot.refused(method, "BTCUSDT"), UNKNOWN_METHOD, method);
    }
    for (const method of ["index.subscribe", "order.account_query", "asset.account_query_all"]) {
      assert.equal(await futures.refused(method), UNKNOWN_METHOD, method);
    }
  });

  test("what cannot be read is refused with the id, where it has one", async () => {
    const socket = await venue.legacySocket();
    const table: [sent: unknown, id: number | null][] = [
      ["no JSON", null],
      ["[]", null],
      ['{"id":"seven","method":"server.ping","params":[]}', null],
      ['{"id":1.5,"method":"server.ping","params":[]}', null],
      ['{"id":7,"method":12,"params":[]}', null],
      ['{"id":7,"method":"server.ping","params":{}}', 7],
      ['{"id":7,"method":"server.ping","params":"BTCUSDT"}', 7],
    ];
    for (const [sent, id] of table) {
      socket.send(sent);
      const { error, ...rest } = await socket.take(() => true);
      assert.deepEqual(rest, { result: null, id }, String(sent));
      assert.deepEqual([error.code, error.message], [INVALID, "invalid argument"]);
    }
    assert.equal(await socket.query("server.ping"), "pong");
  });

  const wrong: [method: string, ...params: unknown[]][] = [
    ["state.query", "BTCUSDT"],
    ["state.query", "BTCUSDT", 3600],
    ["state.query", "NOSUCHMARKET", 86400],
    ["state.query", 7, 86400],
    ["depth.query", "BTCUSDT", 20],
    ["depth.query", "BTCUSDT", 100, "0"],
    ["depth.query", "BTCUSDT", 20, "0.3"],
    ["depth.query", "BTCUSDT", 20, "0", true],
    ["deals.query", "BTCUSDT", 0, 0],
    ["deals.query", "BTCUSDT", 1001, 0],
    ["kline.query", "BTCUSDT", 0, 1750000000, 61],
    ["kline.query", "BTCUSDT", -1, 1750000000, 60],
    ["kline.query", "NOSUCHMARKET", 0, 1750000000, 60],
    ["kline.subscribe", "BTCUSDT", 61],
    ["kline.subscribe", "BTCUSDT"],
    ["kline.subscribe", "NOSUCHMARKET", 60],
    ["depth.subscribe", "BTCUSDT", 20, "0", "perhaps"],
    ["depth.subscribe", "BTCUSDT", 20],
    ["depth.subscribe", ["BTCUSDT", 20, "0"]],
    ["depth.subscribe_multi", "BTCUSDT", 20, "0"],
    ["depth.subscribe_multi", ["BTCUSDT", 20, "0"], ["ETHUSDT", 21, "0"]],
    ["deals.subscribe", 7],
    ["deals.subscribe", ["BTCUSDT"]],
    ["state.subscribe", ...Array.from({ length: 1_001 }, (_, at) => `M${at}`)],
    ["notice.subscribe", 102],
    ["server.sign", "only an id"],
    ["server.sign", "id", "signature", -1],
  ];
  test("wrong parameters are refused, and the connection goes on", async () => {
    const socket = await venue.legacySocket();
    for (const [method, ...params] of wrong) {
      assert.equal(
        await socket.refused(method, ...params),
        INVALID,
        `${method} ${JSON.stringify(params).slice(0, 60)}`,
      );
    }
    assert.deepEqual((await socket.taken()).length, 0);
  });

  const wrongOwn: [method: string, ...params: unknown[]][] = [
    ["order.query", "BTCUSDT", 3, 0, 10],
    ["order.query", "BTCUSDT", 0, 0, 101],
    ["order.query", "BTCUSDT", 0, 0],
    ["order.query", "NOSUCHMARKET", 0, 0, 10],
    ["order.account_query", 77, "BTCUSDT", 0, 0, 10],
    ["order.account_query_stop", 77, "BTCUSDT", 0, 0, 10],
    ["deals.query_user", "BTCUSDT", 0, 100_000, 10],
    ["asset.query", "NOSUCHCURRENCY"],
    ["asset.account_query", 77],
    ["asset.account_query", 1, "ETH"],
  ];
  test("the same of methods that need a login, before which they say so", async () => {
    const [nobody, socket] = [await venue.legacySocket(), await venue.legacySocket(alice)];
    for (const [method, ...params] of wrongOwn) {
      assert.equal(await nobody.refused(method, ...params), LOG_IN_FIRST, method);
      assert.equal(await socket.refused(method, ...params), INVALID, `${method} ${JSON.stringify(params)}`);
    }
    for (const channel of ["order", "asset", "user_deals"]) {
      assert.equal(await nobody.refused(`${channel}.subscribe`), LOG_IN_FIRST, channel);
    }
  });

  test("a login in either form is taken on either socket", async () => {
    let ms = 0;
    for (const path of ["/", "/perpetual"]) {
      for (const form of ["md5", "sha256"] as const) {
        const socket = await venue.legacySocket(undefined, path);
        await socket.must("server.sign", socket.signRow(key, venue.control.timeMs - ms++, form));
        await socket.must("order.subscribe");
      }
    }
    const socket = await venue.legacySocket();
    const [id, digest, time] = socket.signRow(key, venue.control.timeMs - ms++);
    await socket.must("server.sign", [id, String(digest).toLowerCase(), time]);
  });

  test("a wrong login is refused, and one that was good before goes on", async () => {
    const socket = await venue.legacySocket(alice);
    const now = venue.control.timeMs;
    const row = (time: number, form?: "sha256") => socket.signRow(key, time, form);
    const table: [what: string, row: readonly unknown[]][] = [
      ["an unknown id", ["0".repeat(32), row(now)[1], now]],
      ["another time", [row(now)[0], row(now)[1], now - 1]],
      ["another digest", [row(now)[0], "0".repeat(32), now]],
      ["no digest", [row(now)[0], "", now]],
      ["a digest of another length", [row(now)[0], "0".repeat(40), now]],
      ["the digest of the current sockets", [row(now)[0], "0".repeat(64), now]],
      ["more than a minute ago", row(now - 60_001)],
      ["more than a minute ahead", row(now + 60_001, "sha256")],
    ];
    for (const [what, params] of table)
      assert.equal(await socket.refused("server.sign", ...params), LOGIN_REFUSED, what);
    await socket.must("order.subscribe");
    for (const time of [now - 60_000, now + 60_000]) await socket.must("server.sign", row(time));
  });

  test("a signature serves the address that used it first", async () => {
    const socket = await venue.legacySocket();
    const row = socket.signRow(key, venue.control.timeMs - 500);
    await socket.must("server.sign", row);
    await (await venue.legacySocket()).must("server.sign", row);
    const elsewhere = await LegacySocketClient.connect(venue.base, "/", { localAddress: "127.0.0.2" });
    assert.equal(await elsewhere.refused("server.sign", ...row), LOGIN_REFUSED);
    await elsewhere.close();
  });

  test("an address that a key does not serve, a key that has expired, and one that is deleted", async () => {
    const user = await venue.addUser("keys", { BTC: "1" });
    const expiring = await venue.addKey(user.userId, ["read"], { expiredAt: venue.control.timeMs + 5_000 });
    const [late, gone] = [await venue.legacySocket(expiring), await venue.legacySocket(user.client)];
    for (const socket of [late, gone]) await socket.must("asset.subscribe");
    await venue.operate({ kind: "delete_api_key", accessId: user.client.key?.accessId as string });
    const told = { code: LOG_IN_FIRST, message: "require authentication" };
    const lastOf = async (socket: LegacySocketClient) => {
      const { error, ...rest } = await socket.take(() => true);
      const { request_id: _, reason, ...of } = error;
      assert.deepEqual([of, rest], [told, { result: null, id: null }]);
      return reason;
    };
    assert.match(await lastOf(gone), /^13\.2; refusal=access_id_unknown; why=The API key has been deleted/);
    await venue.wait(6_000);
    venue.beat(1_000);
    assert.match(await lastOf(late), /^13\.2; refusal=key_expired; user_id=\d+; expired_at=\d+$/);
    const socket = await venue.legacySocket();
    const row = socket.signRow(expiring.key as ApiKeyPair, venue.control.timeMs);
    assert.equal(await socket.refused("server.sign", ...row), LOGIN_REFUSED);
  });

  test("another login takes the place of the first, and drops what that one followed", async () => {
    const other = await venue.addUser("other", { BTC: "1" });
    const socket = await venue.legacySocket(alice);
    await socket.must("order.subscribe");
    await socket.must("server.sign", socket.signRow(other.client.key as ApiKeyPair, venue.control.timeMs));
    await alice.act("/spot/order", limitOrder("buy", "0.1", "20000"));
    assert.deepEqual(await socket.taken(), []);
  });

  test("names that are not listed wait until they are", async () => {
    const socket = await venue.legacySocket();
    await socket.must("deals.subscribe", ["NEWUSDT", "no name at all"]);
    await socket.must("depth.subscribe", ["NEWUSDT", 5, "0"]);
    venue.beat();
    assert.deepEqual(await socket.taken(), []);
    await venue.operate({ kind: "list_asset", ccy: "NEW", scale: 8 });
    const terms = { baseCcy: "NEW", quoteCcy: "USDT", amountPrecision: 4, pricePrecision: 2, minAmount: "1" };
    await venue.operate({ kind: "list_market", market: "NEWUSDT", ...terms, makerFeeRate: "0", takerFeeRate: "0" });
    venue.beat();
    const [isFull, depth, market] = await socket.push("depth.update");
    assert.deepEqual([isFull, depth.asks, depth.bids, market], [true, [], [], "NEWUSDT"]);
  });

  test("binary frames are read as well, compressed or not, and answers are text", async () => {
    const socket = await venue.legacySocket();
    socket.send(Buffer.from('{"id":5,"method":"server.ping","params":[]}'));
    assert.equal((await socket.take(({ id }) => id === 5)).result, "pong");
  });
});

test("what a subscription replaces makes room for it", async () => {
  const venue = await bitcoinApiVenue({ socketLimits: { subscriptionsMax: 3 } });
  const socket = await venue.legacySocket();
  await socket.must("deals.subscribe", ["BTCUSDT", "ETHUSDT"]);
  assert.equal(await socket.refused("state.subscribe", "BTCUSDT", "ETHUSDT"), INVALID);
  await socket.must("deals.subscribe", ["BTCUSDT", "ETHUSDT", "XRPUSDT"]);
  assert.equal(await socket.refused("kline.subscribe", "BTCUSDT", 60), INVALID);
  await socket.must("deals.unsubscribe");
  await socket.must("kline.subscribe", ["BTCUSDT", 60]);
  await socket.must("kline.subscribe", ["BTCUSDT", 300]);
  await socket.must("depth.subscribe_multi", [
    ["BTCUSDT", 5, "0"],
    ["ETHUSDT", 5, "0"],
  ]);
  assert.equal(await socket.refused("bbo.subscribe"), INVALID);
  await venue.close();
});

test("requests that come too often are refused by the code for what is not available", async () => {
  const venue = await bitcoinApiVenue({ socketLimits: { requestsMax: 3, requestsRefusedMax: 50 } });
  const socket = await venue.legacySocket();
  const codes: (number | undefined)[] = [];
  for (let count = 0; count < 5; count++) codes.push((await socket.ask("server.ping")).error?.code);
  assert.deepEqual(codes, [undefined, undefined, undefined, UNAVAILABLE, UNAVAILABLE]);
  await venue.close();
});

test("who asks history for more at once than it may is refused the rest, and all else is answered", async () => {
  const venue = await bitcoinApiVenue();
  const socket = await venue.legacySocket();
  const ids = Array.from({ length: 40 }, (_, at) => 1_000 + at);
  const params = ["BTCUSDT", 0, 1_750_000_000, 60];
  for (const id of ids) socket.send({ id, method: "kline.query", params });
  const codes = new Set<number | undefined>();
  for (const wanted of ids) codes.add((await socket.take(({ id }) => id === wanted)).error?.code);
  assert.deepEqual([...codes].sort(), [UNAVAILABLE, undefined]);
  assert.deepEqual(await socket.query("kline.query", ...params), []);
  await venue.close();
});

test("who does not read is cut, and the others do not notice", async () => {
  const venue = await bitcoinApiVenue({ socketLimits: { requestsMax: 1_000_000, backlogBytesMax: 200_000 } });
  const { client } = await venue.addUser("maker", { BTC: "1000", USDT: "10000000" });
  for (let at = 0; at < 50; at++) await client.act("/spot/order", limitOrder("sell", "0.1", String(30_000 + at)));
  const [paused, healthy] = [await venue.legacySocket(), await venue.legacySocket()];
  paused.webSocket.pause();
  for (let asked = 0; asked < 50_000 && !venue.control.socketEvents.includes("cut_slow"); asked += 100) {
    for (let at = 0; at < 100; at++) paused.send({ id: 1, method: "depth.query", params: ["BTCUSDT", 50, "0"] });
    await healthy.query("server.ping");
  }
  assert.ok(venue.control.socketEvents.includes("cut_slow"));
  assert.equal((await healthy.query("depth.query", "BTCUSDT", 50, "0")).asks.length, 50);
  await venue.close();
});

test("a venue without the legacy generation has none of its sockets", async () => {
  const venue = await bitcoinApiVenue({ legacy: false });
  for (const path of ["/", "/perpetual"]) {
    const socket = venue.legacySocket(undefined, path);
    await assert.rejects(socket, /Unexpected server response/);
  }
  await venue.close();
});
