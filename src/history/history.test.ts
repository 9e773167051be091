import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { aDeal, anOrder, EventWriter } from "../../test/support/event-writer.ts";
import { contentOf, openView, runIn, takeInto } from "../../test/support/history-view.ts";
import type { HistoryFault } from "./fault.ts";
import { History, type HistoryOptions } from "./history.ts";
import { PAGE_END_MAX } from "./page.ts";
import type { FromHistoryWorker, ToHistoryWorker } from "./protocol.ts";

const START_MS = 1_700_000_000_000;

function temporaryFile(context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "bourse-history-"));
  context.after(() => rmSync(dir, { recursive: true }));
  return join(dir, "history.sqlite");
}

async function opened(context: TestContext, options: Partial<HistoryOptions> = {}) {
  const faults: HistoryFault[] = [];
  const onFault = (fault: HistoryFault) => faults.push(fault);
  const history = await History.open({ path: ":memory:", venueId: "venue-1", onFault, ...options });
  context.after(() => history.close());
  return { history, faults };
}

/** A group in which user 1's order `seq` takes from user 2. */
function group(seq: number): Uint8Array<ArrayBuffer> {
  const timeMs = START_MS + seq * 1000;
  return new EventWriter()
    .command(seq, timeMs)
    .deal(aDeal({ dealId: seq, taker: { orderId: 2 * seq }, maker: { orderId: 2 * seq + 1 } }))
    .order("finish", anOrder({ orderId: 2 * seq, createdAt: timeMs, updatedAt: timeMs }))
    .take();
}

const groups = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => group(from + at));

const asked = { userId: 1, account: "spot", marketId: 0, page: 1, limit: 3 } as const;

test("a query sees everything that was appended before it, committed or not", async (context) => {
  const { history } = await opened(context);
  assert.equal(history.appliedSeq, 0);
  assert.equal(history.setAside, undefined);
  for (let seq = 1; seq <= 5; seq++) {
    history.append(group(seq));
    const { rows, hasNext } = await history.userDeals(asked);
    assert.deepEqual(
      rows.map((deal) => deal.dealId),
      [seq, seq - 1, seq - 2].filter((id) => id > 0),
    );
    assert.equal(hasNext, seq > 3);
  }
  const { rows } = await history.finishedOrders(asked);
  assert.deepEqual(
    rows.map((order) => order.orderId),
    [10, 8, 6],
  );
  assert.deepEqual((await history.endedOrders({ userId: 1, marketId: 0, orderIds: [2, 3, 4] })).length, 2);
  assert.deepEqual((await history.orderDeals({ ...asked, orderId: 4 })).rows.length, 1);
  assert.deepEqual((await history.marketDeals({ marketId: 0, lastId: 3, limit: 9 })).length, 2);
});

test("what was flushed is there when the file is opened again, and only what came later is taken", async (context) => {
  const path = temporaryFile(context);
  const first = await opened(context, { path });
  for (const events of groups(1, 4)) first.history.append(events);
  assert.ok(first.history.backlogBytes > 0);
  assert.equal(await first.history.flushed(), 4);
  assert.equal(first.history.backlogBytes, 0);
  // Commands that left no event count too: the next start must not look for them.
  first.history.append(new Uint8Array(0), 7);
  await first.history.close();

  const second = await opened(context, { path });
  assert.equal(second.history.appliedSeq, 7);
  assert.equal(second.history.setAside, undefined);
  for (const events of [...groups(1, 4), ...groups(8, 9)]) second.history.append(events);
  assert.equal(await second.history.flushed(), 9);
  const { rows } = await second.history.userDeals({ ...asked, limit: 10 });
  assert.deepEqual(
    rows.map((deal) => deal.dealId),
    [9, 8, 4, 3, 2, 1],
  );
  assert.deepEqual(second.faults, []);
});

test("events that fill what is gathered are taken like all others, whatever they say of their last command", async (context) => {
  const { history } = await opened(context, { path: temporaryFile(context) });
  const all = groups(1, 3_000);
  // As live, group by group; then many groups at once, as a replay hands them over.
  for (const [at, events] of all.slice(0, 1_500).entries()) history.append(events, at + 1);
  history.append(Buffer.concat(all.slice(1_500)), 3_000);
  assert.equal(await history.flushed(), 3_000);
  const ids: number[] = [];
  for (let page = 1; ids.length < 3_000; page++) {
    const { rows } = await history.userDeals({ ...asked, page, limit: 100 });
    if (rows.length === 0) break;
    ids.push(...rows.map((deal) => deal.dealId));
  }
  assert.deepEqual(
    ids,
    Array.from({ length: 3_000 }, (_, at) => 3_000 - at),
  );
});

test("a file that cannot be used is set aside with a reason, and the next start goes on with the new one", async (context) => {
  const path = temporaryFile(context);
  writeFileSync(path, "This is no database.".repeat(1000));
  const { history, faults } = await opened(context, { path });
  assert.equal(history.appliedSeq, 0);
  assert.match(history.setAside ?? "", /is damaged/);
  for (const events of groups(1, 5)) history.append(events);
  assert.equal(await history.flushed(), 5);
  await history.close();
  assert.deepEqual(faults, []);
  const again = await opened(context, { path, logSeq: 5 });
  assert.equal(again.history.appliedSeq, 5);
  assert.equal(again.history.setAside, undefined);
});

