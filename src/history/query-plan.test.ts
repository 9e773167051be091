import assert from "node:assert/strict";
import type { SQLInputValue } from "node:sqlite";
import { test } from "node:test";
import { type CompiledQuery, Kysely } from "kysely";
import { questionsOf } from "../../test/support/history-questions.ts";
import type { dealRows } from "./deals/tables.ts";
import type { userOrders } from "./orders/tables.ts";
import { type HistoryReader, readerOf } from "./parts.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";
import { openHistoryFile } from "./sqlite/history-file.ts";
import { tablesOf } from "./sqlite/tables.ts";
import type { TablesOf } from "./table.ts";

const { database } = await openHistoryFile({ path: ":memory:", venueId: "test" });

/** Two of the tables, for questions that nobody asks. */
type Tables = TablesOf<typeof dealRows | typeof userOrders>;

/** The plan of every statement that `ask` runs, one line per step. */
async function plansOf(question: (ask: HistoryReader, db: Kysely<Tables>) => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: sqliteDialect(database),
    log: ({ query }) => void queries.push(query),
  });
  await question(readerOf(tablesOf(database, db as unknown as Kysely<never>)), db);
  assert.ok(queries.length > 0, "nothing was asked");
  return queries.flatMap(({ sql, parameters }) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all(...(parameters as SQLInputValue[]))
      .map((step) => String(step["detail"])),
  );
}

/** Walking the segments, which are few, and what is already cut: a page, or as many rows as are counted. */
const SCANNED_BY_DESIGN = ["SCAN segments", "SCAN page", "SCAN counted"];

/**
 * A user's deals of one segment after the other, which statements and deals of every market bring into the order of
 * time.
 */
const SORTED_BY_DESIGN = [
  // Totals of referees, over days.
  "USE TEMP B-TREE FOR GROUP BY",
  "USE TEMP B-TREE FOR count(DISTINCT)",
  "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
  "USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY",
];

/** The steps of a plan whose cost grows with the tables. */
function dearStepsOf(plan: readonly string[]): string[] {
  const scans = plan.filter((step) => step.startsWith("SCAN") && !SCANNED_BY_DESIGN.includes(step));
  // One page is sorted again after its rows were fetched; two sides come merged.
  const sorts = plan.filter((step) => step.startsWith("USE TEMP B-TREE") && !SORTED_BY_DESIGN.includes(step));
  return [...scans, ...sorts.slice(plan.includes("SCAN page") ? 1 : 0)];
}

test("no query walks over a table, and none sorts more than one page", async () => {
  for (const [name, question] of questionsOf(1)) {
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
