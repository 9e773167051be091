import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";
import { SocketClient } from "../support/socket-client.ts";
import { WebClient } from "./web-client.ts";

const DAY_MS = 86_400_000;

describe("a session", () => {
  let venue: ApiVenue;
  let alice: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue({ web: { demoAccounts: ["alice", "gone"] } });
    alice = await venue.addUser("alice", { USDT: "1000", BTC: "1" });
    await venue.addUser("bob", { USDT: "1000" });
  });
  after(() => venue.close());

  const stranger = () => new WebClient(venue.base);
  async function signedIn(): Promise<WebClient> {
    const client = stranger();
    await client.act("/web/demo", { account: "alice" });
    return client;
  }

  test("is nobody's until somebody signs in, and then a sample account's with one click", async () => {
    const client = stranger();
    assert.deepEqual(await client.session(), {
      profile: "dev",
      sign_up: true,
      demo_accounts: ["alice", "gone"],
      test_money: false,
      csrf: null,
      user: null,
    });
    for (const account of ["bob", "gone", "nobody"]) {
      const { code, data } = await client.post("/web/demo", { account });
      assert.deepEqual([code, data], [4005, { reason: "credentials_wrong" }], account);
    }
    const data = await client.act("/web/demo", { account: "alice" });
    assert.equal(data.user.name, "alice");
    assert.equal(data.user.user_id, alice.userId);
    assert.match(data.csrf, /^[\w-]{43}$/);
    assert.deepEqual(await client.session(), data);
  });

  test("has a cookie that no script reads and no other site sends, and whose value is kept nowhere", async () => {
    const client = stranger();
    const { headers } = await client.post("/web/demo", { account: "alice" });
    const [cookie = ""] = headers["set-cookie"] ?? [];
    assert.match(cookie, /^bourse_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["cache-control"], "no-store");
    const written = JSON.stringify((await client.read("/web/sessions")).sessions);
    assert.equal(written.includes(client.cookie as string), false);
  });

  test("signs what a key that trades signs, with the same refusals", async () => {
    const client = await signedIn();
    const balances = await client.read("/v2/assets/spot/balance");
    assert.deepEqual(balances, await alice.client.read("/v2/assets/spot/balance"));
    const order = await client.act("/v2/spot/order", limitOrder("buy", "0.01", "100"));
    assert.equal(order.market, "BTCUSDT");
    const poor = await client.post("/v2/spot/order", limitOrder("buy", "100", "100"));
    assert.equal(poor.code, 3109);
    await client.act("/v2/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id: order.order_id });
    // Anyone who has a key speaks for that key, whatever cookie comes along.
    const bob = await venue.addUser("of a key", { USDT: "7" });
    const path = "/v2/account/subs/info";
    const mixed = await client.get(path, bob.client.headersFor("GET", path));
    assert.equal(mixed.code, 0);
  });

  test("does nothing without the word in the header, which a thief of the cookie's use from another page lacks", async () => {
    const client = await signedIn();
    const other = await signedIn();
    for (const csrf of [undefined, "", "x".repeat(43), other.csrf]) {
      for (const [method, path, body] of [
        ["GET", "/v2/assets/spot/balance", undefined],
        ["POST", "/v2/spot/order", limitOrder("buy", "0.01", "100")],
        ["POST", "/web/sign-out", {}],
        ["DELETE", "/web/sessions", {}],
      ] as const) {
        const reply = await client.send(method, path, body, { "x-bourse-csrf": csrf });
        assert.equal(reply.code, 4006, `${method} ${path} with ${csrf}`);
      }
    }
    assert.equal((await client.session()).user.name, "alice");
  });

  test("serves no page of another origin", async () => {
    const client = await signedIn();
    const { host } = new URL(venue.base);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `http://${host}0` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ]) {
      assert.equal((await client.post("/web/sign-out", {}, headers)).code, 4007, JSON.stringify(headers));
      assert.equal((await client.get("/v2/assets/spot/balance", headers)).code, 4007, JSON.stringify(headers));
      assert.equal((await client.post("/web/demo", { account: "alice" }, headers)).code, 4007);
      assert.equal((await client.get("/web/session", headers)).code, 4007);
    }
    const own = { origin: `http://${host}`, "sec-fetch-site": "same-origin" };
    assert.equal((await client.get("/v2/assets/spot/balance", own)).code, 0);
    // A name that a stranger has made lead here is not ours.
    const rebound = await stranger().post("/web/demo", { account: "alice" }, { host: "evil.example" });
    assert.deepEqual([rebound.code, rebound.headers["set-cookie"]], [4007, undefined]);
  });

  test("is taken by nothing but the current generation", async () => {
    const client = await signedIn();
    assert.equal((await client.get("/v1/balance/info")).code, 24);
    assert.notEqual((await client.get("/perpetual/v1/asset/query")).code, 0);
  });

  test("cannot be fixed by somebody else beforehand: every sign-in has a cookie of its own, and the old session ends", async () => {
    const client = stranger();
    client.cookie = "A".repeat(43);
    await client.act("/web/demo", { account: "alice" });
    assert.notEqual(client.cookie, "A".repeat(43));
    const { cookie, csrf } = client;
    await client.act("/web/demo", { account: "alice" });
    const old = Object.assign(stranger(), { cookie, csrf });
    assert.equal((await old.get("/v2/assets/spot/balance")).code, 4005);
    assert.equal((await old.session()).user, null);
    // Two cookies of the name are none: a neighbouring host may have set one of them.
    const two = { cookie: `bourse_session=${client.cookie}; bourse_session=${"B".repeat(43)}` };
    assert.equal((await client.get("/v2/assets/spot/balance", two)).code, 4005);
  });

  test("ends when it is left, and others end when they are sent away", async () => {
    const [one, two, three] = await Promise.all([signedIn(), signedIn(), signedIn()]);
    const { sessions } = await one.read("/web/sessions");
    const own = sessions.filter((row: { is_current: boolean }) => row.is_current);
    assert.equal(own.length, 1);
    const id = (await two.session()).user.session_id;
    assert.equal((await one.send("DELETE", `/web/sessions/${id}`)).code, 0);
    assert.equal((await two.session()).user, null);
    assert.equal((await one.send("DELETE", `/web/sessions/${id}`)).data.reason, "session_unknown");
    assert.equal((await one.send("DELETE", "/web/sessions")).code, 0);
    assert.equal((await three.session()).user, null);
    const out = await one.post("/web/sign-out");
    assert.match(out.headers["set-cookie"]?.[0] ?? "", /^bourse_session=; Max-Age=0; Path=\/; HttpOnly/);
    assert.equal((await one.post("/web/sign-out")).data.reason, "session_unknown");
  });

  test("logs in on a socket that the venue's own page has opened, and is over there when it is over", async () => {
    const client = await signedIn();
    const headers = { Cookie: `bourse_session=${client.cookie}` };
    const { origin } = new URL(venue.base);
    const socket = await SocketClient.connect(venue.base, "/v2/spot", { headers, origin });
    assert.equal((await socket.ask("server.sign", { session: "x" })).code, 21002);
    assert.equal((await socket.ask("server.sign", { session: 7 })).code, 20001);
    assert.equal((await socket.ask("balance.subscribe", { ccy_list: [] })).code, 21001);
    await socket.must("server.sign", { session: client.csrf });
    await socket.must("balance.subscribe", { ccy_list: [] });
    await client.act("/web/sign-out");
    assert.equal((await socket.take(({ id }) => id === null)).code, 21001);
    assert.equal((await socket.ask("server.sign", { session: client.csrf })).code, 21002);
    await socket.close();
  });

  test("logs in on no socket of another origin, nor on one without the cookie", async () => {
    const client = await signedIn();
    const headers = { Cookie: `bourse_session=${client.cookie}` };
    for (const options of [{ headers, origin: "https://evil.example" }, {}]) {
      const socket = await SocketClient.connect(venue.base, "/v2/futures", options);
      assert.equal((await socket.ask("server.sign", { session: client.csrf })).code, 31002);
      await socket.close();
    }
  });

  test("of a frozen account does nothing but end, and works again when the account does", async () => {
    const client = await signedIn();
    const { origin } = new URL(venue.base);
    const headers = { Cookie: `bourse_session=${client.cookie}` };
    const socket = await SocketClient.connect(venue.base, "/v2/spot", { headers, origin });
    await socket.must("server.sign", { session: client.csrf });
    await venue.operate({ kind: "change_user", userId: alice.userId, frozen: true });
    assert.equal((await socket.take(({ id }) => id === null)).code, 21001);
    assert.equal((await socket.ask("server.sign", { session: client.csrf })).code, 21002);
    assert.equal((await client.get("/v2/assets/spot/balance")).code, 4011);
    assert.equal((await client.get("/web/sessions")).code, 4011);
    assert.equal((await stranger().post("/web/demo", { account: "alice" })).code, 4011);
    await venue.operate({ kind: "change_user", userId: alice.userId, frozen: false });
    assert.equal((await client.get("/v2/assets/spot/balance")).code, 0);
    await venue.operate({ kind: "change_user", userId: alice.userId, frozen: true });
    assert.equal((await client.post("/web/sign-out")).code, 0);
    await venue.operate({ kind: "change_user", userId: alice.userId, frozen: false });
    await socket.close();
  });

  /** Its use is noted beside the answer; here before the clock moves. */
  async function used(client: WebClient): Promise<void> {
    assert.equal((await client.get("/v2/assets/spot/balance")).code, 0);
    await venue.wait(0);
  }

  test("that nobody uses for a day has ended, and so has one of thirty days", async () => {
    const idle = await signedIn();
    const busy = await signedIn();
    for (let hours = 0; hours < 24; hours += 8) {
      await venue.wait(DAY_MS / 3);
      await used(busy);
    }
    assert.equal((await idle.get("/v2/assets/spot/balance")).code, 4005);
    assert.equal((await idle.session()).user, null);
    for (let days = 1; days < 30; days += 0.5) {
      await used(busy);
      await venue.wait(DAY_MS / 2);
    }
    assert.equal((await busy.get("/v2/assets/spot/balance")).code, 4005);
  });

  test("makes room for the newest when there are too many", async () => {
    const first = await signedIn();
    await venue.wait(1_000);
    for (let count = 0; count < 20; count++) await signedIn();
    assert.equal((await first.session()).user, null);
    const { sessions } = await (await signedIn()).read("/web/sessions");
    assert.equal(sessions.length, 20);
  });

  test("of nonsense is refused in sentences", async () => {
    const client = await signedIn();
    const { csrf } = client;
    for (const cookie of ["", "x", "A".repeat(5_000), "bourse_session", "=;=;", "bourse_session=%00"]) {
      const reply = await client.get("/v2/assets/spot/balance", { cookie, "x-bourse-csrf": csrf });
      assert.equal(reply.code, 4005, cookie.slice(0, 40));
      assert.match(reply.message, /^[A-Z].*\.$/);
    }
    assert.equal((await client.post("/web/nothing")).status, 404);
    assert.equal((await client.get("/web/demo")).code, 4009);
    assert.equal((await client.post("/web/demo", { account: 7 })).code, 3639);
    assert.equal((await client.send("DELETE", "/web/sessions/x")).data.reason, "invalid_parameter");
  });
});
