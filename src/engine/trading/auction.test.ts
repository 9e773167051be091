import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { type Done, marketOf, Venue } from "../../../test/support/venue.ts";
import type { ListMarket } from "../listing/command-schemas.ts";
import type { Refusal } from "../refusal.ts";
import { LadderBook } from "./ladder-book.ts";
import { PlainBook } from "./plain-book.ts";

const BOOKS = [PlainBook, LadderBook] as const;
const BIDDING_AT = 2_000;
const NO_CANCEL_AT = 3_000;
const ONLINE_AT = 4_000;
const FUNDS = { BTC: "1000", USDT: "1000000" };

/**
 * A venue at 1000 ms, with users 1 to 4 and BTCUSDT, which takes bids at 2000, locks them at 3000 and opens at 4000.
 */
function auctionVenue(settings: Partial<ListMarket> = {}, Book: (typeof BOOKS)[number] = LadderBook): Venue {
  const venue = new Venue((orders, events, id) => new Book(orders, events, id));
  venue.listAsset("BTC");
  venue.listAsset("USDT");
  venue.accept({
    ...marketOf("BTC", "USDT"),
    biddingAt: BIDDING_AT,
    noCancelAt: NO_CANCEL_AT,
    onlineAt: ONLINE_AT,
    ...settings,
  });
  for (let user = 1; user <= 4; user++) venue.addUser(`user ${user}`, FUNDS);
  return venue;
}

function setIndex(venue: Venue, price: string): void {
  venue.accept({ kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "one", price }] });
}

function tickAt(venue: Venue, timeMs: number): Done {
  venue.timeMs = timeMs;
  return venue.accept({ kind: "tick" });
}

/** What the market opened at, in ticks; undefined while it has not. */
function openedAt({ events }: Done): string | undefined {
  for (const event of events) {
    if (event.kind === "json" && event.event.type === "auction_uncrossed") return event.event.price;
  }
  return undefined;
}

/** A deal as "2 takes 0.5 @ 100.00 from 1", by order id. */
function dealsOf(venue: Venue, { deals }: Done): string[] {
  return deals.map((deal) => {
    const [amount, price] = venue.dealText(deal).split(" @ ");
    return `${deal.taker.orderId} ${deal.side}s ${amount} @ ${price} from ${deal.maker.orderId}`;
  });
}

interface Row {
  readonly rule: string;
  readonly index?: string;
  /** Order 1, 2, ... and who places it. */
  readonly orders: readonly (readonly [userId: number, text: string])[];
  /** Ticks. */
  readonly opensAt: string;
  readonly deals: readonly string[];
  /** What is displayed afterwards, buys then sells. */
  readonly left: readonly string[];
  /** Balances afterwards, as "1 USDT 100.00000000 + 0.00000000". */
  readonly balances?: readonly string[];
  readonly fees?: readonly [base: string, quote: string];
}

