import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, marketOf, Venue } from "../../../test/support/venue.ts";

/** Makers by name in order of placement, the taker, and who trades with it in which order. */
const PRIORITY: readonly (readonly [makers: readonly string[], taker: string, deals: readonly string[]])[] = [
  [["sell 1 @ 102.00", "sell 1 @ 100.00", "sell 1 @ 101.00"], "buy 3 @ 102.00", ["1", "2", "0"]],
  [["buy 1 @ 98.00", "buy 1 @ 100.00", "buy 1 @ 99.00"], "sell 3 @ 98.00", ["1", "2", "0"]],
  [["sell 1 @ 100.00", "sell 1 @ 100.00", "sell 1 @ 100.00"], "buy 3 @ 100.00", ["0", "1", "2"]],
  [
    ["sell 1 @ 100.00 hidden", "sell 1 @ 100.00", "sell 1 @ 100.00 hidden", "sell 1 @ 100.00"],
    "buy 4 @ 100.00",
    ["1", "3", "0", "2"],
  ],
  [["sell 1 @ 100.00", "sell 1 @ 99.00 hidden"], "buy 2 @ 100.00", ["1", "0"]],
  [["buy 1 @ 100.00 hidden", "buy 1 @ 100.00"], "sell 2 @ 100.00", ["1", "0"]],
  [["buy 1 @ 100.00", "buy 1 @ 101.00 hidden", "buy 1 @ 101.00"], "sell 2.5", ["2", "1", "0"]],
];

test("the best price goes first, at one price what is displayed before what is hidden, then the older order", () => {
  for (const [makers, taker, expected] of PRIORITY) {
    const venue = bitcoinVenue();
    const owners = makers.map((text, at) => {
      const owner = venue.addUser(`maker ${at}`, { BTC: "10", USDT: "1000" });
      venue.put(owner, text);
      return owner;
    });
    const { deals } = venue.place(venue.addUser("taker", { BTC: "10", USDT: "1000" }), taker);
    assert.deepEqual(
      deals.map((deal) => String(owners.indexOf(deal.maker.userId))),
      expected,
      taker,
    );
    venue.assertRepeatable();
  }
});

test("a deal is at the resting order's price, and what a better price saves is free at once", () => {
  const venue = bitcoinVenue();
  const [maker, taker] = [venue.addUser("maker", { BTC: "1" }), venue.addUser("taker", { USDT: "100" })];
  venue.put(maker, "sell 0.5 @ 80.00");
  const { deals } = venue.place(taker, "buy 1 @ 100.00");
  assert.deepEqual(
    deals.map((deal) => venue.dealText(deal)),
    ["0.5 @ 80.00"],
  );
  assert.equal(venue.balance(taker, "USDT"), "10.00000000 + 50.00000000");
});

test("a hidden order shows in no level, not even in part, and trades all the same", () => {
  const venue = bitcoinVenue();
  const [maker, taker] = [venue.addUser("maker", { BTC: "5" }), venue.addUser("taker", { USDT: "1000" })];
  const hidden = venue.place(maker, "sell 1 @ 100.00 hidden");
  assert.equal(
    hidden.events.some((event) => event.kind === "level"),
    false,
  );
  venue.put(maker, "sell 2 @ 100.00");
  assert.deepEqual(venue.levels("sell"), ["2 @ 100.00"]);
  venue.put(taker, "buy 2.5 @ 100.00");
  assert.deepEqual(venue.levels("sell"), []);
  const last = venue.place(taker, "buy 0.25 @ 100.00");
  assert.equal(
    last.events.some((event) => event.kind === "level"),
    false,
  );
  assert.equal(venue.cancel(maker, hidden.order?.orderId ?? 0).order?.left, 250000n);
});

