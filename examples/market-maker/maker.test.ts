/** The market maker between two others, whose orders the test places. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startVenue } from "bourse";
import { Client } from "bourse/client";
import { Maker } from "./maker.ts";

const PATIENCE_MS = 15_000;
const MARKET = { market: "BTCUSDT", market_type: "SPOT" } as const;

test("it quotes around the middle, follows it, fills its place again and leaves nothing behind", async (t) => {
  const venue = await startVenue({ makers: false, limits: false });
  t.after(() => venue.stop());
  const maker = await venue.admin.createAccount("maker", { USDT: "100000", BTC: "2" });
  const [own, other] = [maker, venue.accounts[0]].map((key) => new Client({ url: venue.url, ...(key && { key }) })) as [
    Client,
    Client,
  ];
  t.after(() => {
    for (const client of [own, other]) client.close();
  });

  const place = async (side: "buy" | "sell", price: string, amount = "1") => {
    const placed = await other.post("/spot/order", { ...MARKET, side, type: "limit", amount, price });
    assert.ok(placed.ok, JSON.stringify(placed));
    return placed.data.order_id;
  };
  /** Its prices, buy before sell, when they have become what is expected. */
  const quotes = async (expected: readonly string[]) => {
    const since = performance.now();
    for (;;) {
      const open = await own.get("/spot/pending-order", MARKET);
      assert.ok(open.ok);
      const prices = open.data.toSorted((one, next) => one.side.localeCompare(next.side)).map(({ price }) => price);
      if (prices.join() === expected.join()) return;
      if (performance.now() - since > PATIENCE_MS) assert.deepEqual(prices, expected);
      await pause(20);
    }
  };

  await place("buy", "59000");
  const farAsk = await place("sell", "61000");
  const bot = new Maker(own, { amount: "0.1", distance: 0.001 });
  await bot.start();
  await quotes(["59940", "60060"]);

  // The market comes down.
  await place("sell", "60600");
  await quotes(["59740.2", "59859.8"]);

  // Somebody sells to it: its bid is filled, and the next one takes its place.
  await place("sell", "59740.2", "0.1");
  await quotes(["59740.2", "59859.8"]);
  const deals = await own.get("/spot/user-deals", MARKET);
  assert.ok(deals.ok && deals.data.length === 1 && deals.data[0]?.role === "maker");

  // One side of the market goes: it stays where it was rather than guess.
  await other.post("/spot/cancel-all-order", { ...MARKET, side: "sell" });
  await quotes(["59740.2", "59859.8"]);
  assert.ok(farAsk > 0);

  await bot.stop();
  await quotes([]);
});
