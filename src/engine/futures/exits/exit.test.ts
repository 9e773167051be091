import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue, positionEvents, rareEvents } from "../../../../test/support/futures-venue.ts";
import type { Done } from "../../../../test/support/venue.ts";
import { refusalOf } from "../../refusal.ts";
import { takeSnapshot } from "../../snapshot.ts";

/** A user with a position of 1 BTC at 30000, and a maker with orders of 5 at 29500 and 30500. */
function holding(side: "long" | "short" = "long"): { venue: FuturesVenue; maker: number; user: number } {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "10000000" });
  const user = venue.addTrader("user", { USDT: "100000" });
  venue.rest(maker, `${side === "long" ? "sell" : "buy"} 1 @ 30000.00`);
  venue.rest(user, `${side === "long" ? "buy" : "sell"} 1 @ 30000.00`);
  venue.rest(maker, "sell 5 @ 30500.00");
  venue.rest(maker, "buy 5 @ 29500.00");
  return { venue, maker, user };
}

/** Makes the latest price what it says, by a deal of somebody with himself. */
function deal(venue: FuturesVenue, price: string): Done {
  const dealer = venue.addTrader(`dealer ${venue.state.users.count}`, { USDT: "1000000" });
  venue.rest(dealer, `sell 0.0001 @ ${price}`);
  return venue.trade(dealer, `buy 0.0001 @ ${price} ioc`);
}

/** What became of exits in a command, as "1 active_success". */
function told(done: Done): string[] {
  return rareEvents(done, "exit").map(({ exitId, event, refusal }) =>
    [exitId, event, refusalOf(refusal)].filter((part) => part !== undefined).join(" "),
  );
}

describe("an exit fires", () => {
  const rows = [
    ["long", "take_profit", "30200", "30199.99", "30200.00"],
    ["long", "stop_loss", "29800", "29800.01", "29800.00"],
    ["short", "take_profit", "29800", "29800.01", "29799.00"],
    ["short", "stop_loss", "30200", "30199.99", "30201.00"],
  ] as const;
  for (const [side, kind, trigger, before, at] of rows) {
    test(`a ${side} position's ${kind} at ${trigger} when the latest price is ${at}, not at ${before}`, () => {
      const { venue, user } = holding(side);
      assert.equal(venue.exit(user, `${kind} ${trigger}`).refusal, undefined);
      assert.deepEqual(told(deal(venue, before)), []);

      const done = deal(venue, at);

      assert.deepEqual(told(done), ["1 active_success"]);
      assert.equal(venue.position(user, side === "short"), "none");
      assert.equal(
        positionEvents(done).find(({ userId, amount }) => userId === user && amount === 0n)?.finishedType,
        kind,
      );
      const order = done.events.find((event) => event.kind === "order" && event.order.aim === kind);
      assert.ok(order?.kind === "order" && order.order.type === "market");
      assert.deepEqual(venue.exits(), []);
      venue.assertRepeatable();
    });
  }

  test("by the mark, while the latest price stays", () => {
    const { venue, maker, user } = holding();
    venue.exit(user, "take_profit 30100 mark");
    assert.deepEqual(told(deal(venue, "30150.00")), []);
    venue.rest(maker, "buy 5 @ 30050.00");
    assert.deepEqual(told(venue.index("30100")), ["1 active_success"]);
    assert.equal(venue.position(user), "none");
    venue.assertRepeatable();
  });

  test("for its amount, or for what is left of the position", () => {
    const { venue, user } = holding();
    venue.exit(user, "take_profit 30200 0.4");
    venue.exit(user, "take_profit 30300 0.9");
    deal(venue, "30200.00");
    assert.match(venue.position(user), /^long 0\.6 /);
    assert.deepEqual(told(deal(venue, "30300.00")), ["2 active_success"]);
    assert.equal(venue.position(user), "none");
    venue.assertRepeatable();
  });

  test("in ascending id, and ends with its position if an earlier one closes it", () => {
    const { venue, user } = holding();
    venue.exit(user, "take_profit 30300");
    venue.exit(user, "take_profit 30200 0.5");
    venue.exit(user, "stop_loss 29000");
    const done = deal(venue, "30400.00");
    assert.deepEqual(told(done), ["2 end", "3 end", "1 active_success"]);
    venue.assertRepeatable();
  });

  test("after the stop orders of the same round", () => {
    const { venue, user } = holding();
    venue.exit(user, "take_profit 30200");
    venue.stop(user, "buy 0.001 @ 29000.00", "30200");
    const done = deal(venue, "30200.00");
    const fired = done.events.flatMap((event) =>
      event.kind === "stop" ? [event.event] : event.kind === "json" && event.event.type === "exit" ? ["exit"] : [],
    );
    assert.deepEqual(fired, ["active_success", "exit"]);
    venue.assertRepeatable();
  });

  test("and what it trades lets others fire in the next round", () => {
    const { venue, user } = holding();
    venue.exit(user, "stop_loss 29900 0.5");
    venue.stop(user, "buy 0.001 @ 29000.00", "29600");
    // The exit sells at 29500, which the stop order has waited for.
    const done = deal(venue, "29900.00");
    assert.deepEqual(told(done), ["1 active_success"]);
    assert.equal(
      done.events.some((event) => event.kind === "stop" && event.event === "active_success"),
      true,
    );
    venue.assertRepeatable();
  });
});

