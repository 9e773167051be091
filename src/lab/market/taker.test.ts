import assert from "node:assert/strict";
import { test } from "node:test";
import { devFloor, type Floor, marketOf, order, restingOf, userId } from "../../../test/support/market-floor.ts";
import type { Command, PlaceOrder } from "../../engine/command.ts";
import { DEV_MARKETS, type TakerHabits } from "./dev-markets.ts";
import { FINE } from "./price-walk.ts";
import { Random } from "./random.ts";
import { Takers } from "./taker.ts";

const MARKET = "BTCUSDT";
const PRICE = 6_000_000n;
const HABITS: TakerHabits = { ...(DEV_MARKETS[0] as { takers: TakerHabits }).takers, names: ["taker-1"] };

/** A floor on which bob bids and asks for 5 BTC each, two hundredths of a percent around the price. */
function quotedFloor(): Floor {
  const floor = devFloor();
  floor.must(order(floor, "bob", MARKET, { amount: 500_000_000n, price: PRICE - 1_200n }));
  floor.must(order(floor, "bob", MARKET, { amount: 500_000_000n, price: PRICE + 1_200n, side: "sell" }));
  floor.commands.length = 0;
  return floor;
}

const isOrder = (command: Command): command is PlaceOrder => command.kind === "place_order";

/** Lets takers trade `times` and gives the orders they placed. */
function traded(floor: Floor, times: number, habits = HABITS, price = PRICE): PlaceOrder[] {
  const takers = new Takers(floor, habits, new Random(4));
  const from = floor.commands.length;
  for (let time = 0; time < times; time++) {
    takers.trade(marketOf(floor, MARKET), price * FINE, floor.timeMs);
    floor.timeMs += 500;
  }
  return floor.commands.slice(from).filter(isOrder);
}

test("takers trade both sides, by market and ioc, in base and in quote, small sizes mostly", () => {
  const floor = quotedFloor();
  const orders = traded(floor, 300);
  assert.deepEqual(floor.refused, []);
  assert.equal(orders.length, 300);
  const share = (matches: (command: PlaceOrder) => boolean) => orders.filter(matches).length / orders.length;
  assert.ok(Math.abs(share(({ side }) => side === "buy") - 0.5) < 0.1);
  assert.ok(Math.abs(share(({ type }) => type === "market") - 0.6) < 0.1);
  assert.ok(share(({ amountIn }) => amountIn === "quote") > 0.08);
  const sizes = orders.filter(({ amountIn }) => amountIn === "base").map(({ amount }) => Number(amount));
  assert.ok(Math.min(...sizes) >= 100_000 && Math.max(...sizes) <= 25_600_000);
  assert.ok(sizes.filter((size) => size < 200_000).length > sizes.length / 3);
});

test("who holds too little buys more often than it sells, and the reverse", () => {
  const share = (wantedAmount: string) => {
    const orders = traded(quotedFloor(), 120, { ...HABITS, wantedAmount });
    return orders.filter(({ side }) => side === "buy").length / orders.length;
  };
  assert.ok(share("1500") > 0.85);
  assert.ok(share("700") < 0.15);
});

test("a bid above the market's worth, or an ask below it, is taken first", () => {
  const floor = quotedFloor();
  floor.must(order(floor, "alice", MARKET, { amount: 10_000_000n, price: PRICE + 1_100n }));
  const [sale] = traded(floor, 1);
  assert.equal(sale?.side, "sell");
  assert.equal(sale?.price, PRICE + 1_100n);
  assert.deepEqual(restingOf(floor, "alice", MARKET), []);
  floor.must(order(floor, "alice", MARKET, { amount: 10_000_000n, price: PRICE - 1_100n, side: "sell" }));
  const [purchase] = traded(floor, 1);
  assert.equal(purchase?.side, "buy");
  assert.deepEqual(restingOf(floor, "alice", MARKET), []);
});

test("with one side empty the other is taken, with both empty nothing is", () => {
  const floor = devFloor();
  assert.deepEqual(traded(floor, 10), []);
  floor.must(order(floor, "bob", MARKET, { amount: 100_000_000n, price: PRICE + 100n, side: "sell" }));
  const orders = traded(floor, 10);
  assert.equal(orders.length, 10);
  assert.ok(orders.every(({ side }) => side === "buy"));
  assert.deepEqual(floor.refused, []);
});

test("who cannot pay does not try", () => {
  const floor = quotedFloor();
  const taker = userId(floor, "taker-1");
  // All of both currencies rests elsewhere.
  const { ledger } = floor.state;
  const btc = ledger.available(ledger.findSpotCell(taker, 0));
  for (let half = 0; half < 2; half++) {
    floor.must(order(floor, "taker-1", MARKET, { amount: btc / 2n, price: PRICE * 2n, side: "sell" }));
  }
  const usdt = ledger.available(ledger.findSpotCell(taker, 2));
  floor.must(order(floor, "taker-1", "ETHUSDT", { amount: usdt / 3_000_000n, price: 3_000_000n }));
  assert.deepEqual(traded(floor, 20), []);
});

test("takers that are barred try less and less often", () => {
  const floor = quotedFloor();
  floor.must({ kind: "change_user", userId: userId(floor, "taker-1"), tradeBarred: true });
  const orders = traded(floor, 240);
  assert.ok(orders.length >= 5 && orders.length <= 8, `${orders.length} attempts in two minutes`);
});

test("amounts follow the market's bounds", () => {
  const floor = quotedFloor();
  floor.must({ kind: "change_market", market: MARKET, minAmount: "0.3" });
  traded(floor, 10);
  assert.deepEqual(floor.refused, []);
});
