import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, type Venue } from "../../../test/support/venue.ts";
import type { RareEvent } from "../event.ts";
import type { Refusal } from "../refusal.ts";
import type { MaintenancePlan, MaintenanceScope } from "./command-schemas.ts";
import { type MaintenanceWindow, WINDOWS_MAX } from "./maintenance.ts";

/** A window from 2000 to 3000 for spot trading, with a protection period from 3000 to 4000, unless told otherwise. */
function planOf(more: Partial<MaintenancePlan> = {}) {
  return {
    kind: "plan_maintenance" as const,
    scope: ["SPOT"] as readonly MaintenanceScope[],
    startedAt: 2_000,
    endedAt: 3_000,
    protectDurationStart: 3_000,
    protectDurationEnd: 4_000,
    announceUrl: "",
    announceEnabled: false,
    ...more,
  };
}

/** No protection period. */
const BARE = { protectDurationStart: 0, protectDurationEnd: 0 };

/** User 1 sells 1 at 100 as order 1; user 2, who makes every call of the table, bids for 1 at 90 as order 2. */
function tradingVenue(): Venue {
  const venue = bitcoinVenue();
  venue.put(venue.addUser("maker", { BTC: "10" }), "sell 1 @ 100.00");
  venue.put(venue.addUser("caller", { USDT: "1000", BTC: "10" }), "buy 1 @ 90.00 id:mine");
  return venue;
}

const SPOT_ACCOUNT = { userId: 2, marketId: 0, account: "spot" } as const;

type Call = (venue: Venue) => { readonly refusal: Refusal | undefined };

/** What each call comes to in maintenance, in the protection period, and otherwise. */
const TABLE: readonly [call: string, make: Call, maintenance: string, protection: string, otherwise: string][] = [
  ["limit that rests", (venue) => venue.place(2, "buy 1 @ 91.00"), "maintenance", "protection_period", "ok"],
  ["limit that takes", (venue) => venue.place(2, "buy 1 @ 100.00"), "maintenance", "protection_period", "ok"],
  ["maker_only", (venue) => venue.place(2, "buy 1 @ 91.00 maker_only"), "maintenance", "ok", "ok"],
  ["hidden maker_only", (venue) => venue.place(2, "sell 1 @ 99.00 maker_only hidden"), "maintenance", "ok", "ok"],
  [
    "maker_only that would take",
    (venue) => venue.place(2, "buy 1 @ 100.00 maker_only"),
    "maintenance",
    "would_take",
    "would_take",
  ],
  [
    "maker_only without funds",
    (venue) => venue.place(1, "buy 1 @ 90.00 maker_only"),
    "maintenance",
    "insufficient_balance",
    "insufficient_balance",
  ],
  ["ioc", (venue) => venue.place(2, "buy 1 @ 100.00 ioc"), "maintenance", "protection_period", "ok"],
  ["ioc that finds nothing", (venue) => venue.place(2, "buy 1 @ 95.00 ioc"), "maintenance", "protection_period", "ok"],
  ["fok", (venue) => venue.place(2, "buy 1 @ 100.00 fok"), "maintenance", "protection_period", "ok"],
  ["market, base", (venue) => venue.place(2, "buy 1 BTC"), "maintenance", "protection_period", "ok"],
  ["market, quote", (venue) => venue.place(2, "buy 50 USDT"), "maintenance", "protection_period", "ok"],
  ["modify amount", (venue) => venue.modify(2, 2, "amount 0.5"), "maintenance", "protection_period", "ok"],
  ["modify price", (venue) => venue.modify(2, 2, "price 91"), "maintenance", "protection_period", "ok"],
  ["modify nothing", (venue) => venue.modify(2, 2, "amount 1"), "maintenance", "protection_period", "ok"],
  ["cancel", (venue) => venue.cancel(2, 2), "maintenance", "ok", "ok"],
  ["cancel all", (venue) => venue.execute({ kind: "cancel_all_orders", ...SPOT_ACCOUNT }), "maintenance", "ok", "ok"],
  [
    "cancel by client id",
    (venue) => venue.execute({ kind: "cancel_by_client_id", ...SPOT_ACCOUNT, clientId: "mine" }),
    "maintenance",
    "ok",
    "ok",
  ],
  [
    "cancel by client id in every market",
    (venue) => venue.execute({ kind: "cancel_by_client_id", userId: 2, account: "spot", clientId: "mine" }),
    "maintenance",
    "ok",
    "ok",
  ],
  // Rows 1 to 3 of the acceptance checks come before, rows 5 to 9 after.
  [
    "an order that is not there",
    (venue) => venue.cancel(2, 9),
    "order_not_found",
    "order_not_found",
    "order_not_found",
  ],
  [
    "modify an order that is not there",
    (venue) => venue.modify(2, 9, "price 91"),
    "order_not_found",
    "order_not_found",
    "order_not_found",
  ],
  [
    "no market",
    (venue) => venue.execute({ ...venue.orderOf(2, "buy 1 @ 91.00"), marketId: 7 }),
    "market_not_found",
    "market_not_found",
    "market_not_found",
  ],
  [
    "an amount of 0",
    (venue) => venue.place(2, "buy 0 @ 91.00"),
    "maintenance",
    "protection_period",
    "amount_too_small",
  ],
  [
    "a deposit",
    (venue) => venue.execute({ kind: "deposit", userId: 2, ccy: "USDT", amount: "1", note: "" }),
    "ok",
    "ok",
    "ok",
  ],
  [
    "index prices",
    (venue) =>
      venue.execute({ kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "one", price: "100" }] }),
    "ok",
    "ok",
    "ok",
  ],
  ["a change of the market", (venue) => venue.execute({ kind: "change_market", market: "BTCUSDT" }), "ok", "ok", "ok"],
];

