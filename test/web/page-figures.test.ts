/**
 * What the page works out of positions, orders and balances is what the API says of them, to the digit that is shown.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { startVenue } from "../../src/lab/library/index.ts";
import { averageOf, gainAt, liquidationPrice } from "../../web/src/entry/estimate.ts";
import { compare, cut, minus, over, plus, times } from "../../web/src/number/decimal.ts";
import { shown, signed } from "../../web/src/number/show.ts";
import { runs } from "../support/runs.ts";
import { WebClient } from "./web-client.ts";

const MONEY_DECIMALS = 2;
const INVERSE_DECIMALS = 8;

interface Position {
  readonly side: "long" | "short";
  readonly open_interest: string;
  readonly avg_entry_price: string;
  readonly settle_value: string;
  readonly unrealized_pnl: string;
  readonly margin_avbl: string;
  readonly liq_price: string;
  readonly maintenance_margin_rate: string;
}

interface Order {
  readonly filled_amount: string;
  readonly filled_value: string;
  readonly fee: string;
  readonly taker_fee_rate: string;
}

const MARKETS = [
  { name: "BTCUSDT", isInverse: false, decimals: MONEY_DECIMALS, lot: 0.0001 },
  { name: "BTCUSD", isInverse: true, decimals: INVERSE_DECIMALS, lot: 1 },
] as const;
const PRICE_DECIMALS = { BTCUSDT: 2, BTCUSD: 1 };

/** Each case has two positions, two orders and the balances of a spot order: with 200 of them a thousand records. */
const CASES = 200;

const cases = fc.record({
  market: fc.constantFrom(...MARKETS),
  isLong: fc.boolean(),
  /** More would be refused so far from the mark. */
  leverage: fc.constantFrom(2, 3, 5, 10, 20),
  /** Of two makers, so that averages do not end. */
  lots: fc.tuple(fc.integer({ min: 100, max: 3_000 }), fc.integer({ min: 100, max: 3_000 })),
  cents: fc.tuple(fc.integer({ min: 5_900_000, max: 6_000_000 }), fc.integer({ min: 6_000_001, max: 6_100_000 })),
  spotLots: fc.integer({ min: 100, max: 500_000 }),
  spotCents: fc.integer({ min: 3_000_000, max: 6_000_000 }),
});

