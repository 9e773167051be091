/** The same with vitest: `npx vitest run`. */
import { testWorld } from "bourse";
import { afterAll, expect, test } from "vitest";
import { keepBid } from "./bot.ts";

const world = testWorld({ startTime: "2026-01-01T00:00:00Z", frozen: true, makers: false });
afterAll(() => world.stop());

/** The first test waits for the venue. */
const START_MS = 20_000;

test(
  "it follows the market, and there is never more than one bid",
  world.fresh(async (venue) => {
    const [bot, other] = [venue.client("alice"), venue.client("bob")];
    for (const price of ["60000", "59700", "59500"]) {
      const ask = {
        market: "BTCUSDT",
        market_type: "SPOT",
        side: "sell",
        type: "limit",
        amount: "0.1",
        price,
      } as const;
      expect(await other.post("/spot/order", ask)).toMatchObject({ ok: true });
      await keepBid(bot, "0.01");
    }
    const open = await bot.get("/spot/pending-order", { market: "BTCUSDT", market_type: "SPOT" });
    expect(open.ok && open.data.map(({ price }) => price)).toEqual(["58905"]);
  }),
  START_MS,
);