/** Every edge to the millisecond, and which column of the table holds there. */
const INSTANTS: readonly [timeMs: number, column: 2 | 3 | 4][] = [
  [1_999, 4],
  [2_000, 2],
  [2_999, 2],
  [3_000, 3],
  [3_999, 3],
  [4_000, 4],
];

test("what each call comes to in maintenance, in the protection period and otherwise, to the millisecond", () => {
  for (const scope of ["SPOT", "ALL_SITE"] as const) {
    for (const [timeMs, column] of INSTANTS) {
      for (const row of TABLE) {
        const venue = tradingVenue();
        venue.accept(planOf({ scope: [scope] }));
        venue.timeMs = timeMs;
        assert.equal(row[1](venue).refusal ?? "ok", row[column], `${row[0]} at ${timeMs}, ${scope}`);
      }
    }
  }
});

test("a window of the whole site stops what users change of their accounts, not what the operator changes", () => {
  const change = { kind: "change_user", userId: 2, feeDeduction: true } as const;
  const own = { ...change, byUser: true };
  const columns = { 2: "maintenance", 3: "protection_period", 4: "ok" } as const;
  for (const scope of ["SPOT", "FUTURES", "ALL_SITE"] as const) {
    for (const [timeMs, column] of INSTANTS) {
      const expected = scope === "ALL_SITE" ? columns[column] : "ok";
      const venue = tradingVenue();
      venue.accept(planOf({ scope: [scope] }));
      venue.timeMs = timeMs;
      assert.equal(venue.execute(own).refusal ?? "ok", expected, `at ${timeMs}, ${scope}`);
      assert.equal(venue.state.users.get(2)?.feeDeduction, expected === "ok", "a refusal writes nothing");
      venue.accept(change);
      assert.equal(venue.state.users.get(2)?.feeDeduction, true);
      assert.equal(venue.execute({ ...own, userId: 99 }).refusal, "user_not_found");
      venue.assertRepeatable();
    }
  }
});

test("a maintenance of futures leaves spot trading alone", () => {
  for (const [timeMs] of INSTANTS) {
    for (const [call, make, , , otherwise] of TABLE) {
      const venue = tradingVenue();
      venue.accept(planOf({ scope: ["FUTURES"] }));
      venue.timeMs = timeMs;
      assert.equal(make(venue).refusal ?? "ok", otherwise, `${call} at ${timeMs}`);
    }
  }
});

