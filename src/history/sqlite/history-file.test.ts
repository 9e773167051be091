import assert from "node:assert/strict";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { aDeal, EventWriter } from "../../../test/support/event-writer.ts";
import { takeInto } from "../../../test/support/history-view.ts";
import { HistoryWriter } from "../history-writer.ts";
import { type HistoryFileOptions, openHistoryFile } from "./history-file.ts";

const PAGE_BYTES = 4096;

/** A file with the deals of seq 1 to 4, closed. */
async function fileOfFour(context: TestContext): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "bourse-history-"));
  context.after(() => rmSync(dir, { recursive: true }));
  const path = join(dir, "history.sqlite");
  const file = await openHistoryFile({ path, venueId: "venue-1" });
  assert.equal(file.setAside, undefined);
  const writer = await HistoryWriter.open(file);
  const events = new EventWriter();
  for (let seq = 1; seq <= 4; seq++) events.command(seq, seq).deal(aDeal({ dealId: seq }));
  await takeInto({ writer }, events.take());
  await writer.commit();
  file.database.close();
  return path;
}

test("a file that fits is taken as it is", async (context) => {
  const path = await fileOfFour(context);
  for (const logSeq of [undefined, 4, 5]) {
    const { database, appliedSeq, setAside } = await openHistoryFile({ path, venueId: "venue-1", logSeq });
    assert.deepEqual({ appliedSeq, setAside }, { appliedSeq: 4, setAside: undefined });
    database.close();
  }
  assert.ok(!existsSync(`${path}.aside`));
});

test("a file in which nothing was written yet is begun without a word", async (context) => {
  const path = await fileOfFour(context);
  truncateSync(path, 0);
  const { database, appliedSeq, setAside } = await openHistoryFile({ path, venueId: "venue-1" });
  assert.deepEqual({ appliedSeq, setAside }, { appliedSeq: 0, setAside: undefined });
  database.close();
});

test("a file that does not fit is set aside as it was, with a reason, and a new one begun", async (context) => {
  const misfits: [string, (path: string) => void, Partial<HistoryFileOptions>, RegExp][] = [
    ["another venue", () => {}, { venueId: "venue-2" }, /belongs to another venue, venue-1/],
    ["a history ahead of the log", () => {}, { logSeq: 3 }, /goes to seq 4, but the log ends at seq 3/],
    [
      "a version from which nothing leads",
      (path) => execIn(path, "update meta set schema_version = 4"),
      {},
      /has version 4/,
    ],
    ["no meta row", (path) => execIn(path, "delete from meta"), {}, /no row that says what it is/],
    ["no meta table", (path) => execIn(path, "drop table meta"), {}, /is damaged/],
    [
      "another program's tables",
      (path) => execIn(path, "drop table meta; create table meta (x)"),
      {},
      /no row|is damaged/,
    ],
    ["no database", (path) => writeFileSync(path, "This is no database.".repeat(1000)), {}, /is damaged/],
    ["a torn file", (path) => truncateSync(path, 2 * PAGE_BYTES), {}, /is damaged/],
    ["bytes overwritten in the middle", overwriteMiddle, {}, /is damaged/],
  ];
  for (const [name, spoil, options, reason] of misfits) {
    const path = await fileOfFour(context);
    spoil(path);
    const spoiled = readFileSync(path);
    const file = await openHistoryFile({ path, venueId: "venue-1", ...options });
    assert.equal(file.appliedSeq, 0, name);
    assert.match(file.setAside ?? "", reason, name);
    assert.ok(file.setAside?.endsWith(`It was set aside as ${path}.aside.`), name);
    assert.deepEqual(readFileSync(`${path}.aside`), spoiled, name);
    assert.deepEqual(file.database.prepare("select * from deals").all(), [], name);
    file.database.close();
    const again = await openHistoryFile({ path, venueId: "venue-1", ...options });
    assert.equal(again.setAside, undefined, name);
    again.database.close();
  }
});

function execIn(path: string, text: string): void {
  const database = new DatabaseSync(path);
  database.exec(text);
  database.close();
}

/** Puts noise into the fourth and the fifth page. */
function overwriteMiddle(path: string): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(2 * PAGE_BYTES, 0xa5), 0, 2 * PAGE_BYTES, 3 * PAGE_BYTES);
  closeSync(file);
}
