import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { aDeal, anOrder, EventWriter } from "../../test/support/event-writer.ts";
import { contentOf, type TestDatabase, takeInto, testDatabases, type View } from "../../test/support/history-view.ts";
import { runs } from "../../test/support/runs.ts";
import { ACCOUNTS, SIDES } from "../engine/command.ts";
import type { DealEvent, OrderRecord } from "../engine/event.ts";
import { type Candle, candleStart, KLINE_PERIODS, type KlinePeriod } from "./candles/kline.ts";
import type { UserDeal } from "./deals/deal-queries.ts";

type Deal = Omit<DealEvent, "kind"> & { timeMs: number };

/** What happened, as plain lists: the oracle of every query. */
interface Story {
  readonly deals: Deal[];
  readonly orders: OrderRecord[];
  /** Events of each group. */
  readonly groups: Uint8Array<ArrayBuffer>[];
}

const USERS = [1, 2, 3];
const MARKETS = [0, 1];

// Most of it concerns one user's spot account in one market, so that its pages are full.
const user = fc.constantFrom(...USERS, 1, 1);
const market = fc.constantFrom(...MARKETS, 0);
const side = fc.constantFrom(...SIDES);
const account = fc.constantFrom(...ACCOUNTS, "spot" as const, "spot" as const);
// Both orders of a deal are of a futures market, or neither is.
const party = fc.record({
  userId: user,
  account: fc.constantFrom("spot" as const, "margin" as const),
  orderId: fc.integer({ min: 1, max: 6 }),
});

/** Ids step over the bounds of segments now and then, as those of a venue do after a while. */
const idStep = fc.oneof(fc.constant(1), fc.constant(1), fc.integer({ min: 1, max: 100_000 }));
const event = fc.oneof(
  fc.record({
    kind: fc.constant("deal" as const),
    idStep,
    marketId: market,
    side,
    price: fc.bigInt({ min: 1n, max: 2n ** 62n }),
    lots: fc.bigInt({ min: 1n, max: 2n ** 62n }),
    value: fc.bigInt({ min: 1n, max: 2n ** 62n }),
    taker: party,
    maker: party,
  }),
  fc.record({
    kind: fc.constant("order" as const),
    idStep,
    userId: user,
    marketId: market,
    account,
    side,
    filledLots: fc.constantFrom(0n, 1n, 2n ** 62n),
    clientId: fc.constantFrom("", "", "a", "b"),
  }),
  fc.record({ kind: fc.constant("time" as const), ms: fc.oneof(fc.nat(500), fc.nat(100_000), fc.nat(5 * 86_400_000)) }),
);
const eventLists = fc.array(event, { minLength: 1, maxLength: 120, size: "max" });
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

const START_MS = Date.parse("2025-03-01T00:00:00Z");

/** Tells the story as events; every command is a group of its own. */
function tell(list: readonly Event[]): Story {
  const story: Story = { deals: [], orders: [], groups: [] };
  const writer = new EventWriter();
  let timeMs = START_MS;
  let dealId = 65_500;
  let orderId = 65_500;
  list.forEach((item, index) => {
    if (item.kind === "time") {
      timeMs += item.ms;
      return;
    }
    writer.command(index + 1, timeMs);
    if (item.kind === "deal") {
      dealId += item.idStep;
      // The same order is always of one user, market and account.
      const partyOf = (role: "taker" | "maker") => {
        const { userId, account: of, orderId: nth } = item[role];
        const id =
          ((nth * 10 + userId) * 10 + item.marketId) * 100 + ACCOUNTS.indexOf(of) * 10 + (role === "taker" ? 1 : 2);
        return { userId, account: of, orderId: id, fee: BigInt(nth), feeAssetId: nth, deducted: false };
      };
      const { marketId, price, lots, value } = item;
      const parties = { taker: partyOf("taker"), maker: partyOf("maker") };
      const deal = { ...aDeal({ dealId, marketId, side: item.side, price, lots, value }), ...parties, timeMs };
      story.deals.push(deal);
      writer.deal(deal);
    } else {
      orderId += item.idStep;
      const { kind: _, idStep: __, ...given } = item;
      const status = given.filledLots === 0n ? "canceled" : "part_canceled";
      const order = anOrder({ ...given, orderId, status, createdAt: timeMs, updatedAt: timeMs + 1 });
      if (given.filledLots > 0n) story.orders.push(order);
      writer.order("put", { ...order, status: "open" });
      writer.order("finish", order);
    }
    story.groups.push(writer.take());
  });
  return story;
}

