/**
 * Why a request over a socket was refused: two fields beside the message, in the dev profile, and what operators are
 * told.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SeededChance } from "../../src/gateway/auth/chance.ts";
import { explainRequest } from "../../src/gateway/explain/explain-request.ts";
import { RequestMemory } from "../../src/gateway/explain/request-memory.ts";
import { REQUESTS_KEPT } from "../../src/gateway/explain/request-ring.ts";
import { REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import { Refused } from "../../src/gateway/refused.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";
import { SocketClient } from "../support/socket-client.ts";

const NAME = /^[0-9a-f]{16}$/;

describe("reasons of refusals on sockets", () => {
  let venue: ApiVenue;
  let alice: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue({ socketLimits: { subscriptionsMax: 50, unlistedMax: 5 } });
    alice = await venue.addUser("alice", { USDT: "100" });
  });
  after(() => venue.close());

  const names = (count: number, of = "BTCUSDT") => Array.from({ length: count }, (_, at) => `${of}${at}`);

  test("the current generation says it beside the message", async () => {
    const socket = await venue.socket();
    const key = alice.client.key as { accessId: string; secret: string };
    const signed = socket.signParams(key, venue.control.timeMs);
    const early = socket.signParams(key, venue.control.timeMs - 3_600_000);
    const rows: readonly (readonly [method: string, params: object, code: number, reason: RegExp])[] = [
      [
        "state.explode",
        {},
        20002,
        /^13\.1; refusal=method_not_allowed; why=There is no method "state.explode" on this socket\.$/,
      ],
      ["state.subscribe", {}, 20001, /^13\.3; refusal=invalid_parameter; why=.*market_list/],
      ["depth.subscribe", { market_list: [["BTCUSDT", 7, "0", true]] }, 20001, /^13\.3; .*must be one of/],
      ["order.subscribe", { market_list: [] }, 21001, /^13\.2; refusal=access_id_missing; why=Nobody is logged in/],
      ["server.sign", { ...signed, access_id: "NOBODY" }, 21002, /^13\.2; refusal=access_id_unknown$/],
      [
        "server.sign",
        { ...signed, signed_str: "0".repeat(64) },
        21002,
        /^13\.2; refusal=signature_mismatch; why=.*of: 1/,
      ],
      ["server.sign", early, 21002, /^13\.2; refusal=request_expired; signed_at=\d+; venue_time=\d+/],
      [
        "state.subscribe",
        { market_list: names(6) },
        20001,
        /^13\.3; refusal=invalid_parameter; followed=0; added=6; unlisted=6; limit=5; why=a connection follows 5 names/,
      ],
      ["bbo.subscribe", { market_list: names(51) }, 20001, /; added=51; unlisted=\d+; limit=50; why=/],
    ];
    for (const [method, params, code, reason] of rows) {
      const { id, message, request_id: name, reason: told, ...answer } = await socket.ask(method, params);
      assert.deepEqual(answer, { code }, method);
      assert.equal(typeof message, "string");
      assert.match(name, NAME);
      assert.match(told, reason);
      const remembered = venue.requests.find(name);
      assert.deepEqual([remembered?.method, remembered?.path, remembered?.code], [method, "/v2/spot", code]);
    }
  });

  test("the legacy generation says it beside the message of its error", async () => {
    const socket = await venue.legacySocket();
    const rows: readonly (readonly [method: string, params: readonly unknown[], code: number, reason: RegExp])[] = [
      ["state.explode", [], 4, /^13\.1; refusal=method_not_allowed/],
      ["state.query", ["NONE", 86_400], 1, /^2\.1 row 2; refusal=market_not_found; why=market NONE not found$/],
      ["depth.query", ["BTCUSDT", 7, "0"], 1, /^13\.3; refusal=invalid_parameter; why=/],
      ["state.query", ["BTCUSDT", 86_400, 1], 1, /^13\.3; .*at most 2/],
      ["asset.query", [], 6, /^13\.2; refusal=access_id_missing/],
      ["server.sign", ["NOBODY", "0".repeat(32), venue.control.timeMs], 11, /^13\.2; refusal=access_id_unknown/],
    ];
    for (const [method, params, code, reason] of rows) {
      const { error, result } = await socket.ask(method, params);
      const { message, request_id: name, reason: told, ...rest } = error;
      assert.deepEqual([rest, result], [{ code }, null], method);
      assert.equal(typeof message, "string");
      assert.match(told, reason);
      assert.deepEqual([venue.requests.find(name)?.method, venue.requests.find(name)?.path], [method, "/"]);
    }
  });

  test("what is served carries neither, and a login that ends says why", async () => {
    const user = await venue.addUser("leaves", {});
    const socket = await venue.socket(user.client);
    assert.deepEqual(await socket.ask("server.ping"), { id: 2, code: 0, message: "OK", data: { result: "pong" } });
    await venue.operate({ kind: "change_user", userId: user.userId, frozen: true });
    const { request_id: name, reason, code } = await socket.take(({ id }) => id === null);
    assert.equal(code, 21001);
    assert.match(reason, new RegExp(`^6\\.3; refusal=account_frozen; user_id=${user.userId}$`));
    assert.equal(venue.requests.find(name)?.userId, user.userId);
  });

  test("too many messages are told their limit", async () => {
    const strict = await bitcoinApiVenue({ socketLimits: { requestsMax: 3 } });
    const socket = await strict.socket();
    for (let request = 0; request < 3; request++) await socket.ask("server.ping");
    const { code, reason } = await socket.ask("server.ping");
    assert.equal(code, 23002);
    assert.match(reason, /^9; refusal=rate_limited; per=connection; limit=3; seconds=10$/);
    await strict.close();
    let isAdmitted = true;
    const small = await bitcoinApiVenue({ admit: () => isAdmitted });
    const other = await small.socket();
    isAdmitted = false;
    assert.match((await other.ask("server.ping")).reason, /^9; refusal=address_rate_limited/);
    await small.close();
  });

  test("what a client wrote can neither end the envelope nor look like another figure", async () => {
    const socket = await venue.socket();
    const method = `x","code":0,"y":"\u0000; needed=0 ${"z".repeat(1_000)}`;
    const { code, reason, request_id: name } = await socket.ask(method);
    assert.equal(code, 20002);
    assert.ok(!reason.includes("; needed"));
    assert.ok(reason.length < 250);
    assert.ok((venue.requests.find(name)?.method.length ?? 0) <= 60);
  });

  test("operators read it as they read a request over HTTP", async () => {
    const socket = await venue.socket(alice.client);
    const { request_id: name } = await socket.ask("stop.subscribe", { market_list: 7 });
    const remembered = venue.requests.find(name);
    assert.ok(remembered !== undefined);
    const { reasons, because, time, ...told } = explainRequest(venue.engine.state, remembered) as Record<
      string,
      unknown
    >;
    assert.deepEqual(told, {
      request_id: name,
      method: "stop.subscribe",
      path: "/v2/spot",
      user_id: alice.userId,
      user: "alice",
      socket: true,
      code: 20001,
    });
    assert.equal(time, venue.control.timeMs);
    assert.match(String(because), /^Invalid Parameter: a parameter is not as it must be: market_list must be/);
    assert.equal((reasons as { rule: string }[])[0]?.rule, "13.3");
  });
});

test("as many refusals are remembered as there is room for, those of sockets included", () => {
  const memory = new RequestMemory({ rows: REFUSAL_ROWS, tells: true, now: () => 1 });
  const observer = memory.socketObserver(new SeededChance(1, "names"));
  const refused = new Refused("busy");
  const hear = () => observer.hears({ path: "/v2/spot", method: "server.ping", userId: 0, code: 24002, refused });
  const first = hear().requestId;
  assert.equal(memory.find(first)?.method, "server.ping");
  for (let more = 0; more < REQUESTS_KEPT; more++) hear();
  assert.equal(memory.find(first), undefined);
});

test("without an observer, as in production, refusals are the contract's to the letter", async () => {
  const venue = await bitcoinApiVenue({ isProduction: true });
  const socket = await SocketClient.connect(venue.base);
  assert.deepEqual(await socket.ask("state.explode"), { id: 1, code: 20002, message: "method unavailable" });
  await socket.close();
  const legacy = await venue.legacySocket();
  const { error } = await legacy.ask("state.explode");
  assert.deepEqual(Object.keys(error), ["code", "message"]);
  await venue.close();
});