test("maintenance is asked after the account and before the market's status", () => {
  const venue = tradingVenue();
  venue.changeMarket("BTCUSDT", { suspended: true });
  venue.accept(planOf());
  const refusals = () => [1, 2].map((userId) => venue.place(userId, "buy 1 @ 91.00").refusal);
  assert.deepEqual(refusals(), ["market_suspended", "market_suspended"]);
  venue.timeMs = 2_000;
  assert.deepEqual(refusals(), ["maintenance", "maintenance"]);
  venue.accept({ kind: "change_user", userId: 1, tradeBarred: true });
  assert.deepEqual(refusals(), ["trade_barred", "maintenance"]);
  venue.timeMs = 3_000;
  assert.deepEqual(refusals(), ["trade_barred", "protection_period"]);
  assert.equal(venue.place(2, "buy 1 @ 91.00 maker_only").refusal, "market_suspended");
});

test("beginnings and ends are told at their time, in their order, by whatever command comes first", () => {
  const venue = tradingVenue();
  const announced = { announceUrl: "https://example.com/notice", announceEnabled: true };
  const done = venue.accept(planOf({ scope: ["ALL_SITE", "SPOT", "SPOT"], ...announced }));
  assert.deepEqual(done.result, { maintenanceId: 1 });
  const { kind: _, ...plan } = planOf({ scope: ["SPOT", "ALL_SITE"], ...announced });
  assert.deepEqual(rareEvents(done), [{ type: "maintenance_planned", maintenanceId: 1, ...plan }]);
  venue.timeMs = 2_000;
  assert.deepEqual(told(venue.place(2, "buy 1 @ 91.00")), ["maintenance_started 1"]);
  venue.timeMs = 3_000;
  assert.deepEqual(told(venue.cancel(2, 2)), ["maintenance_ended 1", "protection_started 1"]);
  venue.timeMs = 4_000;
  assert.deepEqual(told(venue.accept({ kind: "tick" })), ["protection_ended 1"]);
  assert.deepEqual([venue.state.maintenance, venue.state.nextDueMs], [[], Number.POSITIVE_INFINITY]);
  venue.assertRepeatable();
});

test("what was missed while the venue stood still is told at the first command", () => {
  const venue = tradingVenue();
  venue.accept(planOf());
  venue.accept(planOf({ startedAt: 2_500, endedAt: 9_000, ...BARE }));
  venue.timeMs = 5_000;
  assert.deepEqual(told(venue.accept({ kind: "tick" })), [
    "maintenance_started 1",
    "maintenance_started 2",
    "maintenance_ended 1",
    "protection_started 1",
    "protection_ended 1",
  ]);
  assert.equal(venue.place(2, "buy 1 @ 91.00").refusal, "maintenance");
  venue.assertRepeatable();
});

test("a protection period may lie before its window, around it or away from it; maintenance is the stricter", () => {
  const rows: [protection: [from: number, to: number], expected: string][] = [
    [[1_500, 2_000], "1500 protection_period, 2000 maintenance, 3000 ok"],
    [[1_500, 3_500], "1500 protection_period, 2000 maintenance, 3000 protection_period, 3500 ok"],
    [[2_200, 2_800], "2000 maintenance, 3000 ok"],
    [[3_500, 4_000], "2000 maintenance, 3000 ok, 3500 protection_period, 4000 ok"],
  ];
  for (const [[protectDurationStart, protectDurationEnd], expected] of rows) {
    assert.equal(changes(planOf({ protectDurationStart, protectDurationEnd })), expected);
  }
});

test("windows that overlap act together, each for its own scope", () => {
  const first = planOf();
  const second = planOf({ scope: ["ALL_SITE"], startedAt: 2_500, endedAt: 3_500, ...BARE });
  assert.equal(changes(first, second), "2000 maintenance, 3500 protection_period, 4000 ok");
  assert.equal(changes(planOf({ scope: ["FUTURES"] }), second), "2500 maintenance, 3500 ok");
});

test("a window that is cancelled, planned or running, forbids nothing any more, and others go on", () => {
  const venue = tradingVenue();
  const cancel = (maintenanceId: number) => venue.execute({ kind: "cancel_maintenance", maintenanceId });
  venue.accept(planOf());
  venue.accept(planOf({ endedAt: 8_000, ...BARE }));
  assert.deepEqual(told(cancel(1)), ["maintenance_cancelled 1"]);
  venue.timeMs = 2_000;
  assert.equal(venue.place(2, "buy 0.1 @ 91.00").refusal, "maintenance");
  assert.deepEqual(told(cancel(2)), ["maintenance_cancelled 2"]);
  assert.equal(venue.place(2, "buy 0.1 @ 91.00").refusal, undefined);
  assert.deepEqual(
    [1, 2, 3, 0].map((id) => cancel(id).refusal),
    Array(4).fill("maintenance_not_found"),
  );
  assert.deepEqual(venue.accept(planOf()).result, { maintenanceId: 3 });
  venue.assertRepeatable();
});

