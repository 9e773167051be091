/** The thread that keeps a history in PostgreSQL: who writes, who waits, and what is read again. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import { aDeal, anOrder, EventWriter } from "../../../test/support/event-writer.ts";
import { contentOf, openView, takeInto } from "../../../test/support/history-view.ts";
import { NO_POSTGRESQL, PostgresServer } from "../../../test/support/postgresql.ts";
import { BackfillSender } from "../backfill.ts";
import { HistoryBusy, type HistoryFault } from "../fault.ts";
import { type DatabaseOptions, History, type HistoryOptions } from "../history.ts";
import type { HistoryStatus } from "../protocol.ts";
import { connect } from "./connection.ts";
import { WriterSession } from "./writer-session.ts";

const START_MS = 1_700_000_000_000;
const WAIT_MS = 120_000;
const asked = { userId: 1, account: "spot", marketId: 0, page: 1, limit: 3 } as const;

/** A group in which user 1's order `seq` takes from user 2. */
function group(seq: number): Uint8Array<ArrayBuffer> {
  const timeMs = START_MS + seq * 1000;
  return new EventWriter()
    .command(seq, timeMs)
    .deal(aDeal({ dealId: seq, taker: { orderId: 2 * seq }, maker: { orderId: 2 * seq + 1 } }))
    .order("finish", anOrder({ orderId: 2 * seq, createdAt: timeMs, updatedAt: timeMs }))
    .take();
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const sinceMs = performance.now();
  while (!isSo()) {
    assert.ok(performance.now() - sinceMs < WAIT_MS, `${what} did not come`);
    await pause(10);
  }
}

/** The answer of a history that may be behind: one that a slow machine writes late says so, and is asked again. */
async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const sinceMs = performance.now();
  while (true) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof HistoryBusy) || performance.now() - sinceMs > WAIT_MS) throw error;
      await pause(10);
    }
  }
}

/** Groups that nobody needs: more of them than may wait. */
function* bulk(fromSeq: number): Generator<[Uint8Array<ArrayBuffer>, number]> {
  for (let seq = fromSeq; seq < fromSeq + 60; seq++) {
    const writer = new EventWriter().command(seq, START_MS);
    for (let line = 0; line < 20_000; line++) writer.posting(0);
    yield [writer.take(), seq];
  }
}

