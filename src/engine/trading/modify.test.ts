import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, type Venue } from "../../../test/support/venue.ts";
import type { OrderStatus } from "../event.ts";
import type { Refusal } from "../refusal.ts";

interface Row {
  readonly change: string;
  readonly refusal?: Refusal;
  readonly status?: OrderStatus;
  /** Of the buyer in USDT afterwards; it began with 1000 and bids for 1 at 100. */
  readonly frozen?: string;
  readonly bids?: readonly string[];
}

/**
 * Alice bids for 1 at 100, bob for 1 at 100 behind her and asks for 1 at 110; 0.25 of hers is filled in the second
 * list.
 */
const ON_OPEN: readonly Row[] = [
  { change: "amount 1 price 100", status: "open", frozen: "100.00000000", bids: ["2 @ 100.00"] },
  { change: "amount 0.5", status: "open", frozen: "50.00000000", bids: ["1.5 @ 100.00"] },
  { change: "amount 2", status: "open", frozen: "200.00000000", bids: ["3 @ 100.00"] },
  { change: "price 90", status: "open", frozen: "90.00000000", bids: ["1 @ 100.00", "1 @ 90.00"] },
  { change: "price 109.99", status: "open", frozen: "109.99000000", bids: ["1 @ 109.99", "1 @ 100.00"] },
  { change: "amount 3 price 90", status: "open", frozen: "270.00000000", bids: ["1 @ 100.00", "3 @ 90.00"] },
  { change: "amount 10 price 100", status: "open", frozen: "1000.00000000", bids: ["11 @ 100.00"] },
  { change: "amount 10.000001", refusal: "insufficient_balance" },
  // One unit of 10^-8 more than there is.
  { change: "amount 11.390819 price 87.79", refusal: "insufficient_balance" },
  { change: "price 1000.01", refusal: "price_far_from_latest" },
  { change: "", refusal: "nothing_to_modify" },
  { change: "amount 0.00009", refusal: "amount_too_small" },
  { change: "amount 0.5000001", refusal: "amount_off_grid" },
  { change: "amount 99999999999999999999", refusal: "amount_off_grid" },
  { change: "amount 9999999999999999999", refusal: "amount_too_large" },
  { change: "price 100.001", refusal: "price_off_grid" },
  { change: "price 0", refusal: "price_off_grid" },
  { change: "price 9999999999999999999", refusal: "price_too_high" },
  // Wrong in both: amounts come first.
  { change: "amount 0 price 0", refusal: "amount_too_small" },
];

const ON_PART_FILLED: readonly Row[] = [
  { change: "amount 0.25", refusal: "amount_below_filled" },
  { change: "amount 0.1", refusal: "amount_below_filled" },
  { change: "amount 0.250001", status: "part_filled", frozen: "0.00010000", bids: ["1.000001 @ 100.00"] },
  { change: "amount 0.5", status: "part_filled", frozen: "25.00000000", bids: ["1.25 @ 100.00"] },
  { change: "amount 2", status: "part_filled", frozen: "175.00000000", bids: ["2.75 @ 100.00"] },
  { change: "price 90", status: "part_filled", frozen: "67.50000000", bids: ["1 @ 100.00", "0.75 @ 90.00"] },
  { change: "amount 9.75", status: "part_filled", frozen: "950.00000000", bids: ["10.5 @ 100.00"] },
  { change: "amount 10.000001", refusal: "insufficient_balance" },
];

test("amount and price of a resting order change with its freeze, or nothing does", () => {
  for (const [isPartFilled, rows] of [
    [false, ON_OPEN],
    [true, ON_PART_FILLED],
  ] as const) {
    for (const row of rows) {
      const { venue, alice, orderId } = biddingVenue();
      if (isPartFilled) venue.put(3, "sell 0.25 @ 100.00");
      venue.timeMs += 10;
      const done = venue.modify(alice, orderId, row.change);
      assert.equal(done.refusal, row.refusal, row.change);
      if (row.refusal !== undefined) continue;
      assert.equal(done.order?.orderId, orderId);
      assert.equal(done.order?.status, row.status, row.change);
      assert.equal(venue.balance(alice, "USDT").split(" + ")[1], row.frozen, row.change);
      assert.deepEqual(venue.levels("buy"), row.bids, row.change);
      venue.assertRepeatable();
    }
  }
});

/** A change of alice's order, and whether she or bob, who came later, trades first at their common price. */
const PLACE_IN_QUEUE: readonly (readonly [change: string, back: string, first: "alice" | "bob"])[] = [
  ["amount 1 price 100", "", "alice"],
  ["amount 0.9", "", "alice"],
  ["amount 0.9 price 100", "", "alice"],
  ["amount 1.1", "", "bob"],
  ["amount 0.9", "amount 1", "bob"],
  ["price 90", "price 100", "bob"],
];

test("only a smaller amount at the same price keeps the place in the queue", () => {
  for (const [change, back, first] of PLACE_IN_QUEUE) {
    const { venue, alice, orderId } = biddingVenue();
    assert.equal(venue.modify(alice, orderId, change).refusal, undefined);
    if (back !== "") assert.equal(venue.modify(alice, orderId, back).refusal, undefined);
    const maker = venue.place(3, "sell 0.1 @ 100.00").deals[0]?.maker.userId;
    assert.equal(maker === alice ? "alice" : "bob", first, `${change} ${back}`);
  }
});

