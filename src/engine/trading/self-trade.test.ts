import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue } from "../../../test/support/venue.ts";
import type { OrderStatus } from "../event.ts";

/** `own` and `other` are orders already in the book; what the own taker does in each mode. */
interface Row {
  readonly book: readonly (readonly ["own" | "other", string])[];
  readonly order: string;
  readonly deals: readonly string[];
  readonly status: OrderStatus;
  /** Own orders of the book that were cancelled by it, by position. */
  readonly canceled: readonly number[];
  /** Displayed asks left. */
  readonly asks: readonly string[];
}

const OWN_BETWEEN = [
  ["other", "sell 0.1 @ 100.00"],
  ["own", "sell 0.2 @ 101.00"],
  ["other", "sell 0.3 @ 102.00"],
] as const;

const ROWS: readonly Row[] = [
  {
    book: OWN_BETWEEN,
    order: "buy 0.5 @ 102.00",
    deals: ["0.1 @ 100.00", "0.2 @ 101.00", "0.2 @ 102.00"],
    status: "filled",
    canceled: [],
    asks: ["0.1 @ 102.00"],
  },
  {
    book: OWN_BETWEEN,
    order: "buy 0.5 @ 102.00 stp:ct",
    deals: ["0.1 @ 100.00"],
    status: "part_canceled",
    canceled: [],
    asks: ["0.2 @ 101.00", "0.3 @ 102.00"],
  },
  {
    book: OWN_BETWEEN,
    order: "buy 0.5 @ 102.00 stp:cm",
    deals: ["0.1 @ 100.00", "0.3 @ 102.00"],
    status: "part_filled",
    canceled: [1],
    asks: [],
  },
  {
    book: OWN_BETWEEN,
    order: "buy 0.5 @ 102.00 stp:both",
    deals: ["0.1 @ 100.00"],
    status: "part_canceled",
    canceled: [1],
    asks: ["0.3 @ 102.00"],
  },
  {
    book: OWN_BETWEEN.slice(1),
    order: "buy 0.5 @ 102.00 stp:ct",
    deals: [],
    status: "canceled",
    canceled: [],
    asks: ["0.2 @ 101.00", "0.3 @ 102.00"],
  },
  {
    book: OWN_BETWEEN.slice(1),
    order: "buy 0.5 @ 102.00 stp:both",
    deals: [],
    status: "canceled",
    canceled: [0],
    asks: ["0.3 @ 102.00"],
  },
  // The mode of the resting order does not matter.
  {
    book: [["own", "sell 0.2 @ 101.00 stp:both"]],
    order: "buy 0.2 @ 101.00",
    deals: ["0.2 @ 101.00"],
    status: "filled",
    canceled: [],
    asks: [],
  },
  // Protection looks at whom it would trade with next, not at what else is in the book.
  {
    book: OWN_BETWEEN,
    order: "buy 0.1 @ 102.00 stp:ct",
    deals: ["0.1 @ 100.00"],
    status: "filled",
    canceled: [],
    asks: ["0.2 @ 101.00", "0.3 @ 102.00"],
  },
  {
    book: OWN_BETWEEN,
    order: "buy 0.5 @ 100.50 stp:both",
    deals: ["0.1 @ 100.00"],
    status: "part_filled",
    canceled: [],
    asks: ["0.2 @ 101.00", "0.3 @ 102.00"],
  },
  {
    book: OWN_BETWEEN,
    order: "buy 0.5 @ 102.00 ioc stp:cm",
    deals: ["0.1 @ 100.00", "0.3 @ 102.00"],
    status: "part_canceled",
    canceled: [1],
    asks: [],
  },
  {
    book: OWN_BETWEEN,
    order: "buy 0.5 stp:cm",
    deals: ["0.1 @ 100.00", "0.3 @ 102.00"],
    status: "part_canceled",
    canceled: [1],
    asks: [],
  },
  {
    book: OWN_BETWEEN,
    order: "buy 25.3 USDT stp:cm",
    deals: ["0.1 @ 100.00", "0.15 @ 102.00"],
    status: "filled",
    canceled: [1],
    asks: ["0.15 @ 102.00"],
  },
  {
    book: [["own", "sell 0.2 @ 101.00 hidden"]],
    order: "buy 0.1 @ 101.00 stp:cm",
    deals: [],
    status: "open",
    canceled: [0],
    asks: [],
  },
];