const UNCROSSINGS: readonly Row[] = [
  { rule: "an empty book opens empty", orders: [], opensAt: "0", deals: [], left: [] },
  {
    rule: "with one side only there is no price",
    orders: [[1, "buy 1 @ 100.00"]],
    opensAt: "0",
    deals: [],
    left: ["1 @ 100.00"],
  },
  {
    rule: "sides that do not reach each other stay as they are",
    orders: [
      [1, "buy 1 @ 100.00"],
      [2, "sell 1 @ 100.01"],
    ],
    opensAt: "0",
    deals: [],
    left: ["1 @ 100.00", "1 @ 100.01"],
  },
  {
    rule: "who came later takes, now the seller, now the buyer",
    index: "100",
    orders: [
      [1, "buy 1 @ 102.00"],
      [2, "sell 2 @ 99.00"],
      [3, "buy 1 @ 100.00"],
    ],
    opensAt: "10000",
    deals: ["2 sells 1 @ 100.00 from 1", "3 buys 1 @ 100.00 from 2"],
    left: [],
    // Taker rate 0.2 %, maker rate 0.1 %, out of what is received.
    balances: [
      "1 BTC 1000.99900000 + 0.00000000",
      "1 USDT 999900.00000000 + 0.00000000",
      "2 BTC 998.00000000 + 0.00000000",
      "2 USDT 1000199.70000000 + 0.00000000",
      "3 BTC 1000.99800000 + 0.00000000",
      "3 USDT 999900.00000000 + 0.00000000",
    ],
    fees: ["0.00300000", "0.30000000"],
  },
  {
    rule: "at the margin an order is filled in part, and buyers get back what they meant to pay more",
    orders: [
      [1, "sell 3 @ 100.00"],
      [2, "buy 2 @ 110.00"],
      [3, "buy 4 @ 105.00"],
    ],
    opensAt: "10500",
    deals: ["2 buys 2 @ 105.00 from 1", "3 buys 1 @ 105.00 from 1"],
    left: ["3 @ 105.00"],
    balances: [
      "1 BTC 997.00000000 + 0.00000000",
      "1 USDT 1000314.68500000 + 0.00000000",
      "2 USDT 999790.00000000 + 0.00000000",
      "3 USDT 999580.00000000 + 315.00000000",
    ],
  },
  {
    rule: "buys go by price, then time",
    orders: [
      [1, "buy 1 @ 100.00"],
      [2, "buy 1 @ 101.00"],
      [3, "buy 1 @ 100.00"],
      [4, "sell 2.5 @ 100.00"],
    ],
    opensAt: "10000",
    deals: ["4 sells 1 @ 100.00 from 2", "4 sells 1 @ 100.00 from 1", "4 sells 0.5 @ 100.00 from 3"],
    left: ["0.5 @ 100.00"],
  },
  {
    rule: "sells go by price, then time",
    orders: [
      [1, "sell 1 @ 100.00"],
      [2, "sell 1 @ 99.00"],
      [3, "sell 1 @ 100.00"],
      [4, "buy 2.5 @ 100.00"],
    ],
    opensAt: "10000",
    deals: ["4 buys 1 @ 100.00 from 2", "4 buys 1 @ 100.00 from 1", "4 buys 0.5 @ 100.00 from 3"],
    left: ["0.5 @ 100.00"],
  },
  {
    rule: "hidden orders stand behind displayed ones of their price, and before worse prices",
    orders: [
      [1, "sell 1 @ 100.00 hidden"],
      [2, "sell 1 @ 100.00"],
      [3, "sell 1 @ 101.00"],
      [4, "buy 2.5 @ 101.00"],
    ],
    opensAt: "10100",
    deals: ["4 buys 1 @ 101.00 from 2", "4 buys 1 @ 101.00 from 1", "4 buys 0.5 @ 101.00 from 3"],
    left: ["0.5 @ 101.00"],
  },
  {
    rule: "hidden orders count for the price",
    orders: [
      [1, "buy 1 @ 102.00"],
      [2, "sell 1 @ 99.00"],
      [3, "buy 5 @ 101.00 hidden"],
      [4, "sell 5 @ 101.00 hidden"],
    ],
    opensAt: "10100",
    deals: ["2 sells 1 @ 101.00 from 1", "4 sells 5 @ 101.00 from 3"],
    left: [],
  },
  {
    rule: "nobody is left: the price nearest to the index",
    index: "103",
    orders: [
      [1, "buy 1 @ 104.00"],
      [2, "sell 1 @ 100.00"],
    ],
    opensAt: "10400",
    deals: ["2 sells 1 @ 104.00 from 1"],
    left: [],
  },
  {
    rule: "nobody is left and there is no index: the lower price",
    orders: [
      [1, "buy 1 @ 104.00"],
      [2, "sell 1 @ 100.00"],
    ],
    opensAt: "10000",
    deals: ["2 sells 1 @ 100.00 from 1"],
    left: [],
  },
  {
    rule: "buyers are left: the highest price, whatever the index says",
    index: "100",
    orders: [
      [1, "buy 2 @ 104.00"],
      [2, "sell 1 @ 100.00"],
    ],
    opensAt: "10400",
    deals: ["2 sells 1 @ 104.00 from 1"],
    left: ["1 @ 104.00"],
  },
  {
    rule: "sellers are left: the lowest price, whatever the index says",
    index: "104",
    orders: [
      [1, "buy 1 @ 104.00"],
      [2, "sell 2 @ 100.00"],
    ],
    opensAt: "10000",
    deals: ["2 sells 1 @ 100.00 from 1"],
    left: ["1 @ 100.00"],
  },
  {
    rule: "there is no self-trade protection",
    orders: [
      [1, "buy 1 @ 100.00 stp:both"],
      [1, "sell 1 @ 100.00 stp:both"],
    ],
    opensAt: "10000",
    deals: ["2 sells 1 @ 100.00 from 1"],
    left: [],
  },
  {
    rule: "fees are rounded up on each side, to the last unit of each asset",
    orders: [
      [1, "buy 0.333333 @ 100.03"],
      [2, "sell 0.333333 @ 100.03"],
    ],
    opensAt: "10003",
    deals: ["2 sells 0.333333 @ 100.03 from 1"],
    left: [],
    // 33333300 base units · 0.1 % = 33333.3; 33.34329999 quote · 0.2 % = 0.0666865999…
    balances: ["1 BTC 1000.33299966 + 0.00000000", "2 USDT 1000033.27661339 + 0.00000000"],
    fees: ["0.00033334", "0.06668660"],
  },
];