test("one that has begun can be planned, and holds at once", () => {
  const venue = tradingVenue();
  assert.deepEqual(told(venue.accept(planOf({ startedAt: 0 }))), ["maintenance_planned 1", "maintenance_started 1"]);
  assert.equal(venue.cancel(2, 2).refusal, "maintenance");
});

test("plans that make no sense are refused with what is wrong", () => {
  const rows: [more: Partial<MaintenancePlan>, detail: RegExp][] = [
    [{ scope: [] }, /^scope must name one or more of SPOT, FUTURES, ALL_SITE\.$/],
    [{ scope: ["SPOT", "AMM" as never] }, /^scope must name/],
    [{ startedAt: 3_000 }, /^started_at must lie before ended_at\.$/],
    [{ startedAt: 3_001 }, /^started_at must lie before ended_at\.$/],
    [{ startedAt: -1 }, /^Times are milliseconds/],
    [{ protectDurationEnd: 0 }, /^protect_duration_start must lie before/],
    [{ protectDurationEnd: 3_000 }, /^protect_duration_start must lie before/],
    [{ startedAt: 500, endedAt: 1_000 }, /^ended_at must lie in the future\.$/],
    [{ protectDurationStart: 500, protectDurationEnd: 1_000 }, /^protect_duration_end must lie in the future/],
    [{ announceEnabled: true }, /^announce_enabled needs an announce_url\.$/],
  ];
  const venue = tradingVenue();
  for (const [more, detail] of rows) {
    const done = venue.execute(planOf(more));
    assert.equal(done.refusal, "invalid_command", JSON.stringify(more));
    assert.match(done.detail ?? "", detail);
  }
  for (let planned = 0; planned < WINDOWS_MAX; planned++) venue.accept(planOf());
  assert.match(venue.execute(planOf()).detail ?? "", /^At most 100 windows/);
  venue.timeMs = 4_000;
  assert.deepEqual(venue.accept(planOf({ startedAt: 5_000, endedAt: 6_000, ...BARE })).result, { maintenanceId: 101 });
});

test("a snapshot in the middle of a window, or of its protection period, goes on where it was", () => {
  const venue = tradingVenue();
  venue.accept(planOf());
  venue.accept(planOf({ scope: ["FUTURES"], startedAt: 9_000, endedAt: 10_000, ...BARE }));
  const begun = venue.log.length;
  for (const timeMs of [1_999, 2_000, 2_500, 3_000, 3_500, 4_000, 9_500, 10_000]) {
    venue.timeMs = timeMs;
    venue.place(2, "buy 0.1 @ 91.00");
    venue.place(2, "buy 0.1 @ 91.00 maker_only");
  }
  for (let cut = begun; cut < venue.log.length; cut++) venue.assertRepeatable(cut);
});

function rareEvents(done: { events: readonly { kind: string }[] }): RareEvent[] {
  return done.events.flatMap((event) =>
    event.kind === "json" ? [(event as never as { event: RareEvent }).event] : [],
  );
}

function told(done: { events: readonly { kind: string }[] }): string[] {
  return rareEvents(done).flatMap((event) =>
    "maintenanceId" in event ? [`${event.type} ${event.maintenanceId}`] : [],
  );
}

/** When an ordinary order of spot trading begins to be answered otherwise under these plans, looked at every 100 ms. */
function changes(...plans: readonly ReturnType<typeof planOf>[]): string {
  const venue = tradingVenue();
  for (const plan of plans) venue.accept(plan);
  const seen: string[] = [];
  let before = "ok";
  for (venue.timeMs = 1_000; venue.timeMs <= 4_500; venue.timeMs += 100) {
    const now = venue.place(2, "buy 0.001 @ 91.00").refusal ?? "ok";
    if (now !== before) seen.push(`${venue.timeMs} ${now}`);
    before = now;
  }
  const left: readonly MaintenanceWindow[] = venue.state.maintenance;
  assert.deepEqual(left, []);
  venue.assertRepeatable();
  return seen.join(", ");
}
