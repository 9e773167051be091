/** Starting, stopping and coming back, as an operator meets it: a process with a data directory. */
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { holdUp } from "../support/held-up.ts";
import { VenueProcess } from "../support/venue-process.ts";

const dir = mkdtempSync(join(tmpdir(), "bourse-life-"));
after(() => rmSync(dir, { recursive: true, force: true }));

const FUNDS = { BTC: "10", USDT: "1000000" };
const ORDER = { market: "BTCUSDT", market_type: "SPOT", type: "limit", amount: "0.5" };

/**
 * A venue with one resting order, one order filled for half, some deals, a stop order that waits and one that fired.
 */
async function traded(data: string, ...options: string[]) {
  const venue = await VenueProcess.start(data, "--makers", "off", ...options);
  const [ann, ben] = [await venue.trader("ann", FUNDS), await venue.trader("ben", FUNDS)];
  const [buyer, seller] = [venue.client(ann.key), venue.client(ben.key)];
  const resting = await buyer.act("/v2/spot/order", { ...ORDER, side: "buy", price: "59000" });
  const half = await buyer.act("/v2/spot/order", { ...ORDER, side: "buy", price: "60000", client_id: "half" });
  await seller.act("/v2/spot/order", { ...ORDER, side: "sell", price: "60000", amount: "0.25" });
  const stop = { ...ORDER, side: "buy", price: "58000" };
  const { stop_id } = await buyer.act("/v2/spot/stop-order", { ...stop, trigger_price: "58500", client_id: "stop" });
  await buyer.act("/v2/spot/stop-order", { ...stop, trigger_price: "60000" });
  return { venue, ann, ben, resting, half, stop_id };
}

/**
 * What a client sees of its account, as far as time alone does not change it. When a book last changed is not known
 * after a restart: it is answered with the time of the last command, which may be a tick that came after the change
 * (domain 8).
 */
async function sightOf(venue: VenueProcess, key: { accessId: string; secret: string }) {
  const client = venue.client(key);
  const query = { market: "BTCUSDT", market_type: "SPOT" };
  const { depth, ...of } = await client.read("/v2/spot/depth", { market: "BTCUSDT", limit: 5, interval: "0" });
  const candles = await client.read("/v2/spot/kline", { market: "BTCUSDT", period: "1day" });
  return {
    pending: await client.read("/v2/spot/pending-order", query),
    finished: await client.read("/v2/spot/finished-order", query),
    waiting: await client.read("/v2/spot/pending-stop-order", query),
    fired: await client.read("/v2/spot/finished-stop-order", query),
    deals: await client.read("/v2/spot/user-deals", query),
    balance: await client.read("/v2/assets/spot/balance"),
    ticker: await client.read("/v2/spot/ticker", { market: "BTCUSDT" }),
    depth: { ...of, depth: { ...depth, updated_at: undefined } },
    // Midnight may have added an empty one.
    candles: candles.filter(({ volume }: { volume: string }) => Number(volume) > 0),
  };
}

test("SIGTERM ends a venue with 0, and the next start shows the same state and replays nothing", async () => {
  const data = join(dir, "drained");
  // Where time moves only when it is told to, no tick comes between a look at the state and the end.
  const frozen = ["--clock", "virtual", "--frozen", "on"];
  const { venue, ann, ben } = await traded(data, ...frozen);
  const before = [await sightOf(venue, ann.key), await sightOf(venue, ben.key)];
  // Time passes, which leaves a command in the log and no event in history.
  await venue.admin("/admin/clock", { advance_ms: 1_200 });
  const { state_hash } = await venue.admin("/admin/status");
  assert.equal(await venue.end("SIGTERM"), 0);

  const again = await VenueProcess.start(data, "--makers", "off", ...frozen);
  assert.equal((await again.admin("/admin/status")).state_hash, state_hash);
  assert.deepEqual([await sightOf(again, ann.key), await sightOf(again, ben.key)], before);
  assert.match(again.complaints(), /"replayed":0/);
  assert.equal(await again.end("SIGTERM"), 0);
});

test("a signal that comes twice, as Ctrl-C does under npm, still lets the venue finish", async () => {
  const venue = await VenueProcess.start(join(dir, "twice"), "--makers", "off");
  const ended = [venue.end("SIGINT"), venue.end("SIGINT")];
  assert.deepEqual(await Promise.all(ended), [0, 0]);
  assert.match(venue.complaints(), /"msg":"stopped"/);
});