describe("an uncrossing", () => {
  for (const row of UNCROSSINGS) {
    test(row.rule, () => {
      for (const Book of BOOKS) {
        const venue = auctionVenue({}, Book);
        tickAt(venue, BIDDING_AT);
        if (row.index !== undefined) setIndex(venue, row.index);
        for (const [userId, text] of row.orders) venue.put(userId, text);
        const done = tickAt(venue, ONLINE_AT);
        assert.equal(openedAt(done), row.opensAt);
        assert.deepEqual(dealsOf(venue, done), row.deals);
        assert.deepEqual([...venue.levels("buy"), ...venue.levels("sell")], row.left);
        const balances = (row.balances ?? []).map((text) => text.split(" ").slice(0, 2) as [string, string]);
        assert.deepEqual(
          balances.map(([user, ccy]) => `${user} ${ccy} ${venue.balance(Number(user), ccy)}`),
          row.balances ?? [],
        );
        if (row.fees !== undefined) assert.deepEqual([venue.fees("BTC"), venue.fees("USDT")], row.fees);
        assert.equal(venue.marketNamed("BTCUSDT").status, "online");
        venue.assertRepeatable();
      }
    });
  }

  test("takes the rates with which orders were placed", () => {
    const venue = auctionVenue();
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 100.00");
    venue.put(2, "sell 1 @ 100.00");
    venue.changeMarket("BTCUSDT", { makerFeeRate: "0.5", takerFeeRate: "0.6" });
    tickAt(venue, ONLINE_AT);
    assert.deepEqual([venue.fees("BTC"), venue.fees("USDT")], ["0.00100000", "0.20000000"]);
  });

  test("deducts fees from what the fill itself frees, for a taker and for a maker", () => {
    for (const [buysLast, fee] of [
      [true, 14_400_000n],
      [false, 7_200_000n],
    ] as const) {
      const venue = auctionVenue();
      venue.accept({ kind: "set_fee_deduction", ccy: "USDT" });
      const buyer = venue.addUser("buyer", { USDT: "200" });
      venue.accept({ kind: "change_user", userId: buyer, feeDeduction: true });
      tickAt(venue, BIDDING_AT);
      if (!buysLast) venue.put(buyer, "buy 2 @ 100.00");
      for (const seller of [1, 2]) venue.put(seller, "sell 1 @ 90.00");
      // All that the buyer has is frozen now; at 90 it gets back 10 with each of the two.
      if (buysLast) venue.put(buyer, "buy 2 @ 100.00");
      const done = tickAt(venue, ONLINE_AT);
      const paid = done.deals.map((deal) => (buysLast ? deal.taker : deal.maker));
      assert.deepEqual(
        paid.map((party) => [party.deducted, party.fee]),
        [
          [true, fee],
          [true, fee],
        ],
      );
      assert.equal(venue.balance(buyer, "BTC"), "2.00000000 + 0.00000000");
      venue.assertRepeatable();
    }
  });

  test("happens before the command that comes first at its time, and its stop orders after that command", () => {
    const venue = auctionVenue();
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 100.00");
    venue.put(2, "sell 1 @ 100.00");
    venue.put(2, "sell 3 @ 120.00");
    venue.accept({ ...venue.orderOf(3, "buy 1 BTC"), kind: "place_stop_order", trigger: 10_000n });
    venue.timeMs = ONLINE_AT;
    const done = venue.place(4, "buy 0.5 @ 120.00");
    assert.deepEqual(dealsOf(venue, done), [
      "2 sells 1 @ 100.00 from 1",
      "4 buys 0.5 @ 120.00 from 3",
      "5 buys 1 @ 120.00 from 3",
    ]);
    venue.assertRepeatable();
  });

  test("gives deals that make the latest price, from which stop orders fire once", () => {
    const venue = auctionVenue();
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 100.00");
    venue.put(2, "sell 1 @ 100.00");
    for (const trigger of [9_999n, 10_000n, 10_001n]) {
      venue.accept({ ...venue.orderOf(3, "buy 0.1 @ 99.00"), kind: "place_stop_order", trigger });
    }
    const done = tickAt(venue, ONLINE_AT);
    assert.equal(venue.state.lastPrice[0], 10_000n);
    const fired = done.events.filter((event) => event.kind === "stop");
    assert.deepEqual(
      fired.map(({ event, stop }) => [event, stop.stopId]),
      [
        ["active_success", 1],
        ["active_success", 2],
      ],
    );
    assert.equal(venue.state.stops.live, 1);
  });

  test("is as brute force finds it, for any orders", () => {
    const order = fc.record({
      userId: fc.integer({ min: 1, max: 4 }),
      side: fc.constantFrom("buy", "sell"),
      lots: fc.integer({ min: 1, max: 9 }),
      price: fc.integer({ min: 95, max: 105 }),
      hidden: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(order, { maxLength: 25, size: "max" }),
        fc.constantFrom(0, 97, 100, 103),
        (orders, index) => {
          const venue = auctionVenue({}, BOOKS[orders.length % 2]);
          tickAt(venue, BIDDING_AT);
          if (index > 0) setIndex(venue, String(index));
          for (const { userId, side, lots, price, hidden } of orders) {
            venue.put(userId, `${side} ${lots} @ ${price}.00${hidden ? " hidden" : ""}`);
          }
          const expected = bruteForce(orders, index);
          const done = tickAt(venue, ONLINE_AT);
          assert.equal(openedAt(done), String(expected.price * 100));
          const filled = new Map<number, bigint>();
          for (const { taker, maker, lots } of done.deals) {
            for (const { orderId } of [taker, maker]) filled.set(orderId, (filled.get(orderId) ?? 0n) + lots);
          }
          assert.deepEqual(
            orders.map((_, at) => Number(filled.get(at + 1) ?? 0n) / 1e6),
            expected.filled,
          );
          venue.assertRepeatable(venue.log.length - 1);
        },
      ),
      runs(300),
    );
  });
});

