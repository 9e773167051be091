import assert from "node:assert/strict";
import { test } from "node:test";
import {
  devFloor,
  type Floor,
  type MarketName,
  marketOf,
  order,
  restingOf,
  run,
  simulationOf,
  userId,
} from "../../../test/support/market-floor.ts";
import { bestPoolLevel } from "../../engine/amm/quotes.ts";
import { accountSumsOf, cashOf } from "../../engine/futures/positions/account-sums.ts";
import { checkInvariants } from "../../engine/invariants.ts";
import { parseDecimal } from "../../engine/money/decimal.ts";
import type { Level } from "../../engine/trading/book.ts";
import { DEV_MARKETS, MAKERS, type SimulatedMarket, TAKERS } from "./dev-markets.ts";
import { heldOf, holdingOf } from "./funds.ts";
import { bestOf } from "./quotes.ts";
import type { Every } from "./venue.ts";

const MARKETS = DEV_MARKETS;
const RUNGS = 20;

function sidesOf(floor: Floor, market: MarketName): { bids: Level[]; asks: Level[] } {
  const book = floor.state.books[marketOf(floor, market).id];
  return { bids: [...(book?.levels(0) ?? [])], asks: [...(book?.levels(1) ?? [])] };
}

test("ten minutes: books full, uncrossed and tight, deals in every market, nobody drained, the state sound", () => {
  for (const seed of [1, 2]) {
    const floor = devFloor();
    const deals = new Map<number, number>();
    floor.onEvents = (events) => {
      for (const event of events) {
        if (event.kind === "deal") deals.set(event.marketId, (deals.get(event.marketId) ?? 0) + 1);
      }
    };
    const simulation = simulationOf(floor, { seed });
    simulation.step(floor.timeMs);
    for (let slice = 0; slice < 20; slice++) {
      run(floor, simulation, 30_000);
      assert.deepEqual(checkInvariants(floor.state), [], `seed ${seed}`);
      checkPool(floor, `seed ${seed}`);
      for (const market of MARKETS) checkBook(floor, market, `seed ${seed}, ${labelOf(market)}`);
    }
    for (const market of MARKETS) {
      const count = deals.get(marketOf(floor, market).id) ?? 0;
      assert.ok(count > 300 && count < 2_500, `seed ${seed}: ${count} deals in ${labelOf(market)}`);
    }
    for (const name of [...MAKERS, ...TAKERS]) checkFunds(floor, name);
    const perSecond = floor.commands.length / 600;
    assert.ok(perSecond > 30 && perSecond < 100, `seed ${seed}: ${perSecond} commands a second`);
    assert.ok(floor.refused.length < 60, `seed ${seed}: ${floor.refused.length} refused`);
  }
});

/** The pool of the platform coin goes with the market, and trades. */
function checkPool(floor: Floor, where: string): void {
  const market = marketOf(floor, "DSCUSDT");
  const quotes = [0, 1].map((side) => bestOf(floor.state, market, side)?.price ?? 0n) as [bigint, bigint];
  const level = market.pool && bestPoolLevel(floor.state, market, market.pool, 1);
  assert.ok(level !== undefined && level.price < (quotes[1] * 101n) / 100n, `${where}: the pool asks ${level?.price}`);
  assert.ok(quotes[0] < quotes[1], `${where}: ${quotes}`);
  assert.ok(market.pool?.today.dividends !== 0n, `${where}: the pool earns nothing`);
}

function checkBook(floor: Floor, market: MarketName, where: string): void {
  const { bids, asks } = sidesOf(floor, market);
  const [bid, ask] = [bids[0]?.price ?? 0n, asks[0]?.price ?? 0n];
  assert.ok(bids.length > 30 && asks.length > 30, `${where}: ${bids.length} and ${asks.length} levels`);
  assert.ok(bid < ask, `${where}: ${bid} against ${ask}`);
  // At most a quarter of a percent.
  assert.ok((ask - bid) * 400n <= bid, `${where}: ${bid} to ${ask}`);
  const { price } = marketOf(floor, market).index;
  const distance = price > bid ? price - bid : bid - price;
  assert.ok(distance * 200n < price, `${where}: index ${price}, bid ${bid}`);
  for (const maker of MAKERS) assert.ok(restingOf(floor, maker, market).length <= 2 * RUNGS);
  for (const taker of TAKERS) assert.equal(restingOf(floor, taker, market).length, 0);
}

function labelOf({ market, contract }: SimulatedMarket): string {
  return contract === undefined ? market : `the futures market ${market}`;
}

