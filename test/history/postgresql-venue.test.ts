/** A venue whose history is in PostgreSQL: what it holds is what its log comes to, no matter who dies meanwhile. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/history/postgresql/connection.ts";
import { replay } from "../../src/log/replay.ts";
import { EngineMachine } from "../../src/venue/machine.ts";
import type { ApiClient, ApiKeyPair } from "../support/api-client.ts";
import { contentOf, openView, takeInto } from "../support/history-view.ts";
import { NO_POSTGRESQL, PostgresServer } from "../support/postgresql.ts";
import { VenueProcess } from "../support/venue-process.ts";

const ORDER = { market: "BTCUSDT", market_type: "SPOT" };
const WAIT_MS = 60_000;

/** All rows that a database holds. */
async function contentAt(address: string) {
  const client = await connect({ address, name: "test" }, () => {});
  try {
    return await contentOf({ run: async (text) => (await client.query(text)).rows });
  } finally {
    await client.end();
  }
}

/** All rows that a log comes to, read from its first command on. */
async function contentOfLog(data: string) {
  const groups: Uint8Array<ArrayBuffer>[] = [];
  const machine = new EngineMachine((events) => groups.push(events.copy()));
  await replay(data, machine, { from: "start" });
  machine.flush();
  const view = await openView();
  await takeInto(view, ...groups);
  await view.writer.commit();
  const content = await contentOf(view);
  await view.close();
  return content;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const sinceMs = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - sinceMs < WAIT_MS, `${what} did not come`);
    await pause(50);
  }
}

const figure = (text: string, name: string) => Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
const isStanding = (text: string, status: string) =>
  figure(text, `bourse_history_standing{standing="${status}"}`) === 1;

/** A dev venue without makers, whose only trades are those of the two sample accounts. */
const OPTIONS = ["--makers", "off", "--limits", "off", "--snapshot-every", "1000"];

