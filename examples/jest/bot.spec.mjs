/** A venue under jest, in a process of its own: NODE_OPTIONS=--experimental-vm-modules npx jest (jest.config.json). */
import { afterAll, expect, test } from "@jest/globals";
import { testWorld } from "bourse";

const world = testWorld({ startTime: "2026-01-01T00:00:00Z", frozen: true, makers: false, child: true });
afterAll(() => world.stop());

/** The first test waits for the venue. */
const START_MS = 30_000;
const market = { market: "BTCUSDT", market_type: "SPOT" };
const order = { ...market, type: "limit", amount: "0.1" };

/** The bot: one bid, a percent below the best ask. */
async function keepBid(client) {
  const { data } = await client.get("/spot/depth", { market: "BTCUSDT", limit: 5, interval: "0" });
  const price = (Number(data.depth.asks[0][0]) * 0.99).toFixed(2);
  await client.post("/spot/cancel-all-order", { ...market, side: "buy" });
  return client.post("/spot/order", { ...order, side: "buy", price });
}

test(
  "there is never more than one bid",
  world.fresh(async (venue) => {
    const [bot, other] = [venue.client("alice"), venue.client("bob")];
    for (const price of ["60000", "59700"]) {
      expect(await other.post("/spot/order", { ...order, side: "sell", price })).toMatchObject({ ok: true });
      expect(await keepBid(bot)).toMatchObject({ ok: true });
    }
    const open = await bot.get("/spot/pending-order", market);
    expect(open.data.map(({ price }) => price)).toEqual(["59103"]);
  }),
  START_MS,
);

test(
  "each test finds the same world",
  world.fresh(async (venue) => {
    const open = await venue.client("alice").get("/spot/pending-order", market);
    expect(open.data).toEqual([]);
  }),
);