const databases = testDatabases();
after(() => databases.end());

/** A test in each database; there are fewer runs where each costs more. */
function inEach(
  name: string,
  body: (database: TestDatabase, runsOf: (count: number) => ReturnType<typeof runs>) => Promise<void>,
): void {
  for (const database of databases.all) {
    const share = database.name === "SQLite" ? 1 : 0.2;
    test(`in ${database.name} ${name}`, { skip: database.skip }, () =>
      body(database, (count) => runs(Math.ceil(count * share))),
    );
  }
}

async function view(database: TestDatabase, story: Story): Promise<View> {
  const open = await database.open();
  await takeInto(open, ...story.groups);
  open.writer.settle();
  return open;
}

/** Sorts by id, falling. */
const newestFirst = <Row>(rows: readonly Row[], idOf: (row: Row) => number) =>
  rows.toSorted((a, b) => idOf(b) - idOf(a));

function naivePage<Row>(rows: readonly Row[], page: number, limit: number) {
  return { rows: rows.slice((page - 1) * limit, page * limit), hasNext: rows.length > page * limit };
}

function ownSides(deal: Deal): UserDeal[] {
  const { dealId, timeMs, marketId, price, lots, value } = deal;
  return (["taker", "maker"] as const).map((role) => ({
    dealId,
    createdAt: timeMs,
    marketId,
    account: deal[role].account,
    orderId: deal[role].orderId,
    side: role === "taker" ? deal.side : deal.side === "buy" ? "sell" : "buy",
    role,
    price,
    lots,
    value,
    fee: deal[role].fee,
    positionId: 0,
    feeAssetId: deal[role].feeAssetId,
  }));
}

const maybe = <T>(values: fc.Arbitrary<T>) => fc.oneof(fc.constant(undefined), fc.constant(undefined), values);
const paging = { page: fc.constantFrom(1, 1, 1, 2, 3), limit: fc.integer({ min: 1, max: 8 }) };

inEach("a user's deals are those of the plain list, whatever the filters and the page", async (database, runsOf) => {
  const query = fc.record({
    ...paging,
    userId: user,
    account,
    marketId: market,
    side: maybe(side),
    // At the time of the nth deal, or a millisecond off it.
    startAt: maybe(fc.record({ nth: fc.nat(40), offMs: fc.integer({ min: -1, max: 1 }) })),
    endAt: maybe(fc.record({ nth: fc.nat(120), offMs: fc.integer({ min: -1, max: 1 }) })),
  });
  await fc.assert(
    fc.asyncProperty(eventLists, fc.array(query, { minLength: 5, maxLength: 5 }), async (list, queries) => {
      const story = tell(list);
      const { ask } = await view(database, story);
      const timeOf = (at: { nth: number; offMs: number } | undefined) =>
        at && (story.deals[at.nth]?.timeMs ?? START_MS) + at.offMs;
      for (const { startAt, endAt, ...rest } of queries) {
        const q = { ...rest, startTime: timeOf(startAt), endTime: timeOf(endAt) };
        const own = story.deals
          .flatMap((deal) =>
            ownSides(deal)
              .map((row, at) => ({ row, userId: at === 0 ? deal.taker.userId : deal.maker.userId }))
              .filter(({ userId }) => userId === q.userId)
              .map(({ row }) => row)
              // Both sides of a deal with oneself: the bought one first.
              .sort((a, b) => SIDES.indexOf(a.side) - SIDES.indexOf(b.side)),
          )
          .filter((row) => row.account === q.account && row.marketId === q.marketId)
          .filter((row) => q.side === undefined || row.side === q.side)
          .filter((row) => q.startTime === undefined || row.createdAt >= q.startTime)
          .filter((row) => q.endTime === undefined || row.createdAt <= q.endTime);
        assert.deepEqual(
          await ask.userDeals(q),
          naivePage(
            newestFirst(own, (row) => row.dealId),
            q.page,
            q.limit,
          ),
        );
      }
    }),
    runsOf(60),
  );
});

