import assert from "node:assert/strict";
import { test } from "node:test";
import {
  devFloor,
  type Floor,
  type MarketName,
  marketOf,
  order,
  restingOf,
  userId,
} from "../../../test/support/market-floor.ts";
import { DEV_MARKETS } from "./dev-markets.ts";
import { Maker } from "./maker.ts";
import { MarketMaking } from "./market-making.ts";
import { FINE } from "./price-walk.ts";
import { Random } from "./random.ts";

const MARKET = "BTCUSDT";
const SHAPE = {
  maker: "maker-1",
  rungs: 5,
  innerOffsetE8: 10_000,
  offsetGrowthPercent: 150,
  amountGrowthPercent: 120,
  innerAmount: "0.06",
};
/** 60,000.00 in ticks. */
const PRICE = 6_000_000n;

/** One maker, or two, and a way to let them look at a price. */
function making(floor: Floor, makers: readonly string[] = ["maker-1"], market: MarketName = MARKET, more = {}) {
  const all = new MarketMaking(
    floor.state,
    makers.map((maker, index) => new Maker(floor, { ...SHAPE, ...more, maker }, new Random(index))),
  );
  return {
    refresh(price: bigint) {
      floor.commands.length = 0;
      floor.refused.length = 0;
      all.refresh(marketOf(floor, market), price * FINE, floor.timeMs);
      floor.timeMs += 1_000;
    },
  };
}

const resting = (floor: Floor, name = "maker-1") => restingOf(floor, name, MARKET);
const sides = (floor: Floor, name = "maker-1") => ({
  bids: resting(floor, name).filter((record) => record.side === "buy"),
  asks: resting(floor, name).filter((record) => record.side === "sell"),
});

test("a ladder stands on both sides of the price, wider and larger outwards", () => {
  const floor = devFloor();
  making(floor).refresh(PRICE);
  const { bids, asks } = sides(floor);
  assert.equal(bids.length, 5);
  assert.equal(asks.length, 5);
  for (const side of [bids, asks]) {
    for (const { price, type } of side) {
      const offset = price > PRICE ? price - PRICE : PRICE - price;
      assert.equal(type, "maker_only");
      assert.ok(offset >= 500n && offset < 5_000n, `${price}`);
    }
    const [inner, outer] = [side[0], side[4]];
    assert.ok((inner?.amount as bigint) < (outer?.amount as bigint));
  }
  assert.ok(bids.every(({ price }) => price < PRICE) && asks.every(({ price }) => price > PRICE));
});

test("a price that hardly moves changes nothing, one that moves shifts orders and keeps their ids", () => {
  const floor = devFloor();
  const maker = making(floor);
  maker.refresh(PRICE);
  const before = resting(floor);
  maker.refresh(PRICE + 50n);
  assert.equal(floor.commands.length, 0);
  maker.refresh(PRICE + 30_000n);
  assert.equal(floor.commands.length, 10);
  assert.ok(floor.commands.every(({ kind }) => kind === "modify_order"));
  assert.deepEqual(floor.refused, []);
  const after = resting(floor);
  assert.deepEqual(
    after.map(({ orderId, amount }) => ({ orderId, amount })),
    before.map(({ orderId, amount }) => ({ orderId, amount })),
  );
  assert.ok(sides(floor).bids.every(({ price }) => price > PRICE && price < PRICE + 30_000n));
});

test("makers that follow a jump never meet each other's old orders", () => {
  const floor = devFloor();
  const makers = making(floor, ["maker-1", "maker-2"]);
  makers.refresh(PRICE);
  for (const price of [PRICE + 90_000n, PRICE - 90_000n, PRICE]) {
    makers.refresh(price);
    assert.equal(floor.commands.length, 20);
    assert.deepEqual(floor.refused, []);
  }
});

test("a rung that was filled is placed anew, one that was filled in part stays", () => {
  const floor = devFloor();
  const maker = making(floor);
  maker.refresh(PRICE);
  const [first, second] = sides(floor).asks;
  const amount = (first?.left as bigint) + 10n;
  floor.must(order(floor, "alice", MARKET, { amount, price: second?.price as bigint, type: "ioc" }));
  assert.equal(sides(floor).asks.length, 4);
  maker.refresh(PRICE);
  const { asks } = sides(floor);
  assert.equal(floor.commands.length, 1);
  assert.deepEqual(asks.map(({ clientId }) => clientId).sort(), [
    "sell-00",
    "sell-01",
    "sell-02",
    "sell-03",
    "sell-04",
  ]);
  assert.equal(asks.find(({ orderId }) => orderId === second?.orderId)?.filledLots, 10n);
});

test("after a restart a maker knows its orders again", () => {
  const floor = devFloor();
  making(floor).refresh(PRICE);
  const before = resting(floor);
  floor.restart();
  making(floor).refresh(PRICE);
  assert.deepEqual(floor.commands, []);
  assert.deepEqual(resting(floor), before);
});

test("orders that stand on no rung are cancelled: unmarked ones, doubles, and those of a longer ladder", () => {
  const floor = devFloor();
  const stray = (clientId: string, side: "buy" | "sell" = "buy") =>
    floor.must(order(floor, "maker-1", MARKET, { amount: 100_000n, price: PRICE - 90_000n, side, clientId }));
  stray("");
  stray("by-hand");
  stray("buy-05");
  stray("sell-01");
  stray("buy-01");
  stray("buy-01");
  making(floor).refresh(PRICE);
  assert.equal(floor.commands.filter(({ kind }) => kind === "cancel_order").length, 5);
  assert.deepEqual(floor.refused, []);
  assert.equal(resting(floor).length, 10);
  assert.equal(resting(floor)[0]?.clientId, "buy-01");
});