describe("a venue with its history in PostgreSQL", { skip: NO_POSTGRESQL, concurrency: false }, () => {
  let server: PostgresServer;
  const folder = mkdtempSync(join(tmpdir(), "bourse-pg-venue-"));
  before(async () => {
    server = await PostgresServer.start();
  });
  // One that a test has killed, and then failed.
  beforeEach(() => server.run());
  after(async () => {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(name: string, address: string, ...options: string[]): Promise<VenueProcess> {
    return await VenueProcess.start(join(folder, name), "--history", address, ...OPTIONS, ...options);
  }

  async function traders(venue: VenueProcess): Promise<readonly [ApiKeyPair, ApiKeyPair]> {
    const funds = { USDT: "10000000", BTC: "1000" };
    return [(await venue.trader("first", funds)).key, (await venue.trader("second", funds)).key];
  }

  /** A deal, by an order that rests and one that takes it. */
  async function trade([maker, taker]: readonly [ApiClient, ApiClient], price = "50000"): Promise<void> {
    const order = { ...ORDER, type: "limit", amount: "0.01", price };
    await maker.act("/v2/spot/order", { ...order, side: "sell" });
    await taker.act("/v2/spot/order", { ...order, side: "buy" });
  }

  const clientsOf = (venue: VenueProcess, keys: readonly [ApiKeyPair, ApiKeyPair]) =>
    [venue.client(keys[0]), venue.client(keys[1])] as const;

  test("a venue and its database that are killed under load lose nothing and double nothing", async () => {
    const address = await server.newDatabase();
    let venue = await start("killed", address);
    const keys = await traders(venue);
    let clients = clientsOf(venue, keys);
    for (let round = 0; round < 3; round++) {
      for (let deal = 0; deal < 20; deal++) await trade(clients, String(50_000 + deal));
      // In the middle of a batch: the newest deals are not in the database yet, or are under way.
      const last = Array.from({ length: 5 }, () => trade(clients).catch(() => {}));
      await Promise.race(last);
      await venue.end("SIGKILL");
      await Promise.all(last);
      venue = await start("killed", address);
      clients = clientsOf(venue, keys);
    }

    // The database dies: trading goes on, and who asks history is told.
    await trade(clients);
    await server.kill();
    for (let deal = 0; deal < 20; deal++) await trade(clients, String(51_000 + deal));
    const refused = await clients[0].get("/v2/spot/user-deals", ORDER);
    assert.ok([3008, 4001].includes(refused.code), JSON.stringify(refused));
    await until("the word of the absence", async () => isStanding(await venue.metrics(), "away"));
    const path = "/v2/spot/user-deals";
    await until("a refusal at once", async () => (await clients[0].get(path, ORDER)).code === 4001);
    await server.run();
    await until("the return", async () => isStanding(await venue.metrics(), "writing"));
    // A question sees what was answered before it.
    await trade(clients, "49000");
    const { data } = await clients[0].get(path, ORDER);
    assert.equal(data[0].price, "49000");

    // And the connections alone are cut, in the middle of writing.
    for (let cut = 0; cut < 3; cut++) {
      for (let deal = 0; deal < 10; deal++) await trade(clients, String(48_000 + deal));
      await server.query(
        "postgres",
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'bourse %'",
      );
    }
    await trade(clients, "47000");
    await until("the last deal", async () => (await clients[0].get(path, ORDER)).data?.[0]?.price === "47000");
    const { seq } = await venue.admin("/admin/status");
    // Commands that left nothing behind are told of with what comes next: a question.
    await until("the position", async () => {
      await clients[0].get(path, ORDER);
      return figure(await venue.metrics(), "bourse_history_seq") >= Number(seq);
    });
    assert.equal(await venue.end("SIGTERM"), 0);
    assert.deepEqual(await contentAt(address), await contentOfLog(venue.data));
    for (const secret of server.secrets) assert.ok(!venue.complaints().includes(secret), "the password is in the log");
  });

  test("a history that is taken away from a venue at work is read again from the log", async () => {
    const address = await server.newDatabase();
    const venue = await start("taken", address);
    const clients = clientsOf(venue, await traders(venue));
    for (let deal = 0; deal < 30; deal++) await trade(clients, String(50_000 + deal));
    const before = (await clients[0].get("/v2/spot/user-deals", { ...ORDER, limit: 100 })).data;
    assert.equal(before.length, 30);
    await server.query(address, "drop schema bourse cascade");
    await trade(clients, "49000");
    await until("all deals", async () => {
      const { code, data } = await clients[0].get("/v2/spot/user-deals", { ...ORDER, limit: 100 });
      return code === 0 && data.length === 31;
    });
    assert.match(venue.complaints(), /read again from the log/);
    assert.equal(await venue.end("SIGTERM"), 0);
    assert.deepEqual(await contentAt(address), await contentOfLog(venue.data));
    // The folder has no history of its own, and a start without the database makes one.
    const again = await VenueProcess.start(venue.data, ...OPTIONS);
    assert.equal(await again.end("SIGTERM"), 0);
  });

  test("a venue that stops while its database is away ends well, and the next start fills in what is missing", async () => {
    const address = await server.newDatabase();
    let venue = await start("stopped", address);
    const keys = await traders(venue);
    await trade(clientsOf(venue, keys));
    await server.stop();
    for (let deal = 0; deal < 5; deal++) await trade(clientsOf(venue, keys), String(51_000 + deal));
    assert.equal(await venue.end("SIGTERM"), 0);
    await server.run();
    venue = await start("stopped", address);
    assert.equal((await clientsOf(venue, keys)[0].get("/v2/spot/user-deals", ORDER)).data.length, 6);
    // What goes back in time goes back with its history, or not at all.
    await assert.rejects(venue.admin("/admin/snapshots", {}), /keeps its history in PostgreSQL/);
    await assert.rejects(venue.admin("/admin/reset", {}), /keeps its history in PostgreSQL/);
    assert.equal(await venue.end("SIGTERM"), 0);
    assert.deepEqual(await contentAt(address), await contentOfLog(venue.data));
  });

  test("a database that cannot be used ends the start with a sentence, and without the password", async () => {
    const address = await server.newDatabase();
    const of = (wrong: { user?: string; password?: string }) =>
      server.address(new URL(address).pathname.slice(1), wrong);
    const other = await start("other", address);
    assert.equal(await other.end("SIGTERM"), 0);
    const faults: [string, string, RegExp][] = [
      ["a wrong password", of({ password: "no-good-word" }), /ended with 2: [\s\S]*refuses the user or the password/],
      ["a wrong user", of({ user: "nobody" }), /ended with 2: [\s\S]*refuses the user or the password/],
      ["no such database", server.address("elsewhere"), /ended with 2: [\s\S]*does not exist \(elsewhere at/],
      ["another venue's", address, /ended with 2: [\s\S]*holds the history of another venue/],
      ["no address", "postgres://user:no-good-word@/", /ended with 2: [\s\S]*must be an address such as/],
    ];
    for (const [name, wrong, sentence] of faults) {
      await assert.rejects(start("refused", wrong), (error: Error) => {
        assert.match(error.message, sentence, name);
        for (const secret of [...server.secrets, "no-good-word"]) assert.ok(!error.message.includes(secret), name);
        return true;
      });
    }
    await server.query(address, "update bourse.parts set version = 99 where name = 'deals'");
    await assert.rejects(
      start("other", address),
      /ended with 3: [\s\S]*newer program: it has part "deals" in version 99, and/,
    );
    await assert.rejects(
      VenueProcess.start(":memory:", "--history", address),
      /ended with 2: [\s\S]*keeps nothing has no log/,
    );
  });
});
