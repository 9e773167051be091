import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { FuturesVenue } from "../../../test/support/futures-venue.ts";
import { runs } from "../../../test/support/runs.ts";
import { bitcoinVenue, type Done, endedIds, type Venue } from "../../../test/support/venue.ts";
import type { Refusal } from "../refusal.ts";
import { loadSnapshot, takeSnapshot } from "../snapshot.ts";
import { State } from "../state.ts";
import { OPEN_ORDERS_MAX } from "../trading/check.ts";
import type { MassQuote } from "./command-schemas.ts";
import { PAIRS_MAX, type QuotedMarket } from "./mass-quote.ts";

const ALICE = 1;
const BOB = 2;

/** A pair as "1 @ 99 | 2 @ 101", a side missing where there is nothing. */
function pairOf(text: string, marketId = 0): MassQuote["quotes"][number] {
  const [bid = "", ask = ""] = text.split("|").map((side) => side.trim());
  const [bidAmount, bidPrice] = bid.split(" @ ");
  const [askAmount, askPrice] = ask.split(" @ ");
  return {
    marketId,
    ...(bidPrice === undefined ? {} : { bidPrice, bidAmount }),
    ...(askPrice === undefined ? {} : { askPrice, askAmount }),
  };
}

function quote(userId: number, ...pairs: readonly (string | MassQuote["quotes"][number])[]): MassQuote {
  const quotes = pairs.map((pair) => (typeof pair === "string" ? pairOf(pair) : pair));
  return { kind: "mass_quote", userId, quotes };
}

function outcome(done: Done, at = 0): QuotedMarket {
  return (done.result as readonly QuotedMarket[])[at] as QuotedMarket;
}

function tradingVenue(): Venue {
  const venue = bitcoinVenue();
  for (const name of ["alice", "bob"]) venue.addUser(name, { BTC: "100", USDT: "10000" });
  venue.listAsset("ETH");
  venue.listMarket("ETH", "USDT");
  for (const userId of [ALICE, BOB]) venue.deposit(userId, "ETH", "100");
  return venue;
}

