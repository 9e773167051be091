import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const AFTER = "/v2/ext/cancel-after";

describe("cancel-after", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let other: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "100000" });
    other = await venue.addUser("other", { USDT: "100000" });
  });
  after(() => venue.close());

  async function pending({ client }: ApiUser): Promise<number> {
    return (await client.read("/v2/spot/pending-order", { market_type: "SPOT" })).length;
  }

  test("what was not told again in time is cancelled, pushed as any end, and shown by nothing any more", async () => {
    const socket = await venue.socket(user.client);
    await socket.must("order.subscribe", { market_list: ["BTCUSDT"] });
    await other.client.act(ORDER, limitOrder("buy", "0.1", "20000"));
    const { order_id } = await user.client.act(ORDER, limitOrder("buy", "0.1", "20000"));
    assert.equal((await socket.push("order.update")).event, "put");

    const set = await user.client.act(AFTER, { timeout_ms: 30_000 });
    assert.deepEqual(set, { scope: "ALL", timeout_ms: 30_000, cancel_at: venue.control.timeMs + 30_000 });
    assert.deepEqual(await user.client.read(AFTER), [set]);
    assert.deepEqual(await other.client.read(AFTER), [], "a timer is its user's own");

    await venue.wait(20_000);
    const again = await user.client.act(AFTER, { timeout_ms: "30000", scope: "all" });
    assert.equal(again.cancel_at, set.cancel_at + 20_000);
    await venue.wait(29_999);
    assert.equal(await pending(user), 1);
    await venue.wait(1);
    const { event, order } = await socket.push("order.update");
    assert.deepEqual([event, order.order_id], ["finish", order_id]);
    assert.deepEqual([await pending(user), await pending(other)], [0, 1]);
    assert.deepEqual(await user.client.read(AFTER), []);
  });

  test("each scope has its timer, 0 ends one of them", async () => {
    for (const [scope, timeout_ms] of [
      ["FUTURES", 5_000],
      ["SPOT", 4_000],
      ["MARGIN", 3_000],
    ] as const) {
      await user.client.act(AFTER, { scope, timeout_ms });
    }
    const running = await user.client.read(AFTER);
    assert.deepEqual(
      running.map(({ scope }: { scope: string }) => scope),
      ["SPOT", "MARGIN", "FUTURES"],
    );
    await user.client.act(ORDER, limitOrder("buy", "0.1", "20000"));
    const ended = await user.client.act(AFTER, { scope: "SPOT", timeout_ms: 0 });
    assert.deepEqual(ended, { scope: "SPOT", timeout_ms: 0, cancel_at: 0 });
    await venue.wait(10_000);
    assert.equal(await pending(user), 1);
    assert.deepEqual(await user.client.read(AFTER), []);
  });

  for (const [params, says] of [
    [{}, /timeout_ms is required/],
    [{ timeout_ms: -1 }, /timeout_ms/],
    [{ timeout_ms: 999 }, /timeout_ms must be 0, or from 1000 to 600000/],
    [{ timeout_ms: 600_001 }, /timeout_ms/],
    [{ timeout_ms: "soon" }, /timeout_ms/],
    [{ timeout_ms: 5_000, scope: "POOLS" }, /scope/],
  ] as const) {
    test(`is refused with a sentence: ${JSON.stringify(params)}`, async () => {
      const { code, message } = await user.client.post(AFTER, params);
      assert.equal(code, 3639);
      assert.match(message, says);
    });
  }

  test("a key that may only read sees timers and sets none; nobody sees any without a key", async () => {
    const reader = await venue.addKey(user.userId, ["read"]);
    assert.equal((await reader.post(AFTER, { timeout_ms: 5_000 })).code, 4158);
    assert.deepEqual(await reader.read(AFTER), []);
    assert.notEqual((await venue.anybody.get(AFTER)).code, 0);
  });

  test("a sub-account has a timer of its own", async () => {
    const sub = await venue.addUser("user-bot", { USDT: "1000" }, user.userId);
    await sub.client.act(ORDER, limitOrder("buy", "0.01", "20000"));
    const before = await pending(user);
    await sub.client.act(AFTER, { timeout_ms: 1_000 });
    assert.deepEqual(await user.client.read(AFTER), []);
    await venue.wait(1_000);
    assert.deepEqual([await pending(sub), await pending(user)], [0, before]);
  });
});