describe("orders that reduce the position", () => {
  test("are cancelled by an exit of all of it", () => {
    const { venue, user } = holding();
    const { order } = venue.close(user, "limit 31000.00 0.7");
    venue.exit(user, "take_profit 30200");
    const done = deal(venue, "30200.00");
    const cancelled = done.events.find((event) => event.kind === "order" && event.order.orderId === order?.orderId);
    assert.ok(cancelled?.kind === "order" && cancelled.order.status === "canceled");
    assert.equal(venue.position(user), "none");
    venue.assertRepeatable();
  });

  test("are left by an exit of a part, which goes before them", () => {
    const { venue, user } = holding();
    venue.close(user, "limit 31000.00 0.7");
    venue.exit(user, "take_profit 30200 0.6");
    assert.deepEqual(told(deal(venue, "30200.00")), ["1 active_success"]);
    assert.match(venue.position(user), /^long 0\.4 /);
    assert.deepEqual(venue.levelsOf("sell").at(-1), "0.4 @ 31000.00", "what is left of the order");
    venue.assertRepeatable();
  });

  test("and would open more than the leverage allows, once an exit of a part has taken the position away, are cut", () => {
    const { venue, maker, user } = holding("short");
    venue.setLeverage(user, 100);
    venue.rest(maker, "buy 9 @ 30000.00");
    venue.rest(user, "sell 9 @ 30000.00");
    venue.rest(user, "buy 8 @ 28500.00");
    venue.rest(user, "buy 9 @ 28000.00");
    venue.rest(user, "buy 3 @ 28400.00");
    venue.rest(maker, "sell 5 @ 29800.00");
    venue.exit(user, "take_profit 29700 5 mark");
    assert.deepEqual(told(venue.index("29700")), ["1 active_success"]);
    assert.match(venue.position(user), /^none/);
    assert.match(venue.position(user, true), /^short 5 /);
    assert.deepEqual(venue.levelsOf("buy"), ["5 @ 29500.00", "8 @ 28500.00", "7 @ 28000.00"]);
    venue.assertRepeatable();
  });
});

test("an exit is gone whatever became of its order", () => {
  const { venue, maker, user } = holding();
  venue.exit(user, "stop_loss 29800");
  venue.execute({ kind: "cancel_all_orders", userId: maker, marketId: 0, account: "futures" });
  assert.deepEqual(told(deal(venue, "29700.00")), ["1 active_fail no_counter_orders"]);
  assert.deepEqual(venue.exits(), []);
  assert.match(venue.position(user), /^long 1 /);
  venue.assertRepeatable();
});