describe("a mass quote", () => {
  test("places bids and asks of several markets, and tells of each market", () => {
    const venue = tradingVenue();
    const done = venue.accept(
      quote(ALICE, "1 @ 99 | 1 @ 101", pairOf("| 5 @ 12", 1), "2 @ 98 | 2 @ 102", pairOf("5 @ 9 | 5 @ 11", 1)),
    );
    assert.deepEqual(done.result, [
      {
        marketId: 0,
        orderIds: [
          [1, 2],
          [3, 4],
        ],
      },
      {
        marketId: 1,
        orderIds: [
          [0, 5],
          [6, 7],
        ],
      },
    ]);
    assert.deepEqual(
      [venue.levels("buy"), venue.levels("sell")],
      [
        ["1 @ 99.00", "2 @ 98.00"],
        ["1 @ 101.00", "2 @ 102.00"],
      ],
    );
    assert.equal(venue.balance(ALICE, "USDT"), "9660.00000000 + 340.00000000");
    venue.assertRepeatable();
  });

  test("replaces the earlier quotes of the markets that it names, and nothing else", () => {
    const venue = tradingVenue();
    const { orderId } = venue.put(ALICE, "buy 1 @ 50");
    venue.accept(quote(ALICE, "1 @ 99 | 1 @ 101", pairOf("1 @ 9 | 1 @ 11", 1)));
    const done = venue.accept(quote(ALICE, "1 @ 98 | 1 @ 102"));
    assert.deepEqual(endedIds(done), [2, 3]);
    assert.deepEqual(outcome(done).orderIds, [[6, 7]]);
    assert.deepEqual(endedIds(venue.accept(quote(ALICE, ""))), [6, 7]);
    assert.deepEqual([venue.levels("buy"), venue.levels("buy", "ETHUSDT")], [["1 @ 50.00"], ["1 @ 9.00"]]);
    assert.equal(venue.cancel(ALICE, orderId).refusal, undefined);
    venue.assertRepeatable();
  });

  test("keeps the place of what keeps its price and grows by nothing; everything else goes to the back", () => {
    const venue = tradingVenue();
    venue.accept(quote(ALICE, "2 @ 99 | 2 @ 101"));
    venue.put(BOB, "sell 1 @ 101");
    venue.put(BOB, "buy 1 @ 99");
    const done = venue.accept(quote(ALICE, "1 @ 99 | 3 @ 101"));
    assert.deepEqual(outcome(done).orderIds, [[1, 5]]);
    assert.deepEqual(endedIds(done), [2]);
    assert.deepEqual(
      venue.place(BOB, "sell 1 @ 99 ioc").deals.map(({ maker }) => maker.orderId),
      [1],
    );
    assert.deepEqual(
      venue.place(BOB, "buy 2 @ 101 stp:none ioc").deals.map(({ maker }) => maker.orderId),
      [3, 5],
    );
    // One more unit open than what is left is more, whatever was filled before.
    const again = venue.accept(quote(ALICE, "| 2 @ 101"));
    assert.deepEqual(outcome(again).orderIds, [[0, 5]]);
    assert.deepEqual(outcome(venue.accept(quote(ALICE, "| 2.1 @ 101"))).orderIds, [[0, 8]]);
    venue.assertRepeatable();
  });

  test("that says what is there already changes nothing", () => {
    const venue = tradingVenue();
    const pairs = ["1 @ 99 | 1 @ 101", "1 @ 98 | 1 @ 102"];
    venue.accept(quote(ALICE, ...pairs));
    const done = venue.accept(quote(ALICE, ...pairs.toReversed()));
    assert.deepEqual(done.events, []);
    assert.deepEqual(outcome(done).orderIds, [
      [3, 4],
      [1, 2],
    ]);
  });

  test("moves across its own earlier quotes, with the money that these held", () => {
    const venue = tradingVenue();
    venue.accept(quote(ALICE, "100 @ 99 | 100 @ 101"));
    const done = venue.accept(quote(ALICE, "90 @ 105 | 100 @ 107"));
    assert.equal(outcome(done).refusal, undefined);
    assert.equal(venue.balance(ALICE, "USDT"), "550.00000000 + 9450.00000000");
    assert.deepEqual(outcome(venue.accept(quote(ALICE, "100 @ 95 | 100 @ 97"))).orderIds, [[5, 6]]);
    venue.assertRepeatable();
  });

  const REFUSED: readonly (readonly [what: string, pairs: readonly string[], refusal: Refusal])[] = [
    ["an amount below the least", ["1 @ 99 | 0.00001 @ 101"], "amount_too_small"],
    ["an amount of nothing", ["0 @ 99 | 1 @ 101"], "amount_too_small"],
    ["an amount off the grid", ["1 @ 99 | 1.1234567 @ 101"], "amount_off_grid"],
    ["a price off the grid", ["1 @ 99 | 1 @ 101.001"], "price_off_grid"],
    ["a price far from the index", ["1 @ 99 | 1 @ 101", "1 @ 999 | 1 @ 1001"], "price_far_from_latest"],
    ["more than is there", ["60 @ 99 | 1 @ 101", "60 @ 98 | 1 @ 102"], "insufficient_balance"],
    ["a bid that would take", ["1 @ 104 | 1 @ 106"], "would_take"],
    ["an ask that would take", ["1 @ 94 | 1 @ 95"], "would_take"],
    ["quotes that meet each other", ["1 @ 99 | 1 @ 101", "1 @ 101 | 1 @ 102"], "would_take"],
  ];
  for (const [what, pairs, refusal] of REFUSED) {
    test(`is refused in a market as a whole for ${what}, and leaves the earlier quotes there`, () => {
      const venue = tradingVenue();
      venue.spotIndex("100");
      venue.put(BOB, "sell 1 @ 103.5");
      venue.put(BOB, "buy 1 @ 96");
      venue.accept(quote(ALICE, "1 @ 97 | 1 @ 103"));
      const before = [venue.levels("buy"), venue.levels("sell"), venue.balance(ALICE, "USDT")];
      const done = venue.accept(quote(ALICE, ...pairs, pairOf("1 @ 9 | 1 @ 11", 1)));
      assert.deepEqual(outcome(done), { marketId: 0, refusal, orderIds: [] });
      assert.deepEqual(outcome(done, 1).orderIds.length, 1, "the other market is taken");
      const after = [venue.levels("buy"), venue.levels("sell")];
      assert.deepEqual(after, before.slice(0, 2));
      venue.assertRepeatable();
    });
  }

  test("is refused where the market, the venue or the account takes no maker_only orders, and may be withdrawn", () => {
    const venue = tradingVenue();
    venue.accept(quote(ALICE, "1 @ 99 | 1 @ 101", pairOf("1 @ 9 | 1 @ 11", 1)));
    venue.changeMarket("BTCUSDT", { suspended: true });
    assert.equal(outcome(venue.accept(quote(ALICE, "1 @ 98 | 1 @ 102"))).refusal, "market_suspended");
    assert.deepEqual(endedIds(venue.accept(quote(ALICE, ""))), [1, 2]);
    venue.accept({ kind: "change_user", userId: ALICE, tradeBarred: true });
    assert.equal(outcome(venue.accept(quote(ALICE, pairOf("1 @ 8", 1)))).refusal, "trade_barred");
    assert.deepEqual(endedIds(venue.accept(quote(ALICE, pairOf("", 1)))), [3, 4]);
    assert.equal(outcome(venue.accept(quote(ALICE, pairOf("1 @ 8", 77)))).refusal, "market_not_found");
  });

  test("counts as so many open orders, of which a market has its bound", () => {
    const venue = tradingVenue();
    venue.acceptAll(Array.from({ length: OPEN_ORDERS_MAX - 3 }, () => venue.orderOf(ALICE, "buy 0.0001 @ 90")));
    venue.accept(quote(ALICE, "1 @ 70", "1 @ 71", "1 @ 72"));
    assert.equal(outcome(venue.accept(quote(ALICE, "1 @ 73", "1 @ 74", "1 @ 75"))).refusal, undefined);
    assert.equal(
      outcome(venue.accept(quote(ALICE, "1 @ 73", "1 @ 74", "1 @ 75", "1 @ 76"))).refusal,
      "too_many_open_orders",
    );
  });

  test("goes with the protection of its user", () => {
    const venue = tradingVenue();
    venue.accept(quote(ALICE, "1 @ 99 | 1 @ 101", "1 @ 98 | 1 @ 102"));
    venue.accept({ kind: "set_protection", userId: ALICE, marketId: 0, windowMs: 1_000, fills: 1 });
    assert.equal(endedIds(venue.place(BOB, "buy 0.5 @ 101")).length, 5);
    assert.equal(outcome(venue.accept(quote(ALICE, "1 @ 99 | 1 @ 101"))).refusal, "quotes_held");
    assert.equal(outcome(venue.accept(quote(ALICE, ""))).refusal, undefined);
    venue.accept({ kind: "reset_protection", userId: ALICE, marketId: 0 });
    assert.equal(outcome(venue.accept(quote(ALICE, "1 @ 99 | 1 @ 101"))).refusal, undefined);
    venue.assertRepeatable();
  });

  for (const [command, says] of [
    [quote(ALICE), /from 1 to 100 pairs/],
    [quote(ALICE, ...Array.from({ length: PAIRS_MAX + 1 }, () => "1 @ 99")), /from 1 to 100 pairs/],
    [{ ...quote(ALICE), quotes: [{ marketId: 0, bidPrice: "99" }] }, /given together/],
    [{ ...quote(ALICE), quotes: [{ marketId: 0, askAmount: "99" }] }, /given together/],
    [{ ...quote(ALICE), quotes: ["99"] }, /quotes must be/],
    [quote(77, "1 @ 99"), /no user 77/],
  ] as const) {
    test(`is refused as a whole: ${says}`, () => {
      assert.match(tradingVenue().execute(command as MassQuote).detail ?? "", says);
    });
  }
});

