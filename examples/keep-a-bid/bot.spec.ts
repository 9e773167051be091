/** The same with vitest: `npx vitest run`. */
import { startVenue } from "bourse";
import { Client } from "bourse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepBid } from "./bot.ts";

let venue: Awaited<ReturnType<typeof startVenue>>;
let bot: Client;
let other: Client;

beforeAll(async () => {
  venue = await startVenue({ startTime: "2026-01-01T00:00:00Z", frozen: true, makers: false });
  [bot, other] = venue.accounts.map((key) => new Client({ url: venue.url, key })) as [Client, Client];
}, 20_000);

afterAll(async () => {
  for (const client of [bot, other]) client.close();
  await venue.stop();
});

test("it follows the market, and there is never more than one bid", async () => {
  for (const price of ["60000", "59700", "59500"]) {
    const ask = { market: "BTCUSDT", market_type: "SPOT", side: "sell", type: "limit", amount: "0.1", price } as const;
    expect(await other.post("/spot/order", ask)).toMatchObject({ ok: true });
    await keepBid(bot, "0.01");
  }
  const open = await bot.get("/spot/pending-order", { market: "BTCUSDT", market_type: "SPOT" });
  expect(open.ok && open.data.map(({ price }) => price)).toEqual(["58905"]);
});