/** Everybody still has half of what it started with, in either account, and no position beyond its bound. */
function checkFunds(floor: Floor, name: string): void {
  const { state } = floor;
  const fresh = devFloor().state;
  for (const asset of state.assets) {
    const held = heldOf(state, userId(floor, name), asset.id);
    const before = heldOf(fresh, userId(floor, name), asset.id);
    assert.ok(held * 2n >= before, `${name} has ${held} units of ${asset.ccy} left of ${before}`);
    const account = state.futures.accounts.find(userId(floor, name), asset.id);
    if (account < 0) continue;
    const { cash, unrealized } = accountSumsOf(state, account);
    const margin = cashOf(fresh, fresh.futures.accounts.find(userId(floor, name), asset.id));
    assert.ok((cash + unrealized) * 2n >= margin, `${name} has ${cash} units of ${asset.ccy} left of ${margin}`);
  }
  for (const market of MARKETS) {
    const ladder = market.ladders.find(({ maker }) => maker === name);
    if (ladder?.positionMax === undefined) continue;
    const held = holdingOf(state, userId(floor, name), marketOf(floor, market));
    const bound = parseDecimal(ladder.positionMax, market.amountPrecision) as bigint;
    assert.ok(held < 2n * bound && -held < 2n * bound, `${name} holds ${held} lots of ${labelOf(market)}`);
  }
}

test("books are full, and index and ticker stand, within the first second", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  run(floor, simulation, 800);
  for (const market of MARKETS) {
    const { bids, asks } = sidesOf(floor, market);
    assert.ok(bids.length > 30 && asks.length > 30);
    assert.ok(marketOf(floor, market).index.price > 0n);
    assert.ok((floor.state.lastPrice[marketOf(floor, market).id] as bigint) > 0n);
  }
});

test("the same seed and steps give the same commands, another seed gives others", () => {
  const commandsOf = (seed: number) => {
    const floor = devFloor();
    const simulation = simulationOf(floor, { seed });
    simulation.step(floor.timeMs);
    run(floor, simulation, 60_000);
    return floor.commands;
  };
  const commands = commandsOf(42);
  assert.ok(commands.length > 1_000);
  assert.deepEqual(commandsOf(42), commands);
  assert.notDeepEqual(commandsOf(43), commands);
});

test("a frozen clock freezes the market", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  const before = floor.commands.length;
  for (let step = 0; step < 1_000; step++) simulation.step(floor.timeMs);
  assert.equal(floor.commands.length, before);
  run(floor, simulation, 5_000);
  assert.ok(floor.commands.length > before);
});

test("a jump of hours is one step: the market goes on and catches nothing up", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  run(floor, simulation, 10_000);
  const index = marketOf(floor, "BTCUSDT").index.price;
  floor.commands.length = 0;
  floor.timeMs += 10 * 3_600_000;
  simulation.step(floor.timeMs);
  const orders = 2 * 2 * RUNGS * MARKETS.length;
  assert.ok(floor.commands.length > 3 && floor.commands.length < orders, `${floor.commands.length} commands`);
  assert.equal(floor.commands.filter(({ kind }) => kind === "set_index_prices").length, MARKETS.length);
  const moved = marketOf(floor, "BTCUSDT").index.price - index;
  assert.ok(moved * 100n < index && -moved * 100n < index);
  const before = floor.commands.length;
  run(floor, simulation, 10_000);
  assert.ok(floor.commands.length - before < 600);
});

test("eight hours at once pass a funding and a settlement of all that is open, and trading goes on", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  run(floor, simulation, 120_000);
  const open = floor.state.futures.positions.live;
  assert.ok(open > 6, `${open} open positions`);
  const collected = new Set<number>();
  let settled = 0;
  floor.onEvents = (events) => {
    for (const event of events) {
      if (event.kind === "json" && event.event.type === "funding_collected") collected.add(event.event.marketId);
      if (event.kind === "position" && event.reason === "settle") settled++;
    }
  };
  floor.timeMs += 8 * 3_600_000;
  floor.must({ kind: "tick" });
  assert.equal(collected.size, 0, "nothing is collected by the marks of eight hours ago");
  run(floor, simulation, 10_000);
  assert.equal(collected.size, 3);
  assert.ok(settled > open / 2, `${settled} of ${open} positions were settled`);
  assert.deepEqual(checkInvariants(floor.state), []);
  for (const market of MARKETS) checkBook(floor, market, `${labelOf(market)} after eight hours`);
});

