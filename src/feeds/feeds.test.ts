import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FuturesVenue, rareEvents } from "../../test/support/futures-venue.ts";
import { openView, takeInto, type View } from "../../test/support/history-view.ts";
import { NO_BACKFILL } from "../../test/support/no-backfill.ts";
import { runs } from "../../test/support/runs.ts";
import { type Command, ORDER_TYPES, type PlaceOrder, SIDES } from "../engine/command.ts";
import { Engine } from "../engine/engine.ts";
import { cycleOf } from "../engine/futures/funding/cycle.ts";
import { formatDecimal } from "../engine/money/decimal.ts";
import type { State } from "../engine/state.ts";
import type { DepthRow } from "./depth.ts";
import { Feeds, type PastTrades } from "./feeds.ts";

const T = Date.parse("2025-03-05T12:00:00Z");
const DAY_MS = 86_400_000;
const MARKETS = [0, 1];

const listing: Command[] = [
  { kind: "list_asset", ccy: "BTC", scale: 8 },
  { kind: "list_asset", ccy: "ETH", scale: 8 },
  { kind: "list_asset", ccy: "USDT", scale: 8 },
  ...["BTC", "ETH"].map((baseCcy) => ({
    kind: "list_market" as const,
    market: `${baseCcy}USDT`,
    baseCcy,
    quoteCcy: "USDT",
    amountPrecision: 4,
    pricePrecision: 2,
    minAmount: "0.0001",
    makerFeeRate: "0.001",
    takerFeeRate: "0.002",
  })),
  { kind: "create_user", name: "one" },
  { kind: "create_user", name: "two" },
];

/** A venue of the engine alone, whose events go to feeds and to history as in a node. */
class SmallVenue {
  readonly engine = new Engine();
  feeds: Feeds | undefined;
  readonly view: View;
  readonly users: number[] = [];
  timeMs = T;
  #seq = 0;
  #taken = Promise.resolve();

  constructor(view: View) {
    this.view = view;
    for (const command of listing) {
      const { userId } = (this.apply(command) ?? {}) as { userId?: number };
      if (userId !== undefined) this.users.push(userId);
    }
    for (const userId of this.users) {
      for (const ccy of ["BTC", "ETH", "USDT"]) {
        this.apply({ kind: "deposit", userId, ccy, amount: "1000000", note: "test" });
      }
    }
  }

