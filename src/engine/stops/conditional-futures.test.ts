import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue } from "../../../test/support/futures-venue.ts";
import type { Done } from "../../../test/support/venue.ts";
import type { Leg, PlaceConditional } from "./command-schemas.ts";

const SECOND = 1_000;

/** Index and latest price at 30000, a book around them, and a user who is long 1. */
function venueWithLong(): { venue: FuturesVenue; maker: number; user: number } {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "100000000" });
  const user = venue.addTrader("user", { USDT: "10000000" });
  venue.rest(maker, "sell 1 @ 30000.00");
  venue.rest(user, "buy 1 @ 30000.00");
  venue.rest(maker, "sell 50 @ 31000.00");
  venue.rest(maker, "buy 50 @ 29000.00");
  return { venue, maker, user };
}

function place(venue: FuturesVenue, userId: number, shape: string, ...legs: readonly Partial<Leg>[]): Done {
  const full = legs.map((leg) => ({ side: "sell", type: "market", amount: "1", ...leg }) as Leg);
  const marketId = venue.futuresNamed("BTCUSDT").id;
  const command: PlaceConditional = {
    kind: "place_conditional",
    userId,
    marketId,
    account: "futures",
    shape,
    legs: full,
  };
  return venue.execute(command);
}

function deal(venue: FuturesVenue, maker: number, price: string): Done {
  venue.rest(maker, `sell 0.001 @ ${price}`);
  return venue.trade(maker, `buy 0.001 @ ${price} ioc`);
}

function became({ events }: Done): string[] {
  return events.flatMap((event) =>
    event.kind === "stop" && event.event !== "put" && event.event !== "modify"
      ? [`${event.stop.stopId} ${event.event}`]
      : [],
  );
}

function positionOf(venue: FuturesVenue, userId: number): bigint {
  const row = venue.state.futures.seats.rowOf(venue.state.seats.find(userId, venue.futuresNamed("BTCUSDT").id, 0));
  const position = venue.state.futures.seats.position(row, false);
  return position < 0 ? 0n : venue.state.futures.positions.amount(position);
}

test("a trail that only reduces closes what there is of a position, and no more", () => {
  const { venue, maker, user } = venueWithLong();
  assert.equal(place(venue, user, "single", { trail: "500", amount: "3", reduces: true }).refusal, undefined);
  deal(venue, maker, "30400.00");
  const done = deal(venue, maker, "29900.00");
  assert.deepEqual(became(done), ["1 active_success"]);
  assert.equal(positionOf(venue, user), 0n);
  venue.assertRepeatable();
});

test("a trail that would have nothing to reduce fails when it fires, and opens nothing", () => {
  const { venue, user } = venueWithLong();
  place(venue, user, "single", { trail: "500", reduces: true });
  const done = venue.trade(user, "sell 1 @ 29000.00 ioc");
  assert.deepEqual(became(done), ["1 active_fail"]);
  assert.equal(positionOf(venue, user), 0n);
  venue.assertRepeatable();
});

test("a trail by the mark follows it through a premium and fires by it", () => {
  const { venue, maker, user } = venueWithLong();
  place(venue, user, "single", { trailRate: "0.01", triggerType: "mark_price" });
  const slot = venue.state.stops.find(1);
  const follows = () => [venue.state.stops.extreme(slot), venue.state.stops.triggerNow(slot)];
  assert.deepEqual(follows(), [3_000_000, 2_970_000]);
  venue.index("30100");
  assert.deepEqual(follows(), [3_010_000, 2_979_900]);
  deal(venue, maker, "29500.00");
  assert.deepEqual(follows(), [3_010_000, 2_979_900], "deals do not move it");
  assert.deepEqual(became(venue.index("29799")), ["1 active_success"]);
  venue.assertRepeatable();
});

test("a trail by the index waits while that is stale, and goes on when it is back", () => {
  const { venue, user } = venueWithLong();
  place(venue, user, "single", { trail: "500", triggerType: "index_price" });
  venue.wait(62 * SECOND);
  assert.deepEqual(became(venue.index("29000")), [], "one update is not enough");
  venue.timeMs += 5 * SECOND;
  assert.deepEqual(became(venue.index("29000")), ["1 active_success"]);
  venue.assertRepeatable();
});

test("a pair of futures closes at a profit or a loss: the limit order reserves no part of what the other closes", () => {
  const { venue, maker, user } = venueWithLong();
  const profit = { type: "limit", price: "30900", reduces: true };
  const loss = { trigger: "29500", reduces: true };
  assert.equal(place(venue, user, "oco", profit, loss).refusal, undefined);
  assert.deepEqual(became(deal(venue, maker, "29500.00")), ["1 active_success"]);
  assert.equal(positionOf(venue, user), 0n);
  assert.equal(venue.state.seats.openOrders(venue.state.seats.find(user, venue.futuresNamed("BTCUSDT").id, 0)), 0);
  venue.assertRepeatable();
});

test("a bracket of futures closes what its entry has opened, in hedge mode too", () => {
  const { venue, maker } = venueWithLong();
  const user = venue.addTrader("hedger", { USDT: "10000000" });
  venue.accept({ kind: "change_futures_settings", userId: user, positionMode: "hedge" });
  const positionSide = "long";
  const entry = { side: "buy", type: "limit", price: "29900", amount: "0.5", positionSide };
  const done = place(
    venue,
    user,
    "bracket",
    entry,
    { trigger: "30900", positionSide },
    { trigger: "29500", positionSide, reduces: true },
  );
  assert.equal(done.refusal, undefined, `${done.detail}`);
  venue.trade(maker, "sell 0.2 @ 29900.00 ioc");
  assert.equal(positionOf(venue, user), 200_000n);
  const fired = deal(venue, maker, "30900.00");
  assert.deepEqual(became(fired), ["2 cancel", "1 active_success"]);
  assert.equal(positionOf(venue, user), 0n);
  venue.assertRepeatable();
});

test("an order that only reduces is of the side that makes its position smaller", () => {
  const { venue, user } = venueWithLong();
  const flat = venue.addTrader("hedger", { USDT: "1000000" });
  venue.accept({ kind: "change_futures_settings", userId: flat, positionMode: "hedge", settleSwitch: true });
  const trail = { trail: "100", reduces: true } as const;
  for (const leg of [
    { side: "buy", positionSide: "long" },
    { side: "sell", positionSide: "short" },
  ] as const) {
    const { refusal, detail } = place(venue, flat, "single", { ...trail, ...leg });
    assert.equal(refusal, "invalid_command");
    assert.match(`${detail}`, /of a long position sells/);
  }
  assert.equal(place(venue, flat, "single", { ...trail, side: "sell", positionSide: "long" }).refusal, undefined);
  assert.equal(place(venue, user, "single", { ...trail, side: "sell" }).refusal, undefined);
});

test("a group of futures is none of spot markets", () => {
  const { venue, user } = venueWithLong();
  const done = place(venue, user, "oco", { trigger: "29500", reduces: true }, { trigger: "30500", reduces: true });
  const { groupId } = done.result as { readonly groupId: number };
  const cancel = { kind: "cancel_group", userId: user, groupId } as const;
  assert.equal(venue.execute({ ...cancel, marketType: "SPOT" }).refusal, "order_not_found");
  assert.equal(venue.execute({ ...cancel, marketType: "FUTURES" }).refusal, undefined);
});
