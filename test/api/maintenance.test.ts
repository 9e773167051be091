import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiClient, Envelope } from "../support/api-client.ts";
import { type ApiVenue, bitcoinApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };
const HOUR_MS = 3_600_000;

/** The caller's own orders at the time of a call: a bid with the client id `mine`. */
interface Scene {
  readonly client: ApiClient;
  readonly orderId: number;
}

/**
 * What each call is answered in maintenance, in the protection period and otherwise; of a batch its elements' codes.
 */
const TABLE: readonly [
  call: string,
  make: (scene: Scene) => Promise<Envelope>,
  maintenance: number | number[],
  protection: number | number[],
  otherwise: number | number[],
][] = [
  ["limit", ({ client }) => client.post("/v2/spot/order", limitOrder("buy", "0.1", "20000")), 4001, 3638, 0],
  [
    "maker_only",
    ({ client }) => client.post("/v2/spot/order", limitOrder("buy", "0.1", "20000", { type: "maker_only" })),
    4001,
    0,
    0,
  ],
  [
    "maker_only that would take",
    ({ client }) => client.post("/v2/spot/order", limitOrder("buy", "0.1", "30000", { type: "maker_only" })),
    4001,
    3622,
    3622,
  ],
  [
    "ioc",
    ({ client }) => client.post("/v2/spot/order", limitOrder("buy", "0.1", "30000", { type: "ioc" })),
    4001,
    3638,
    0,
  ],
  [
    "fok",
    ({ client }) => client.post("/v2/spot/order", limitOrder("buy", "0.1", "30000", { type: "fok" })),
    4001,
    3638,
    0,
  ],
  ["market", ({ client }) => client.post("/v2/spot/order", marketOrder("buy", "100")), 4001, 3638, 0],
  [
    "batch of orders",
    ({ client }) =>
      client.post("/v2/spot/batch-order", {
        orders: [
          limitOrder("buy", "0.1", "20000"),
          limitOrder("buy", "0.1", "20000", { type: "maker_only" }),
          limitOrder("buy", "0.1", "lots"),
        ],
      }),
    [4001, 4001, 3639],
    [3638, 0, 3639],
    [0, 0, 3639],
  ],
  [
    "modify",
    ({ client, orderId }) => client.post("/v2/spot/modify-order", { ...OF_BTCUSDT, order_id: orderId, price: "20001" }),
    4001,
    3638,
    0,
  ],
  [
    "batch of modifications",
    ({ client, orderId }) =>
      client.post("/v2/spot/batch-modify-order", {
        orders: [
          { ...OF_BTCUSDT, order_id: orderId, amount: "0.01" },
          { ...OF_BTCUSDT, order_id: 999, amount: "0.01" },
        ],
      }),
    [4001, 3600],
    [3638, 3600],
    [0, 3600],
  ],
  [
    "cancel",
    ({ client, orderId }) => client.post("/v2/spot/cancel-order", { ...OF_BTCUSDT, order_id: orderId }),
    4001,
    0,
    0,
  ],
  [
    "batch of cancels",
    ({ client, orderId }) => client.post("/v2/spot/cancel-batch-order", { ...OF_BTCUSDT, order_ids: [orderId, 999] }),
    [4001, 3600],
    [0, 3600],
    [0, 3600],
  ],
  ["cancel all", ({ client }) => client.post("/v2/spot/cancel-all-order", OF_BTCUSDT), 4001, 0, 0],
  [
    "cancel by client id",
    ({ client }) => client.post("/v2/spot/cancel-order-by-client-id", { ...OF_BTCUSDT, client_id: "mine" }),
    4001,
    0,
    0,
  ],
  [
    "cancel by client id, none there",
    ({ client }) => client.post("/v2/spot/cancel-order-by-client-id", { ...OF_BTCUSDT, client_id: "other" }),
    4001,
    3600,
    3600,
  ],
  ["depth", ({ client }) => client.get("/v2/spot/depth", { market: "BTCUSDT", limit: 5, interval: "0" }), 0, 0, 0],
  ["ticker", ({ client }) => client.get("/v2/spot/ticker"), 0, 0, 0],
  ["own orders", ({ client }) => client.get("/v2/spot/pending-order", OF_BTCUSDT), 0, 0, 0],
  [
    "order status",
    ({ client, orderId }) => client.get("/v2/spot/order-status", { market: "BTCUSDT", order_id: orderId }),
    0,
    0,
    0,
  ],
  ["balances", ({ client }) => client.get("/v2/assets/spot/balance"), 0, 0, 0],
];