test("a changed limit order that crosses takes first, at its taker rate, and rests with what is left under its id", () => {
  const { venue, alice, orderId } = biddingVenue();
  venue.put(3, "sell 0.25 @ 100.00");
  const done = venue.modify(alice, orderId, "amount 2 price 112");
  assert.deepEqual(
    done.deals.map((deal) => [venue.dealText(deal), deal.side, deal.taker.orderId]),
    [["1 @ 110.00", "buy", orderId]],
  );
  assert.equal(done.deals[0]?.taker.fee, 200000n);
  assert.equal(done.order?.status, "part_filled");
  assert.equal(done.order?.filledLots, 1250000n);
  assert.equal(done.order?.left, 750000n);
  assert.deepEqual(venue.levels("buy"), ["0.75 @ 112.00", "1 @ 100.00"]);
  // 25 for a quarter at 100, 110 for one at 110, 84 frozen.
  assert.equal(venue.balance(alice, "USDT"), "781.00000000 + 84.00000000");
  assert.equal(venue.cancel(alice, orderId).order?.status, "part_canceled");
  venue.assertRepeatable();
});

test("a changed order that trades whole is finished and gone", () => {
  const { venue, alice, orderId } = biddingVenue();
  const done = venue.modify(alice, orderId, "price 110");
  assert.equal(done.order?.status, "filled");
  assert.equal(venue.modify(alice, orderId, "price 100").refusal, "order_not_found");
  assert.equal(venue.state.orders.live, 1);
});

test("a changed maker_only order that would cross is refused and stays as it was", () => {
  const { venue, alice } = biddingVenue();
  const { orderId } = venue.put(alice, "buy 1 @ 99.00 maker_only");
  assert.equal(venue.modify(alice, orderId, "price 110").refusal, "would_take");
  assert.equal(venue.modify(alice, orderId, "price 109.99").refusal, undefined);
});

test("a changed order obeys its own self-trade mode", () => {
  for (const [mode, status, sells] of [
    ["ct", "canceled", ["1 @ 104.00", "1 @ 110.00"]],
    ["cm", "open", ["1 @ 110.00"]],
    ["both", "canceled", ["1 @ 110.00"]],
  ] as const) {
    const { venue, alice } = biddingVenue();
    venue.deposit(alice, "BTC", "1");
    venue.put(alice, "sell 1 @ 104.00");
    const { orderId } = venue.put(alice, `buy 1 @ 99.00 stp:${mode}`);
    const done = venue.modify(alice, orderId, "price 105");
    assert.equal(done.order?.status, status);
    assert.deepEqual(venue.levels("sell"), sells);
    assert.deepEqual(venue.levels("buy")[0], status === "open" ? "1 @ 105.00" : "2 @ 100.00");
  }
});

test("a changed order is found under its user, market and account only", () => {
  const { venue, alice, orderId } = biddingVenue();
  venue.listAsset("ETH");
  venue.listMarket("ETH", "USDT");
  assert.equal(venue.modify(2, orderId, "price 99").refusal, "order_not_found");
  assert.equal(venue.modify(alice, orderId, "price 99", { market: "ETHUSDT" }).refusal, "order_not_found");
  assert.equal(venue.modify(alice, orderId, "price 99", { account: "margin" }).refusal, "order_not_found");
  assert.equal(venue.modify(alice, orderId + 100, "price 99").refusal, "order_not_found");
  assert.equal(venue.modify(alice, orderId, "price 99", { marketId: 99 }).refusal, "market_not_found");
  assert.equal(venue.modify(alice, orderId, "price 99", { account: "spot" }).refusal, undefined);
});

test("a hidden order that is changed stays hidden", () => {
  const { venue, alice } = biddingVenue();
  const { orderId } = venue.put(alice, "buy 1 @ 90.00 hidden");
  venue.modify(alice, orderId, "amount 0.5");
  venue.modify(alice, orderId, "amount 2 price 95");
  assert.deepEqual(venue.levels("buy"), ["2 @ 100.00"]);
  venue.assertRepeatable();
});

test("an order whose price an operator has since ruled out can be cancelled, but not made larger", () => {
  const { venue, alice, orderId } = biddingVenue();
  venue.changeMarket("BTCUSDT", { maxPrice: "99", maxAmount: "90000000" });
  assert.equal(venue.modify(alice, orderId, "amount 1.5").refusal, "price_too_high");
  assert.equal(venue.modify(alice, orderId, "amount 1.5 price 99").refusal, undefined);
  assert.equal(venue.cancel(alice, orderId).refusal, undefined);
});

function biddingVenue(): { venue: Venue; alice: number; orderId: number } {
  const venue = bitcoinVenue();
  const alice = venue.addUser("alice", { USDT: "1000" });
  const bob = venue.addUser("bob", { USDT: "1000", BTC: "10" });
  venue.addUser("carol", { BTC: "10" });
  const { orderId } = venue.put(alice, "buy 1 @ 100.00");
  venue.put(bob, "buy 1 @ 100.00");
  venue.put(bob, "sell 1 @ 110.00");
  venue.accept({ kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "one", price: "105" }] });
  return { venue, alice, orderId };
}
