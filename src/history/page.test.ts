import assert from "node:assert/strict";
import { test } from "node:test";
import { Kysely } from "kysely";
import { COUNTED_MAX, countUpTo, PAGE_END_MAX } from "./page.ts";
import { readerOf } from "./parts.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";
import { openHistoryFile } from "./sqlite/history-file.ts";
import type { TablesOf } from "./table.ts";
import type { transferRows } from "./transfers/tables.ts";

test("rows are counted as far as pages reach, and no further", async () => {
  const { database, ...file } = await openHistoryFile({ path: ":memory:", venueId: "test" });
  const ask = readerOf(file);
  const fill = (count: number) =>
    database
      .prepare(
        "with recursive ids(id) as (select 1 union all select id + 1 from ids where id < ?) " +
          "insert or ignore into transfers select id, 1, id, 'SPOT', 'FUTURES', 'USDT', '1' from ids",
      )
      .run(count);
  const asked = { userId: 1, ccy: "USDT", account: "FUTURES", isNone: false, page: 1, limit: 2 };
  fill(7);
  assert.equal((await ask.transfers(asked)).total, 7);
  fill(PAGE_END_MAX + 5);
  assert.equal((await ask.transfers(asked)).total, PAGE_END_MAX);
  const db = new Kysely<TablesOf<typeof transferRows>>({ dialect: sqliteDialect(database) });
  const ids = db.selectFrom("transfers").select("transfer_id").limit(COUNTED_MAX);
  assert.equal(await countUpTo(db, ids), PAGE_END_MAX);
});
