/** What goes wrong on purpose with requests over sockets. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";
import type { SocketClient } from "../support/socket-client.ts";

const ALL = { market_list: [] };

describe("faults on requests over sockets", () => {
  let venue: ApiVenue;
  let alice: ApiUser;
  let bob: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    alice = await venue.addUser("alice", { USDT: "100" });
    bob = await venue.addUser("bob", { USDT: "100" });
  });
  afterEach(() => {
    venue.faults.end();
    venue.notes.length = 0;
  });
  after(() => venue.close());

  const codeOf = async (socket: SocketClient, method: string, params: object = {}) =>
    (await socket.ask(method, params)).code;

  test("a busy, an unavailable and a limiting venue say so, as often as was asked for, and it is noted", async () => {
    for (const [fault, code, legacyCode, refusal] of [
      ["busy", 24002, 3, "busy"],
      ["unavailable", 24002, 3, "unavailable"],
      ["limited", 23002, 3, "rate_limited"],
    ] as const) {
      const [socket, legacy] = [await venue.socket(), await venue.legacySocket()];
      const { faultId } = venue.fault({ fault, match: "server.ping", count: 2 });
      assert.equal(await codeOf(socket, "server.time"), 0);
      const struck = await socket.ask("server.ping");
      assert.equal(struck.code, code);
      assert.match(struck.reason, new RegExp(`; refusal=${refusal}; fault_id=${faultId}$`));
      assert.equal(await legacy.refused("server.ping"), legacyCode);
      assert.equal(await codeOf(socket, "server.ping"), 0);
      assert.deepEqual(venue.faults.list(), []);
      assert.deepEqual(venue.notes.splice(0), [
        `fault ${faultId} strikes: ${fault}, server.ping on /v2/spot`,
        `fault ${faultId} strikes: ${fault}, server.ping on /`,
      ]);
    }
  });

  test("a channel, a method, a user or the address of a socket is meant", async () => {
    const [hers, his] = [await venue.socket(alice.client), await venue.socket(bob.client)];
    const ask = async (socket: SocketClient) => [
      await codeOf(socket, "state.subscribe", ALL),
      await codeOf(socket, "state.unsubscribe", ALL),
      await codeOf(socket, "bbo.subscribe", ALL),
    ];
    for (const [match, codes, others] of [
      ["state", [24002, 24002, 0], [24002, 24002, 0]],
      ["state.unsubscribe", [0, 24002, 0], [0, 24002, 0]],
      [`user_id=${alice.userId}`, [24002, 24002, 24002], [0, 0, 0]],
      ["/v2/spot", [24002, 24002, 24002], [24002, 24002, 24002]],
      ["/spot", [24002, 24002, 24002], [24002, 24002, 24002]],
      ["/v2/futures", [0, 0, 0], [0, 0, 0]],
      [undefined, [24002, 24002, 24002], [24002, 24002, 24002]],
    ] as const) {
      venue.fault({ fault: "busy", match });
      assert.deepEqual([await ask(hers), await ask(his)], [codes, others], String(match));
      venue.faults.end();
    }
    venue.fault({ fault: "busy", match: "state" });
    assert.equal((await alice.client.get("/v2/spot/ticker")).code, 0, "a channel is no matter of HTTP");
  });

  test("a struck subscription follows nothing, and a struck login logs nobody in", async () => {
    const socket = await venue.socket();
    venue.fault({ fault: "unavailable", match: "deals.subscribe", count: 1 });
    assert.equal(await codeOf(socket, "deals.subscribe", ALL), 24002);
    assert.equal(venue.fault({ fault: "stall_sockets", match: "deals", ms: 1 }).struck, 0);
    const params = socket.signParams(alice.client.key as never, venue.control.timeMs);
    venue.fault({ fault: "limited", match: `user_id=${alice.userId}`, count: 1 });
    assert.equal(await codeOf(socket, "server.sign", params), 23002);
    assert.equal(await codeOf(socket, "order.subscribe", ALL), 21001);
    assert.equal(await codeOf(socket, "server.sign", params), 0);
  });

  test("who asks for what is refused anyway hears what he would hear without", async () => {
    const socket = await venue.socket();
    venue.fault({ fault: "busy" });
    assert.equal(await codeOf(socket, "state.explode"), 20002);
    assert.equal(await codeOf(socket, "order.subscribe", ALL), 21001);
    assert.equal(await codeOf(socket, "state.subscribe"), 20001);
    const wrong = { ...socket.signParams(alice.client.key as never, venue.control.timeMs), signed_str: "0".repeat(64) };
    assert.equal(await codeOf(socket, "server.sign", wrong), 21002);
    assert.equal(venue.notes.length, 0);
  });

  test("a delayed request is answered later, and then as ever; others overtake it", async () => {
    const socket = await venue.socket();
    venue.fault({ fault: "delay", match: "state.subscribe", ms: 60, count: 1 });
    const begin = performance.now();
    socket.send({ id: 50, method: "state.subscribe", params: ALL });
    socket.send({ id: 51, method: "server.ping", params: {} });
    assert.equal((await socket.take(({ id }) => id === 50 || id === 51)).id, 51);
    assert.deepEqual(await socket.take(({ id }) => id === 50), { id: 50, code: 0, message: "OK" });
    assert.ok(performance.now() - begin >= 55);
    assert.equal(venue.fault({ fault: "stall_sockets", match: "state", ms: 1 }).struck, 1);
  });

  test("a delayed request is answered as things are by then, and not at all when its client has gone", async () => {
    const user = await venue.addUser("is frozen", {});
    const [socket, gone] = [await venue.socket(user.client), await venue.socket()];
    venue.fault({ fault: "delay", match: "order.subscribe", ms: 60 });
    socket.send({ id: 50, method: "order.subscribe", params: ALL });
    await codeOf(socket, "server.ping");
    await venue.operate({ kind: "change_user", userId: user.userId, frozen: true });
    assert.equal((await socket.take(({ id }) => id === 50)).code, 21001);
    venue.fault({ fault: "delay", match: "server.time", ms: 20 });
    gone.send({ id: 60, method: "server.time", params: {} });
    await codeOf(gone, "server.ping");
    await gone.close();
    assert.equal(await codeOf(await venue.socket(), "server.time"), 0);
  });

  test("a connection is cut in the place of an answer", async () => {
    for (const when of ["before", "after"] as const) {
      const [socket, other] = [await venue.socket(), await venue.socket()];
      venue.fault({ fault: "drop", match: "bbo.subscribe", when, count: 1 });
      socket.send({ id: 70, method: "bbo.subscribe", params: ALL });
      assert.equal(await socket.closed(), 1006);
      assert.equal(await codeOf(other, "bbo.subscribe", ALL), 0);
      await other.close();
    }
  });

  test("a share is drawn from the seed: the same requests are struck in the same world", async () => {
    const struck = async () => {
      const socket = await venue.socket();
      venue.fault({ fault: "busy", share: 0.5 }, 1_000_000);
      const codes: number[] = [];
      for (let request = 0; request < 40; request++) codes.push(await codeOf(socket, "server.ping"));
      venue.faults.end();
      return codes.map((code) => (code === 0 ? "." : "x")).join("");
    };
    const first = await struck();
    assert.match(first, /x.*\..*x/);
    assert.equal(await struck(), first);
  });
});
