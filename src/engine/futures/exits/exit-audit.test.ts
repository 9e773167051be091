import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue } from "../../../../test/support/futures-venue.ts";
import type { Done } from "../../../../test/support/venue.ts";
import { ExitAudit } from "./exit-audit.ts";
import type { ExitRareEvent } from "./exit-event.ts";

type Action = (venue: FuturesVenue) => Done;

const USER = 2;
const sets: Action = (venue) => venue.exit(USER, "take_profit 32000");
const fires: Action = (venue) => venue.trade(USER, "sell 0.01 @ 29000.00 ioc");
const closes: Action = (venue) => venue.close(USER, "market");
const changes: Action = (venue) =>
  venue.execute({ kind: "modify_exit", userId: USER, marketId: 0, exit: "stop_loss", exitId: 1, price: "28900" });

/** What events tell after a fault: each exit event becomes those that the fault makes of it. */
const FAULTS: readonly [string, Action, (told: ExitRareEvent) => ExitRareEvent[], RegExp][] = [
  ["one is set that nobody tells of", sets, () => [], /Events tell of 1 exits of 2/],
  ["one is told late", sets, (told) => [{ ...told, createdAt: 5 }], /was not created now/],
  ["an id is passed over", sets, (told) => [{ ...told, exitId: 3 }], /follows exit 1/],
  ["a trigger is told wrongly", changes, (told) => [{ ...told, trigger: "1" }], /do not tell how exit 1 stands/],
  ["one changes its kind", changes, (told) => [{ ...told, exit: "take_profit" }], /has changed its exit/],
  ["a change is told as of before", changes, (told) => [{ ...told, updatedAt: 5 }], /was not updated now/],
  ["one fires twice", fires, (told) => [told, told], /was not waiting/],
  ["one fires for no order", fires, (told) => [{ ...told, orderId: 0 }], /names order 0/],
  ["one fires for an order that never was", fires, (told) => [{ ...told, orderId: 99 }], /of which nothing was told/],
  ["one fires for an order of another", fires, (told) => [{ ...told, orderId: told.orderId - 1 }], /with another aim/],
  ["one changes as it fires", fires, (told) => [{ ...told, trigger: "1" }], /has changed/],
  ["one that fired is still there", fires, () => [], /is not in the state/],
  ["one outlives its position", closes, () => [], /waits by its events and is not in the state/],
  [
    "one is refused without a reason",
    fires,
    (told) => [{ ...told, event: "active_fail", orderId: 0 }],
    /names refusal 0/,
  ],
  [
    "one ends before its position",
    fires,
    (told) => [{ ...told, event: "end", orderId: 0 }],
    /ends before its position/,
  ],
];

for (const [name, action, plant, breach] of FAULTS) {
  test(`a fault is found: ${name}`, () => assert.match(tellOf(action, plant).join("\n"), breach));
}

test("what happens to exits rightly is found right", () => {
  for (const action of [sets, fires, closes, changes])
    assert.deepEqual(
      tellOf(action, (told) => [told]),
      [],
    );
});

/** Lets an action be followed by what is made of its events; returns what was found. */
function tellOf(action: Action, plant: (told: ExitRareEvent) => ExitRareEvent[]): string[] {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "1000000" });
  venue.addTrader("user", { USDT: "100000" });
  venue.rest(maker, "sell 1 @ 30000.00");
  venue.rest(USER, "buy 1 @ 30000.00");
  venue.rest(maker, "buy 5 @ 29000.00");
  venue.exit(USER, "stop_loss 29500 0.5");
  const audit = new ExitAudit(venue.state);
  const breaches: string[] = [];
  const report = (breach: string) => breaches.push(breach);
  for (const event of action(venue).events) {
    if (event.kind === "order") audit.order(event.order);
    if (event.kind === "position") audit.position(event);
    if (event.kind !== "json" || event.event.type !== "exit") continue;
    for (const told of plant(event.event)) audit.exit(told, venue.state.timeMs, report);
  }
  audit.end();
  audit.compare(report);
  return breaches;
}
