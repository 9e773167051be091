import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import type { Command } from "../command.ts";
import { Engine, refusalIn } from "../engine.ts";
import { decodeEvents } from "../event.ts";
import type { Book } from "./book.ts";
import { readOrder } from "./emit.ts";
import { LadderBook } from "./ladder-book.ts";
import { NONE } from "./order.ts";
import { PlainBook } from "./plain-book.ts";

const USERS = 3;
const CLIENT_IDS = ["", "a", "second-client-id"];

test("two venues that differ in the book alone answer and emit the same, word by word", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(commands(), fc.option(fc.nat())), { maxLength: 80, size: "max" }), (list) => {
      const plain = newVenue(new Engine((...args) => new PlainBook(...args)));
      const ladder = newVenue(new Engine((...args) => new LadderBook(...args)));
      for (const [drawn, pick] of list) {
        const command = pick === null ? drawn : aimed(plain, drawn, pick);
        const stamp = { seq: plain.state.seq + 1, timeMs: plain.state.timeMs + 1 };
        const expected = outcomeOf(plain, command, stamp);
        assert.deepEqual(outcomeOf(ladder, command, stamp), expected);
        if (Buffer.compare(plain.events.copy(), ladder.events.copy()) !== 0) {
          assert.deepEqual([...decodeEvents(ladder.events)], [...decodeEvents(plain.events)]);
          assert.fail("The events read the same and differ in their bytes.");
        }
      }
    }),
    runs(300),
  );
});

/** The command, turned to an order that rests if it names one: ids drawn blindly seldom name a living order. */
function aimed({ state }: Engine, command: Command, pick: number): Command {
  if (command.kind !== "modify_order" && command.kind !== "cancel_order") return command;
  const resting = state.books.flatMap((book) => [...ordersOf(book, 0), ...ordersOf(book, 1)]);
  if (resting.length === 0) return command;
  const order = readOrder(state, resting[pick % resting.length] as number);
  return { ...command, userId: order.userId, marketId: order.marketId, orderId: order.orderId };
}

function* ordersOf(book: Book, side: number): Generator<number> {
  for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) yield slot;
}

function outcomeOf(engine: Engine, command: Command, stamp: { seq: number; timeMs: number }) {
  engine.events.clear();
  const outcome = engine.execute(command, stamp);
  return {
    refusal: refusalIn(outcome),
    orderEvent: outcome.orderEvent,
    stopEvent: outcome.stopEvent,
    to: outcome.to,
    result: outcome.result,
  };
}

/** Two markets that share their quote asset, and users with enough for a few orders. */
function newVenue(engine: Engine): Engine {
  const market = {
    amountPrecision: 2,
    pricePrecision: 2,
    minAmount: "0.02",
    makerFeeRate: "0.001",
    takerFeeRate: "0.002",
  };
  const setup: Command[] = [
    { kind: "list_asset", ccy: "BTC", scale: 8 },
    { kind: "list_asset", ccy: "ETH", scale: 4 },
    { kind: "list_asset", ccy: "USDT", scale: 6 },
    { kind: "list_market", market: "BTCUSDT", baseCcy: "BTC", quoteCcy: "USDT", ...market },
    { kind: "list_market", market: "ETHUSDT", baseCcy: "ETH", quoteCcy: "USDT", ...market },
  ];
  for (let user = 1; user <= USERS; user++) {
    setup.push({ kind: "create_user", name: `user-${user}` });
    for (const ccy of ["BTC", "ETH", "USDT"]) {
      setup.push({ kind: "deposit", userId: user, ccy, amount: ccy === "USDT" ? "12" : "4", note: "" });
    }
  }
  for (const command of setup) engine.execute(command, { seq: engine.state.seq + 1, timeMs: engine.state.timeMs + 1 });
  return engine;
}

/** Commands of every kind that touches orders, near one price so that many trade, with some that must be refused. */
function commands(): fc.Arbitrary<Command> {
  const userId = fc.integer({ min: 1, max: USERS });
  const marketId = fc.constantFrom(0, 0, 0, 1);
  const price = fc.bigInt(290n, 310n);
  const amount = fc.bigInt(1n, 200n);
  const orderId = fc.integer({ min: 1, max: 40 });
  const spot = "spot" as const;
  const account = fc.constant(spot);
  const side = fc.constantFrom("buy" as const, "sell" as const);
  const clientId = fc.constantFrom(...CLIENT_IDS);
  const kind = <K extends Command["kind"]>(name: K) => fc.constant(name);
  const limit = fc.record({
    kind: kind("place_order"),
    userId,
    marketId,
    account,
    side,
    type: fc.constantFrom("limit" as const, "limit" as const, "maker_only" as const, "ioc" as const, "fok" as const),
    amountIn: fc.constant("base" as const),
    amount,
    price,
    hidden: fc.boolean(),
    stpMode: fc.constantFrom("none" as const, "none" as const, "ct" as const, "cm" as const, "both" as const),
    clientId,
  });
  const market = fc
    .tuple(limit, fc.boolean(), fc.bigInt(1n, 20_000_000n))
    .map(
      ([order, inQuote, budget]): Command =>
        inQuote
          ? { ...order, type: "market", price: 0n, amountIn: "quote", amount: budget }
          : { ...order, type: "market", price: 0n },
    );
  const iceberg = fc
    .tuple(limit, fc.bigInt(1n, 60n), fc.option(price))
    .map(([{ userId, marketId, side, amount, price, stpMode }, display, trigger]): Command => {
      const text = (units: bigint) => `${Number(units) / 100}`;
      const stop = trigger === null ? {} : { trigger: text(trigger) };
      const order = { side, type: "limit", amount: text(amount), price: text(price), display: text(display), stpMode };
      return {
        kind: "place_conditional",
        userId,
        marketId,
        account: spot,
        shape: "single",
        legs: [{ ...order, ...stop }],
      };
    });
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  return fc.oneof(
    { weight: 12, arbitrary: limit as fc.Arbitrary<Command> },
    {
      weight: 4,
      arbitrary: fc.tuple(limit, market, fc.boolean(), price).map(([order, atMarket, isMarket, trigger]): Command => {
        const drawn = (isMarket ? atMarket : order) as Extract<Command, { kind: "place_order" }>;
        return { ...drawn, kind: "place_stop_order", trigger };
      }),
    },
    { weight: 3, arbitrary: market },
    { weight: 6, arbitrary: iceberg },
    {
      weight: 10,
      arbitrary: fc.record({
        kind: kind("modify_order"),
        userId,
        marketId,
        orderId,
        amount: optional(amount),
        price: optional(price),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: kind("cancel_order"), userId, marketId, orderId, account: optional(account) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: kind("cancel_all_orders"), userId, marketId, account, side: optional(side) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: kind("cancel_by_client_id"),
        userId,
        marketId: optional(marketId),
        account,
        clientId,
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: kind("tick") }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: kind("set_index_prices"),
        market: fc.constantFrom("BTCUSDT", "ETHUSDT"),
        sources: fc.constantFrom("2.00", "3.00", "4.50").map((text) => [{ exchange: "one", price: text }]),
      }),
    },
  );
}