describe("a history in PostgreSQL", { skip: NO_POSTGRESQL, concurrency: false }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  beforeEach(() => server.run());
  after(() => server?.remove());

  async function opened(
    context: TestContext,
    address: string,
    {
      sendBackfill = () => assert.fail("nothing is missing"),
      ...options
    }: Partial<DatabaseOptions & HistoryOptions> = {},
  ) {
    const faults: HistoryFault[] = [];
    const statuses: HistoryStatus[] = [];
    const history = await History.open({
      ...{ path: ":memory:", venueId: "venue-1", onFault: (fault) => faults.push(fault) },
      ...options,
      database: { address, sendBackfill, onStatus: (status) => statuses.push(status), ...options },
    });
    context.after(() => history.close());
    return { history, faults, statuses };
  }

  async function contentAt(address: string) {
    const client = await connect({ address, name: "test" }, () => {});
    const content = await contentOf({ run: async (text) => (await client.query(text)).rows });
    await client.end();
    return content;
  }

  async function contentOfGroups(last: number) {
    const view = await openView();
    for (let seq = 1; seq <= last; seq++) await takeInto(view, group(seq));
    await view.writer.commit();
    const content = await contentOf(view);
    await view.close();
    return content;
  }

  test("a query sees everything that was appended before it, and what was flushed is there for the next", async (t) => {
    const address = await server.newDatabase();
    const { history, faults } = await opened(t, address);
    for (let seq = 1; seq <= 5; seq++) {
      history.append(group(seq), seq);
      const { rows } = await history.userDeals(asked);
      assert.deepEqual(
        rows.map((deal) => deal.dealId),
        [seq, seq - 1, seq - 2].filter((id) => id > 0),
      );
    }
    // Commands that left no event count too.
    history.append(new Uint8Array(0), 9);
    assert.equal(await history.flushed(), 9);
    assert.equal(history.backlogBytes, 0);
    // Also where nobody asks: another venue may wait for it.
    history.reach(11);
    await until("the position", () => history.committedSeq === 11);
    await assert.rejects(history.endedOrders({ userId: 1, marketId: 0, orderIds: [0.5] }), /BigInt/);
    assert.equal((await history.userDeals(asked)).rows.length, 3);
    await history.close();
    assert.deepEqual(faults, []);
    const again = await opened(t, address, { logSeq: 11 });
    assert.equal(again.history.appliedSeq, 11);
  });

  test("one of two writes, the other answers what it was told of, too, and takes over when the first is gone", async (t) => {
    const address = await server.newDatabase();
    const first = await opened(t, address);
    const second = await opened(t, address);
    await until("the second to wait", () => second.history.status === "waiting");
    for (let seq = 1; seq <= 50; seq++) {
      for (const { history } of [first, second]) history.append(group(seq), seq);
      if (seq % 10 === 0) {
        const [one, other] = [
          await answered(() => first.history.userDeals(asked)),
          await answered(() => second.history.userDeals(asked)),
        ];
        assert.deepEqual(other, one);
        assert.equal(one.rows[0]?.dealId, seq);
      }
    }
    // Its session is cut as by a machine that dies; what it does not write the second has.
    first.history.append(group(51), 51);
    await first.history.close();
    for (let seq = 51; seq <= 60; seq++) second.history.append(group(seq), seq);
    assert.equal((await answered(() => second.history.userDeals(asked))).rows[0]?.dealId, 60);
    assert.equal(await second.history.flushed(), 60);
    assert.equal(second.history.status, "writing");
    assert.deepEqual(await contentAt(address), await contentOfGroups(60));
  });

  test("a writer that sleeps, and keeps its connections, is followed by who waits", async (t) => {
    const address = await server.newDatabase();
    const lost = Promise.withResolvers<void>();
    const asleep = await WriterSession.open(address, () => lost.resolve());
    t.after(() => asleep.end());
    assert.equal(await asleep.tryLock(), true);
    const { history, faults } = await opened(t, address);
    await until("the other to wait", () => history.status === "waiting");
    for (let seq = 1; seq <= 3; seq++) history.append(group(seq), seq);
    assert.equal((await answered(() => history.userDeals(asked))).rows.length, 3);
    assert.equal(history.status, "writing");
    await lost.promise;
    assert.throws(() => asleep.assertHeld(), /the connection was lost/);
    assert.deepEqual(faults, []);
  });

  test("a writer that has lost its lock to another writes nothing that the other has written", async (t) => {
    const address = await server.newDatabase();
    const histories = [await opened(t, address), await opened(t, address)];
    for (let round = 0; round < 6; round++) {
      for (let seq = round * 20 + 1; seq <= round * 20 + 20; seq++) {
        for (const { history } of histories) history.append(group(seq), seq);
      }
      // The right to write goes to the one who is first; the connections that write are left as they are.
      await server.query(
        "postgres",
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bourse history lock'",
      );
    }
    const reached = await Promise.all(histories.map(({ history }) => history.flushed()));
    assert.deepEqual(reached, [120, 120]);
    assert.deepEqual(
      histories.map(({ faults }) => faults),
      [[], []],
    );
    assert.deepEqual(await contentAt(address), await contentOfGroups(120));
  });

  test("what exceeds the memory while the database is away is read again from the log", async (t) => {
    const address = await server.newDatabase();
    const told: number[] = [];
    /** The log: groups with deals, and those that fill the memory. */
    const sendBackfill = (afterSeq: number, port: MessagePort) => {
      told.push(afterSeq);
      const teller = new BackfillSender(port);
      void (async () => {
        for (let seq = afterSeq + 1; seq <= 5; seq++) teller.tell(group(seq), seq);
        for (const [events, seq] of bulk(6)) {
          await teller.room();
          if (teller.isClosed) return;
          teller.tell(events, seq);
        }
        teller.end();
      })();
    };
    const { history, statuses, faults } = await opened(t, address, { sendBackfill });
    for (let seq = 1; seq <= 3; seq++) history.append(group(seq), seq);
    await history.flushed();
    await server.kill();
    for (let seq = 4; seq <= 5; seq++) history.append(group(seq), seq);
    await until("the absence", () => history.status === "away");
    for (const [events, seq] of bulk(6)) {
      history.append(events, seq);
      await history.room();
    }
    await assert.rejects(history.userDeals(asked), { name: "HistoryFault", code: "DATABASE_AWAY" });
    await server.run();
    await until("the catching up", () => statuses.includes("catching_up"));
    assert.equal(await history.flushed(), 65);
    assert.deepEqual(told, [3]);
    assert.deepEqual(
      (await history.userDeals(asked)).rows.map(({ dealId }) => dealId),
      [5, 4, 3],
    );
    assert.deepEqual(faults, []);
    assert.equal((await contentAt(address))["deals"]?.length, 5);
  });

  test("a history that is no view of this log is dropped or refused, by whose it is", async (t) => {
    const address = await server.newDatabase();
    const { history } = await opened(t, address);
    history.append(group(1), 7);
    await history.flushed();
    await history.close();
    const open = (options: Partial<DatabaseOptions & HistoryOptions>) => opened(t, address, options);
    await assert.rejects(open({ venueId: "venue-2" }), { code: "HISTORY_SETTING", message: /another venue, venue-1/ });
    await assert.rejects(open({ logSeq: 6, refusesLostTail: true }), {
      code: "HISTORY_AHEAD",
      message: /goes to seq 7, but/,
    });
    await assert.rejects(opened(t, server.address("elsewhere")), {
      code: "HISTORY_SETTING",
      message: /does not exist/,
    });
    await assert.rejects(opened(t, server.address("postgres", { user: "x" })), {
      code: "HISTORY_SETTING",
      message: /refuses/,
    });
    // Of a log that was cut back, or has lost its end where that is allowed, it is made anew.
    for (const options of [{ logSeq: 6 }, { venueId: "venue-1.2", logSeq: 6 }]) {
      const anew = await open(options);
      assert.equal(anew.history.appliedSeq, 0);
      anew.history.append(group(1), 7);
      await anew.history.flushed();
      await anew.history.close();
      assert.equal((await contentAt(address))["deals"]?.length, 1);
    }
  });
});
