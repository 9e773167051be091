/** The bot, tried on a venue where nobody else trades, so that the market is what the test says. With Node's own runner. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Account, type StartedVenue, startVenue } from "bourse";
import { Client } from "bourse/client";
import { keepBid } from "./bot.ts";

let venue: StartedVenue;
let bot: Client;
let other: Client;
let snapshotId: number;

before(async () => {
  venue = await startVenue({ startTime: "2026-01-01T00:00:00Z", frozen: true, makers: false });
  [bot, other] = venue.accounts.map((key) => new Client({ url: venue.url, key })) as [Client, Client];
  snapshotId = (await venue.admin.snapshot()).snapshot_id;
});
// Each test begins with the same world.
beforeEach(() => venue.admin.revert(snapshotId));
after(async () => {
  for (const client of [bot, other]) client.close();
  await venue.stop();
});

const order = { market: "BTCUSDT", market_type: "SPOT", type: "limit", amount: "0.1" } as const;

async function sell(price: string): Promise<void> {
  const placed = await other.post("/spot/order", { ...order, side: "sell", price });
  assert.ok(placed.ok, JSON.stringify(placed));
}

async function bids(): Promise<string[]> {
  const open = await bot.get("/spot/pending-order", { market: "BTCUSDT", market_type: "SPOT" });
  assert.ok(open.ok);
  return open.data.map(({ price }) => price);
}

test("without an ask there is nothing to go by", async () => {
  await keepBid(bot, "0.01");
  assert.deepEqual(await bids(), []);
});

test("the bid lies a percent below the best ask, and stays where the market stays", async () => {
  await sell("60000");
  await keepBid(bot, "0.01");
  await keepBid(bot, "0.01");
  assert.deepEqual(await bids(), ["59400"]);
});

test("it follows the market, and there is never more than one", async () => {
  for (const price of ["60000", "59700", "59500"]) {
    await sell(price);
    await keepBid(bot, "0.01");
  }
  assert.deepEqual(await bids(), ["58905"]);
});

test("what was filled is bought, and the next bid takes its place", async () => {
  await sell("60000");
  await keepBid(bot, "0.01");
  const sold = await other.post("/spot/order", { ...order, side: "sell", amount: "0.01", price: "59400" });
  assert.ok(sold.ok);
  await keepBid(bot, "0.01");
  assert.deepEqual(await bids(), ["59400"]);
  const deals = await bot.get("/spot/user-deals", { market: "BTCUSDT", market_type: "SPOT" });
  assert.ok(deals.ok && deals.data.length === 1);
});

test("the accounts are the same on every machine", () => {
  const alice: Account | undefined = venue.accounts[0];
  assert.equal(alice?.accessId, "76C101C1D5579A41CA9066B9CCB187B5");
});