inEach(
  "the deals of an order and of a market are those of the plain list; another user's order shows none",
  async (database, runsOf) => {
    await fc.assert(
      fc.asyncProperty(eventLists, paging.page, paging.limit, fc.nat(200_000), async (list, page, limit, lastId) => {
        const story = tell(list);
        const { ask } = await view(database, story);
        for (const { taker, maker, marketId } of story.deals.slice(-3)) {
          for (const { userId, account: of, orderId } of [taker, maker]) {
            const own = story.deals.flatMap(ownSides).filter((row) => row.orderId === orderId);
            const expected = naivePage(
              newestFirst(own, (row) => row.dealId),
              page,
              limit,
            );
            const asked = { userId, account: of, marketId, orderId, page, limit };
            assert.deepEqual(await ask.orderDeals(asked), expected);
            const nothing = { rows: [], hasNext: false };
            assert.deepEqual(await ask.orderDeals({ ...asked, userId: userId + 1 }), nothing);
            assert.deepEqual(await ask.orderDeals({ ...asked, marketId: marketId + 1 }), nothing);
            assert.deepEqual(await ask.orderDeals({ ...asked, account: of === "spot" ? "margin" : "spot" }), nothing);
          }
        }
        for (const marketId of MARKETS) {
          const all = story.deals.filter((deal) => deal.marketId === marketId && deal.dealId > lastId);
          const expected = newestFirst(all, (deal) => deal.dealId)
            .slice(0, limit)
            .map(({ dealId, timeMs, side: of, price, lots }) => ({ dealId, createdAt: timeMs, side: of, price, lots }));
          assert.deepEqual(await ask.marketDeals({ marketId, lastId, limit }), expected);
        }
      }),
      runsOf(40),
    );
  },
);

inEach(
  "ended orders are those of the plain list that had a fill, whatever the filters and the page",
  async (database, runsOf) => {
    const query = fc.record({
      ...paging,
      userId: user,
      account,
      marketId: maybe(market),
      side: maybe(side),
      clientId: maybe(fc.constantFrom("a", "b", "c")),
    });
    await fc.assert(
      fc.asyncProperty(eventLists, fc.array(query, { minLength: 5, maxLength: 5 }), async (list, queries) => {
        const story = tell(list);
        const { ask } = await view(database, story);
        for (const q of queries) {
          const own = story.orders
            .filter((order) => order.userId === q.userId && order.account === q.account)
            .filter((order) => q.marketId === undefined || order.marketId === q.marketId)
            .filter((order) => q.side === undefined || order.side === q.side)
            .filter((order) => q.clientId === undefined || order.clientId === q.clientId);
          const expected = naivePage(
            newestFirst(own, (order) => order.orderId),
            q.page,
            q.limit,
          );
          assert.deepEqual(await ask.finishedOrders(q), expected);
        }
        for (const userId of USERS) {
          const orderIds = [...story.orders.map((order) => order.orderId), 7];
          const found = await ask.endedOrders({ userId, marketId: 1, orderIds });
          const expected = story.orders.filter((order) => order.userId === userId && order.marketId === 1);
          assert.deepEqual(
            newestFirst(found, (order) => order.orderId),
            newestFirst(expected, (order) => order.orderId),
          );
        }
      }),
      runsOf(60),
    );
  },
);