test("each level that a command changed is told as it stands afterwards, and a level that is gone as 0", () => {
  const venue = bitcoinVenue();
  const [maker, taker] = [venue.addUser("maker", { BTC: "5" }), venue.addUser("taker", { USDT: "1000" })];
  venue.put(maker, "sell 1 @ 100.00");
  venue.put(maker, "sell 1 @ 100.00");
  venue.put(maker, "sell 1 @ 101.00");
  const { events } = venue.place(taker, "buy 2.25 @ 101.00");
  const levels = new Map(events.flatMap((event) => (event.kind === "level" ? [[event.price, event.lots]] : [])));
  assert.deepEqual(
    [...levels],
    [
      [10000n, 0n],
      [10100n, 750000n],
    ],
  );
});

/** Rates of the market or of the user, and the fees of a deal of 0.333333 BTC at 100 USDT between the two. */
const FEES: readonly (readonly [maker: string | null, taker: string | null, makerFee: string, takerFee: string])[] = [
  [null, null, "0.00033334", "0.06666660"],
  ["0", "0", "0.00000000", "0.00000000"],
  ["0.00000001", "0.00000001", "0.00000001", "0.00000034"],
  ["0.002", null, "0.00066667", "0.06666660"],
  [null, "0.0015", "0.00033334", "0.04999995"],
  ["0.99999999", "0.99999999", "0.33333300", "33.33329967"],
];

test("the buyer pays its fee in base, the seller in quote, each at its own rate and rounded up", () => {
  for (const [makerRate, takerRate, makerFee, takerFee] of FEES) {
    const venue = bitcoinVenue();
    const [maker, taker] = [venue.addUser("maker", { USDT: "100" }), venue.addUser("taker", { BTC: "1" })];
    venue.accept({ kind: "change_user", userId: maker, makerFeeRate: makerRate, takerFeeRate: "0.5" });
    venue.accept({ kind: "change_user", userId: taker, makerFeeRate: "0.5", takerFeeRate: takerRate });
    venue.put(maker, "buy 0.333333 @ 100.00");
    const { deals } = venue.place(taker, "sell 0.333333 @ 100.00");
    assert.equal(venue.fees("BTC"), makerFee);
    assert.equal(venue.fees("USDT"), takerFee);
    assert.deepEqual(
      deals.map(({ taker, maker }) => [taker.feeAssetId, maker.feeAssetId]),
      [[1, 0]],
    );
  }
});

test("an order keeps the fee rates of its acceptance, whatever becomes of the market's or the user's", () => {
  const venue = bitcoinVenue();
  const [maker, taker] = [venue.addUser("maker", { BTC: "2" }), venue.addUser("taker", { USDT: "1000" })];
  venue.put(maker, "sell 1 @ 100.00");
  venue.changeMarket("BTCUSDT", { makerFeeRate: "0.01", takerFeeRate: "0.02" });
  venue.accept({ kind: "change_user", userId: maker, makerFeeRate: "0.03" });
  const first = venue.place(taker, "buy 1 @ 100.00").deals[0];
  assert.equal(first?.maker.fee, 10000000n);
  assert.equal(first?.taker.fee, 2000000n);
  venue.put(maker, "sell 1 @ 100.00");
  assert.equal(venue.place(taker, "buy 1 @ 100.00").deals[0]?.maker.fee, 300000000n);
  venue.accept({ kind: "change_user", userId: maker, makerFeeRate: null });
  assert.equal(venue.state.users.get(maker)?.makerFeeRateE8, undefined);
});

test("a rate changed back to the market's is the market's of that moment", () => {
  const venue = bitcoinVenue();
  const user = venue.addUser("user", { BTC: "2" });
  venue.accept({ kind: "change_user", userId: user, makerFeeRate: "0.03", takerFeeRate: "0.04" });
  venue.accept({ kind: "change_user", userId: user, takerFeeRate: null });
  const order = venue.put(user, "sell 1 @ 100.00");
  assert.deepEqual([order.makerFeeRateE8, order.takerFeeRateE8], [3_000_000, 200_000]);
});

