/**
 * What `import { startVenue } from "bourse"` gives: venues within a program and beside it, several at once, none of
 * which leaves anything.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { Admin } from "../../src/lab/library/admin.ts";
import {
  AdminRefused,
  type StartedVenue,
  type StartOptions,
  startVenue,
  testWorld,
  VenueStopped,
} from "../../src/lab/library/index.ts";
import { ApiClient } from "../support/api-client.ts";

const FIXED = { startTime: "2026-01-01T00:00:00Z", frozen: true, limits: false } as const;

/** Trades a little and gives the hash of what the venue has become. */
async function traded({ url, wsUrl, accounts, admin }: StartedVenue): Promise<string> {
  const [alice, bob] = accounts;
  assert.ok(alice !== undefined && bob !== undefined);
  assert.deepEqual([alice.name, alice.userId, bob.name, bob.userId], ["alice", 1, "bob", 2]);
  assert.equal(alice.accessId, "76C101C1D5579A41CA9066B9CCB187B5");
  const socket = new WebSocket(`${wsUrl}/v2/spot`);
  await once(socket, "open");
  socket.terminate();
  const carol = await admin.createAccount("carol", { USDT: "1000" });
  const client = new ApiClient(url, Date.now, { accessId: carol.accessId, secret: carol.secretKey });
  const order = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "20000" };
  await client.act("/v2/spot/order", order);
  const { time_ms } = await admin.advance(60_000);
  assert.equal(time_ms, Date.parse(FIXED.startTime) + 60_000);
  assert.equal((await admin.get<{ orders: unknown[] }>("/admin/orders", { user_id: carol.userId })).orders.length, 1);
  return (await admin.status()).state_hash;
}

test("within this process and in one of its own the same steps make the same world", async () => {
  const [here, apart] = await Promise.all([startVenue(FIXED), startVenue({ ...FIXED, child: true })]);
  const [first, second] = await Promise.all([traded(here), traded(apart)]);
  assert.equal(first, second);
  await Promise.all([here.stop(), apart.stop(), here.stop()]);
  for (const { url, adminUrl } of [here, apart]) {
    for (const gone of [url, adminUrl]) await assert.rejects(fetch(gone));
  }
});

test("several run side by side, know nothing of each other and leave no handle and no file", async () => {
  const temporary = mkdtempSync(join(tmpdir(), "library-"));
  process.env["TMPDIR"] = temporary;
  // What a venue holds: listeners, threads, timers. Connections of fetch itself are kept for a while.
  const held = () => process.getActiveResourcesInfo().filter((name) => /Server|Worker|MessagePort|Timeout/.test(name));
  const before = held().length;
  const exits = process.listenerCount("exit");
  const venues = await Promise.all([1, 2, 3].map((seed) => startVenue({ seed, makers: false })));
  assert.equal(new Set(venues.flatMap(({ url, adminUrl }) => [url, adminUrl])).size, 6);
  assert.equal(new Set(venues.map(({ accounts }) => accounts[0]?.accessId)).size, 3);
  await venues[0]?.admin.createAccount("only here");
  assert.equal(
    (await venues[1]?.admin.get<{ users: object[] }>("/admin/users", { name: "only here" }))?.users.length,
    0,
  );
  await Promise.all(venues.map((venue) => venue.stop()));
  assert.ok(process.listenerCount("exit") <= exits + 1, "one listener for all venues in memory, however many");
  assert.deepEqual(readdirSync(temporary), [], "the folders of their tokens are gone");
  delete process.env["TMPDIR"];
  rmSync(temporary, { recursive: true });
  assert.ok(held().length <= before, held().join());
});

test("a folder keeps a venue from one start to the next", async (t) => {
  const data = join(mkdtempSync(join(tmpdir(), "library-")), "venue");
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const first = await startVenue({ data, makers: false, accounts: "random" });
  await first.admin.createAccount("carol");
  await first.stop();
  assert.ok(existsSync(data));
  const second = await startVenue({ data, makers: false, accounts: "random", child: true });
  assert.deepEqual(second.accounts, first.accounts);
  const refused = await second.admin.createAccount("carol").catch((error: unknown) => error);
  assert.ok(refused instanceof AdminRefused && refused.code > 0, String(refused));
  await second.stop();
});

