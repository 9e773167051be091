import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue } from "../../../test/support/futures-venue.ts";
import { marginVenue } from "../../../test/support/margin-venue.ts";
import { PoolVenue } from "../../../test/support/pool-venue.ts";
import { tradingVenue, Venue } from "../../../test/support/venue.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { Refusal } from "../refusal.ts";
import type { State } from "../state.ts";
import { holdingsOf } from "../wallet/worth.ts";
import { COUNT_EVERY_MIN_MS } from "./commands.ts";
import { COUNTS_KEPT_MAX, liabilityCounts } from "./counts.ts";
import { balancesOwed, worthOwed } from "./owed.ts";

const COUNT = { kind: "count_liabilities" } as const;
const ROOT = "0f".repeat(32);

function publishing(countSeq: number, roots: readonly object[], isComplete = true) {
  return { kind: "publish_liabilities", countSeq, roots, isComplete } as never;
}

function rootOf(ccy: string, change: object = {}) {
  return { ccy, root: ROOT, total: "12.50000000", leaves: 4, ...change };
}

/** Amounts owed to a user, as "10.00000000 USDT" of each currency. */
function owedTo(state: State, userId: number): string[] {
  return state.assets.flatMap(({ id, ccy, scale }) => {
    let units = 0n;
    const add = (owner: number, assetId: number, its: bigint) => {
      assert.ok(its >= 0n, `user ${owner} is owed ${its} units`);
      if (owner === userId && assetId === id) units += its;
    };
    balancesOwed(state.ledger, add);
    worthOwed(state, add);
    assert.ok(units >= (holdingsOf(state, userId).get(id) ?? 0n), `${ccy}: less than what he holds after his debts`);
    return units === 0n ? [] : [`${formatDecimal(units, scale)} ${ccy}`];
  });
}

describe("a count", () => {
  test("is of its command, and is shown when all its roots are there", () => {
    const venue = tradingVenue();
    const { countSeq } = venue.accept(COUNT).result as { countSeq: number };
    assert.equal(countSeq, venue.state.seq);
    const own = liabilityCounts.of(venue.state);
    assert.deepEqual([own.pending?.seq, own.published.length], [countSeq, 0]);
    const [first, second] = venue.state.assets.map(({ ccy }) => rootOf(ccy));
    venue.accept(publishing(countSeq, [first as object], false));
    assert.equal(own.published.length, 0);
    venue.accept(publishing(countSeq, [second as object]));
    assert.deepEqual(own.published, [{ seq: countSeq, atMs: venue.timeMs, roots: [first, second] }]);
    assert.equal(own.pending, undefined);
    for (let cut = 0; cut < venue.log.length; cut++) venue.assertRepeatable(cut);
  });

  test("comes ten minutes after the one before at the earliest, whether that was published or not", () => {
    const venue = tradingVenue();
    venue.accept(COUNT);
    venue.timeMs += COUNT_EVERY_MIN_MS - 1;
    const early = venue.execute(COUNT);
    assert.equal(early.refusal, "invalid_command");
    assert.match(early.detail ?? "", /count again in 1 s/);
    venue.timeMs += 1;
    const { countSeq } = venue.accept(COUNT).result as { countSeq: number };
    assert.equal(liabilityCounts.of(venue.state).pending?.seq, countSeq);
  });

  test("is remembered with the last thirty of its kind", () => {
    const venue = tradingVenue();
    for (let day = 0; day < COUNTS_KEPT_MAX + 2; day++) {
      venue.timeMs += 86_400_000;
      const { countSeq } = venue.accept(COUNT).result as { countSeq: number };
      venue.accept(publishing(countSeq, []));
    }
    assert.equal(liabilityCounts.of(venue.state).published.length, COUNTS_KEPT_MAX);
    venue.assertRepeatable();
  });

  const [FIRST, SECOND] = ["BTC", "USDT"];
  const REFUSED: readonly (readonly [roots: readonly object[], refusal: Refusal, seq?: number])[] = [
    [[rootOf("BTC")], "invalid_command", 1],
    [[rootOf("NONE")], "asset_not_found"],
    [[rootOf(SECOND as string), rootOf(FIRST as string)], "invalid_command"],
    [[rootOf("BTC"), rootOf("BTC")], "invalid_command"],
    [[rootOf("BTC", { root: "0f" })], "invalid_command"],
    [[rootOf("BTC", { root: ROOT.toUpperCase() })], "invalid_command"],
    [[rootOf("BTC", { total: "-1" })], "invalid_command"],
    [[rootOf("BTC", { total: "1.000000001" })], "invalid_command"],
    [[rootOf("BTC", { leaves: 0 })], "invalid_command"],
    [[rootOf("BTC", { leaves: "4" })], "invalid_command"],
  ];
  for (const [roots, refusal, seq] of REFUSED) {
    test(`is not published with ${JSON.stringify(roots).slice(0, 90)}`, () => {
      const venue = tradingVenue();
      const { countSeq } = venue.accept(COUNT).result as { countSeq: number };
      assert.equal(venue.execute(publishing(seq ?? countSeq, roots)).refusal, refusal);
    });
  }

  test("is no command under older rules", () => {
    const venue = new Venue(undefined, 4);
    assert.equal(venue.execute(COUNT).refusal, "invalid_command");
    assert.equal(venue.execute(publishing(1, [])).refusal, "invalid_command");
  });
});