interface Wish {
  readonly side: string;
  readonly lots: number;
  readonly price: number;
  readonly hidden: boolean;
}

/** What an auction should come to: its price, 0 for none, and how much is filled of each order. Loops only. */
function bruteForce(orders: readonly Wish[], index: number): { price: number; filled: number[] } {
  const at = (price: number) => {
    const total = (side: string, reaches: (limit: number) => boolean) =>
      orders.reduce((sum, wish) => sum + (wish.side === side && reaches(wish.price) ? wish.lots : 0), 0);
    const wanted = total("buy", (limit) => limit >= price);
    const offered = total("sell", (limit) => limit <= price);
    return { price, lots: Math.min(wanted, offered), over: wanted - offered };
  };
  let best = [...new Set(orders.map(({ price }) => price))].sort((a, b) => a - b).map(at);
  const most = Math.max(0, ...best.map(({ lots }) => lots));
  const filled = orders.map(() => 0);
  if (most === 0) return { price: 0, filled };
  best = best.filter(({ lots }) => lots === most);
  const least = Math.min(...best.map(({ over }) => Math.abs(over)));
  best = best.filter(({ over }) => Math.abs(over) === least);
  const prices = best.map(({ price }) => price);
  let price = Math.min(...prices);
  if (best.every(({ over }) => over > 0)) price = Math.max(...prices);
  else if (best.some(({ over }) => over >= 0)) {
    // The middle in ticks of 0.01; of prices as near, the first, which is the lower.
    const near = index || Math.floor((Math.min(...prices) + Math.max(...prices)) * 50) / 100;
    const distance = Math.min(...prices.map((other) => Math.abs(other - near)));
    price = prices.find((other) => Math.abs(other - near) === distance) as number;
  }
  for (const side of ["buy", "sell"]) {
    let left = most;
    const served = [...orders.entries()].filter(
      ([, wish]) => wish.side === side && (side === "buy" ? wish.price >= price : wish.price <= price),
    );
    served.sort(
      ([first, a], [second, b]) =>
        (side === "buy" ? b.price - a.price : a.price - b.price) ||
        Number(a.hidden) - Number(b.hidden) ||
        first - second,
    );
    for (const [order, { lots }] of served) {
      filled[order] = Math.min(left, lots);
      left -= filled[order];
    }
  }
  return { price, filled };
}