test("what is wrong is said in a sentence, and nothing is left running", async () => {
  for (const child of [false, true]) {
    await assert.rejects(startVenue({ child, settings: { nonsense: 1 } }), /The setting "nonsense" does not exist\.$/);
    await assert.rejects(
      startVenue({ child, settings: { "ip-rte": 1 } }),
      /The setting "ip-rte" does not exist. Did you mean "ip-rate"\?/,
    );
    await assert.rejects(startVenue({ child, port: -1 }), /The setting port must be a whole number/);
    await assert.rejects(startVenue({ child, adminPort: 70_000 }), /The setting adminPort must be a whole number/);
    await assert.rejects(
      startVenue({ child, frozen: "yes" as unknown as boolean }),
      /The setting frozen must be on or off, not "yes"/,
    );
  }
  const venue = await startVenue({ makers: false });
  await assert.rejects(startVenue({ port: Number(new URL(venue.url).port) }), /EADDRINUSE|in use/);
  await venue.stop();
});

test("an option that does not exist is refused, with the one that was probably meant", async () => {
  const start = (options: object) => startVenue(options as StartOptions);
  await assert.rejects(start({ frozn: true }), /startVenue has no option frozn. Did you mean frozen\?/);
  await assert.rejects(start({ "admin-port": 0 }), /no option admin-port. Did you mean adminPort\?/);
  await assert.rejects(start({ "ip-rate": 5 }), /no option ip-rate\..*settings: \{ "ip-rate": 1000 \}/);
  await assert.rejects(start({ child: "yes" }), /The option child of startVenue must be true or false\./);
  await assert.rejects(start({ onFault: 1 }), /The option onFault of startVenue must be a function\./);
  await assert.rejects(start({ settings: [] }), /The option settings of startVenue must be an object/);
  await assert.rejects(
    start({ port: 0, settings: { port: 1 } }),
    /The option port and the setting "port" say the same/,
  );
  await assert.rejects(startVenue("x" as unknown as StartOptions), /must be an object/);
  assert.throws(() => testWorld({ frozn: true } as StartOptions), /Did you mean frozen\?/);
});

test("after stop every call says that the venue has been stopped, and an answer that does not come says why", async () => {
  const venue = await startVenue({ makers: false });
  const client = venue.client("alice");
  const snapshot = await venue.snapshot();
  const underWay = venue.admin.get("/admin/audit").then(
    () => "answered",
    (error: unknown) => error,
  );
  await venue.stop();
  const first = await underWay;
  assert.ok(first === "answered" || first instanceof VenueStopped, String(first));
  const calls: Record<string, () => unknown> = {
    status: () => venue.admin.status(),
    advance: () => venue.advance(1),
    setIndex: () => venue.setIndex("BTCUSDT", "1"),
    fault: () => venue.fault({ fault: "busy" }),
    clearFaults: () => venue.clearFaults(),
    explain: () => venue.explain("order", 1),
    scenario: () => venue.scenario("flash-crash"),
    snapshot: () => venue.snapshot(),
    revert: () => venue.revert(snapshot),
    client: () => venue.client("alice"),
    createAccount: () => venue.admin.createAccount("x"),
    metrics: () => venue.admin.metrics(),
  };
  for (const [name, call] of Object.entries(calls)) {
    await assert.rejects(
      async () => await call(),
      { name: "VenueStopped", message: /has been stopped: .* came after stop\(\)/ },
      name,
    );
  }
  const answer = await client.get("/assets/spot/balance");
  assert.ok(!answer.ok);
  assert.match(answer.message, /^The venue has been stopped: this call came after stop\(\)\.$/);
  await assert.rejects(
    new Admin(venue.adminUrl, "").status(),
    /The venue at \S+ did not answer GET \/admin\/status: .*ECONNREFUSED/,
  );
});

