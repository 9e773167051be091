/**
 * The servers beside a venue stand still, and keep their connections: the database of its history, and the one that
 * quotas are shared on. The venue goes on, says so, and is whole again when they move.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { NO_POSTGRESQL, PostgresServer } from "../support/postgresql.ts";
import { QuotaServerProcess, withoutQuotaServer } from "../support/quota-server.ts";
import { runningLimit } from "../support/running-time.ts";
import { VenueProcess } from "../support/venue-process.ts";

const WAITED_MAX_MS = 600_000;
/** A stall that passes by itself. */
const SHORT_MS = 30_000;
const ORDER = { market: "BTCUSDT", market_type: "SPOT", type: "limit", amount: "0.01", price: "20000" };
const SKIP = NO_POSTGRESQL || withoutQuotaServer();

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const limit = runningLimit(WAITED_MAX_MS);
  while (!(await isSo())) {
    if (limit.signal.aborted) assert.fail(`${what} did not come`);
    await pause(200);
  }
  limit.end();
}

test("a venue goes on while the servers of its history and its quotas stand still, says so, and catches up", {
  skip: SKIP,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-stalled-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const database = await PostgresServer.start();
  t.after(async () => {
    database.signal("SIGCONT");
    await database.remove();
  });
  const quotas = await QuotaServerProcess.start();
  t.after(async () => {
    quotas.signal("SIGCONT");
    await quotas.close();
  });
  const servers = ["--history", await database.newDatabase(), "--quotas", quotas.url];
  const venue = await VenueProcess.start(join(folder, "venue"), "--makers", "off", ...servers);
  t.after(() => venue.end("SIGKILL"));
  const [ann, bob] = [await venue.trader("ann", { USDT: "1000000" }), await venue.trader("seller", { BTC: "100" })];
  const [buyer, seller] = [ann, bob].map(({ key }) => venue.client(key));
  let filled = 0;
  const trade = async () => {
    await buyer?.act("/v2/spot/order", { ...ORDER, side: "buy" });
    await seller?.act("/v2/spot/order", { ...ORDER, side: "sell" });
    filled++;
  };
  const figure = async (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await venue.metrics())?.[1]);
  const alerts = async () => {
    const { alerts: firing } = await venue.admin("/admin/alerts?firing=true");
    return (firing as { name: string }[]).map(({ name }) => name);
  };
  const finished = () => buyer?.get("/v2/spot/finished-order", { market_type: "SPOT", limit: 1_000 });
  const caughtUp = async () => {
    const answer = await finished();
    return answer?.code === 0 && answer.data.length === filled;
  };
  await until("the sharing of quotas", async () => (await figure("bourse_quotas_shared")) === 1);
  await trade();
  await until("history", caughtUp);

  const still = (signal: NodeJS.Signals) => {
    database.signal(signal);
    quotas.signal(signal);
  };
  still("SIGSTOP");
  const limit = runningLimit(SHORT_MS);
  while (!limit.signal.aborted) {
    await trade();
    await pause(500);
  }
  assert.equal((await fetch(`${venue.url}/readyz`)).status, 200);
  still("SIGCONT");
  await until("history behind a short stall", caughtUp);
  await until("the sharing of quotas again", async () => (await figure("bourse_quotas_shared")) === 1);

  still("SIGSTOP");
  await until("an alert", async () => {
    await trade();
    return (await alerts()).includes("BourseQuotasApart");
  });
  await until(
    "that history stands away",
    async () => (await venue.admin("/admin/status")).storage.history !== "writing",
  );
  // Anyone who asks for what has ended is told so.
  assert.notEqual((await finished())?.code, 0);
  await trade();
  still("SIGCONT");
  await until("history behind a long stall", caughtUp);
  await until("the end of the alert", async () => !(await alerts()).includes("BourseQuotasApart"));
  assert.doesNotMatch(venue.complaints(), /failed unexpectedly/);
  assert.equal(await venue.end("SIGTERM"), 0);
});
