/** The search of operators: whatever somebody writes in a complaint leads to what it is about. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startVenue } from "../../src/lab/library/index.ts";
import { ApiClient } from "../support/api-client.ts";

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly says: string;
  readonly user_id: number;
}

test("users, keys, orders, deals, positions, payments and requests are found by what identifies them", async (t) => {
  const venue = await startVenue({ startTime: "2026-01-01T00:00:00Z", frozen: true, limits: false, makers: false });
  t.after(() => venue.stop());
  const { admin, accounts, url } = venue;
  const [alice, bob] = accounts.map(
    ({ accessId, secretKey }) => new ApiClient(url, Date.now, { accessId, secret: secretKey }),
  );
  assert.ok(alice !== undefined && bob !== undefined && accounts[0] !== undefined);
  const find = async (text: string) => (await admin.get<{ found: Found[] }>("/admin/search", { text })).found;
  const only = async (kind: string, text: string) => (await find(text)).filter((one) => one.kind === kind);

  assert.deepEqual(await find("alice"), [{ kind: "user", id: "1", says: "alice", user_id: 1 }]);
  assert.deepEqual(
    (await find("LIC")).map(({ id }) => id),
    ["1"],
    "a part of the name in any case",
  );
  const [key] = await find(accounts[0].accessId);
  assert.deepEqual([key?.kind, key?.user_id], ["key", 1]);
  await admin.post("/admin/identities", { user_id: 1, email: "Alice@Example.com" });
  assert.match((await find("alice@example.COM"))[0]?.says ?? "", /^alice, signs in as alice@example\.com$/);

  const order = { market: "BTCUSDT", market_type: "SPOT", type: "limit", amount: "0.01", price: "60000" };
  const { order_id: maker } = await alice.act("/v2/spot/order", { ...order, side: "sell" });
  const { order_id: resting } = await alice.act("/v2/spot/order", { ...order, side: "sell", price: "61000" });
  await bob.act("/v2/spot/order", { ...order, side: "buy" });
  assert.deepEqual(await only("order", `${resting}`), [
    { kind: "order", id: `${resting}`, says: "sell in BTCUSDT (spot), open", user_id: 1 },
  ]);
  assert.match((await only("order", `${maker}`))[0]?.says ?? "", /^sell in BTCUSDT \(spot\), ended$/);
  const [deal] = await bob.read("/v2/spot/user-deals", {
    market: "BTCUSDT",
    market_type: "SPOT",
  });
  assert.match(
    (await only("deal", `${deal?.deal_id}`))[0]?.says ?? "",
    new RegExp(`^0\\.01\\d* at 60000\\S* in BTCUSDT: order \\d+ of user 2 took order ${maker} of user 1$`),
  );
  const past = { user_id: 2, market: "BTCUSDT" };
  const { deals } = await admin.get<{ deals: { deal_id: number; user_id: number }[] }>("/admin/deals", past);
  assert.deepEqual(
    deals.map((each) => [each.deal_id, each.user_id]),
    [[deal?.deal_id, 2]],
  );
  const ended = await admin.get<{ orders: { status: string }[] }>("/admin/finished-orders", past);
  assert.deepEqual(
    ended.orders.map(({ status }) => status),
    ["filled"],
  );
  await assert.rejects(admin.get("/admin/deals", { user_id: 2, market: "NOSUCH" }), /NOSUCH/);
  const taken = await admin.get<{ liquidations: object[] }>("/admin/liquidations", { market: "BTCUSDT" });
  assert.deepEqual(taken.liquidations, []);

  const stop = { ...order, side: "buy", trigger_price: "50000", price: "50000" };
  const { stop_id } = await bob.act("/v2/spot/stop-order", stop);
  assert.deepEqual(await only("stop order", `${stop_id}`), [
    { kind: "stop order", id: `${stop_id}`, says: "in BTCUSDT, waiting", user_id: 2 },
  ]);

  await admin.post("/admin/deposits", { user_id: 2, ccy: "USDT", amount: "5", note: "a present" });
  const addresses = await alice.read("/v2/assets/deposit-address", { ccy: "ETH", chain: "ERC20" });
  const { address } = addresses;
  assert.match((await find(address.toLowerCase()))[0]?.says ?? "", /^alice, receives at this address$/);
  const paid = { ccy: "ETH", to_address: address, amount: "1" };
  const { tx_id } = await admin.post<{ tx_id: string }>("/admin/chains/ERC20/transactions", paid);
  await admin.post("/admin/chains/ERC20/blocks", { count: 1 });
  const [deposit] = await only("deposit", tx_id);
  assert.deepEqual([deposit?.user_id, deposit?.says.startsWith("1")], [1, true]);
  assert.equal((await only("deposit", `${deposit?.id}`)).length, 1);

  const refused = await fetch(`${url}/v2/spot/order`, { method: "POST", body: "{}" });
  const ref = refused.headers.get("x-request-id") ?? "";
  assert.match((await find(ref))[0]?.says ?? "", /^POST \/v2\/spot\/order, code \d+$/);

  for (const nothing of ["nobody-of-this-name", "999999999", "0", "-77", " ", "'; drop table users; --", "%"]) {
    assert.deepEqual(await find(nothing), [], nothing);
  }
});