  apply(command: Command): unknown {
    const outcome = this.engine.execute(command, { seq: ++this.#seq, timeMs: this.timeMs });
    const { events } = this.engine;
    this.feeds?.apply(events, 0, events.length);
    const copy = events.copy();
    this.#taken = this.#taken.then(() => takeInto(this.view, copy));
    events.clear();
    return outcome.result;
  }

  get past(): PastTrades {
    const { ask, writer } = this.view;
    return {
      tradedSeconds: async (query) => {
        await this.#taken;
        writer.settle();
        return await ask.tradedSeconds(query);
      },
      marketDeals: async (query) => {
        await this.#taken;
        return await ask.marketDeals(query);
      },
      fundingRates: async (query) => {
        await this.#taken;
        return await ask.fundingRates(query);
      },
    };
  }

  startFeeds(): Promise<Feeds> {
    return Feeds.start(this.engine.state, this.past, this.timeMs);
  }
}

function bookOf(state: State, marketId: number, side: number): DepthRow[] {
  return [...(state.books[marketId]?.levels(side) ?? [])]
    .slice(0, 50)
    .map(({ price, lots }) => [formatDecimal(price, 2), formatDecimal(lots, 4)]);
}

function seenOf(feeds: Feeds, nowMs: number) {
  return MARKETS.map((marketId) => {
    const { asks, bids, checksum } = feeds.depth(marketId, 50, "0");
    return { asks, bids, checksum, ticker: feeds.ticker(marketId, nowMs), deals: feeds.recentDeals(marketId, 0, 1000) };
  });
}

const order = fc.record({
  kind: fc.constant("place_order" as const),
  marketId: fc.constantFrom(...MARKETS),
  side: fc.constantFrom(...SIDES),
  type: fc.constantFrom(...ORDER_TYPES.filter((type) => type !== "market")),
  amount: fc.bigInt({ min: 1n, max: 20n }),
  price: fc.bigInt({ min: 9_990n, max: 10_010n }),
  hidden: fc.boolean(),
});
const step = fc.oneof(
  { weight: 6, arbitrary: order },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), marketId: fc.constantFrom(...MARKETS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      ms: fc.oneof(fc.nat(3_000), fc.nat(DAY_MS), fc.constant(DAY_MS + 1_000)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
);

test("feeds show what the engine holds, and show the same after a restart as without one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80, size: "max" }), async (steps) => {
      const venue = new SmallVenue(await openView());
      const feeds = await venue.startFeeds();
      venue.feeds = feeds;
      for (const [at, { kind, ...given }] of steps.entries()) {
        const userId = venue.users[at % 2] as number;
        if (kind === "place_order") {
          const traits = { account: "spot", amountIn: "base", stpMode: "none", clientId: "" } as const;
          venue.apply({
            kind,
            userId,
            ...traits,
            ...(given as Pick<PlaceOrder, "marketId" | "side" | "type" | "amount" | "price" | "hidden">),
          });
        } else if (kind === "cancel") {
          venue.apply({ kind: "cancel_all_orders", userId, account: "spot", ...(given as { marketId: number }) });
        } else if (kind === "wait") {
          venue.timeMs += (given as { ms: number }).ms;
          venue.apply({ kind: "tick" });
        } else {
          assert.deepEqual(seenOf(await venue.startFeeds(), venue.timeMs), seenOf(feeds, venue.timeMs));
        }
        for (const marketId of MARKETS) {
          const { bids, asks } = feeds.depth(marketId, 50, "0");
          assert.deepEqual(
            [bids, asks],
            [bookOf(venue.engine.state, marketId, 0), bookOf(venue.engine.state, marketId, 1)],
          );
          assert.equal(feeds.ticker(marketId, venue.timeMs).last, venue.engine.state.lastPrice[marketId]);
        }
      }
      // Feeds that went through a restart go on as if nothing had been.
      const restarted = await venue.startFeeds();
      venue.feeds = restarted;
      for (let more = 0; more < 2; more++) {
        venue.timeMs += 700;
        for (const side of SIDES) {
          const userId = venue.users[SIDES.indexOf(side)] as number;
          const traits = { account: "spot", amountIn: "base", stpMode: "none", hidden: false, clientId: "" } as const;
          venue.apply({
            kind: "place_order",
            userId,
            marketId: 0,
            side,
            type: "limit",
            amount: 3n,
            price: 10_000n,
            ...traits,
          });
        }
      }
      assert.deepEqual(seenOf(await venue.startFeeds(), venue.timeMs), seenOf(restarted, venue.timeMs));
    }),
    runs(30),
  );
});

test("a market that nobody has traded shows an empty book, zeros and no deals", async () => {
  const venue = new SmallVenue(await openView());
  const feeds = await venue.startFeeds();
  const { asks, bids, checksum, updatedAt } = feeds.depth(1, 5, "0.1");
  assert.deepEqual({ asks, bids, checksum, updatedAt }, { asks: [], bids: [], checksum: 0, updatedAt: T });
  assert.deepEqual(feeds.recentDeals(1, 0, 10), []);
  assert.equal(feeds.ticker(1, T).last, 0n);
  assert.throws(() => feeds.depth(2, 5, "0"), RangeError);
});

test("the rate of the last funding is kept, whether or not somebody is told of what happens", async () => {
  for (const isHeard of [false, true]) {
    const venue = new FuturesVenue();
    venue.index("30000");
    const { id } = venue.futuresNamed("BTCUSDT");
    cycleOf(venue.state, venue.futuresNamed("BTCUSDT")).samples.add(60_000, {
      premiumE8: 40_000_000,
      markPremiumE8: 0,
    });
    const feeds = await Feeds.start(venue.state, NO_BACKFILL, 0);
    const heard: string[] = [];
    if (isHeard) feeds.listen({ happened: ({ type }) => heard.push(type), applied: () => {} });
    venue.timeMs = 28_794_000;
    venue.indexBack("30000", "BTCUSDT");
    const done = venue.wait(1_000);
    const { events } = venue.engine;
    feeds.apply(events, 0, events.length);
    const rate = rareEvents(done, "funding_collected").find(({ marketId }) => marketId === id)?.rateE8 ?? 0;
    assert.ok(rate > 0, "something was collected");
    assert.equal(feeds.lastFundingE8(id), rate);
    assert.equal(heard.includes("funding_collected"), isHeard);
  }
});
