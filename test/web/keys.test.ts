import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ApiClient } from "../support/api-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";
import { WebClient } from "./web-client.ts";

const DAY_MS = 86_400_000;

describe("keys that an account makes itself", () => {
  let venue: ApiVenue;
  let alice: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue({ web: { demoAccounts: ["alice", "bob", "trader"] } });
    alice = await venue.addUser("alice", { USDT: "1000" });
    await venue.addUser("bob", { USDT: "1000" });
    await alice.client.act("/v2/account/subs", { sub_user_name: "trader", permissions: ["API"] });
  });
  after(() => venue.close());

  async function signedIn(account = "alice"): Promise<WebClient> {
    const client = new WebClient(venue.base);
    await client.act("/web/demo", { account });
    return client;
  }

  const clientOf = (key: { access_id: string; secret_key: string }) =>
    new ApiClient(venue.base, () => venue.control.timeMs, { accessId: key.access_id, secret: key.secret_key });

  test("sign at once, with what they may, and their secret is shown once", async () => {
    const client = await signedIn();
    const key = await client.act("/web/keys", { permissions: ["trade"], remark: "bot" });
    assert.deepEqual([key.permissions, key.remark, key.is_expired], [["read", "trade"], "bot", false]);
    assert.equal(key.expires_at, venue.control.timeMs + 90 * DAY_MS, "from anywhere, so not for ever");
    assert.equal((await clientOf(key).post("/v2/spot/order", limitOrder("buy", "0.01", "100"))).code, 0);
    const reading = await client.act("/web/keys", { permissions: [], ip_whitelist: ["127.0.0.0/8"] });
    assert.deepEqual([reading.permissions, reading.expires_at], [["read"], 0]);
    assert.equal((await clientOf(reading).post("/v2/spot/order", limitOrder("buy", "0.01", "100"))).code, 4158);
    const { keys } = await client.read("/web/keys");
    assert.deepEqual(
      keys.slice(0, 2).map((row: { api_id: number }) => row.api_id),
      [reading.api_id, key.api_id],
    );
    assert.equal(JSON.stringify(keys).includes("secret"), false);
  });

  test("change and end at once, by their owner alone", async () => {
    const client = await signedIn();
    const key = await client.act("/web/keys", { permissions: ["trade"], days: 7 });
    assert.equal(key.expires_at, venue.control.timeMs + 7 * DAY_MS);
    const path = `/web/keys/${key.api_id}`;
    const stranger = await signedIn("bob");
    for (const method of ["PATCH", "DELETE"]) {
      assert.equal((await stranger.send(method, path, { remark: "mine" })).data.reason, "key_not_found");
    }
    const changed = await client.send("PATCH", path, { ip_whitelist: ["192.0.2.1"] });
    assert.deepEqual([changed.data.ip_whitelist, changed.data.permissions], [["192.0.2.1"], ["read", "trade"]]);
    assert.equal((await clientOf(key).get("/v2/assets/spot/balance")).code, 4007);
    await client.send("PATCH", path, { ip_whitelist: ["127.0.0.1"], permissions: ["read"] });
    assert.equal((await clientOf(key).get("/v2/assets/spot/balance")).code, 0);
    assert.equal((await client.send("DELETE", path)).code, 0);
    assert.equal((await clientOf(key).get("/v2/assets/spot/balance")).code, 4005);
    assert.equal((await client.send("DELETE", path)).data.reason, "key_not_found");
  });

  test("are bounded, and wrong wishes are refused in sentences", async () => {
    const client = await signedIn("bob");
    for (const body of [
      {},
      { permissions: "read" },
      { permissions: ["rule"] },
      { permissions: ["read"], ip_whitelist: ["example.org"] },
      { permissions: ["read"], ip_whitelist: Array.from({ length: 51 }, () => "192.0.2.1") },
      { permissions: ["read"], days: 0 },
      { permissions: ["read"], remark: "x".repeat(51) },
    ]) {
      const reply = await client.post("/web/keys", body);
      assert.equal(reply.code, 3639, JSON.stringify(body));
      assert.match(reply.message, /^Invalid Parameter: .*\.$/);
    }
    const { keys } = await client.read("/web/keys");
    for (let count = keys.length; count < 50; count++) await client.act("/web/keys", { permissions: ["read"] });
    assert.equal((await client.post("/web/keys", { permissions: ["read"] })).data.reason, "too_many_api_keys");
  });

  test("of a sub-account are its main account's to make; its session trades within what it was granted", async () => {
    const client = await signedIn("trader");
    assert.equal((await client.session()).user.is_sub, true);
    assert.equal((await client.post("/web/keys", { permissions: ["read"] })).code, 4512);
    assert.equal((await client.get("/v2/account/subs/info")).code, 0);
    assert.equal((await client.get("/v2/account/subs")).code, 4512);
    const futures = await client.post("/v2/futures/order", { market: "BTCUSDT", market_type: "FUTURES" });
    assert.equal(futures.code, 4512);
    await alice.client.act("/v2/account/subs/frozen", { sub_user_name: "trader" });
    assert.equal((await client.get("/v2/account/subs/info")).code, 4011);
  });
});