/** Candles by the definition of domain 8, second by second of nothing but deals. */
function naiveCandles(deals: readonly Deal[], periodS: number): Candle[] {
  const candles: Candle[] = [];
  let last: bigint | undefined;
  for (const { timeMs, price, lots, value } of deals) {
    const createdAt = candleStart(periodS, Math.floor(timeMs / 1000)) * 1000;
    const open = last ?? price;
    const current = candles.at(-1);
    const base: Candle =
      current?.createdAt === createdAt
        ? (candles.pop() as Candle)
        : { createdAt, open, high: open, low: open, close: open, volume: 0n, value: 0n };
    candles.push({
      ...base,
      high: price > base.high ? price : base.high,
      low: price < base.low ? price : base.low,
      close: price,
      volume: base.volume + lots,
      value: base.value + value,
    });
    last = price;
  }
  return candles;
}

function naiveFilled(traded: readonly Candle[], periodS: number, lastS: number): Candle[] {
  const filled: Candle[] = [];
  for (const candle of traded) {
    let previous = filled.at(-1);
    while (previous !== undefined && previous.createdAt + periodS * 1000 < candle.createdAt) {
      const { close } = previous;
      const createdAt = previous.createdAt + periodS * 1000;
      previous = { createdAt, open: close, high: close, low: close, close, volume: 0n, value: 0n };
      filled.push(previous);
    }
    filled.push(candle);
  }
  const last = filled.at(-1);
  if (last === undefined) return [];
  for (let createdAt = last.createdAt + periodS * 1000; createdAt <= lastS * 1000; createdAt += periodS * 1000) {
    filled.push({
      createdAt,
      open: last.close,
      high: last.close,
      low: last.close,
      close: last.close,
      volume: 0n,
      value: 0n,
    });
  }
  return filled;
}

inEach(
  "candles of every length follow from the deals, beyond 64 bits, whenever the batches end",
  async (database, runsOf) => {
    const periods = Object.keys(KLINE_PERIODS) as KlinePeriod[];
    await fc.assert(
      fc.asyncProperty(
        eventLists,
        fc.nat(86_400_000),
        fc.integer({ min: -1, max: 1 }),
        async (list, laterMs, offMs) => {
          const batch = 3;
          const story = tell(list);
          const open = await view(database, { ...story, groups: [] });
          const { ask, run, writer } = open;
          for (const [at, group] of story.groups.entries()) {
            await takeInto(open, group);
            if (at % batch === 0) await writer.commit();
          }
          writer.settle();
          const nowMs = (story.deals.at(-1)?.timeMs ?? START_MS) + laterMs;
          for (const period of periods.slice(5)) {
            const periodS = KLINE_PERIODS[period];
            const deals = story.deals.filter((deal) => deal.marketId === 0);
            const all = naiveFilled(
              naiveCandles(deals, periodS),
              periodS,
              candleStart(periodS, Math.floor(nowMs / 1000)),
            );
            const asked = { marketId: 0, period, priceType: "latest_price" as const, limit: 20, nowMs };
            assert.deepEqual(await ask.klines(asked), all.slice(-20), period);
            const startTime = candleStart(periodS, nowMs / 1000 - 15 * periodS) * 1000 + offMs;
            const endTime = candleStart(periodS, nowMs / 1000 - 5 * periodS) * 1000 + offMs;
            const inRange = all.filter(({ createdAt }) => createdAt >= startTime && createdAt <= endTime);
            assert.deepEqual(await ask.klines({ ...asked, startTime, endTime }), inRange.slice(-20), period);
            assert.deepEqual(await ask.klines({ ...asked, priceType: "index_price" }), [], "no index came");
          }
          const minutes = naiveCandles(
            story.deals.filter((deal) => deal.marketId === 1),
            60,
          );
          const stored = (await run(
            "select * from klines where market_id = 1 and period_s = 60 order by start_s",
          )) as Record<string, bigint | string>[];
          assert.deepEqual(
            stored.map(({ start_s, open, high, low, close, volume, value }) => [
              ...[Number(start_s) * 1000, open, high, low, close],
              ...[BigInt(volume as string), BigInt(value as string)],
            ]),
            minutes.map((c) => [c.createdAt, c.open, c.high, c.low, c.close, c.volume, c.value]),
          );
        },
      ),
      runsOf(40),
    );
  },
);

