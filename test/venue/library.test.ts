/** What `import { startVenue } from "bourse"` gives: venues within a program and beside it, several at once, none of which leaves anything. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { WebSocket } from "ws";
import { AdminRefused, type StartedVenue, startVenue } from "../../src/library/index.ts";
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
    await assert.rejects(startVenue({ child, settings: { nonsense: 1 } }), /The setting --nonsense does not exist\./);
    await assert.rejects(startVenue({ child, port: -1 }), /The setting --port must be a whole number/);
  }
  const venue = await startVenue({ makers: false });
  await assert.rejects(startVenue({ port: Number(new URL(venue.url).port) }), /EADDRINUSE|in use/);
  await venue.stop();
});