test("gains, averages, margins, liquidation prices, fees and totals are the API's", async (t) => {
  const venue = await startVenue({ makers: false, limits: false });
  t.after(() => venue.stop());
  const [alice, bob] = [new WebClient(venue.url), new WebClient(venue.url)];
  await alice.act("/web/demo", { account: "alice" });
  await bob.act("/web/demo", { account: "bob" });
  for (const { name } of MARKETS) await venue.setIndex(name, 60_000, "FUTURES");
  await venue.setIndex("BTCUSDT", 60_000);
  for (const client of [alice, bob]) {
    for (const [ccy, amount] of [
      ["USDT", "400000"],
      ["BTC", "5"],
    ]) {
      const transfer = { from_account_type: "SPOT", to_account_type: "FUTURES", ccy, amount };
      await client.act("/v2/assets/transfer", transfer);
    }
  }
  const held = async (client: WebClient, market: string) =>
    (await client.read(`/v2/futures/pending-position?market_type=FUTURES&market=${market}`))[0] as Position;
  let compared = 0;

  await fc.assert(
    fc.asyncProperty(cases, async ({ market, isLong, leverage, lots, cents, spotLots, spotCents }) => {
      const { name, isInverse, decimals, lot } = market;
      const priceDecimals = PRICE_DECIMALS[name];
      const common = { market: name, market_type: "FUTURES" };
      for (const client of [alice, bob]) {
        const settings = { ...common, margin_mode: "isolated", leverage };
        await client.act("/v2/futures/adjust-position-leverage", settings);
      }
      const [taker, maker] = isLong ? [alice, bob] : [bob, alice];
      const amounts = lots.map((each) => (each * lot).toFixed(isInverse ? 0 : 4));
      for (const [at, amount] of amounts.entries()) {
        const price = ((cents[at] as number) / 100).toFixed(priceDecimals);
        await maker.act("/v2/futures/order", { ...common, side: "sell", type: "limit", price, amount });
      }
      const whole = plus(amounts[0] as string, amounts[1] as string);
      const order = (await taker.act("/v2/futures/order", {
        ...{ ...common, side: "buy", type: "market", amount: whole },
      })) as Order;
      const [ticker] = await taker.read(`/v2/futures/ticker?market=${name}`);
      for (const client of [taker, maker]) {
        const position = await held(client, name);
        const { open_interest: amount, settle_value: cost, margin_avbl: margin } = position;
        const gain = gainAt({ isInverse }, position.side === "long", amount, cost, ticker.mark_price);
        assert.equal(signed(gain, decimals), signed(position.unrealized_pnl, decimals), "gain");
        const liquidation = liquidationPrice({
          ...{ isLong: position.side === "long", isInverse, amount, cost, backing: margin },
          rate: position.maintenance_margin_rate,
          tick: ticker.tick_size ?? (isInverse ? "0.1" : "0.01"),
        });
        const shownAt = (price: string) => shown(price, priceDecimals);
        assert.equal(shownAt(liquidation ?? "0"), shownAt(position.liq_price || "0"), "liquidation price");
        // Each deal of an inverse market is rounded by itself: two of them, two units.
        const needed = over(order.filled_value, `${leverage}`, 12, "up");
        const off = Math.abs(Number(minus(cut(needed, isInverse ? INVERSE_DECIMALS : 12, "up"), margin)));
        assert.ok(off <= (isInverse ? 2.5e-8 : 0.000_001), `margin: ${needed}, ${margin}`);
        if (!isInverse) assert.equal(shown(needed, decimals, "up"), shown(margin, decimals, "up"), "margin");
        compared += 1;
      }
      const bought = averageOf({ isInverse }, order.filled_amount, order.filled_value);
      const entry = (await held(taker, name)).avg_entry_price;
      assert.equal(shown(bought, priceDecimals, "nearest"), shown(entry, priceDecimals, "nearest"), "average");
      // The form says the most that a fee can come to.
      const most = times(order.filled_value, order.taker_fee_rate);
      assert.ok(compare(order.fee, most) >= 0 && compare(minus(order.fee, most), "0.00000002") <= 0, "fee");
      compared += 1;
      await maker.act("/v2/futures/order", {
        ...{ ...common, side: "buy", type: "limit", price: "60000", amount: whole },
      });
      await taker.act("/v2/futures/close-position", { ...common, type: "market" });

      const [price, amount] = [(spotCents / 100).toFixed(2), (spotLots / 1_000_000).toFixed(6)];
      const usdt = async () =>
        ((await alice.read("/v2/assets/spot/balance")) as { ccy: string; frozen: string }[]).find(
          ({ ccy }) => ccy === "USDT",
        )?.frozen ?? "0";
      const before = await usdt();
      const spot = { market: "BTCUSDT", market_type: "SPOT" };
      const { order_id } = await alice.act("/v2/spot/order", { ...spot, side: "buy", type: "limit", price, amount });
      assert.equal(
        shown(times(price, amount), MONEY_DECIMALS, "up"),
        shown(minus(await usdt(), before), MONEY_DECIMALS, "up"),
        "total",
      );
      await alice.act("/v2/spot/cancel-order", { ...spot, order_id });
      assert.equal(await usdt(), before);
      compared += 2;
    }),
    // A case leaves its positions behind where it fails: a shorter one would begin with them.
    { ...runs(CASES), endOnFailure: true },
  );
  assert.ok(compared >= 5, `${compared} records`);
  t.diagnostic(`${compared} records compared`);
});