inEach("the index makes candles without volume, apart from those of the deals", async (database) => {
  const writer = new EventWriter();
  const minute = Date.parse("2025-03-05T10:00:00Z");
  const indexAt = (seq: number, timeMs: number, price: string) =>
    writer.command(seq, timeMs).rareEvent({ type: "index_price", marketId: 4, price });
  indexAt(1, minute + 1_000, "100");
  indexAt(2, minute + 59_999, "90");
  indexAt(3, minute + 60_000, "95");
  const open = await database.open();
  await takeInto(open, writer.take());
  open.writer.settle();
  const asked = { marketId: 4, period: "1min" as const, limit: 10, nowMs: minute + 130_000 };
  const flat = { volume: 0n, value: 0n };
  assert.deepEqual(await open.ask.klines({ ...asked, priceType: "index_price" }), [
    { createdAt: minute, open: 100n, high: 100n, low: 90n, close: 90n, ...flat },
    { createdAt: minute + 60_000, open: 90n, high: 95n, low: 90n, close: 95n, ...flat },
    { createdAt: minute + 120_000, open: 95n, high: 95n, low: 95n, close: 95n, ...flat },
  ]);
  assert.deepEqual(await open.ask.klines({ ...asked, priceType: "latest_price" }), []);
  assert.deepEqual(await open.ask.tradedSeconds({ marketId: 4, since: 0 }), []);
});

inEach("seconds are kept for the ticker's window; the newest one stays and is told in any case", async (database) => {
  const open = await database.open();
  const writer = new EventWriter();
  const second = 1_700_000_000;
  const tradeAt = async (seq: number, at: number, price: bigint, of: "buy" | "sell") => {
    writer.command(seq, at * 1000 + 999).deal(aDeal({ dealId: seq, price, lots: 10n, value: 3n, side: of }));
    await takeInto(open, writer.take());
  };
  await tradeAt(1, second, 100n, "buy");
  await tradeAt(2, second, 120n, "sell");
  await tradeAt(3, second + 1, 110n, "buy");
  await open.writer.commit();
  const first = { second, open: 100n, high: 120n, low: 100n, close: 120n, volume: 20n, value: 6n, volumeBuy: 10n };
  const next = {
    second: second + 1,
    open: 120n,
    high: 120n,
    low: 110n,
    close: 110n,
    volume: 10n,
    value: 3n,
    volumeBuy: 10n,
  };
  assert.deepEqual(await open.ask.tradedSeconds({ marketId: 0, since: second }), [first, next]);
  assert.deepEqual(await open.ask.tradedSeconds({ marketId: 0, since: second + 1 }), [next]);
  assert.deepEqual(await open.ask.tradedSeconds({ marketId: 0, since: second + 99_999 }), [next]);
  await tradeAt(4, second + 2 * 86_400, 130n, "buy");
  await open.writer.commit();
  const kept = await open.ask.tradedSeconds({ marketId: 0, since: 0 });
  assert.deepEqual(
    kept.map((row) => [row.second, row.open]),
    [[second + 2 * 86_400, 110n]],
  );
});

inEach("events that come again change nothing, and neither does where the batches end", async (database, runsOf) => {
  await fc.assert(
    fc.asyncProperty(eventLists, fc.integer({ min: 1, max: 10 }), async (list, batch) => {
      const story = tell(list);
      const once = await view(database, story);
      await once.writer.commit();
      const [content, { committedSeq }] = [await contentOf(once), once.writer];
      const again = await database.open();
      for (const [at, group] of story.groups.entries()) {
        await takeInto(again, group);
        if (at % batch === 0) await again.writer.commit();
        await takeInto(again, group, ...story.groups.slice(0, at));
      }
      await again.writer.commit();
      assert.deepEqual(await contentOf(again), content);
      assert.equal(again.writer.committedSeq, committedSeq);
    }),
    runsOf(30),
  );
});