/** Makes every call of the table `intoMs` after a window began, and compares a column of it. */
async function assertColumn(venue: ApiVenue, name: string, column: 2 | 3 | 4, intoMs: number): Promise<void> {
  for (const row of TABLE) {
    const user = await venue.addUser(`${name} ${row[0]}`, { USDT: "100000" });
    const bid = limitOrder("buy", "0.2", "20000", { client_id: "mine" });
    const { order_id } = await user.client.act("/v2/spot/order", bid);
    const startedAt = venue.control.timeMs + 10;
    const maintenanceId = await plan(venue, startedAt);
    venue.control.timeMs = startedAt + intoMs;
    const answer = await row[1]({ client: user.client, orderId: order_id });
    const isBatch = typeof row[column] === "object" && answer.code === 0;
    const code = isBatch ? answer.data.map((element: Envelope) => element.code) : answer.code;
    assert.deepEqual(code, row[column], `${row[0]} ${name}: ${answer.message}`);
    // The next call gets a window of its own.
    if (intoMs < 2 * HOUR_MS) await venue.operate({ kind: "cancel_maintenance", maintenanceId });
    await user.client.act("/v2/spot/cancel-all-order", OF_BTCUSDT);
  }
}

/** A window of an hour with a protection period of another hour after it. */
async function plan(venue: ApiVenue, startedAt: number, scope: "SPOT" | "ALL_SITE" = "SPOT"): Promise<number> {
  const result = await venue.operate({
    kind: "plan_maintenance",
    scope: [scope],
    startedAt,
    endedAt: startedAt + HOUR_MS,
    protectDurationStart: startedAt + HOUR_MS,
    protectDurationEnd: startedAt + 2 * HOUR_MS,
    announceUrl: "",
    announceEnabled: false,
  });
  return (result as { maintenanceId: number }).maintenanceId;
}

test("what every call is answered in maintenance, in the protection period and otherwise, to the millisecond", async (t) => {
  const venue = await bitcoinApiVenue();
  t.after(() => venue.close());
  const maker = await venue.addUser("maker", { BTC: "100" });
  await maker.client.act("/v2/spot/order", limitOrder("sell", "50", "30000"));
  await assertColumn(venue, "before it begins", 4, -1);
  await assertColumn(venue, "as it begins", 2, 0);
  await assertColumn(venue, "before it ends", 2, HOUR_MS - 1);
  await assertColumn(venue, "as protection begins", 3, HOUR_MS);
  await assertColumn(venue, "before protection ends", 3, 2 * HOUR_MS - 1);
  await assertColumn(venue, "as protection ends", 4, 2 * HOUR_MS);
});

test("windows are shown while planned and running, the first to begin first, and gone when they are over", async (t) => {
  const venue = await bitcoinApiVenue();
  t.after(() => venue.close());
  const now = venue.control.timeMs;
  const plain = { protectDurationStart: 0, protectDurationEnd: 0, announceUrl: "", announceEnabled: false };
  const later = { scope: ["ALL_SITE"] as const, startedAt: now + 5_000, endedAt: now + 9_000, ...plain };
  await venue.operate({ kind: "plan_maintenance", ...later });
  await venue.operate({
    kind: "plan_maintenance",
    scope: ["FUTURES", "SPOT"],
    startedAt: now + 1_000,
    endedAt: now + 2_000,
    protectDurationStart: now + 2_000,
    protectDurationEnd: now + 3_000,
    announceUrl: "https://example.com/notice",
    announceEnabled: true,
  });
  const first = {
    started_at: now + 1_000,
    ended_at: now + 2_000,
    scope: ["SPOT", "FUTURES"],
    announce_url: "https://example.com/notice",
    announce_enabled: true,
    protect_duration_start: now + 2_000,
    protect_duration_end: now + 3_000,
  };
  const second = {
    started_at: now + 5_000,
    ended_at: now + 9_000,
    scope: ["ALL_SITE"],
    announce_url: "",
    announce_enabled: false,
    protect_duration_start: 0,
    protect_duration_end: 0,
  };
  // No command comes in between: an answer goes by the venue's time, not by what the engine was last told.
  for (const [timeMs, expected] of [
    [now, [first, second]],
    [now + 2_999, [first, second]],
    [now + 3_000, [second]],
    [now + 8_999, [second]],
    [now + 9_000, []],
  ] as const) {
    venue.control.timeMs = timeMs;
    assert.deepEqual(await venue.anybody.read("/v2/maintain/info"), expected);
    assert.deepEqual(await venue.anybody.read("/maintain-info"), expected);
  }
});

test("a window of the whole site stops what users set for their accounts, and leaves the operator's changes alone", async (t) => {
  const venue = await bitcoinApiVenue();
  t.after(() => venue.close());
  const { client, userId } = await venue.addUser("user");
  const deducts = () => venue.engine.state.users.get(userId)?.feeDeduction;
  for (const [scope, expected] of [
    ["SPOT", [0, 0, 0, 0, 0]],
    ["ALL_SITE", [0, 4001, 4001, 3638, 0]],
  ] as const) {
    const startedAt = venue.control.timeMs + 10;
    await plan(venue, startedAt, scope);
    const codes: number[] = [];
    for (const intoMs of [-1, 0, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS]) {
      venue.control.timeMs = startedAt + intoMs;
      const { code } = await client.post("/v2/account/settings", { cet_discount_enabled: true });
      assert.equal(deducts(), code === 0);
      await venue.operate({ kind: "change_user", userId, feeDeduction: false });
      assert.equal(deducts(), false);
      codes.push(code);
    }
    assert.deepEqual(codes, expected, scope);
  }
});