test("damage that shows while the venue runs is a fault, and the next start begins a new file", async (context) => {
  const path = temporaryFile(context);
  const { history, faults } = await opened(context, { path });
  history.append(group(1));
  await history.flushed();
  // Another hand takes a table away: what any damage comes to, but without chance.
  execIn(path, "drop table order_deals");
  history.append(group(2));
  await assert.rejects(history.flushed(), { name: "HistoryFault", step: "append", code: "SQLITE_1" });
  await assert.rejects(history.userDeals(asked), { name: "HistoryFault" });
  assert.equal(faults.length, 1);
  history.append(group(3));
  assert.equal(history.backlogBytes, 0);
  await history.room();
  await history.close();

  const again = await opened(context, { path });
  assert.equal(again.history.appliedSeq, 0);
  assert.ok(existsSync(`${path}.aside`));
});

test("a disk that refuses the file is a fault at opening, and the file stays where it is", async (context) => {
  const path = join(temporaryFile(context), "no-such-folder", "history.sqlite");
  await assert.rejects(History.open({ path, venueId: "venue-1", onFault: () => {} }), {
    name: "HistoryFault",
    step: "open",
    code: "SQLITE_14",
  });
  const locked = temporaryFile(context);
  await (await opened(context, { path: locked })).history.close();
  const holder = new DatabaseSync(locked);
  holder.exec("pragma locking_mode = exclusive; begin exclusive; update meta set applied_seq = 1");
  await assert.rejects(History.open({ path: locked, venueId: "venue-1", onFault: () => {} }), { code: "SQLITE_5" });
  holder.exec("rollback");
  holder.close();
  const { history } = await opened(context, { path: locked });
  assert.equal(history.setAside, undefined);
});

test("questions that make no sense are refused one by one and harm nothing", async (context) => {
  const { history, faults } = await opened(context);
  history.append(group(1));
  for (const page of [
    { page: 0, limit: 10 },
    { page: 1, limit: 0 },
    { page: 1.5, limit: 10 },
    { page: PAGE_END_MAX / 10 + 1, limit: 10 },
    { page: Number.NaN, limit: 10 },
  ]) {
    await assert.rejects(history.userDeals({ ...asked, ...page }), RangeError);
  }
  assert.deepEqual((await history.userDeals({ ...asked, page: PAGE_END_MAX / 10, limit: 10 })).rows, []);
  await assert.rejects(
    history.endedOrders({ userId: 1, marketId: 0, orderIds: [0.5] }),
    /cannot be converted to a BigInt/,
  );
  assert.deepEqual((await history.endedOrders({ userId: 1, marketId: 0, orderIds: [] })).length, 0);
  assert.equal((await history.userDeals(asked)).rows.length, 1);
  assert.deepEqual(faults, []);
});

test("a worker that is killed in the middle of a batch leaves what was committed, and a replay completes it", async (context) => {
  const path = temporaryFile(context);
  const all = groups(1, 400);
  const whole = await openView();
  await takeInto(whole, ...all);
  await whole.writer.commit();
  for (const killedAfter of [1, 57, 200]) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    const worker = new Worker(new URL("./history-worker.ts", import.meta.url), {
      workerData: { path, venueId: "venue-1" },
    });
    const post = (message: ToHistoryWorker) => worker.postMessage(message);
    const answers: FromHistoryWorker[] = [];
    worker.on("message", (message: FromHistoryWorker) => answers.push(message));
    all.forEach((events, at) => {
      if (at + 1 === killedAfter) post({ kind: "flush", id: 1 });
      post({ kind: "append", events: events.slice(), lastSeq: 0 });
    });
    while (!answers.some((message) => message.kind === "answer")) await once(worker, "message");
    await worker.terminate();

    const { history } = await opened(context, { path });
    assert.ok(history.appliedSeq >= killedAfter - 1, `${history.appliedSeq}`);
    assert.equal(history.setAside, undefined);
    for (const events of all) history.append(events.slice());
    assert.equal(await history.flushed(), all.length);
    await history.close();
    const database = new DatabaseSync(path, { readBigInts: true });
    assert.deepEqual(await contentOf(runIn(database)), await contentOf(whole));
    database.close();
  }
});

test("a caller that is faster than the disk is held back, and let in again", async (context) => {
  const { history } = await opened(context);
  const writer = new EventWriter();
  for (let seq = 1; seq <= 70_000; seq++) {
    writer.command(seq, START_MS);
    for (let line = 0; line < 25; line++) writer.posting(0);
  }
  history.append(writer.take());
  assert.ok(history.backlogBytes > 64 * 1024 * 1024);
  await history.room();
  assert.equal(history.backlogBytes, 0);
});

function execIn(path: string, text: string): void {
  const database = new DatabaseSync(path);
  database.exec(text);
  database.close();
}
