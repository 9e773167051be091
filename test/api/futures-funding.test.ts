import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiUser, type ApiVenue, contract, futuresApiVenue } from "../support/served-venue.ts";

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "FUTURES" };
const ORDER = "/v2/futures/order";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ENTRY = "30400.00";
const INDEX = "30123.45";

/** The next collection of a market that collects every 8 hours, ms. */
const collectionAfter = (timeMs: number) => (Math.floor(timeMs / (8 * HOUR_MS)) + 1) * 8 * HOUR_MS;

/** The size of the insurance fund as the sockets tell it. */
async function fundOf(venue: ApiVenue): Promise<string> {
  const socket = await venue.socket(undefined, "/v2/futures");
  await socket.must("state.subscribe", { market_list: ["BTCUSDT"] });
  const { state_list } = await socket.push("state.update");
  return state_list[0].insurance_fund_size;
}

/** Has the two trade with each other at the entry price; the seller rests. */
async function trade(buyer: ApiUser, seller: ApiUser, amount: string): Promise<void> {
  await seller.client.act(ORDER, contract("sell", amount, ENTRY));
  await buyer.client.act(ORDER, contract("buy", amount, ENTRY));
}

/**
 * Puts orders around the index whose middle is 0.042345 % above it. The impact amount is 0.1 (1 % of the first level's
 * 10): bought as 0.085 at one price and 0.015 a tick above it costs 30148.9615 each.
 */
async function quoteAboveIndex({ client }: ApiUser): Promise<void> {
  await client.act(ORDER, contract("buy", "0.1", INDEX));
  await client.act(ORDER, contract("sell", "0.085", "30148.96"));
  await client.act(ORDER, contract("sell", "0.1", "30148.97"));
}

/** Lets the minutes go by up to a collection, with an index that does not move. */
async function goTo(venue: ApiVenue, timeMs: number): Promise<void> {
  const { control } = venue;
  while (control.timeMs < timeMs) {
    await venue.wait(MINUTE_MS - (control.timeMs % MINUTE_MS));
    await venue.index(INDEX);
  }
}

