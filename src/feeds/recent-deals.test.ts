import assert from "node:assert/strict";
import { test } from "node:test";
import { RECENT_DEALS_MAX, RecentDeals } from "./recent-deals.ts";

function dealsUpTo(count: number): RecentDeals {
  const deals = new RecentDeals();
  for (let id = 1; id <= count; id++) deals.add(id * 10, id, id % 2 === 0, BigInt(id), 7n);
  return deals;
}

test("the newest deals come first, cut to the limit, and only those above the last id", () => {
  const table: [name: string, count: number, lastId: number, limit: number, ids: number[]][] = [
    ["none yet", 0, 0, 10, []],
    ["fewer than asked", 2, 0, 10, [20, 10]],
    ["cut to the newest", 9, 0, 3, [90, 80, 70]],
    ["above an id", 9, 70, 10, [90, 80]],
    ["above an id, cut to the newest", 9, 20, 3, [90, 80, 70]],
    ["above an id that never was", 9, 75, 10, [90, 80]],
    ["above the newest", 9, 90, 10, []],
    ["after the ring went round", RECENT_DEALS_MAX + 5, 0, 2, [10_050, 10_040]],
  ];
  for (const [name, count, lastId, limit, ids] of table) {
    const deals = dealsUpTo(count).since(lastId, limit);
    assert.deepEqual(
      deals.map((deal) => deal.dealId),
      ids,
      name,
    );
  }
});

test("the ring holds as many as anybody may ask for, and tells each as it was", () => {
  const deals = dealsUpTo(2 * RECENT_DEALS_MAX + 1).since(0, RECENT_DEALS_MAX);
  assert.equal(deals.length, RECENT_DEALS_MAX);
  assert.equal(deals.at(-1)?.dealId, (RECENT_DEALS_MAX + 2) * 10);
  assert.deepEqual(deals[0], { dealId: 20_010, createdAt: 2_001, side: "buy", price: 2_001n, lots: 7n });
  assert.equal(deals[1]?.side, "sell");
});

test("deals that are kept stay, however many follow, until they need not be", () => {
  const deals = dealsUpTo(RECENT_DEALS_MAX);
  const ids = (lastId: number) => deals.since(lastId, Number.POSITIVE_INFINITY).map(({ dealId }) => dealId);
  const last = deals.lastId;
  const keeper = {};
  deals.keepAbove(keeper, last);
  const more = 5 * RECENT_DEALS_MAX;
  for (let count = 1; count <= more; count++) deals.add(last + count, count, false, 1n, 1n);
  assert.deepEqual(
    ids(last),
    Array.from({ length: more }, (_, back) => last + more - back),
  );
  deals.keepAbove(keeper, last + more - 1);
  assert.equal(ids(0).length, RECENT_DEALS_MAX);
  assert.deepEqual(ids(last + more - 2), [last + more, last + more - 1]);
  deals.keepAbove(keeper);
  for (let count = 1; count <= more; count++) deals.add(last + more + count, count, false, 1n, 1n);
  assert.equal(ids(0).length, RECENT_DEALS_MAX);
});

test("deals stay for as long as one of those who have asked for them needs them", () => {
  const deals = dealsUpTo(RECENT_DEALS_MAX);
  const last = deals.lastId;
  const [slow, quick] = [{}, {}];
  deals.keepAbove(slow, last);
  for (let count = 1; count <= 2 * RECENT_DEALS_MAX; count++) {
    deals.add(last + count, count, false, 1n, 1n);
    deals.keepAbove(quick, last + count);
  }
  assert.equal(deals.since(last, Number.POSITIVE_INFINITY).length, 2 * RECENT_DEALS_MAX);
  deals.keepAbove(slow, deals.lastId);
  assert.equal(deals.since(0, Number.POSITIVE_INFINITY).length, RECENT_DEALS_MAX);
});

test("what takers bought and sold is that of the newest deals, whether or not more are kept", () => {
  const deals = new RecentDeals();
  const expected = () => {
    const traded = { buy: 0n, sell: 0n };
    for (const { side, lots } of deals.since(0, RECENT_DEALS_MAX)) traded[side] += lots;
    return traded;
  };
  const keeper = {};
  for (let id = 1; id <= 5 * RECENT_DEALS_MAX; id++) {
    deals.add(id, id, id % 3 === 0, 1n, BigInt(id % 17));
    if (id === 2 * RECENT_DEALS_MAX) deals.keepAbove(keeper, id);
    if (id === 4 * RECENT_DEALS_MAX) deals.keepAbove(keeper);
    if (id % 499 === 0) assert.deepEqual({ ...deals.traded }, expected(), `after ${id}`);
  }
});