test("after a restart the market goes on where it stood, with the orders that rest", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  run(floor, simulation, 60_000);
  const index = marketOf(floor, "ETHUSDT").index.price;
  const before = MARKETS.flatMap((market) => MAKERS.flatMap((maker) => restingOf(floor, maker, market)));
  floor.restart();
  floor.commands.length = 0;
  const next = simulationOf(floor);
  floor.timeMs += 1_000;
  next.step(floor.timeMs);
  const places = floor.commands.filter((command) => command.kind === "place_order" && command.type === "maker_only");
  assert.ok(places.length < 15, `${places.length} orders placed anew`);
  const after = marketOf(floor, "ETHUSDT").index.price;
  assert.ok((after > index ? after - index : index - after) * 500n < index, `index from ${index} to ${after}`);
  const ids = new Set(
    MARKETS.flatMap((market) => MAKERS.flatMap((maker) => restingOf(floor, maker, market))).map(
      ({ orderId }) => orderId,
    ),
  );
  assert.ok(before.filter(({ orderId }) => ids.has(orderId)).length > before.length - 15);
  run(floor, next, 30_000);
  for (const maker of MAKERS) assert.ok(restingOf(floor, maker, "ETHUSDT").length <= 2 * RUNGS);
  assert.deepEqual(checkInvariants(floor.state), []);
});

test("a suspended market keeps its index and gets no orders until it opens again", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  floor.must({ kind: "change_market", market: "ETHUSDT", suspended: true });
  floor.commands.length = 0;
  run(floor, simulation, 20_000);
  const { id } = marketOf(floor, "ETHUSDT");
  assert.ok(!floor.commands.some((command) => "marketId" in command && command.marketId === id));
  assert.ok(floor.commands.some((command) => command.kind === "set_index_prices" && command.market === "ETHUSDT"));
  floor.must({ kind: "change_market", market: "ETHUSDT", suspended: false });
  run(floor, simulation, 20_000);
  assert.ok(floor.commands.some((command) => "marketId" in command && command.marketId === id));
  checkBook(floor, "ETHUSDT", "after the suspension");
  assert.deepEqual(floor.refused, []);
});

test("a market whose prices somebody else makes is left with its orders taken back, and goes on where its index was left", () => {
  const floor = devFloor();
  const held = new Set<string>();
  const simulation = simulationOf(floor, { isHeld: (market) => held.has(market) });
  simulation.step(floor.timeMs);
  run(floor, simulation, 5_000);
  held.add("BTCUSDT");
  run(floor, simulation, 1_000);
  const waiting = MARKETS.filter(({ market, contract }) => [market, contract?.follows].includes("BTCUSDT"));
  assert.ok(waiting.length > 1);
  for (const market of waiting) for (const maker of MAKERS) assert.deepEqual(restingOf(floor, maker, market), []);
  checkBook(floor, "ETHUSDT", "beside it");
  floor.commands.length = 0;
  run(floor, simulation, 20_000);
  const ids = new Set<number | undefined>(waiting.map((market) => marketOf(floor, market).id));
  assert.ok(!floor.commands.some((command) => "marketId" in command && ids.has(command.marketId)));
  assert.ok(!floor.commands.some((command) => command.kind === "set_index_prices" && command.market === "BTCUSDT"));
  const before = marketOf(floor, "BTCUSDT");
  for (const { exchange } of before.index.sources) {
    const sources = [{ exchange, price: "30000" }];
    floor.must({ kind: "set_index_prices", actor: "test", market: "BTCUSDT", marketType: "SPOT", sources });
  }
  held.clear();
  run(floor, simulation, 10_000);
  const { bids } = sidesOf(floor, "BTCUSDT");
  const bid = Number(bids[0]?.price) / 10 ** before.pricePrecision;
  assert.ok(bid > 29_000 && bid < 31_000, `${bid}`);
});

test("a venue that takes only cancels, or is busy, hears no orders", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  floor.must({ kind: "set_cancel_only", cancelOnly: true, reason: "a test" });
  floor.commands.length = 0;
  run(floor, simulation, 5_000);
  assert.ok(floor.commands.length > 0 && floor.commands.every(({ kind }) => kind === "set_index_prices"));
  floor.isBusy = true;
  floor.commands.length = 0;
  run(floor, simulation, 5_000);
  assert.deepEqual(floor.commands, []);
});

test("in maintenance and protection only index prices are heard, and trading goes on afterwards", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  const times = { startedAt: floor.timeMs, endedAt: floor.timeMs + 5_000 };
  const protection = { protectDurationStart: times.endedAt, protectDurationEnd: times.endedAt + 5_000 };
  const notice = { announceUrl: "", announceEnabled: false };
  floor.must({ kind: "plan_maintenance", scope: ["ALL_SITE"], ...times, ...protection, ...notice });
  floor.commands.length = 0;
  run(floor, simulation, 9_800);
  assert.ok(floor.commands.length > 0 && floor.commands.every(({ kind }) => kind === "set_index_prices"));
  run(floor, simulation, 20_000);
  assert.ok(floor.commands.some(({ kind }) => kind === "modify_order" || kind === "place_order"));
  checkBook(floor, "BTCUSDT", "after the maintenance");
  assert.deepEqual(floor.refused, []);
});