describe("a mass quote of futures", () => {
  function contracts() {
    const venue = new FuturesVenue();
    const [maker, taker] = ["maker", "taker"].map((name) => venue.addTrader(name, { USDT: "100000" })) as [
      number,
      number,
    ];
    return { venue, maker, taker, marketId: venue.futuresNamed("BTCUSDT").id };
  }

  test("is held to margin quote by quote, with earlier ones gone, and leaves no trace where it is refused", () => {
    const { venue, maker, marketId } = contracts();
    const of = (...pairs: string[]) => quote(maker, ...pairs.map((pair) => pairOf(pair, marketId)));
    // 10x: 3000 of margin each, 15 of fee.
    const five = (bid: number) => Array.from({ length: 5 }, (_, at) => `3 @ ${bid - at} | 3 @ ${bid + 2 + at}`);
    assert.equal(outcome(venue.accept(of(...five(29_900)))).refusal, undefined);
    assert.equal(outcome(venue.accept(of(...five(29_900), "4 @ 29800 | 4 @ 30000"))).refusal, "insufficient_balance");
    assert.equal(outcome(venue.accept(of(...five(29_950)))).refusal, undefined);
    assert.equal(outcome(venue.accept(of("1 @ 20000 | 1 @ 25000"))).refusal, "price_outside_index");
    venue.assertRepeatable();
  });

  test("is refused where each quote has its margin and all together have not", () => {
    const { venue, maker, marketId } = contracts();
    // 10x: about 18,000 of margin each, and 100,000 are there.
    const bids = (count: number) =>
      quote(maker, ...Array.from({ length: count }, (_, at) => pairOf(`6 @ ${29_900 - at}`, marketId)));
    assert.equal(outcome(venue.accept(bids(6))).refusal, "insufficient_balance");
    assert.equal(outcome(venue.accept(bids(5))).refusal, undefined);
    venue.assertRepeatable();
  });

  test("comes to what single orders of the same prices come to, once earlier ones are cancelled", () => {
    const price = fc.integer({ min: 29_500, max: 30_500 });
    const side = fc.option(fc.tuple(price, fc.integer({ min: 1, max: 400 })), { nil: undefined });
    const pairs = fc.array(fc.tuple(side, side), { minLength: 1, maxLength: 6 });
    const textOf = (one: readonly [number, number] | undefined) =>
      one === undefined ? "" : `${one[1] / 100} @ ${one[0]}`;
    fc.assert(
      fc.property(
        pairs,
        pairs,
        fc.integer({ min: -300, max: 300 }),
        fc.constantFrom("cross", "isolated"),
        (before, wanted, position, mode) => {
          const run = (isMass: boolean) => {
            const { venue, maker, taker, marketId } = contracts();
            venue.setLeverage(maker, 20, mode);
            const way = position < 0 ? ["buy", "sell"] : ["sell", "buy"];
            if (position !== 0) {
              venue.rest(taker, `${way[0]} ${Math.abs(position) / 100} @ 30000.00`);
              venue.rest(maker, `${way[1]} ${Math.abs(position) / 100} @ 30000.00`);
            }
            venue.rest(taker, "buy 0.5 @ 29800.00");
            venue.rest(taker, "sell 0.5 @ 30200.00");
            const of = (list: typeof wanted) =>
              quote(maker, ...list.map(([bid, ask]) => pairOf(`${textOf(bid)} | ${textOf(ask)}`, marketId)));
            venue.accept(of(before));
            const book = () => [0, 1].map((each) => [...(venue.state.books[marketId]?.levels(each) ?? [])]);
            const rested = book();
            const sums = () =>
              venue.state.futures.seats.frozen(
                venue.state.futures.seats.rowOf(venue.state.seats.find(maker, marketId, 0)),
              );
            const frozen = sums();
            if (isMass) {
              const { refusal } = outcome(venue.accept(of(wanted)));
              if (refusal !== undefined) assert.deepEqual([book(), sums()], [rested, frozen]);
              return refusal === undefined ? [book(), sums()] : refusal;
            }
            venue.accept({ kind: "cancel_all_orders", userId: maker, marketId, account: "futures" });
            for (const pair of wanted) {
              for (const [at, one] of pair.entries()) {
                if (one === undefined) continue;
                const done = venue.trade(maker, `${at === 0 ? "buy" : "sell"} ${textOf(one)} maker_only`);
                if (done.refusal !== undefined) return done.refusal;
              }
            }
            return [book(), sums()];
          };
          const [mass, single] = [run(true), run(false)];
          // Which of two reasons is told may differ: a mass quote asks last whether it would take.
          if (typeof single === "string") assert.equal(typeof mass, "string");
          else assert.deepEqual(mass, single);
        },
      ),
      runs(150),
    );
  });

  test("is of accounts in one-way mode", () => {
    const { venue, maker, marketId } = contracts();
    venue.accept({ kind: "change_futures_settings", userId: maker, positionMode: "hedge" });
    assert.equal(outcome(venue.accept(quote(maker, pairOf("1 @ 29000", marketId)))).refusal, "position_side_mismatch");
  });
});

test("quotes have no client id, in a restored venue neither", () => {
  const venue = tradingVenue();
  venue.accept(quote(ALICE, "1 @ 99 | 1 @ 101"));
  const restored = new State();
  loadSnapshot(restored, takeSnapshot(venue.state), venue.state.seq, venue.state.timeMs);
  assert.equal(restored.orders.live, 2);
  assert.deepEqual([...restored.orders.clientId], []);
});

test("who withdraws quotes of a market that he was never in leaves nothing there", () => {
  const venue = tradingVenue();
  const { orderIds, refusal } = outcome(venue.accept(quote(BOB, { marketId: 1 })));
  assert.deepEqual([orderIds, refusal], [[[0, 0]], undefined]);
  assert.equal(venue.state.seats.count, 0);
});
