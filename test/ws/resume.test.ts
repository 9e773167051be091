/** Numbered pushes, and connections that go on where an earlier one ended, over the wire. Source: domain 8.2. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";
import type { Message, SocketClient } from "../support/socket-client.ts";

const BUY = limitOrder("buy", "0.1", "20000");
const CANCEL_ALL = { market: "BTCUSDT", market_type: "SPOT" };

describe("a session of pushes", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let other: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "1000000", BTC: "10" });
    other = await venue.addUser("other", { USDT: "100000" });
  });
  afterEach(() => venue.faults.end());
  after(() => venue.close());

  const act = (path: string, body: object) => user.client.act(`/v2/spot/${path}`, body);

  /** A connection with a session, which follows something public and something of its own. */
  async function opened(): Promise<{ socket: SocketClient; session: string }> {
    const socket = await venue.socket(user.client);
    const { data } = await socket.ask("session.open");
    assert.deepEqual({ ...data, session: "" }, { session: "", resumed: false, last_seq: 0, resume_ms: 60_000 });
    for (const channel of ["order", "bbo"]) await socket.must(`${channel}.subscribe`, { market_list: ["BTCUSDT"] });
    return { socket, session: data.session };
  }

  async function resumed(params: object, as: ApiUser | undefined = user): Promise<Message> {
    const socket = await venue.socket(as?.client);
    const { data, code } = await socket.ask("session.resume", params);
    return { socket, code, ...data };
  }

  /** Ends a connection, and waits until the venue has noticed. */
  async function leave(socket: SocketClient): Promise<void> {
    const ended = () => venue.control.socketEvents.filter((event) => event === "closed").length;
    const before = ended();
    await socket.close();
    while (ended() === before) await new Promise(setImmediate);
  }

  const pushesIn = (messages: readonly Message[]) => messages.filter(({ method }) => method !== undefined);
  const seqsOf = (pushes: readonly Message[]) => pushes.map(({ seq }) => seq);

  test("numbers every push of its connection without a gap, and no answer; other connections have no numbers", async () => {
    const { socket, session } = await opened();
    const plain = await venue.socket(user.client);
    await plain.must("order.subscribe", { market_list: [] });
    assert.equal((await socket.ask("session.open")).data.session, session);
    for (let count = 0; count < 5; count++) await act("order", BUY);
    await act("cancel-all-order", CANCEL_ALL);
    const messages = await socket.taken();
    const pushes = pushesIn(messages);
    assert.deepEqual(
      seqsOf(pushes),
      pushes.map((_, at) => at + 1),
    );
    assert.deepEqual(new Set(pushes.map(({ method }) => method)), new Set(["order.update", "bbo.update"]));
    assert.ok(messages.every(({ method, seq }) => method !== undefined || seq === undefined));
    assert.ok((await plain.taken()).every(({ seq }) => seq === undefined));
    for (const each of [socket, plain]) await each.close();
  });

  test("goes on over the next connection: what is missing first, then what is new, of all that was followed", async () => {
    const { socket, session } = await opened();
    await act("order", BUY);
    const last = pushesIn(await socket.taken()).at(-1)?.seq as number;
    await socket.close();
    await act("order", { ...BUY, client_id: "away" });
    await act("cancel-all-order", CANCEL_ALL);
    const back = await resumed({ session, last_seq: last });
    assert.equal(back.resumed, true);
    await act("order", { ...BUY, client_id: "back" });
    const pushes = pushesIn(await back.socket.taken());
    assert.deepEqual(
      seqsOf(pushes),
      pushes.map((_, at) => last + 1 + at),
    );
    const told = pushes.filter(({ method }) => method === "order.update").map(({ data }) => data);
    assert.deepEqual(
      told.map(({ event, order }) => `${event} ${order.client_id}`),
      ["put away", "finish ", "finish away", "put back"],
    );
    await act("cancel-all-order", CANCEL_ALL);
    await back.socket.close();
  });

  test("takes the place of a connection that is still there, and is not gone on with on itself", async () => {
    const { socket, session } = await opened();
    await act("order", BUY);
    const all = pushesIn(await socket.taken());
    const { data } = await socket.ask("session.resume", { session, last_seq: 0 });
    assert.deepEqual(data, { session, resumed: false, last_seq: all.length, resume_ms: 60_000 });
    assert.deepEqual(pushesIn(await socket.taken()), []);
    const next = await resumed({ session, last_seq: 0 });
    await socket.closed();
    assert.deepEqual(pushesIn(await next.socket.taken()), all);
    await act("cancel-all-order", CANCEL_ALL);
    await next.socket.close();
  });

  test("begins anew for others, for who has not been there, and after a minute", async () => {
    const { socket, session } = await opened();
    await act("order", BUY);
    const { seq } = pushesIn(await socket.taken()).at(-1) as Message;
    await leave(socket);
    for (const [params, as] of [
      [{ session, last_seq: seq }, other],
      [{ session, last_seq: seq + 1 }, user],
      [{ session: "f".repeat(32), last_seq: 0 }, user],
    ] as const) {
      const anew = await resumed(params, as);
      assert.equal(anew.resumed, false);
      assert.notEqual(anew.session, session);
      await leave(anew.socket);
    }
    const nobody = await venue.socket();
    assert.equal((await nobody.ask("session.resume", { session, last_seq: seq })).data.resumed, false);
    const futures = await venue.socket(user.client, "/v2/futures");
    assert.equal((await futures.ask("session.resume", { session, last_seq: seq })).data.resumed, false);
    for (const wrong of [{ session }, { session, last_seq: -1 }, { session: 7, last_seq: 0 }]) {
      assert.equal((await nobody.ask("session.resume", wrong)).code, 20001);
    }
    await leave(nobody);
    await leave(futures);
    venue.control.evenMs += 50_000;
    venue.control.beat();
    const back = await resumed({ session, last_seq: seq });
    assert.equal(back.resumed, true);
    await leave(back.socket);
    venue.control.evenMs += 61_000;
    venue.control.beat();
    assert.equal((await resumed({ session, last_seq: seq })).resumed, false);
    await act("cancel-all-order", CANCEL_ALL);
  });

  test("has ended when its login has: a key that was deleted meanwhile, or another account on the same connection", async () => {
    const client = await venue.addKey(user.userId, ["read"]);
    const socket = await venue.socket(client);
    const { session } = (await socket.ask("session.open")).data;
    await socket.must("order.subscribe", { market_list: [] });
    await socket.close();
    await venue.operate({ kind: "delete_api_key", accessId: client.key?.accessId ?? "" });
    assert.equal((await resumed({ session, last_seq: 0 })).resumed, false);

    const { socket: mine, session: shared } = await opened();
    await act("order", BUY);
    await mine.taken();
    await mine.must("server.sign", mine.signParams(other.client.key as never, venue.control.timeMs));
    await mine.close();
    assert.equal((await resumed({ session: shared, last_seq: 0 }, other)).resumed, false, "what the first was told");
    await act("cancel-all-order", CANCEL_ALL);
  });

  test("does not hold up cancelling: orders go with the connection that ended", async () => {
    const { socket, session } = await opened();
    await socket.ask("session.cancel_on_disconnect");
    await act("order", BUY);
    await socket.close();
    const pending = async () => (await user.client.read("/v2/spot/pending-order", { market_type: "SPOT" })).length;
    while ((await pending()) > 0) await new Promise(setImmediate);
    const back = await venue.socket(user.client);
    assert.equal((await back.ask("session.cancel_on_disconnect")).code, 0);
    assert.equal((await back.ask("session.resume", { session, last_seq: 0 })).data.resumed, true);
    await act("order", BUY);
    await back.close();
    while ((await pending()) > 0) await new Promise(setImmediate);
  });
});