/** A venue whose drain is held up for as long as that is allowed. */
async function heldUp(data: string): Promise<VenueProcess> {
  const venue = await VenueProcess.start(data, "--makers", "off");
  await holdUp(venue);
  return venue;
}

/** Waits until a venue has heard that it is to stop. */
async function stopping(venue: VenueProcess): Promise<void> {
  while (!venue.complaints().includes('"msg":"stopping"')) await pause(10);
}

test("a second SIGTERM is no wish to hurry, pressing Ctrl-C again is one", async () => {
  const patient = await heldUp(join(dir, "patient"));
  const ended = patient.end("SIGTERM");
  await stopping(patient);
  assert.equal(await patient.end("SIGTERM"), 0);
  assert.equal(await ended, 0);
  assert.match(patient.complaints(), /"msg":"stopped"/);

  const hasty = await heldUp(join(dir, "hasty"));
  const stopped = hasty.end("SIGINT");
  await stopping(hasty);
  // Time itself: within a second it would count as the same keypress.
  await pause(1_100);
  assert.equal(await hasty.end("SIGINT"), 1);
  assert.equal(await stopped, 1);
});

test("a stop under load loses nothing that was answered, and the next start replays nothing", async () => {
  const data = join(dir, "loaded");
  const venue = await VenueProcess.start(data, "--makers", "off", "--limits", "off");
  const ann = await venue.trader("ann", FUNDS);
  let answered = 0;
  let stopping = false;
  const place = async (): Promise<void> => {
    const client = venue.client(ann.key);
    while (!stopping) {
      const answer = await client.post("/v2/spot/order", { ...ORDER, side: "buy", price: "100", amount: "0.001" });
      if (answer.code !== 0) return;
      answered++;
    }
  };
  const loops = Array.from({ length: 16 }, () => place().catch(() => {}));
  while (answered < 200) await pause(20);
  assert.equal(await venue.end("SIGTERM"), 0);
  stopping = true;
  await Promise.all(loops);

  const again = await VenueProcess.start(data, "--makers", "off");
  assert.match(again.complaints(), /"replayed":0/);
  const { open_orders } = await again.admin(`/admin/users/${ann.userId}`);
  // What was under way when the connection was cut may have been taken, too.
  assert.ok(open_orders >= answered && open_orders <= answered + loops.length, `${open_orders} of ${answered}`);
  assert.equal(await again.end("SIGTERM"), 0);
});

test("a killed venue comes back with everything it answered, and a lost history is written anew from the log", async () => {
  const data = join(dir, "killed");
  const { venue, ann, ben, stop_id } = await traded(data);
  const before = [await sightOf(venue, ann.key), await sightOf(venue, ben.key)];
  await venue.end("SIGKILL");
  for (const file of readdirSync(data)) if (file.startsWith("history.sqlite")) rmSync(join(data, file));

  const again = await VenueProcess.start(data, "--makers", "off");
  assert.deepEqual([await sightOf(again, ann.key), await sightOf(again, ben.key)], before);
  const audit = await again.admin("/admin/audit");
  assert.deepEqual([audit.ok, audit.breaches], [true, []]);
  // What waited before goes on waiting and fires at its price.
  await again.client(ben.key).act("/v2/spot/order", { ...ORDER, side: "sell", price: "58000", amount: "0.8" });
  const { fired, waiting } = await sightOf(again, ann.key);
  assert.deepEqual(waiting, []);
  const firedIds = fired.map((row: { stop_id: number }) => row.stop_id);
  assert.deepEqual(firedIds, [stop_id + 1, stop_id]);
  await again.end("SIGTERM");
});

