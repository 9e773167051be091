import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, type Done, type Venue } from "../../../test/support/venue.ts";
import type { OrderStatus } from "../event.ts";
import type { Refusal } from "../refusal.ts";

/** What an order did: its deals, and what it ended as or that it rests. */
interface Row {
  /** Asks or bids of the maker, in order of placement. */
  readonly book: readonly string[];
  readonly order: string;
  readonly deals?: readonly string[];
  readonly status?: OrderStatus;
  readonly refusal?: Refusal;
  /** Of the taker's side afterwards. */
  readonly rests?: readonly string[];
}

const TWO_ASKS = ["sell 0.2 @ 30000.00", "sell 0.3 @ 30100.00"];
const TWO_BIDS = ["buy 0.2 @ 29000.00", "buy 0.3 @ 28900.00"];

const LIMIT_TYPES: readonly Row[] = [
  { book: [], order: "buy 0.5 @ 30000.00", status: "open", rests: ["0.5 @ 30000.00"] },
  { book: TWO_ASKS, order: "buy 0.5 @ 29999.99", status: "open", rests: ["0.5 @ 29999.99"] },
  { book: TWO_ASKS, order: "buy 0.1 @ 30000.00", deals: ["0.1 @ 30000.00"], status: "filled" },
  {
    book: TWO_ASKS,
    order: "buy 0.5 @ 30000.00",
    deals: ["0.2 @ 30000.00"],
    status: "part_filled",
    rests: ["0.3 @ 30000.00"],
  },
  { book: TWO_ASKS, order: "buy 0.5 @ 40000.00", deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"], status: "filled" },
  {
    book: TWO_ASKS,
    order: "buy 0.6 @ 30100.00",
    deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"],
    status: "part_filled",
    rests: ["0.1 @ 30100.00"],
  },
  { book: TWO_BIDS, order: "sell 0.5 @ 29000.01", status: "open", rests: ["0.5 @ 29000.01"] },
  {
    book: TWO_BIDS,
    order: "sell 0.5 @ 28900.00",
    deals: ["0.2 @ 29000.00", "0.3 @ 28900.00"],
    status: "filled",
  },
  { book: [], order: "buy 0.5 @ 30000.00 maker_only", status: "open", rests: ["0.5 @ 30000.00"] },
  { book: TWO_ASKS, order: "buy 0.5 @ 29999.99 maker_only", status: "open", rests: ["0.5 @ 29999.99"] },
  { book: TWO_ASKS, order: "buy 0.5 @ 30000.00 maker_only", refusal: "would_take" },
  { book: ["sell 0.2 @ 30000.00 hidden"], order: "buy 0.5 @ 30000.00 maker_only", refusal: "would_take" },
  { book: TWO_BIDS, order: "sell 0.5 @ 29000.00 maker_only", refusal: "would_take" },
  { book: [], order: "buy 0.5 @ 30000.00 ioc", status: "canceled" },
  { book: TWO_ASKS, order: "buy 0.5 @ 29999.99 ioc", status: "canceled" },
  { book: TWO_ASKS, order: "buy 0.5 @ 30000.00 ioc", deals: ["0.2 @ 30000.00"], status: "part_canceled" },
  { book: TWO_ASKS, order: "buy 0.5 @ 30100.00 ioc", deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"], status: "filled" },
  { book: TWO_BIDS, order: "sell 0.5 @ 29000.00 ioc", deals: ["0.2 @ 29000.00"], status: "part_canceled" },
  { book: [], order: "buy 0.5 @ 30000.00 fok", refusal: "not_fillable" },
  { book: TWO_ASKS, order: "buy 0.5 @ 30099.99 fok", refusal: "not_fillable" },
  { book: TWO_ASKS, order: "buy 0.500001 @ 30100.00 fok", refusal: "not_fillable" },
  { book: TWO_ASKS, order: "buy 0.5 @ 30100.00 fok", deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"], status: "filled" },
  {
    book: ["sell 0.2 @ 30000.00 hidden", "sell 0.3 @ 30100.00 hidden"],
    order: "buy 0.5 @ 30100.00 fok",
    deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"],
    status: "filled",
  },
  { book: TWO_BIDS, order: "sell 0.5 @ 28900.00 fok", deals: ["0.2 @ 29000.00", "0.3 @ 28900.00"], status: "filled" },
];

/** Bought with quote or base up to 10 % above the best ask, sold down to 10 % below the best bid. */
const MARKET_ORDERS: readonly Row[] = [
  { book: [], order: "buy 100 USDT", refusal: "no_counter_orders" },
  { book: [], order: "sell 0.1", refusal: "no_counter_orders" },
  { book: TWO_BIDS, order: "buy 0.1", refusal: "no_counter_orders" },
  { book: TWO_ASKS, order: "buy 2.99999999 USDT", refusal: "amount_too_small" },
  { book: TWO_ASKS, order: "buy 3 USDT", deals: ["0.0001 @ 30000.00"], status: "filled" },
  { book: TWO_ASKS, order: "buy 6000 USDT", deals: ["0.2 @ 30000.00"], status: "filled" },
  // 0.03 buys one lot of 10^-6 at 30000; what is below that is dust.
  { book: TWO_ASKS, order: "buy 5999.99 USDT", deals: ["0.199999 @ 30000.00"], status: "filled" },
  { book: TWO_ASKS, order: "buy 6030.1 USDT", deals: ["0.2 @ 30000.00", "0.001 @ 30100.00"], status: "filled" },
  { book: TWO_ASKS, order: "buy 15030 USDT", deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"], status: "filled" },
  { book: TWO_ASKS, order: "buy 15030.03 USDT", deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"], status: "filled" },
  {
    book: TWO_ASKS,
    order: "buy 15030.0301 USDT",
    deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"],
    status: "part_canceled",
  },
  { book: TWO_ASKS, order: "buy 0.5", deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"], status: "filled" },
  { book: TWO_ASKS, order: "buy 0.6", deals: ["0.2 @ 30000.00", "0.3 @ 30100.00"], status: "part_canceled" },
  {
    book: ["sell 0.1 @ 100.00", "sell 0.1 @ 110.00", "sell 0.1 @ 110.01"],
    order: "buy 0.3",
    deals: ["0.1 @ 100.00", "0.1 @ 110.00"],
    status: "part_canceled",
  },
  {
    // 10 % above 100.09 is 110.099: a price of 110.10 lies beyond it.
    book: ["sell 0.1 @ 100.09", "sell 0.1 @ 110.09", "sell 0.1 @ 110.10"],
    order: "buy 30 USDT",
    deals: ["0.1 @ 100.09", "0.1 @ 110.09"],
    status: "part_canceled",
  },
  {
    // 10 % below 100.09 is 90.081: a price of 90.08 lies beyond it.
    book: ["buy 0.1 @ 100.09", "buy 0.1 @ 90.09", "buy 0.1 @ 90.08"],
    order: "sell 0.3",
    deals: ["0.1 @ 100.09", "0.1 @ 90.09"],
    status: "part_canceled",
  },
  { book: TWO_BIDS, order: "sell 0.5", deals: ["0.2 @ 29000.00", "0.3 @ 28900.00"], status: "filled" },
  { book: TWO_BIDS, order: "sell 5800 USDT", deals: ["0.2 @ 29000.00"], status: "filled" },
  { book: TWO_BIDS, order: "sell 5800.01 USDT", deals: ["0.2 @ 29000.00"], status: "filled" },
  { book: TWO_BIDS, order: "sell 8690 USDT", deals: ["0.2 @ 29000.00", "0.1 @ 28900.00"], status: "filled" },
  { book: TWO_BIDS, order: "sell 20000 USDT", deals: ["0.2 @ 29000.00", "0.3 @ 28900.00"], status: "part_canceled" },
  { book: ["sell 0.1 @ 100.00 hidden"], order: "buy 0.1", deals: ["0.1 @ 100.00"], status: "filled" },
  { book: TWO_ASKS, order: "buy 0.1 hidden", deals: ["0.1 @ 30000.00"], status: "filled" },
];

test("limit, maker_only, ioc and fok orders match up to their limit and end as their type says", () => {
  for (const row of LIMIT_TYPES) check(row);
});

test("market orders match up to their bound, spend no more than their amount and never rest", () => {
  for (const row of MARKET_ORDERS) check(row);
});

function check({ book, order, deals = [], status, refusal, rests = [] }: Row): void {
  const { venue, taker } = marketWith(book);
  const done = venue.place(taker, order);
  const side = order.startsWith("buy") ? "buy" : "sell";
  assert.equal(done.refusal, refusal, order);
  assert.equal(done.order?.status, status, order);
  assert.deepEqual(dealsOf(venue, done), deals, order);
  assert.deepEqual(
    venue.levels(side).filter((level) => !book.some((text) => text.includes(level))),
    rests,
    order,
  );
  if (rests.length === 0) assert.match(venue.balance(taker, "USDT"), / \+ 0\.0+$/, order);
  venue.assertRepeatable();
}

test("a market order shows the price 0 and a maker rate of 0, and its amount in the currency it was given in", () => {
  const { venue, taker } = marketWith(TWO_ASKS);
  const { order } = venue.place(taker, "buy 6030.1 USDT id:mine");
  assert.ok(order);
  assert.equal(order.price, 0n);
  assert.equal(order.makerFeeRateE8, 0);
  assert.equal(order.takerFeeRateE8, 200_000);
  assert.equal(order.amountIn, "quote");
  assert.equal(order.amount, 6030_10000000n);
  assert.equal(order.left, 0n);
  assert.equal(order.filledLots, 201000n);
  assert.equal(order.filledValue, 6030_10000000n);
  assert.equal(order.clientId, "mine");
});

test("only market orders count their amount in quote: of others the flag is dropped", () => {
  const { venue, taker } = marketWith([]);
  const done = venue.execute({ ...venue.orderOf(taker, "buy 0.5 @ 100.00"), amountIn: "quote" });
  assert.equal(done.order?.amountIn, "base");
  assert.deepEqual(venue.levels("buy"), ["0.5 @ 100.00"]);
});

test("a fok order counts the own orders of its user and trades with them, whatever its self-trade mode says", () => {
  for (const mode of ["none", "ct", "cm", "both"]) {
    const { venue, taker } = marketWith(["sell 0.2 @ 30000.00"]);
    venue.put(taker, "sell 0.3 @ 30000.00");
    const done = venue.place(taker, `buy 0.5 @ 30000.00 fok stp:${mode}`);
    assert.equal(done.order?.status, "filled");
    assert.deepEqual(dealsOf(venue, done), ["0.2 @ 30000.00", "0.3 @ 30000.00"]);
  }
});

test("an order without a fill is kept nowhere once it ended", () => {
  const { venue, taker } = marketWith(TWO_ASKS);
  const done = venue.place(taker, "buy 0.5 @ 29999.99 ioc id:mine");
  assert.equal(done.order?.status, "canceled");
  assert.equal(venue.cancel(taker, done.order?.orderId ?? 0).refusal, "order_not_found");
  assert.equal(venue.state.orders.clientId.size, 0);
});

test("an order that trades nothing leaves the last price alone, one that trades sets it to its last deal's", () => {
  const { venue, taker } = marketWith(TWO_ASKS);
  venue.place(taker, "buy 0.5 @ 29999.99 ioc");
  assert.equal(venue.state.lastPrice[0], 0n);
  venue.place(taker, "buy 0.5 @ 30100.00 ioc");
  assert.equal(venue.state.lastPrice[0], 3010000n);
});

function marketWith(book: readonly string[]): { venue: Venue; taker: number } {
  const venue = bitcoinVenue();
  const maker = venue.addUser("maker", { USDT: "1000000", BTC: "100" });
  const taker = venue.addUser("taker", { USDT: "100000", BTC: "10" });
  for (const text of book) venue.put(maker, text);
  return { venue, taker };
}

function dealsOf(venue: Venue, done: Done): string[] {
  return done.deals.map((deal) => venue.dealText(deal));
}