describe("setting", () => {
  test("an exit of the whole position replaces the one of its kind; those of a part are added", () => {
    const { venue, user } = holding();
    for (const text of ["take_profit 30200", "stop_loss 29000", "take_profit 30300 0.1", "take_profit 30400"]) {
      assert.equal(venue.exit(user, text).refusal, undefined);
    }
    assert.deepEqual(venue.exits(), ["2 stop_loss 29000.00", "3 take_profit 30300.00 0.1", "4 take_profit 30400.00"]);
    venue.assertRepeatable();
  });

  test("a 21st of a part is refused, and a first of the other kind is not", () => {
    const { venue, user } = holding();
    for (let n = 0; n < 20; n++) assert.equal(venue.exit(user, `take_profit ${30_200 + n} 0.1`).refusal, undefined);
    assert.equal(venue.exit(user, "take_profit 31000 0.1").refusal, "too_many_exits");
    assert.equal(venue.exit(user, "take_profit 31000").refusal, undefined);
    assert.equal(venue.exit(user, "stop_loss 29000 0.1").refusal, undefined);
    assert.equal(change(venue, user, 21, { amount: "0.1" }).refusal, "too_many_exits");
    venue.assertRepeatable();
  });

  const refusals: readonly [string, string, string][] = [
    ["long", "take_profit 30000", "exit_fires_at_once"],
    ["long", "take_profit 29999.99 mark", "exit_fires_at_once"],
    ["long", "stop_loss 30000", "exit_fires_at_once"],
    ["long", "stop_loss 30100 0.1", "exit_fires_at_once"],
    ["short", "take_profit 30100", "exit_fires_at_once"],
    ["short", "stop_loss 29900 mark", "exit_fires_at_once"],
    ["long", "take_profit 0", "trigger_off_grid"],
    ["long", "take_profit 30100.001", "trigger_off_grid"],
    ["long", "take_profit 99999999999999", "trigger_too_high"],
    ["long", "take_profit 30100 0", "amount_too_small"],
    ["long", "take_profit 30100 0.0000001", "amount_off_grid"],
    ["long", "take_profit 30100 9999999999999999999", "amount_too_large"],
    ["long", "take_profit 30100 long", "position_side_mismatch"],
    ["long", "trail 30100", "invalid_command"],
  ];
  for (const [side, text, refusal] of refusals) {
    test(`${text} for a ${side} position is refused: ${refusal}`, () => {
      const { venue, user } = holding(side as "long" | "short");
      const before = bytesOf(venue);
      assert.equal(venue.exit(user, text).refusal, refusal);
      assert.equal(bytesOf(venue), before);
    });
  }

  test("needs a position, an account that is not frozen, and a market that takes orders", () => {
    const { venue, maker, user } = holding();
    const other = venue.addTrader("other", { USDT: "1" });
    assert.equal(venue.exit(other, "take_profit 30100").refusal, "no_position");
    assert.equal(change(venue, other, 1, { price: "30200" }).refusal, "order_not_found");
    venue.accept({ kind: "change_user", userId: user, frozen: true });
    assert.equal(venue.exit(user, "take_profit 30100").refusal, "account_frozen");
    venue.accept({ kind: "change_user", userId: user, frozen: false });
    venue.accept({ kind: "set_cancel_only", cancelOnly: true, reason: "" });
    assert.equal(venue.exit(maker, "stop_loss 30100").refusal, "venue_cancel_only");
    const marketId = venue.futuresNamed("BTCUSDT").id;
    const cancel = { kind: "cancel_exits", userId: user, marketId, exit: "stop_loss" } as const;
    assert.equal(venue.execute(cancel).refusal, undefined);
  });

  test("is by position side in hedge mode", () => {
    const { venue, maker } = holding();
    const user = venue.addTrader("hedger", { USDT: "100000" });
    venue.accept({ kind: "change_futures_settings", userId: user, positionMode: "hedge" });
    venue.trade(user, "buy 1 @ 30500.00 long");
    venue.trade(user, "sell 1 @ 29500.00 short");
    assert.equal(venue.exit(user, "take_profit 31000").refusal, "position_side_mismatch");
    assert.equal(venue.exit(user, "take_profit 30000 mark long").refusal, "exit_fires_at_once");
    venue.exit(user, "take_profit 30100 long");
    venue.exit(user, "stop_loss 30200 short");
    venue.rest(maker, "sell 1 @ 30300.00");
    deal(venue, "30200.00");
    assert.equal(venue.position(user), "none");
    assert.equal(venue.position(user, true), "none");
    venue.assertRepeatable();
  });
});