test("after a kill the audit trail says what came of every action, also of those that it had not noted itself", async () => {
  const data = join(dir, "trail");
  const venue = await VenueProcess.start(data, "--makers", "off");
  const actionsOf = async (of: VenueProcess) => (await of.admin("/admin/audit-trail?actor=root")).audit_trail;
  await venue.admin("/admin/users", { name: "zoe", reference: "zoe" });
  await venue.admin("/admin/users", { name: "zoe", reference: "zoe" });
  const deposit = { user_id: "zoe", ccy: "USDT", amount: "10", note: "" };
  await venue.admin("/admin/deposits", deposit);
  await assert.rejects(venue.admin("/admin/deposits", { ...deposit, user_id: 999 }));
  const before = await actionsOf(venue);
  const outcomes = before.map(({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`);
  const expected = ["deposit user_not_found", "deposit accepted", "create_user repeated", "create_user accepted"];
  assert.deepEqual(outcomes, expected);
  await venue.end("SIGKILL");
  // What a machine leaves behind whose power failed: the log is on the disk, of the trail only what was before.
  const trail = new DatabaseSync(join(data, "audit-trail.sqlite"));
  trail.prepare("DELETE FROM deed WHERE seq > ?").run(before.at(-1).seq);
  trail.prepare("UPDATE deed SET outcome = NULL, result = NULL").run();
  trail.close();

  const again = await VenueProcess.start(data, "--makers", "off");
  assert.deepEqual(await actionsOf(again), before);
  await again.end("SIGTERM");
});

test("a data directory serves one venue at a time", async () => {
  const data = join(dir, "taken");
  const venue = await VenueProcess.start(data, "--makers", "off");
  await assert.rejects(VenueProcess.start(data), /ended with 1: .*(lock|use)/s);
  assert.equal((await venue.client().get("/v2/ping")).code, 0);
  await venue.end("SIGTERM");
});

test("a damaged log refuses to start and names the place", async () => {
  const data = join(dir, "damaged");
  const { venue } = await traded(data);
  await venue.end("SIGTERM");
  const database = new DatabaseSync(join(data, "log.sqlite"), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  database.close();
  assert.ok(tables.length > 0);
  // A byte of a payload in the middle of the file: the deposit notes stand there in plain text.
  const path = join(data, "log.sqlite");
  const place = readFileSync(path).indexOf("starting funds of bob");
  assert.ok(place > 0 && place < statSync(path).size);
  const file = openSync(path, "r+");
  writeSync(file, "S", place);
  closeSync(file);
  await assert.rejects(VenueProcess.start(data), /ended with 3: .*log\.sqlite.*seq/s);
});

for (const fault of ["write", "sync"]) {
  test(`a failed ${fault} stops the venue with an error, and what was not acknowledged may be missing but nothing else`, async () => {
    const data = join(dir, `failed-${fault}`);
    const { venue, ann, ben } = await traded(data);
    const before = [await sightOf(venue, ann.key), await sightOf(venue, ben.key)];
    await venue.admin("/admin/faults", { fault });
    const order = venue.client(ann.key).post("/v2/spot/order", { ...ORDER, side: "buy", price: "58000" });
    await assert.rejects(order, "an order that is not stored is not acknowledged");
    assert.equal(await venue.exited, 1);
    assert.match(venue.complaints(), /bourse: The log failed/);

    const again = await VenueProcess.start(data, "--makers", "off");
    const after = [await sightOf(again, ann.key), await sightOf(again, ben.key)];
    // Whether the order is there is left open: nobody was told.
    const settled = (sights: typeof after) => sights.map(({ finished, deals, ticker }) => [finished, deals, ticker]);
    assert.deepEqual(settled(after), settled(before));
    assert.deepEqual(after[1]?.balance, before[1]?.balance);
    assert.ok((await again.admin("/admin/audit")).ok);
    await again.end("SIGTERM");
  });
}

test("private files are private", { skip: process.platform === "win32" }, async () => {
  const data = join(dir, "private");
  const venue = await VenueProcess.start(data, "--makers", "off");
  assert.equal(statSync(data).mode & 0o077, 0);
  for (const file of readdirSync(data)) assert.equal(statSync(join(data, file)).mode & 0o077, 0, file);
  await venue.end("SIGTERM");
});

test("a venue in memory keeps nothing and needs no directory", async () => {
  const venue = await VenueProcess.start(":memory:", "--makers", "off");
  const [market] = await venue.client().read("/v2/spot/market", { market: "BTCUSDT" });
  assert.equal(market.status, "online");
  assert.equal(await venue.end("SIGTERM"), 0);
});

test("on a virtual clock time passes when the operator says so, for stamps and for signatures alike", async () => {
  const data = join(dir, "virtual");
  const venue = await VenueProcess.start(data, "--makers", "off", "--clock", "virtual");
  await venue.admin("/admin/clock", { freeze: true });
  const { time_ms: before } = await venue.admin("/admin/status");
  const { timestamp } = await venue.client().read("/v2/time");
  assert.equal(timestamp, before);
  await venue.admin("/admin/clock", { advance_ms: 28_800_000 });
  assert.equal((await venue.client().read("/v2/time")).timestamp, before + 28_800_000);
  await venue.end("SIGTERM");
});