test("an order that trades bit by bit lives as open, part_filled, filled, with all its totals", () => {
  const venue = bitcoinVenue();
  const [maker, taker] = [venue.addUser("maker", { BTC: "1" }), venue.addUser("taker", { USDT: "1000" })];
  const put = venue.put(maker, "sell 1 @ 100.00 id:mine");
  assert.equal(put.status, "open");
  venue.timeMs += 5;
  const first = venue.place(taker, "buy 0.3 @ 100.00 ioc").events.filter((event) => event.kind === "order");
  venue.timeMs += 5;
  const second = venue.place(taker, "buy 0.7 @ 100.00 ioc").events.filter((event) => event.kind === "order");
  const told = [first[0], second[0]].map(
    (event) =>
      event && [
        event.event,
        event.order.status,
        event.order.left,
        event.order.filledLots,
        event.order.updatedAt,
        event.order.createdAt,
        event.order.clientId,
      ],
  );
  assert.deepEqual(told, [
    ["update", "part_filled", 700000n, 300000n, 1_005, 1_000, "mine"],
    ["finish", "filled", 0n, 1000000n, 1_010, 1_000, "mine"],
  ]);
  assert.equal(second[0]?.order.quoteFee, 10000000n);
});

test("order ids, deal ids and priorities count up by one over all markets", () => {
  const venue = bitcoinVenue();
  venue.listAsset("ETH");
  venue.listMarket("ETH", "USDT");
  const user = venue.addUser("user", { BTC: "10", ETH: "10", USDT: "1000" });
  const ids = [
    venue.put(user, "sell 1 @ 100.00").orderId,
    venue.put(user, "sell 1 @ 10.00", "ETHUSDT").orderId,
    venue.put(user, "buy 1 @ 1.00 ioc").orderId,
    venue.put(user, "buy 1 @ 100.00").orderId,
    venue.put(user, "buy 1 @ 10.00", "ETHUSDT").orderId,
  ];
  assert.deepEqual(ids, [1, 2, 3, 4, 5]);
  assert.equal(venue.state.nextDealId, 3);
});

test("a trade between the two sides of one user moves nothing but the fees", () => {
  const venue = bitcoinVenue();
  const user = venue.addUser("user", { BTC: "1", USDT: "100" });
  venue.put(user, "sell 1 @ 100.00");
  venue.put(user, "buy 1 @ 100.00");
  assert.equal(venue.balance(user, "BTC"), "0.99800000 + 0.00000000");
  assert.equal(venue.balance(user, "USDT"), "99.90000000 + 0.00000000");
});

test("the largest amounts that int64 holds trade exactly", () => {
  const venue = new Venue();
  venue.listAsset("BIG", 0);
  venue.listAsset("USD", 0);
  // 2^53 - 1 lots at 1023 ticks are worth just below 2^63.
  venue.accept({
    ...marketOf("BIG", "USD"),
    amountPrecision: 0,
    pricePrecision: 0,
    minAmount: "1",
    maxAmount: "9007199254740991",
    maxPrice: "1023",
  });
  const seller = venue.addUser("seller", { BIG: "9223372036854775807" });
  const buyer = venue.addUser("buyer", { USD: "9223372036854775807" });
  venue.put(seller, "sell 9007199254740991 @ 1023", "BIGUSD");
  const { deals } = venue.place(buyer, "buy 9007199254740991 @ 1023", "BIGUSD");
  assert.equal(deals[0]?.value, 9007199254740991n * 1023n);
  assert.equal(deals[0]?.maker.fee, 9214364837600034n);
  assert.equal(venue.balance(buyer, "USD"), "9007199254742014 + 0");
  venue.put(seller, "sell 1 @ 1023", "BIGUSD");
  const rest = venue.place(buyer, "buy 9007199254742014 USD", "BIGUSD");
  assert.equal(rest.order?.status, "part_canceled");
  assert.equal(rest.order?.filledLots, 1n);
  venue.assertRepeatable();
});