test("what a test does with a venue has a name: clients, index, faults, reasons, scenarios, snapshots and time", async (t) => {
  const venue = await startVenue({ ...FIXED, makers: false });
  t.after(() => venue.stop());
  const [alice, bob] = [venue.client("alice"), venue.client("bob")];
  assert.equal(venue.client("alice"), alice);
  assert.throws(() => venue.client("carol"), /There is no sample account carol; there are alice, bob\./);
  const carol = await venue.admin.createAccount("carol", { USDT: "1000" });
  const balance = await venue.client(carol).get("/assets/spot/balance");
  assert.ok(balance.ok && balance.data[0]?.available === "1000", JSON.stringify(balance));

  const snapshot = await venue.snapshot("empty books");
  assert.deepEqual(await venue.setIndex("BTCUSDT", 61_000), { market: "BTCUSDT", price: "61000.00" });
  assert.deepEqual(await venue.setIndex("BTCUSDT", "61001.5", "FUTURES"), { market: "BTCUSDT", price: "61001.50" });
  const limit = { market: "BTCUSDT", market_type: "SPOT", type: "limit", amount: "0.1", price: "60000" } as const;
  const placed = await bob.post("/spot/order", { ...limit, side: "sell" });
  assert.ok(placed.ok);
  const order = await venue.explain("order", placed.data.order_id);
  assert.equal(order["order_id"], placed.data.order_id);

  await venue.fault({ fault: "busy", match: "/spot/order", count: 1 });
  const refused = await venue.client(carol).post("/spot/order", { ...limit, side: "buy", amount: "1" });
  assert.ok(!refused.ok && refused.requestId !== undefined);
  assert.match(String((await venue.explain("request", refused.requestId))["because"]), /busy|enough/);
  await venue.fault({ fault: "unavailable" });
  await venue.clearFaults();
  assert.ok((await alice.post("/spot/order", { ...limit, side: "buy" })).ok);

  const { time_ms } = await venue.advance(60_000);
  assert.equal(time_ms, Date.parse(FIXED.startTime) + 60_000);
  await assert.rejects(venue.scenario("flash-carsh"), /there is no scenario flash-carsh/);
  const played = await venue.scenario("flash-crash", { paceMs: 0 });
  assert.equal(played.ok, false);
  assert.match(played.missed[0] ?? "", /position BTCUSDT/);
  const file = fileURLToPath(new URL("../../scenarios/maintenance.json", import.meta.url));
  assert.equal((await venue.scenario(file, { paceMs: 0 })).checks.length > 0, true);

  assert.equal((await venue.revert(snapshot)).state_hash, snapshot.state_hash);
  const depth = await alice.get("/spot/depth", { market: "BTCUSDT", limit: 5, interval: "0" });
  assert.ok(depth.ok && depth.data.depth.asks.length === 0);
});

test("each test of a world begins with the same one, and one that fails tells what it was refused", async (t) => {
  const printed = t.mock.method(console, "error", () => {});
  const world = testWorld({ ...FIXED, makers: false }, async (venue) => {
    await venue.admin.createAccount("carol", { USDT: "5" });
  });
  t.after(() => world.stop());
  const limit = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.1" } as const;
  const hashes: string[] = [];
  const trades = world.fresh(async (venue, price: string) => {
    hashes.push((await venue.admin.status()).state_hash);
    const placed = await venue.client("alice").post("/spot/order", { ...limit, price });
    assert.ok(placed.ok);
    await venue.admin.createAccount("dave");
  });
  assert.equal(trades.length, 0, "a runner that counts parameters waits for no callback");
  // Side by side, as some runners start them.
  await Promise.all([trades("20000"), trades("20001"), trades("20002")]);
  assert.equal(new Set(hashes).size, 1);
  assert.equal(printed.mock.callCount(), 0);

  const before = world.fresh(
    async (venue) => void (await venue.client("bob").post("/spot/order", { ...limit, price: "1" })),
  );
  await before();
  const fails = world.fresh(async (venue) => {
    await venue.client("alice").post("/spot/order", { ...limit, price: "999999", amount: "100" });
    assert.fail("as a test does");
  });
  await assert.rejects(fails(), /as a test does/);
  assert.equal(printed.mock.callCount(), 1);
  const text = String(printed.mock.calls[0]?.arguments[0]);
  assert.match(
    text,
    /^One request was refused during this test:\n {2}POST \/v2\/spot\/order by alice, \d+: .* \(rule [\d.]+.*request [0-9a-f]{16}\)$/,
  );
  await trades("20003");
  await world.stop();
  await assert.rejects(fails(), { name: "VenueStopped" });
});