test("a maker with little money places what it can pay, and nothing is refused", () => {
  const floor = devFloor();
  const { state } = floor;
  const usdt = state.ledger.findSpotCell(userId(floor, "maker-1"), 2);
  // Another market takes all but 8,000 USDT.
  const spare = 8_000n * 10_000_000_000n;
  const lots = (state.ledger.available(usdt) - spare) / 300_000n;
  floor.must(order(floor, "maker-1", "ETHUSDT", { amount: lots / 10n, price: 3_000_000n }));
  making(floor).refresh(PRICE);
  assert.deepEqual(floor.refused, []);
  const { bids, asks } = sides(floor);
  assert.ok(bids.length >= 1 && bids.length <= 2, `${bids.length}`);
  assert.equal(asks.length, 5);
});

test("a foreign bid above the price keeps asks above it until it is gone", () => {
  const floor = devFloor();
  const maker = making(floor);
  floor.must(order(floor, "alice", MARKET, { amount: 100_000n, price: PRICE + 2_000n, clientId: "mine" }));
  maker.refresh(PRICE);
  assert.deepEqual(floor.refused, []);
  assert.ok(sides(floor).asks.every(({ price }) => price > PRICE + 2_000n));
  maker.refresh(PRICE);
  assert.deepEqual(floor.commands, []);
  floor.must({ kind: "cancel_all_orders", userId: userId(floor, "alice"), marketId: 0, account: "spot" });
  maker.refresh(PRICE);
  assert.ok(sides(floor).asks.some(({ price }) => price <= PRICE + 1_000n));
});

test("while outcomes are not known, nothing more is planned", () => {
  const floor = devFloor();
  const maker = making(floor);
  floor.isDelayed = true;
  maker.refresh(PRICE);
  assert.equal(floor.commands.length, 10);
  maker.refresh(PRICE);
  assert.equal(floor.commands.length, 0);
  floor.apply();
  maker.refresh(PRICE);
  assert.equal(floor.commands.length, 0);
  assert.equal(resting(floor).length, 10);
});

test("a venue that takes no more commands is left alone without harm", () => {
  const floor = devFloor();
  const maker = making(floor);
  floor.isOpen = false;
  maker.refresh(PRICE);
  floor.isOpen = true;
  maker.refresh(PRICE);
  assert.equal(resting(floor).length, 10);
});

test("a maker that is barred asks less and less often, and comes back when it is let in", () => {
  const floor = devFloor();
  const maker = making(floor);
  floor.must({ kind: "change_user", userId: userId(floor, "maker-1"), tradeBarred: true });
  let attempts = 0;
  for (let second = 0; second < 120; second++) {
    maker.refresh(PRICE);
    if (floor.commands.length > 0) attempts++;
  }
  assert.ok(attempts >= 5 && attempts <= 8, `${attempts} attempts in two minutes`);
  floor.must({ kind: "change_user", userId: userId(floor, "maker-1"), tradeBarred: false });
  for (let second = 0; second < 70; second++) maker.refresh(PRICE);
  assert.equal(resting(floor).length, 10);
});

test("amounts and prices stay within what the market takes after its bounds were changed", () => {
  const floor = devFloor();
  floor.must({ kind: "change_market", market: MARKET, minAmount: "0.1", maxAmount: "0.11", maxPrice: "60010" });
  making(floor).refresh(PRICE);
  assert.deepEqual(floor.refused, []);
  assert.ok(
    resting(floor).every(({ amount, price }) => amount >= 10_000_000n && amount <= 11_000_000n && price <= 6_001_000n),
  );
  assert.equal(resting(floor).length, 10);
});

test("a market whose amounts are too coarse for the ladder, and a maker that does not exist, stay idle", () => {
  const floor = devFloor();
  floor.must({
    kind: "list_market",
    market: "BTCDSC",
    baseCcy: "BTC",
    quoteCcy: "DSC",
    amountPrecision: 1,
    pricePrecision: 2,
    minAmount: "0.1",
    makerFeeRate: "0",
    takerFeeRate: "0",
  });
  const room = { lowestAsk: 1n, highestBid: PRICE };
  const coarse = new Maker(floor, SHAPE, new Random(1));
  assert.deepEqual(coarse.plan(marketOf(floor, "BTCDSC"), PRICE * FINE, room, floor.timeMs).advances, []);
  const nobody = new Maker(floor, { ...SHAPE, maker: "nobody" }, new Random(1));
  assert.deepEqual(nobody.plan(marketOf(floor, MARKET), PRICE * FINE, room, floor.timeMs).advances, []);
});

test("a position at its bound is not let grow: that side is taken out of the book until it has shrunk", () => {
  const floor = devFloor();
  const futures = { market: MARKET, contract: DEV_MARKETS[3]?.contract } as MarketName;
  floor.must({
    kind: "set_index_prices",
    market: MARKET,
    marketType: "FUTURES",
    sources: [{ exchange: "northgate", price: "60000.00" }],
  });
  const maker = making(floor, ["maker-1"], futures, { positionMax: "0.3" });
  const own = () => restingOf(floor, "maker-1", futures);
  maker.refresh(PRICE);
  assert.deepEqual(floor.refused, []);
  assert.equal(own().length, 10);
  const take = (side: "buy" | "sell", lots: bigint) =>
    floor.must(order(floor, "bob", futures, { account: "futures", side, type: "market", amount: lots }));
  // 0.3 BTC in lots of a ten-thousandth.
  take("sell", 3_000n);
  maker.refresh(PRICE);
  assert.equal(own().filter(({ side }) => side === "buy").length, 0);
  assert.equal(own().filter(({ side }) => side === "sell").length, 5);
  take("buy", 1_000n);
  maker.refresh(PRICE);
  assert.equal(own().filter(({ side }) => side === "buy").length, 5);
});