describe("owed is", () => {
  test("the whole balance, in orders or not, of every user and of nobody else", () => {
    const venue = tradingVenue();
    const before = owedTo(venue.state, 1);
    assert.notDeepEqual(before, []);
    venue.put(1, "buy 0.01 @ 50");
    assert.deepEqual(owedTo(venue.state, 1), before);
    assert.deepEqual(owedTo(venue.state, 99), []);
  });

  test("what was borrowed, as long as it lies in the account; the debt lowers nothing", () => {
    const venue = marginVenue();
    const userId = venue.addUser("borrower", { USDT: "1000" });
    venue.transfer(userId, "USDT", "400");
    venue.borrow(userId, "USDT", "500");
    assert.deepEqual(owedTo(venue.state, userId), ["1500.00000000 USDT"]);
    venue.repay(userId, "USDT", "500");
    assert.deepEqual(owedTo(venue.state, userId).length, 1);
  });

  test("the equity of futures: profit counts, and a loss takes no more than what stands behind it", () => {
    const venue = new FuturesVenue();
    const [long, short] = ["long", "short"].map((name) => venue.addTrader(name, { USDT: "10000" })) as [number, number];
    venue.trade(short, "sell 0.1 @ 30000");
    venue.trade(long, "buy 0.1 @ 30000");
    const figures = () => [long, short].map((userId) => owedTo(venue.state, userId).join());
    // Fees: 0.05 % of 3000 for the taker, 0.03 % for the maker.
    assert.deepEqual(figures(), ["9998.50000000 USDT", "9999.10000000 USDT"]);
    venue.index("31000");
    assert.deepEqual(figures(), ["10098.50000000 USDT", "9899.10000000 USDT"]);
  });

  test("nothing of what the venue has taken over, and 0 of a bankrupt account", () => {
    const venue = new FuturesVenue();
    const [long, short] = ["long", "short"].map((name) => venue.addTrader(name, { USDT: "700" })) as [number, number];
    for (const userId of [long, short]) venue.setLeverage(userId, 50);
    venue.trade(short, "sell 1 @ 30000");
    venue.trade(long, "buy 1 @ 30000");
    venue.index("28000");
    for (const { id } of venue.state.assets) {
      worthOwed(venue.state, (userId, assetId, units) => {
        assert.ok(userId > 0 && units >= 0n, `${userId} is owed ${units} of ${assetId} or ${id}`);
      });
    }
    assert.deepEqual(owedTo(venue.state, long), []);
  });

  test("a part of a pool's reserves, rounded up, so that all parts are at least the whole", () => {
    const venue = new PoolVenue();
    const one = venue.addProvider();
    const two = venue.addUser("two", { DSC: "333.33", USDT: "33.333333" });
    venue.add(two, "333.33", "33.333333");
    const taker = venue.addUser("taker", { USDT: "1000" });
    venue.put(taker, "buy 100 @ 0.08", "DSCUSDT");
    const { pool, baseAssetId, quoteAssetId } = venue.marketNamed("DSCUSDT");
    const sums = new Map<number, bigint>();
    worthOwed(venue.state, (userId, assetId, units) => {
      assert.ok(userId === one || userId === two);
      sums.set(assetId, (sums.get(assetId) ?? 0n) + units);
    });
    const held = [pool?.cells.base, pool?.cells.quote].map((cell) => venue.state.ledger.available(cell as number));
    const owed = [baseAssetId, quoteAssetId].map((assetId) => sums.get(assetId) as bigint);
    for (const [at, units] of owed.entries()) assert.ok(units >= (held[at] as bigint), `${units} of ${held[at]}`);
    owedTo(venue.state, one);
  });
});