const ACCOUNT = { marketId: 0, account: "spot" } as const;
const ok = "ok";

/**
 * User 1 has order 1, a bid for 1 at 100 with the client id `mine`, and stop order 1 with the same; user 3 asks for 1
 * at 110. What each action comes to.
 */
const PHASES: readonly [
  action: string,
  run: (venue: Venue) => Done,
  counting: string,
  first: string,
  second: string,
  online: string,
][] = [
  ["limit", (venue) => venue.place(2, "buy 1 @ 90.00"), "market_not_open", ok, ok, ok],
  ["limit that crosses", (venue) => venue.place(2, "sell 1 @ 90.00"), "market_not_open", ok, ok, ok],
  ["hidden limit", (venue) => venue.place(2, "sell 1 @ 90.00 hidden"), "market_not_open", ok, ok, ok],
  [
    "limit without funds",
    (venue) => venue.place(2, "sell 2000 @ 90.00"),
    "market_not_open",
    "insufficient_balance",
    "insufficient_balance",
    "insufficient_balance",
  ],
  [
    "maker_only",
    (venue) => venue.place(2, "buy 1 @ 90.00 maker_only"),
    "market_not_open",
    "market_not_open",
    "market_not_open",
    ok,
  ],
  ["ioc", (venue) => venue.place(2, "sell 1 @ 99.00 ioc"), "market_not_open", "market_not_open", "market_not_open", ok],
  ["fok", (venue) => venue.place(2, "sell 1 @ 99.00 fok"), "market_not_open", "market_not_open", "market_not_open", ok],
  ["market", (venue) => venue.place(2, "sell 1"), "market_not_open", "market_not_open", "market_not_open", ok],
  ["stop limit", (venue) => placeStop(venue, 2, "sell 1 @ 50.00", 5_000n), "market_not_open", ok, ok, ok],
  ["stop market", (venue) => placeStop(venue, 2, "sell 1", 5_000n), "market_not_open", ok, ok, ok],
  ["modify", (venue) => venue.modify(1, 1, "price 101"), "order_not_found", ok, "auction_locked", ok],
  ["modify to cross", (venue) => venue.modify(1, 1, "price 120"), "order_not_found", ok, "auction_locked", ok],
  ["modify nothing", (venue) => venue.modify(1, 1, "price 100"), "order_not_found", ok, "auction_locked", ok],
  ["cancel", (venue) => venue.cancel(1, 1), "order_not_found", ok, "auction_locked", ok],
  [
    "cancel somebody else's",
    (venue) => venue.cancel(2, 1),
    "order_not_found",
    "order_not_found",
    "order_not_found",
    "order_not_found",
  ],
  [
    "cancel all",
    (venue) => venue.execute({ kind: "cancel_all_orders", userId: 1, ...ACCOUNT }),
    ok,
    ok,
    "auction_locked",
    ok,
  ],
  [
    "cancel all of nothing",
    (venue) => venue.execute({ kind: "cancel_all_orders", userId: 2, ...ACCOUNT }),
    ok,
    ok,
    "auction_locked",
    ok,
  ],
  [
    "cancel by client id",
    (venue) => venue.execute({ kind: "cancel_by_client_id", userId: 1, ...ACCOUNT, clientId: "mine" }),
    "order_not_found",
    ok,
    "auction_locked",
    ok,
  ],
  [
    "cancel by client id in every market",
    (venue) => venue.execute({ kind: "cancel_by_client_id", userId: 1, account: "spot", clientId: "mine" }),
    "order_not_found",
    ok,
    "auction_locked",
    ok,
  ],
  [
    "cancel by a client id of none",
    (venue) => venue.execute({ kind: "cancel_by_client_id", userId: 1, ...ACCOUNT, clientId: "none" }),
    "order_not_found",
    "order_not_found",
    "order_not_found",
    "order_not_found",
  ],
  [
    "modify a stop order",
    (venue) => venue.execute({ kind: "modify_stop_order", userId: 1, marketId: 0, stopId: 1, amount: 2_000_000n }),
    "order_not_found",
    ok,
    "auction_locked",
    ok,
  ],
  [
    "cancel a stop order",
    (venue) => venue.execute({ kind: "cancel_stop_order", userId: 1, marketId: 0, stopId: 1 }),
    "order_not_found",
    ok,
    "auction_locked",
    ok,
  ],
  [
    "cancel stop orders by client id",
    (venue) => venue.execute({ kind: "cancel_stop_by_client_id", userId: 1, ...ACCOUNT, clientId: "mine" }),
    "order_not_found",
    ok,
    "auction_locked",
    ok,
  ],
];

