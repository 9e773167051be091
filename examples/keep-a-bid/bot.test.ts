/**
 * The bot, tried on a venue where nobody else trades, so that the market is what the test says. With Node's own runner.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type StartedVenue, testWorld } from "bourse";
import type { Client } from "bourse/client";
import { keepBid } from "./bot.ts";

const world = testWorld({ startTime: "2026-01-01T00:00:00Z", frozen: true, makers: false });
after(() => world.stop());

const order = { market: "BTCUSDT", market_type: "SPOT", type: "limit", amount: "0.1" } as const;

/** Each test begins with the same world, in which alice is the bot and bob everybody else. */
function withBot(body: (bot: Client, other: Client, venue: StartedVenue) => Promise<void> | void): () => Promise<void> {
  return world.fresh((venue) => body(venue.client("alice"), venue.client("bob"), venue));
}

async function sell(other: Client, price: string): Promise<void> {
  const placed = await other.post("/spot/order", { ...order, side: "sell", price });
  assert.ok(placed.ok, JSON.stringify(placed));
}

async function bids(bot: Client): Promise<string[]> {
  const open = await bot.get("/spot/pending-order", { market: "BTCUSDT", market_type: "SPOT" });
  assert.ok(open.ok);
  return open.data.map(({ price }) => price);
}

test(
  "without an ask there is nothing to go by",
  withBot(async (bot) => {
    await keepBid(bot, "0.01");
    assert.deepEqual(await bids(bot), []);
  }),
);

test(
  "the bid lies a percent below the best ask, and stays where the market stays",
  withBot(async (bot, other) => {
    await sell(other, "60000");
    await keepBid(bot, "0.01");
    await keepBid(bot, "0.01");
    assert.deepEqual(await bids(bot), ["59400"]);
  }),
);

test(
  "it follows the market, and there is never more than one",
  withBot(async (bot, other) => {
    for (const price of ["60000", "59700", "59500"]) {
      await sell(other, price);
      await keepBid(bot, "0.01");
    }
    assert.deepEqual(await bids(bot), ["58905"]);
  }),
);

test(
  "what was filled is bought, and the next bid takes its place",
  withBot(async (bot, other) => {
    await sell(other, "60000");
    await keepBid(bot, "0.01");
    const sold = await other.post("/spot/order", { ...order, side: "sell", amount: "0.01", price: "59400" });
    assert.ok(sold.ok);
    await keepBid(bot, "0.01");
    assert.deepEqual(await bids(bot), ["59400"]);
    const deals = await bot.get("/spot/user-deals", { market: "BTCUSDT", market_type: "SPOT" });
    assert.ok(deals.ok && deals.data.length === 1);
  }),
);

test(
  "the accounts are the same on every machine",
  withBot((_bot, _other, venue) => {
    assert.equal(venue.accounts[0]?.accessId, "76C101C1D5579A41CA9066B9CCB187B5");
  }),
);
