import assert from "node:assert/strict";
import type { SQLInputValue } from "node:sqlite";
import { test } from "node:test";
import { type CompiledQuery, Kysely } from "kysely";
import { openView } from "../../test/support/history-view.ts";
import { klines, tradedSeconds } from "./candle-queries.ts";
import { dealClock, marketDeals, orderDeals, userDeals } from "./deal-queries.ts";
import { endedOrders, finishedOrders } from "./order-queries.ts";
import type { HistoryTables } from "./schema.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { statement } from "./statement-queries.ts";
import { firedStops } from "./stop-queries.ts";

const { database } = await openView();

/** The plan of every statement that `ask` runs, one line per step. */
async function plansOf(ask: (db: Kysely<HistoryTables>) => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = [];
  const db = new Kysely<HistoryTables>({
    dialect: sqliteDialect(database),
    log: ({ query }) => void queries.push(query),
  });
  await ask(db);
  assert.ok(queries.length > 0, "nothing was asked");
  return queries.flatMap(({ sql, parameters }) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all(...(parameters as SQLInputValue[]))
      .map((step) => String(step["detail"])),
  );
}

const user = { userId: 1, account: "spot" } as const;
const page = { page: 3, limit: 10 };
const time = { startTime: 1, endTime: 2 };

const questions: [string, (db: Kysely<HistoryTables>) => Promise<unknown>][] = [
  ["finished orders", (db) => finishedOrders(db, { ...user, ...page })],
  ["finished orders of a market", (db) => finishedOrders(db, { ...user, marketId: 1, ...page })],
  ["finished orders of a side", (db) => finishedOrders(db, { ...user, side: "buy", ...page })],
  ["finished orders of a client id", (db) => finishedOrders(db, { ...user, clientId: "a", ...page })],
  [
    "finished orders by all",
    (db) => finishedOrders(db, { ...user, marketId: 1, side: "sell", clientId: "a", ...page }),
  ],
  ["ended orders", (db) => endedOrders(db, { userId: 1, marketId: 1, orderIds: [1, 2, 3] })],
  ["fired stops", (db) => firedStops(db, { ...user, ...page })],
  ["fired stops of a market", (db) => firedStops(db, { ...user, marketId: 1, ...page })],
  ["fired stops of a side", (db) => firedStops(db, { ...user, side: "buy", ...page })],
  ["user deals", (db) => userDeals(db, dealClock(database, db), { ...user, marketId: 1, ...page })],
  ["user deals in time", (db) => userDeals(db, dealClock(database, db), { ...user, marketId: 1, ...time, ...page })],
  [
    "user deals of a side",
    (db) => userDeals(db, dealClock(database, db), { ...user, marketId: 1, side: "buy", ...page }),
  ],
  ["order deals", (db) => orderDeals(db, { ...user, marketId: 1, orderId: 1, ...page })],
  ["statement", (db) => statement(db, dealClock(database, db), { userId: 1, ...page })],
  ["statement in time", (db) => statement(db, dealClock(database, db), { userId: 1, ...time, ...page })],
  [
    "statement of an asset",
    (db) => statement(db, dealClock(database, db), { userId: 1, assetId: 1, cells: ["spot"], ...page }),
  ],
  ["statement of fills", (db) => statement(db, dealClock(database, db), { userId: 1, kinds: ["trade"], ...page })],
  ["statement of fees", (db) => statement(db, dealClock(database, db), { userId: 1, kinds: ["fee"], ...page })],
  [
    "statement of fills with fees",
    (db) => statement(db, dealClock(database, db), { userId: 1, kinds: ["trade", "fee"], assetId: 1, ...page }),
  ],
  [
    "statement of deposits",
    (db) => statement(db, dealClock(database, db), { userId: 1, kinds: ["deposit"], ...time, ...page }),
  ],
  [
    "statement of deposits of an asset",
    (db) => statement(db, dealClock(database, db), { userId: 1, kinds: ["deposit"], assetId: 1, ...page }),
  ],
  ["market deals", (db) => marketDeals(db, { marketId: 1, lastId: 0, limit: 10 })],
  ["klines", (db) => klines(db, { marketId: 1, period: "1day", priceType: "latest_price", limit: 10, nowMs: 1e12 })],
  ["traded seconds", (db) => tradedSeconds(db, { marketId: 1, since: 1 })],
];

/** Walking the segments, which are few, and a page that is already cut to its size. */
const SCANNED_BY_DESIGN = ["SCAN segments", "SCAN page"];

/** A user's deals of one segment after the other, which statements bring into the order of time. */
const SORTED_BY_DESIGN = ["USE TEMP B-TREE FOR LAST TERM OF ORDER BY"];

/** The steps of a plan whose cost grows with the tables. */
function dearStepsOf(plan: readonly string[]): string[] {
  const scans = plan.filter((step) => step.startsWith("SCAN") && !SCANNED_BY_DESIGN.includes(step));
  // One page is sorted again after its rows were fetched; two sides come merged.
  const sorts = plan.filter((step) => step.startsWith("USE TEMP B-TREE") && !SORTED_BY_DESIGN.includes(step));
  return [...scans, ...sorts.slice(plan.includes("SCAN page") ? 1 : 0)];
}

test("no query walks over a table, and none sorts more than one page", async () => {
  for (const [name, ask] of questions) {
    const plan = await plansOf(ask);
    assert.deepEqual(dearStepsOf(plan), [], `${name}:\n${plan.join("\n")}`);
  }
});

test("a query that walks over a table, or sorts all of it, is found", async () => {
  const scan = await plansOf((db) => db.selectFrom("deals").selectAll().where("time_ms", ">", 0n).execute());
  assert.deepEqual(dearStepsOf(scan), ["SCAN deals"]);
  const sort = await plansOf((db) =>
    db.selectFrom("user_orders").select("order_id").where("segment", "=", 0n).orderBy("order_id", "desc").execute(),
  );
  assert.deepEqual(dearStepsOf(sort), ["USE TEMP B-TREE FOR ORDER BY"]);
});