function placeStop(venue: Venue, userId: number, text: string, trigger: bigint): Done {
  return venue.execute({ ...venue.orderOf(userId, text), kind: "place_stop_order", trigger });
}

describe("what is allowed", () => {
  for (const [at, phase] of ["counting down", "taking bids", "locked", "online"].entries()) {
    for (const intoMs of [0, 999]) {
      test(`${intoMs} ms into ${phase}`, () => {
        for (const row of PHASES) {
          const venue = auctionVenue();
          if (at > 0) {
            tickAt(venue, BIDDING_AT);
            venue.put(1, "buy 1 @ 100.00 id:mine");
            venue.put(3, "sell 1 @ 110.00");
            assert.equal(placeStop(venue, 1, "sell 1 @ 50.00 id:mine", 5_000n).refusal, undefined);
          }
          venue.timeMs = 1_000 + 1_000 * at + intoMs;
          const done = row[1](venue);
          const expected = row[2 + at] as Refusal | "ok";
          assert.equal(done.refusal ?? ok, expected, row[0]);
          assert.equal(
            done.deals.length > 0,
            phase === "online" && /^(limit that crosses|hidden limit|ioc|fok|market|modify to cross)$/.test(row[0]),
            row[0],
          );
          venue.assertRepeatable();
        }
      });
    }
  }

  test("a cancel by client id in every market leaves what an auction has locked and ends the rest", () => {
    const venue = auctionVenue();
    venue.listAsset("ETH");
    venue.listMarket("ETH", "USDT");
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 100.00 id:mine");
    venue.put(1, "buy 1 @ 100.00 id:mine", "ETHUSDT");
    venue.timeMs = NO_CANCEL_AT;
    const all = { kind: "cancel_by_client_id", userId: 1, account: "spot", clientId: "mine" } as const;
    const ended = venue.accept(all).events.flatMap((event) => (event.kind === "order" ? [event.order.orderId] : []));
    assert.deepEqual(ended, [2]);
    assert.equal(venue.execute(all).refusal, "auction_locked");
  });

  test("a limit price is held to the index, and to nothing while there is none", () => {
    const venue = auctionVenue();
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 1000.00");
    venue.put(2, "sell 1 @ 1.00");
    setIndex(venue, "100");
    assert.equal(venue.place(1, "buy 1 @ 150.01").refusal, "price_far_from_latest");
    assert.equal(venue.place(1, "buy 1 @ 150.00").refusal, undefined);
    assert.equal(venue.place(2, "sell 1 @ 49.99").refusal, "price_far_from_latest");
  });

  test("in a maintenance nothing, and in its protection period neither orders nor, once locked, cancels", () => {
    const venue = auctionVenue();
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 100.00");
    maintain(venue, 2_500, 3_500, 3_500, 5_000);
    venue.timeMs = 2_500;
    assert.equal(venue.cancel(1, 1).refusal, "maintenance");
    venue.timeMs = 3_500;
    assert.equal(venue.cancel(1, 1).refusal, "auction_locked");
    assert.equal(venue.place(1, "buy 1 @ 100.00").refusal, "protection_period");
    assert.equal(venue.place(1, "buy 1 @ 100.00 maker_only").refusal, "market_not_open");
  });

  test("a stop order that is placed in an auction fires without self-trade protection, one placed later with it", () => {
    const venue = auctionVenue();
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 100.00");
    venue.put(2, "sell 1 @ 100.00");
    assert.equal(placeStop(venue, 3, "sell 1 stp:both", 10_000n).refusal, undefined);
    assert.equal(placeStop(venue, 3, "sell 1 stp:both", 9_900n).refusal, undefined);
    venue.put(3, "buy 5 @ 99.00");
    const done = tickAt(venue, ONLINE_AT);
    assert.deepEqual(dealsOf(venue, done).slice(1), ["4 sells 1 @ 99.00 from 3", "5 sells 1 @ 99.00 from 3"]);
    assert.equal(placeStop(venue, 3, "sell 1 stp:both", 9_900n).deals.length, 0);
    assert.deepEqual(venue.levels("buy"), []);
  });
});