test("self-trade protection cancels the taker's rest, the own resting order or both, as the taker's mode says", () => {
  for (const row of ROWS) {
    const venue = bitcoinVenue();
    const own = venue.addUser("own", { USDT: "1000", BTC: "1" });
    const other = venue.addUser("other", { BTC: "1" });
    const ids = row.book.map(([who, text]) => venue.put(who === "own" ? own : other, text).orderId);
    const done = venue.place(own, row.order);
    const ended = done.events.flatMap((event) =>
      event.kind === "order" && event.order.status === "canceled" ? [event.order.orderId] : [],
    );
    assert.equal(done.refusal, undefined, row.order);
    assert.deepEqual(
      done.deals.map((deal) => venue.dealText(deal)),
      row.deals,
      row.order,
    );
    assert.equal(done.order?.status, row.status, row.order);
    assert.deepEqual(
      ended.filter((id) => ids.includes(id)),
      row.canceled.map((at) => ids[at]),
      row.order,
    );
    assert.deepEqual(venue.levels("sell"), row.asks, row.order);
  }
});

test("protection is among the orders of one account: a sub-account is somebody else", () => {
  const venue = bitcoinVenue();
  const main = venue.addUser("main", { USDT: "1000" });
  venue.accept({ kind: "create_user", name: "sub", mainUserId: main });
  venue.deposit(main + 1, "BTC", "1");
  venue.put(main + 1, "sell 0.1 @ 100.00");
  assert.equal(venue.place(main, "buy 0.1 @ 100.00 stp:both").deals.length, 1);
});

test("a maker_only order that would meet an own order is refused, whatever its mode says", () => {
  for (const mode of ["none", "ct", "cm", "both"]) {
    const venue = bitcoinVenue();
    const own = venue.addUser("own", { USDT: "1000", BTC: "1" });
    venue.put(own, "sell 1 @ 100.00");
    assert.equal(venue.place(own, `buy 1 @ 100.00 maker_only stp:${mode}`).refusal, "would_take");
  }
});

test("a market order that steps over own orders can pay for what lies behind them", () => {
  // 1 own at 100 would be cancelled, so 1 costs 109 and not 100.
  const venue = bitcoinVenue();
  const own = venue.addUser("own", { USDT: "100", BTC: "1" });
  const other = venue.addUser("other", { BTC: "2" });
  venue.put(own, "sell 1 @ 100.00");
  venue.put(other, "sell 1 @ 109.00");
  assert.equal(venue.place(own, "buy 1 stp:cm").refusal, "insufficient_balance");
  venue.deposit(own, "USDT", "8.99999999");
  assert.equal(venue.place(own, "buy 1 stp:cm").refusal, "insufficient_balance");
  venue.deposit(own, "USDT", "0.00000001");
  assert.equal(venue.place(own, "buy 1 stp:cm").order?.status, "filled");
  assert.equal(venue.balance(own, "USDT"), "0.00000000 + 0.00000000");
});

test("a market order that own orders would stop needs only what lies before them", () => {
  for (const mode of ["ct", "both"]) {
    const venue = bitcoinVenue();
    const own = venue.addUser("own", { USDT: "50", BTC: "1" });
    const other = venue.addUser("other", { BTC: "2" });
    venue.put(other, "sell 0.5 @ 100.00");
    venue.put(own, "sell 1 @ 101.00");
    assert.equal(venue.place(own, `buy 1 stp:${mode}`).order?.status, "part_canceled");
  }
});
