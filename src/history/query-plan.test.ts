import assert from "node:assert/strict";
import type { SQLInputValue } from "node:sqlite";
import { test } from "node:test";
import { type CompiledQuery, Kysely } from "kysely";
import { openView } from "../../test/support/history-view.ts";
import type { dealRows } from "./deals/tables.ts";
import type { userOrders } from "./orders/tables.ts";
import { type HistoryReader, readerOf } from "./parts.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { TablesOf } from "./table.ts";

const { database } = openView();

/** Two of the tables, for questions that nobody asks. */
type Tables = TablesOf<typeof dealRows | typeof userOrders>;

/** The plan of every statement that `ask` runs, one line per step. */
async function plansOf(question: (ask: HistoryReader, db: Kysely<Tables>) => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: sqliteDialect(database),
    log: ({ query }) => void queries.push(query),
  });
  await question(readerOf({ database, db: db as unknown as Kysely<never> }), db);
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

const questions: [string, (ask: HistoryReader) => Promise<unknown>][] = [
  ["finished orders", (ask) => ask.finishedOrders({ ...user, ...page })],
  ["finished orders of a market", (ask) => ask.finishedOrders({ ...user, marketId: 1, ...page })],
  ["finished orders of a side", (ask) => ask.finishedOrders({ ...user, side: "buy", ...page })],
  ["finished orders of a client id", (ask) => ask.finishedOrders({ ...user, clientId: "a", ...page })],
  [
    "finished orders by all",
    (ask) => ask.finishedOrders({ ...user, marketId: 1, side: "sell", clientId: "a", ...page }),
  ],
  ["finished orders in time", (ask) => ask.finishedOrders({ ...user, ...time, ...page })],
  ["ended orders", (ask) => ask.endedOrders({ userId: 1, marketId: 1, orderIds: [1, 2, 3] })],
  ["fired stops", (ask) => ask.firedStops({ ...user, ...page })],
  ["fired stops of a market", (ask) => ask.firedStops({ ...user, marketId: 1, ...page })],
  ["fired stops of a side", (ask) => ask.firedStops({ ...user, side: "buy", ...page })],
  ["user deals", (ask) => ask.userDeals({ ...user, marketId: 1, ...page })],
  ["user deals in time", (ask) => ask.userDeals({ ...user, marketId: 1, ...time, ...page })],
  ["user deals in every market", (ask) => ask.userDeals({ ...user, marketId: undefined, ...time, ...page })],
  ["user deals of a side", (ask) => ask.userDeals({ ...user, marketId: 1, side: "buy", ...page })],
  ["order deals", (ask) => ask.orderDeals({ ...user, marketId: 1, orderId: 1, ...page })],
  ["order deals of any market", (ask) => ask.orderDeals({ ...user, marketId: undefined, orderId: 1, ...page })],
  ["statement", (ask) => ask.statement({ userId: 1, ...page })],
  ["statement in time", (ask) => ask.statement({ userId: 1, ...time, ...page })],
  ["statement of an asset", (ask) => ask.statement({ userId: 1, assetId: 1, cells: ["spot"], ...page })],
  ["statement of fills", (ask) => ask.statement({ userId: 1, kinds: ["trade"], ...page })],
  ["statement of fees", (ask) => ask.statement({ userId: 1, kinds: ["fee"], ...page })],
  ["statement of fills with fees", (ask) => ask.statement({ userId: 1, kinds: ["trade", "fee"], assetId: 1, ...page })],
  ["statement of deposits", (ask) => ask.statement({ userId: 1, kinds: ["deposit"], ...time, ...page })],
  ["statement of deposits of an asset", (ask) => ask.statement({ userId: 1, kinds: ["deposit"], assetId: 1, ...page })],
  ["market deals", (ask) => ask.marketDeals({ marketId: 1, lastId: 0, limit: 10 })],
  ["klines", (ask) => ask.klines({ marketId: 1, period: "1day", priceType: "latest_price", limit: 10, nowMs: 1e12 })],
  ["traded seconds", (ask) => ask.tradedSeconds({ marketId: 1, since: 1 })],
];

/** Walking the segments, which are few, and a page that is already cut to its size. */
const SCANNED_BY_DESIGN = ["SCAN segments", "SCAN page"];

/** A user's deals of one segment after the other, which statements and deals of every market bring into the order of time. */
const SORTED_BY_DESIGN = ["USE TEMP B-TREE FOR LAST TERM OF ORDER BY", "USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY"];

/** The steps of a plan whose cost grows with the tables. */
function dearStepsOf(plan: readonly string[]): string[] {
  const scans = plan.filter((step) => step.startsWith("SCAN") && !SCANNED_BY_DESIGN.includes(step));
  // One page is sorted again after its rows were fetched; two sides come merged.
  const sorts = plan.filter((step) => step.startsWith("USE TEMP B-TREE") && !SORTED_BY_DESIGN.includes(step));
  return [...scans, ...sorts.slice(plan.includes("SCAN page") ? 1 : 0)];
}

test("no query walks over a table, and none sorts more than one page", async () => {
  for (const [name, question] of questions) {
    const plan = await plansOf(question);
    assert.deepEqual(dearStepsOf(plan), [], `${name}:\n${plan.join("\n")}`);
  }
});

test("a query that walks over a table, or sorts all of it, is found", async () => {
  const scan = await plansOf((_ask, db) => db.selectFrom("deals").selectAll().where("time_ms", ">", 0n).execute());
  assert.deepEqual(dearStepsOf(scan), ["SCAN deals"]);
  const sort = await plansOf((_ask, db) =>
    db.selectFrom("user_orders").select("order_id").where("segment", "=", 0n).orderBy("order_id", "desc").execute(),
  );
  assert.deepEqual(dearStepsOf(sort), ["USE TEMP B-TREE FOR ORDER BY"]);
});