describe("the opening", () => {
  test("waits while nothing may trade, and comes with what ends that", () => {
    const obstacles: readonly [name: string, begin: (venue: Venue) => void, end: (venue: Venue) => Done][] = [
      [
        "maintenance",
        (venue) => maintain(venue, 3_900, 6_000),
        (venue) => {
          assert.equal(tickAt(venue, 5_999).events.length, 0);
          return tickAt(venue, 6_000);
        },
      ],
      [
        "maintenance and its protection period",
        (venue) => maintain(venue, 3_900, 5_000, 5_000, 6_000),
        (venue) => {
          assert.equal(openedAt(tickAt(venue, 5_999)), undefined);
          return tickAt(venue, 6_000);
        },
      ],
      [
        "a maintenance that is cancelled",
        (venue) => maintain(venue, 3_900, 6_000),
        (venue) => venue.accept({ kind: "cancel_maintenance", maintenanceId: 1 }),
      ],
      [
        "suspension",
        (venue) => venue.changeMarket("BTCUSDT", { suspended: true }),
        (venue) => venue.accept({ kind: "change_market", market: "BTCUSDT", suspended: false }),
      ],
      [
        "a market closed to the API",
        (venue) => venue.changeMarket("BTCUSDT", { apiTradingAvailable: false }),
        (venue) => venue.accept({ kind: "change_market", market: "BTCUSDT", apiTradingAvailable: true }),
      ],
      [
        "a venue that takes only cancels",
        (venue) => venue.accept({ kind: "set_cancel_only", cancelOnly: true, reason: "" }),
        (venue) => venue.accept({ kind: "set_cancel_only", cancelOnly: false, reason: "" }),
      ],
    ];
    for (const [name, begin, end] of obstacles) {
      const venue = auctionVenue();
      tickAt(venue, BIDDING_AT);
      venue.put(1, "buy 1 @ 100.00");
      venue.put(2, "sell 1 @ 100.00");
      tickAt(venue, 3_900);
      begin(venue);
      assert.equal(openedAt(tickAt(venue, 4_500)), undefined, name);
      assert.equal(venue.marketNamed("BTCUSDT").status, "bidding", name);
      assert.ok(venue.state.nextDueMs > 4_500, `${name}: nothing is looked at again and again meanwhile`);
      assert.equal(openedAt(end(venue)), "10000", name);
      assert.equal(venue.marketNamed("BTCUSDT").status, "online", name);
      venue.assertRepeatable();
    }
  });

  test("does not come in a market that is delisted before, or at the same time", () => {
    for (const delistedAt of [3_500, ONLINE_AT]) {
      const venue = auctionVenue({ delistedAt });
      tickAt(venue, BIDDING_AT);
      venue.put(1, "buy 1 @ 100.00");
      venue.put(2, "sell 1 @ 100.00");
      assert.equal(placeStop(venue, 1, "sell 1 @ 50.00", 5_000n).refusal, undefined);
      const done = tickAt(venue, 9_000);
      assert.equal(openedAt(done), undefined);
      const finished = done.events.flatMap((event) => (event.kind === "order" ? [event.order.status] : []));
      assert.deepEqual(finished, ["canceled", "canceled"]);
      assert.equal(venue.balance(1, "USDT"), "1000000.00000000 + 0.00000000");
      assert.equal(venue.state.stops.live, 0);
      // Nothing is locked in a market that is gone.
      assert.equal(venue.execute({ kind: "cancel_all_orders", userId: 1, ...ACCOUNT }).refusal, undefined);
      venue.assertRepeatable();
    }
  });

  test("comes first in a market that is delisted later, though both were slept through", () => {
    const venue = auctionVenue({ delistedAt: 4_001 });
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 100.00");
    venue.put(2, "sell 1 @ 100.00");
    assert.equal(openedAt(tickAt(venue, 9_000)), "10000");
    assert.equal(venue.state.marketByName.size, 0);
  });

  test("comes at a time that the operator moves, also at once", () => {
    const venue = auctionVenue();
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 100.00");
    venue.put(2, "sell 1 @ 100.00");
    venue.changeMarket("BTCUSDT", { onlineAt: 8_000 });
    assert.equal(openedAt(tickAt(venue, 7_999)), undefined);
    const now = venue.timeMs;
    assert.equal(openedAt(venue.accept({ kind: "change_market", market: "BTCUSDT", onlineAt: now })), "10000");
    venue.assertRepeatable();
  });

  test("survives a restart in the middle of either phase, with crossed books", () => {
    const venue = auctionVenue();
    tickAt(venue, BIDDING_AT);
    venue.put(1, "buy 1 @ 105.00 hidden");
    venue.put(2, "sell 2 @ 95.00 id:mine");
    tickAt(venue, NO_CANCEL_AT);
    venue.put(3, "buy 3 @ 96.00");
    tickAt(venue, ONLINE_AT);
    for (let cut = 0; cut < venue.log.length; cut++) venue.assertRepeatable(cut);
  });
});

function maintain(venue: Venue, startedAt: number, endedAt: number, from = 0, to = 0): void {
  venue.accept({
    kind: "plan_maintenance",
    scope: ["SPOT"],
    startedAt,
    endedAt,
    protectDurationStart: from,
    protectDurationEnd: to,
    announceUrl: "",
    announceEnabled: false,
  });
}