test("markets that are delisted or were never listed are left alone", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  floor.must({ kind: "change_market", market: "DSCUSDT", delistedAt: floor.timeMs + 1_000 });
  run(floor, simulation, 10_000);
  assert.equal(floor.state.marketByName.has("DSCUSDT"), false);
  assert.ok(floor.refused.length <= 3);
  const empty = devFloor();
  const elsewhere = simulationOf(empty, { markets: DEV_MARKETS.map((all) => ({ ...all, market: "XYZUSDT" })) });
  run(empty, elsewhere, 10_000);
  assert.deepEqual(empty.commands, []);
});

test("a last price far from the market's worth is traded away", () => {
  for (const price of [100n, 50_000_000n]) {
    const floor = devFloor();
    floor.must(order(floor, "alice", "BTCUSDT", { amount: 100_000n, price }));
    floor.must(order(floor, "bob", "BTCUSDT", { amount: 100_000n, price, side: "sell" }));
    const simulation = simulationOf(floor);
    run(floor, simulation, 60_000);
    checkBook(floor, "BTCUSDT", `last price ${price}`);
  }
});

test("a large order of a user is traded down to the market's worth", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  run(floor, simulation, 2_000);
  const { asks } = sidesOf(floor, "ETHUSDT");
  const price = (asks[10]?.price ?? 0n) + 1n;
  floor.must(order(floor, "alice", "ETHUSDT", { amount: 15_000_000_000n, price, clientId: "whale" }));
  assert.equal(restingOf(floor, "alice", "ETHUSDT").length, 1);
  run(floor, simulation, 120_000);
  assert.equal(restingOf(floor, "alice", "ETHUSDT").length, 0);
  checkBook(floor, "ETHUSDT", "after the large order");
});

test("futures indexes follow those of their spot markets, their books stray by a little, and positions are open", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor, { seed: 3 });
  simulation.step(floor.timeMs);
  for (let slice = 0; slice < 10; slice++) {
    run(floor, simulation, 30_000);
    for (const market of MARKETS) {
      if (market.contract === undefined) continue;
      const own = marketOf(floor, market).index.price * (market.pricePrecision === 1 ? 10n : 1n);
      const spot = marketOf(floor, market.contract.follows).index.price;
      assert.ok((own > spot ? own - spot : spot - own) * 2_000n < spot, `${labelOf(market)}: ${own} and ${spot}`);
      assert.ok(floor.state.futures.live.openInterest(marketOf(floor, market).id) > 0n, labelOf(market));
    }
  }
});

test("while the spot market is gone its futures market goes its own way", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  floor.must({ kind: "change_market", market: "ETHUSDT", delistedAt: floor.timeMs + 1_000 });
  simulation.step(floor.timeMs);
  run(floor, simulation, 30_000);
  assert.equal(floor.state.marketByName.has("ETHUSDT"), false);
  const futures = MARKETS.find(({ market, contract }) => market === "ETHUSDT" && contract !== undefined);
  checkBook(floor, futures as SimulatedMarket, "without a spot market");
});

/** A timer in the test's hand. */
function handTimer() {
  const timer = {
    run: () => {},
    ended: false,
    every: ((_intervalMs, run) => {
      timer.run = run;
      return () => {
        timer.ended = true;
      };
    }) as Every,
  };
  return timer;
}

test("it starts with a step, goes on by the timer it is given, and stops", () => {
  const floor = devFloor();
  const timer = handTimer();
  const simulation = simulationOf(floor, { every: timer.every });
  simulation.start();
  simulation.start();
  const first = floor.commands.length;
  assert.ok(first > 200);
  floor.timeMs += 2_000;
  timer.run();
  assert.ok(floor.commands.length > first);
  simulation.stop();
  assert.ok(timer.ended);
  simulation.stop();
});

test("a venue that is stopping is left alone without harm", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor);
  simulation.step(floor.timeMs);
  floor.isOpen = false;
  run(floor, simulation, 5_000);
  floor.isOpen = true;
  run(floor, simulation, 5_000);
  for (const market of MARKETS) checkBook(floor, market, labelOf(market));
});

test("a mistake inside it is reported once and ends it, and the venue does not notice", () => {
  const floor = devFloor();
  const timer = handTimer();
  const faults: unknown[] = [];
  const simulation = simulationOf(floor, { every: timer.every, onFault: (error) => faults.push(error) });
  floor.now = () => {
    throw new Error("no time");
  };
  simulation.start();
  assert.equal((faults[0] as Error).message, "no time");
  assert.equal(faults.length, 1);
  assert.ok(timer.ended);
});
