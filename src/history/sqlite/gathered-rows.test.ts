import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Kysely } from "kysely";
import { counted, int, type TablesOf, table } from "../table.ts";
import { sqliteDialect } from "./dialect.ts";
import { GatheredRows } from "./gathered-rows.ts";
import { createTable, tablesOf } from "./tables.ts";

const numbers = table("numbers", { id: counted, number: int }, { key: "id" });

function openNumbers() {
  const database = new DatabaseSync(":memory:", { readBigInts: true });
  createTable(database, numbers);
  const gathered = new GatheredRows(database);
  const db = new Kysely<TablesOf<typeof numbers>>({ dialect: sqliteDialect(database, () => gathered.write()) });
  const { inserter, prepared, statement } = tablesOf(database, db as unknown as Kysely<never>, gathered);
  const rows = () => database.prepare("select id, number from numbers order by id").all();
  return { db, insert: inserter(numbers), prepared, statement, rows };
}

test("rows are in the table in the order in which they came, however many a statement takes", async () => {
  for (const count of [1, 15, 16, 17, 32, 33]) {
    const { db, insert } = openNumbers();
    for (let number = 1; number <= count; number++) insert({ number: 10 * number });
    const read = await db.selectFrom("numbers").selectAll().orderBy("id").execute();
    const expected = Array.from({ length: count }, (_, at) => ({ id: BigInt(at + 1), number: BigInt(10 * (at + 1)) }));
    assert.deepEqual(
      read.map((row) => ({ ...row })),
      expected,
    );
  }
});

test("a query, a prepared one and a statement see rows that still wait", async () => {
  const { db, insert, prepared, statement, rows } = openNumbers();
  const all = db.selectFrom("numbers").select(({ fn }) => fn.countAll().as("all"));
  const count = prepared(all);
  const double = statement(
    db.updateTable("numbers").set(({ eb }) => ({ number: eb("number", "+", eb.ref("number")) })),
  );
  insert({ number: 1 });
  assert.equal(rows().length, 0);
  assert.equal((await all.executeTakeFirstOrThrow()).all, 1n);
  insert({ number: 2 });
  assert.equal((await count())?.["all"], 2n);
  insert({ number: 3 });
  double();
  assert.deepEqual(
    rows().map((row) => row["number"]),
    [2n, 4n, 6n],
  );
});
