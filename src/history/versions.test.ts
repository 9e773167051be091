import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { aDeal, EventWriter } from "../../test/support/event-writer.ts";
import { contentOf, runIn } from "../../test/support/history-view.ts";
import { NewerProgram } from "../engine/newer.ts";
import { WordBuffer } from "../engine/words.ts";
import { History } from "./history.ts";
import { HistoryWriter } from "./history-writer.ts";
import { type ChangedTables, definePart, type Part } from "./part.ts";
import { PARTS } from "./parts.ts";
import { openHistoryFile } from "./sqlite/history-file.ts";
import { int, table } from "./table.ts";
import { PARTS_OF_ONE_NUMBER } from "./versions.ts";

const dealCounts = table("deal_counts", { market_id: int, deals: int }, { key: "market_id" });

/** A part of this test: how many deals a market has had. */
const counts = definePart({
  name: "counts",
  version: 1,
  tables: [dealCounts],
  backfill: "none",
  migrations: {},
  begin: ({ inserter }) => {
    const count = inserter(dealCounts, [{ add: "deals" }]);
    return { deal: ({ i32 }, at) => count({ market_id: i32[at * 2 + 1] as number, deals: 1 }) };
  },
  queries: ({ db }) => ({ counts: () => db.selectFrom("deal_counts").selectAll().execute() }),
});

function temporaryFile(context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "bourse-history-"));
  context.after(() => rmSync(dir, { recursive: true }));
  return join(dir, "history.sqlite");
}

/** Opens a file with these parts, takes in a deal and closes it. */
async function visit(path: string, parts: readonly Part[], seq: number) {
  const file = await openHistoryFile({ path, venueId: "venue-1", parts });
  const { appliedSeq, setAside, notes } = file;
  const writer = await HistoryWriter.open(file, parts);
  await writer.take(
    WordBuffer.over(
      new EventWriter()
        .command(seq, seq)
        .deal(aDeal({ dealId: seq }))
        .take(),
    ),
    seq,
  );
  await writer.commit();
  const content = await contentOf(runIn(file.database), parts);
  file.database.close();
  return { appliedSeq, setAside, notes, content };
}

function execIn(path: string, text: string): void {
  const database = new DatabaseSync(path);
  database.exec(text);
  database.close();
}

test("a file from before parts had versions goes on as it is, and the log is told", async (context) => {
  const path = temporaryFile(context);
  const then = PARTS.filter(({ name }) => PARTS_OF_ONE_NUMBER.includes(name));
  const before = (await visit(path, then, 1)).content;
  // Columns that a part has got since.
  const since = ["flags", "amount", "entry_cost", "margin", "pnl", "margin_change", "covered"];
  execIn(path, since.map((column) => `alter table deal_positions drop column ${column};`).join("\n"));
  execIn(path, "drop table parts; update meta set schema_version = 5");
  const file = await openHistoryFile({ path, venueId: "venue-1", parts: then });
  assert.equal(file.appliedSeq, 1);
  assert.deepEqual(file.notes, [
    "The history was brought from version 5 to 6.",
    'The history\'s part "positions" was brought from version 1 to 2.',
  ]);
  assert.deepEqual(await contentOf(runIn(file.database), then), before);
  file.database.close();
  assert.deepEqual((await visit(path, then, 2)).notes, []);
});

test("a new part of which older events tell nothing is added, takes events in and is there at the next start", async (context) => {
  const path = temporaryFile(context);
  await visit(path, PARTS, 1);
  const added = await visit(path, [...PARTS, counts], 2);
  assert.deepEqual(added.notes, ['The history was given its part "counts".']);
  assert.equal(added.appliedSeq, 1);
  const again = await visit(path, [...PARTS, counts], 3);
  assert.deepEqual(again.notes, []);
  assert.deepEqual(
    again.content["deal_counts"]?.map((row) => Object.entries(row as object)),
    [Object.entries({ market_id: 0n, deals: 2n })],
  );
});

test("a new part that needs all events makes the history be written again", async (context) => {
  const path = temporaryFile(context);
  await visit(path, PARTS, 1);
  const { appliedSeq, setAside } = await visit(path, [...PARTS, { ...counts, backfill: "needed" }], 2);
  assert.equal(appliedSeq, 0);
  assert.match(setAside ?? "", /lacks its part "counts", which needs all events\. It was set aside as/);
});

test("an older part is brought up step by step, all of it or nothing", async (context) => {
  const path = temporaryFile(context);
  await visit(path, [...PARTS, counts], 1);
  const step = (text: string) => async (tables: ChangedTables) => void (await sql.raw(text).execute(tables.db));
  const second = step("update deal_counts set deals = deals + 10");
  const third = step("update deal_counts set deals = deals * 2");
  const broken = { ...counts, version: 3, migrations: { 2: second, 3: () => assert.fail("no room") } };
  await assert.rejects(visit(path, [...PARTS, broken], 2), /no room/);
  const whole = await visit(path, [...PARTS, { ...counts, version: 3, migrations: { 2: second, 3: third } }], 2);
  assert.deepEqual(whole.notes, [`The history's part "counts" was brought from version 1 to 3.`]);
  const counted = Object.entries({ market_id: 0n, deals: (1n + 10n) * 2n + 1n });
  assert.deepEqual(
    whole.content["deal_counts"]?.map((row) => Object.entries(row as object)),
    [counted],
  );
});

test("an older part from which a step is missing makes the history be written again", async (context) => {
  const path = temporaryFile(context);
  await visit(path, [...PARTS, counts], 1);
  const { appliedSeq, setAside } = await visit(
    path,
    [...PARTS, { ...counts, version: 3, migrations: { 3: async () => {} } }],
    2,
  );
  assert.equal(appliedSeq, 0);
  assert.match(setAside ?? "", /part "counts" has version 1, from which nothing leads to 3/);
});

test("the history of a newer program is left alone, and its sentence names both versions", async (context) => {
  const newer: [string, RegExp][] = [
    [
      "update meta set schema_version = 7",
      /^The history was written by a newer program: it has form 7, and this program knows form 6/,
    ],
    ["update parts set version = 2 where name = 'deals'", /newer program: it has part "deals" in version 2, and .* 1/],
    [
      "insert into parts (name, version) values ('not yet', 4)",
      /newer program: it has part "not yet" in version 4, and .* 0/,
    ],
  ];
  for (const [change, sentence] of newer) {
    const path = temporaryFile(context);
    await visit(path, PARTS, 1);
    execIn(path, change);
    await assert.rejects(openHistoryFile({ path, venueId: "venue-1" }), NewerProgram);
    await assert.rejects(History.open({ path, venueId: "venue-1", onFault: assert.fail }), (error: NewerProgram) => {
      assert.ok(error instanceof NewerProgram);
      assert.equal(error.code, "newer_program");
      assert.match(error.message, sentence);
      return true;
    });
    assert.ok(!existsSync(`${path}.aside`));
  }
});
