/**
 * Cancelling open orders when a socket ends, over the wire. What the engine does with it:
 * src/engine/cancel-after/watch.test.ts.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { ApiKeyPair } from "../support/api-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";
import type { SocketClient } from "../support/socket-client.ts";

const ORDER = "/v2/spot/order";
const METHOD = "session.cancel_on_disconnect";
const ALL = { active: true, scope: "ALL", market_list: [], grace_ms: 0 };

describe("cancel on disconnect", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let other: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "100000" });
    other = await venue.addUser("other", { USDT: "100000" });
    await other.client.act(ORDER, limitOrder("buy", "0.1", "20000"));
  });
  afterEach(() => venue.faults.end());
  after(() => venue.close());

  async function pending({ client }: ApiUser): Promise<number> {
    return (await client.read("/v2/spot/pending-order", { market_type: "SPOT" })).length;
  }

  async function place(): Promise<void> {
    await user.client.act(ORDER, limitOrder("buy", "0.1", "20000"));
  }

  /** Waits until the user has no order, and sees that nobody else has lost one. */
  async function assertGone(): Promise<void> {
    while ((await pending(user)) > 0) await new Promise(setImmediate);
    assert.equal(await pending(other), 1);
  }

  async function watched(params: object = {}): Promise<SocketClient> {
    const socket = await venue.socket(user.client);
    const { data, code } = await socket.ask(METHOD, params);
    assert.equal(code, 0);
    assert.deepEqual(data, { ...ALL, ...params });
    return socket;
  }

  const ENDS: readonly (readonly [how: string, end: (socket: SocketClient) => unknown])[] = [
    ["its client closes it", (socket) => socket.webSocket.close()],
    ["its line is reset", (socket) => socket.webSocket.terminate()],
    [
      "nothing comes for too long",
      () => {
        venue.control.evenMs += 61_000;
        venue.control.beat();
      },
    ],
    [
      "a fault closes the sockets of the account",
      () => venue.fault({ fault: "close_sockets", match: `user_id=${user.userId}` }),
    ],
    [
      "a fault cuts it at a request",
      (socket) => {
        venue.fault({ fault: "drop", match: "server.time", count: 1 });
        socket.send({ id: 99, method: "server.time", params: {} });
      },
    ],
    [
      "another account logs in on it",
      (socket) => socket.must("server.sign", socket.signParams(other.client.key as ApiKeyPair, venue.control.timeMs)),
    ],
  ];
  for (const [how, end] of ENDS) {
    test(`the orders of its account go when ${how}`, async () => {
      const socket = await watched();
      await place();
      await end(socket);
      await assertGone();
      await socket.close();
    });
  }

  test("one that is not watched, or not any more, takes nothing along", async () => {
    const unwatched = await venue.socket(user.client);
    const back = await watched();
    const { data } = await back.ask(METHOD, { active: false });
    assert.deepEqual(data, { ...ALL, active: false });
    const last = await watched();
    await place();
    for (const socket of [unwatched, back]) await socket.close();
    await last.ask("server.ping");
    assert.equal(await pending(user), 1);
    await last.close();
    await assertGone();
  });

  test("markets and a scope are kept to, and a grace lets another connection take its place", async () => {
    const elsewhere = await watched({ scope: "FUTURES" });
    const first = await watched({ market_list: ["BTCUSDT"], grace_ms: 5_000 });
    await place();
    await elsewhere.close();
    await first.close();
    const marker = await watched({ scope: "MARGIN" });
    await venue.wait(4_000);
    assert.equal(await pending(user), 1);
    const second = await watched({ market_list: ["BTCUSDT"], grace_ms: 5_000 });
    await venue.wait(60_000);
    assert.equal(await pending(user), 1);
    await second.close();
    while (venue.engine.state.nextDueMs > venue.control.timeMs + 5_000) await new Promise(setImmediate);
    await venue.wait(5_000);
    await assertGone();
    await marker.close();
  });

  test("an order that was taken before the end goes as well, though its answer is heard by nobody", async () => {
    const socket = await watched();
    for (let id = 1; id <= 10; id++) {
      socket.send({ id: 100 + id, method: "order.place", params: limitOrder("buy", "0.1", "20000") });
    }
    await socket.take(({ id }) => id === 105);
    await socket.close();
    await assertGone();
  });

  for (const [params, says] of [
    [{ scope: "POOLS" }, 20001],
    [{ grace_ms: -1 }, 20001],
    [{ grace_ms: 600_001 }, 20001],
    [{ market_list: "BTCUSDT" }, 20001],
    [{ market_list: ["NOMARKET"] }, 3639],
  ] as const) {
    test(`is refused: ${JSON.stringify(params)}`, async () => {
      const socket = await venue.socket(user.client);
      const { code, message } = await socket.ask(METHOD, params);
      assert.equal(code, says, message);
      await socket.close();
    });
  }

  test("it needs a login, and a key that trades", async () => {
    const anybody = await venue.socket();
    assert.equal((await anybody.ask(METHOD)).code, 21001);
    const reader = await venue.socket(await venue.addKey(user.userId, ["read"]));
    assert.equal((await reader.ask(METHOD)).code, 4158);
    for (const socket of [anybody, reader]) await socket.close();
  });

  test("a hundred connections cut at once cost their accounts all orders and nobody else any", async () => {
    const users = await Promise.all(
      Array.from({ length: 20 }, (_, index) => venue.addUser(`bot ${index}`, { USDT: "100000" })),
    );
    const sockets = await Promise.all(
      users.flatMap(({ client }) => Array.from({ length: 5 }, () => venue.socket(client))),
    );
    for (const socket of sockets) assert.equal((await socket.ask(METHOD)).code, 0);
    for (const { client } of users) {
      for (let count = 0; count < 3; count++) await client.act(ORDER, limitOrder("buy", "0.1", "20000"));
    }
    for (const { webSocket } of sockets) webSocket.terminate();
    for (const bot of users) while ((await pending(bot)) > 0) await new Promise(setImmediate);
    assert.equal(await pending(other), 1);
  });
});