test("worked example E5: longs pay shorts to the digit, one of them only what its margin can spare", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const [crossLong, isolatedLong, greatShort, smallShort, quoter] = (await Promise.all(
    ["crossLong", "isolatedLong", "greatShort", "smallShort", "quoter"].map((name) =>
      venue.addTrader(name, { USDT: "20000" }),
    ),
  )) as [ApiUser, ApiUser, ApiUser, ApiUser, ApiUser];
  for (const trader of [crossLong, isolatedLong, greatShort, smallShort]) {
    const mode = trader === isolatedLong ? "isolated" : "cross";
    await trader.client.act("/v2/futures/adjust-position-leverage", {
      ...OF_BTCUSDT,
      margin_mode: mode,
      leverage: 100,
    });
  }
  await venue.index(ENTRY);
  await trade(crossLong, greatShort, "1.2");
  await trade(isolatedLong, greatShort, "0.3");
  await trade(isolatedLong, smallShort, "0.5001");
  await isolatedLong.client.act("/v2/futures/adjust-position-margin", { ...OF_BTCUSDT, amount: "112.09700291" });
  await venue.index(INDEX);
  await quoteAboveIndex(quoter);
  assert.equal(await fundOf(venue), "0.00000000");
  const cashOf = async ({ client }: ApiUser) => (await client.read("/v2/assets/futures/balance"))[0].cross_balance;
  const cashBefore = await cashOf(isolatedLong);

  // The interval under way has begun without samples, so it counts little; the next one has them all. Nothing is
  // settled in between.
  const settles = async (isOn: boolean) => {
    for (const { client } of [crossLong, isolatedLong, greatShort, smallShort]) {
      await client.act("/v2/account/futures-market-settings", { settle_switch: isOn ? 1 : 2 });
    }
  };
  await settles(false);
  await goTo(venue, collectionAfter(venue.control.timeMs));
  await settles(true);
  const collectsAt = collectionAfter(venue.control.timeMs);
  await goTo(venue, collectsAt - MINUTE_MS);
  const [announced] = await venue.anybody.read("/v2/futures/funding-rate", { market: "BTCUSDT" });
  assert.deepEqual(
    [announced.mark_price, announced.latest_funding_rate, announced.next_funding_time],
    [INDEX, "0.00012345", collectsAt],
  );
  const premiums = await venue.anybody.read("/v2/futures/premium-index-history", { market: "BTCUSDT", limit: 100 });
  const ages = premiums.map(({ created_at }: { created_at: number }) => (collectsAt - created_at) / MINUTE_MS);
  const everyTen = Array.from({ length: 48 }, (_, at) => 10 * (at + 1));
  assert.deepEqual(ages.slice(0, 48), everyTen, "a row for every ten minutes, the first sample in them");
  const longAgo = { market: "BTCUSDT", start_time: venue.control.timeMs - 24 * HOUR_MS - 1 };
  assert.equal((await venue.anybody.get("/v2/futures/premium-index-history", longAgo)).code, 3639);
  assert.deepEqual([...new Set(premiums.map((row: { premium_index: string }) => row.premium_index))], ["0.00042345"]);
  const [before] = await isolatedLong.client.read("/v2/futures/pending-position", OF_BTCUSDT);
  assert.deepEqual([before.margin_avbl, before.unrealized_pnl], ["355.32740291", "-221.26765500"]);
  const idOf = async ({ client }: ApiUser): Promise<number> =>
    (await client.read("/v2/futures/pending-position", OF_BTCUSDT))[0].position_id;
  const ids = new Map<ApiUser, number>();
  for (const trader of [crossLong, isolatedLong, greatShort, smallShort]) ids.set(trader, await idOf(trader));
  await goTo(venue, collectsAt);

  for (const [trader, side, mode, amount, value] of [
    [crossLong, "long", "cross", "1.200000", "-4.46248788"],
    [isolatedLong, "long", "isolated", "0.800100", "-1.50000000"],
    [greatShort, "short", "cross", "1.500000", "4.47164232"],
    [smallShort, "short", "cross", "0.500100", "1.49084555"],
  ] as const) {
    assert.deepEqual(await trader.client.read("/v2/futures/position-funding-history", OF_BTCUSDT), [
      {
        ...OF_BTCUSDT,
        ccy: "USDT",
        position_id: ids.get(trader),
        side,
        margin_mode: mode,
        open_interest: amount,
        settle_price: ENTRY,
        funding_rate: "0.00012345",
        funding_value: value,
        created_at: collectsAt,
      },
    ]);
  }
  assert.deepEqual(await quoter.client.read("/v2/futures/position-funding-history", OF_BTCUSDT), []);
  const rates = await venue.anybody.read("/v2/futures/funding-rate-history", { market: "BTCUSDT" });
  assert.deepEqual(rates.slice(0, 1), [
    {
      market: "BTCUSDT",
      funding_time: collectsAt,
      theoretical_funding_rate: "0.00012345",
      actual_funding_rate: "0.00009896",
    },
  ]);
  // 0.00000001 that the shares of the shorts leave over, and what the first step of the takeover brought.
  assert.equal(await fundOf(venue), "16.56789752");

  // The isolated long has no profit in cash to pay with, so its margin paid, and as that did not pay all, its position
  // is taken over.
  assert.equal(await cashOf(isolatedLong), cashBefore);
  assert.deepEqual(await isolatedLong.client.read("/v2/futures/pending-position", OF_BTCUSDT), []);
  const [ended] = await isolatedLong.client.read("/v2/futures/finished-position", OF_BTCUSDT);
  assert.deepEqual([ended.position_id, ended.finished_type], [ids.get(isolatedLong), "liq"]);
});