describe("changing", () => {
  test("trigger, reference, amount: the id stays", () => {
    const { venue, user } = holding();
    venue.exit(user, "take_profit 30200");
    assert.equal(
      change(venue, user, 1, { price: "30300", amount: "0.5", triggerType: "mark_price" }).refusal,
      undefined,
    );
    assert.deepEqual(venue.exits(), ["1 take_profit 30300.00 0.5"]);
    assert.deepEqual(told(deal(venue, "30400.00")), [], "it looks at the mark");
    venue.assertRepeatable();
  });

  test("is refused as setting is, and leaves it as it was", () => {
    const { venue, user } = holding();
    venue.exit(user, "take_profit 30200");
    const before = bytesOf(venue);
    assert.equal(change(venue, user, 1, {}).refusal, "nothing_to_modify");
    assert.equal(change(venue, user, 1, { price: "29999" }).refusal, "exit_fires_at_once");
    assert.equal(change(venue, user, 1, { triggerType: "index_price" }).refusal, "invalid_command");
    assert.equal(change(venue, user, 2, { price: "30300" }).refusal, "order_not_found");
    assert.equal(change(venue, user, 1, { price: "30300", exit: "stop_loss" }).refusal, "order_not_found");
    assert.equal(bytesOf(venue), before);
  });
});

test("cancelling is by id, or of all of a kind", () => {
  const { venue, maker, user } = holding();
  for (const text of ["take_profit 30200", "take_profit 30300 0.1", "stop_loss 29000", "take_profit 30400 0.1"]) {
    venue.exit(user, text);
  }
  const marketId = venue.futuresNamed("BTCUSDT").id;
  const cancel = { kind: "cancel_exits", userId: user, marketId, exit: "take_profit" } as const;
  assert.equal(venue.execute({ ...cancel, exitId: 3 }).refusal, "order_not_found", "it stops a loss");
  assert.equal(venue.execute({ ...cancel, userId: maker, exitId: 1 }).refusal, "order_not_found");
  assert.deepEqual(told(venue.execute({ ...cancel, exitId: 2 })), ["2 cancel"]);
  assert.deepEqual(told(venue.execute(cancel)), ["1 cancel", "4 cancel"]);
  assert.deepEqual(venue.exits(), ["3 stop_loss 29000.00"]);
  assert.equal(venue.execute(cancel).refusal, undefined, "nothing to cancel is success");
  venue.assertRepeatable();
});

test("exits end with their position, and the next position starts without any", () => {
  const { venue, user } = holding();
  venue.exit(user, "take_profit 30600");
  assert.deepEqual(told(venue.close(user, "market")), ["1 end"]);
  venue.trade(user, "buy 0.1 @ 30500.00");
  assert.deepEqual(venue.exits(), []);
  venue.assertRepeatable();
});

test("exits wait while the market takes no orders, and are looked at once when that ends", () => {
  const { venue, user } = holding();
  venue.exit(user, "stop_loss 29800 mark");
  venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", suspended: true });
  venue.index("29700");
  assert.deepEqual(venue.exits(), ["1 stop_loss 29800.00"]);
  const done = venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", suspended: false });
  assert.deepEqual(told(done), ["1 active_success"]);
  venue.assertRepeatable();
});

function bytesOf({ state }: FuturesVenue): string {
  return takeSnapshot(state)
    .map((chunk) => Buffer.from(chunk).toString("base64"))
    .join();
}

function change(
  venue: FuturesVenue,
  userId: number,
  exitId: number,
  rest: { price?: string; amount?: string; triggerType?: string; exit?: string },
): Done {
  const marketId = venue.futuresNamed("BTCUSDT").id;
  return venue.execute({ kind: "modify_exit", userId, marketId, exit: "take_profit", exitId, ...rest });
}
