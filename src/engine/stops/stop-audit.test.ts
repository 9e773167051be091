import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, type Venue } from "../../../test/support/venue.ts";
import { EventAudit } from "../audit/event-audit.ts";
import type { Command } from "../command.ts";
import { EVENT, eventKind } from "../event.ts";
import type { WordBuffer } from "../words.ts";
import { recordWords } from "../words.ts";
import { STOP_EVENTS, STOP_FLAG, type StopEventName } from "./stop-event.ts";

/** The price is 100. Stop order 1 of user 2, who has little, waits for 110: it can buy one, not ten. */
interface Fault {
  readonly name: string;
  readonly action: (venue: Venue) => Command;
  readonly plant: (events: WordBuffer, stop: number) => void;
  readonly breach: RegExp;
}

const fires = (venue: Venue) => venue.orderOf(1, "buy 1 @ 110.00");
const changes = (): Command => ({ kind: "modify_stop_order", userId: 2, marketId: 0, stopId: 1, amount: 2_000_000n });
const cancels = (): Command => ({ kind: "cancel_stop_order", userId: 2, marketId: 0, stopId: 1 });
const places = (venue: Venue): Command => ({
  ...venue.orderOf(2, "buy 1 @ 110"),
  kind: "place_stop_order",
  trigger: 12_000n,
});

const FAULTS: readonly Fault[] = [
  { name: "it fires twice", action: fires, plant: (events, stop) => repeat(events, stop), breach: /was not waiting/ },
  {
    name: "it fires and stays",
    action: fires,
    plant: (events, stop) => rename(events, stop, "modify"),
    breach: /not in the state/,
  },
  {
    name: "it fires without an order",
    action: fires,
    plant: (events, stop) => (events.f64[stop + 8] = 0),
    breach: /names order 0/,
  },
  {
    name: "it becomes another's order",
    action: fires,
    plant: (events, stop) => (events.f64[stop + 8] = 4),
    breach: /became an order with another/,
  },
  {
    name: "it becomes an order that nobody saw",
    action: fires,
    plant: (events, stop) => (events.f64[stop + 8] = 77),
    breach: /became order 77, of which nothing was told/,
  },
  {
    name: "it fails for nothing",
    action: fires,
    plant: (events, stop) => rename(events, stop, "active_fail"),
    breach: /names refusal 0/,
  },
  {
    name: "it fires with another amount",
    action: fires,
    plant: (events, stop) => (events.i64[stop + 4] = 7n),
    breach: /has changed/,
  },
  {
    name: "it changes its side",
    action: changes,
    plant: (events, stop) => (events.i32[stop * 2 + 3] = (events.i32[stop * 2 + 3] as number) ^ 1),
    breach: /has changed its side/,
  },
  {
    name: "a change is not told",
    action: changes,
    plant: (events, stop) => (events.i64[stop + 4] = 1_000_000n),
    breach: /do not tell how stop order 1 stands/,
  },
  {
    name: "a cancel is not told",
    action: cancels,
    plant: (events, stop) => (events.length = stop),
    breach: /Stop order 1 waits by its events/,
  },
  {
    name: "a cancel is of another",
    action: cancels,
    plant: (events, stop) => (events.f64[stop + 2] = 9),
    breach: /Stop order 9, .* was not waiting/,
  },
  {
    name: "an id is left out",
    action: places,
    plant: (events, stop) => (events.f64[stop + 2] = 9),
    breach: /Stop order 9, .* follows stop order 1/,
  },
  {
    name: "one is not told",
    action: places,
    plant: (events, stop) => (events.length = stop),
    breach: /tell of 1 stop orders of 2/,
  },
  {
    name: "one is told late",
    action: places,
    plant: (events, stop) => (events.f64[stop + 6] = 5),
    breach: /was not created now/,
  },
];

for (const { name, action, plant, breach } of FAULTS) {
  test(`a fault is found: ${name}`, () => {
    const { engine, venue } = waitingVenue();
    const audit = new EventAudit(engine.state);
    engine.events.clear();
    engine.execute(action(venue), { seq: engine.state.seq + 1, timeMs: venue.timeMs });
    const { events } = engine;
    let stop = -1;
    for (let at = 0; at < events.length; at += recordWords(events, at))
      if (eventKind(events, at) === EVENT.stop) stop = at;
    assert.ok(stop > 0);
    plant(events, stop);
    const breaches = [...audit.check(events, 0, events.length), ...audit.compare()];
    assert.match(breaches.join("\n"), breach);
  });
}

test("what happens to stop orders rightly is found right", () => {
  for (const action of [fires, changes, cancels, places]) waitingVenue().venue.accept(action(waitingVenue().venue));
});

function waitingVenue() {
  const venue = bitcoinVenue();
  venue.addUser("ann", { USDT: "10000", BTC: "10" });
  venue.addUser("bob", { USDT: "200" });
  venue.put(1, "sell 1 @ 100");
  venue.put(1, "buy 1 @ 100");
  venue.put(1, "sell 1 @ 110");
  venue.accept({ ...venue.orderOf(2, "buy 1 @ 100"), kind: "place_stop_order", trigger: 11_000n });
  return { venue, engine: venue.engine };
}

function rename(events: WordBuffer, at: number, name: StopEventName): void {
  const flags = events.i32[at * 2 + 3] as number;
  const others = flags & ~(STOP_FLAG.eventMask << STOP_FLAG.eventShift);
  events.i32[at * 2 + 3] = others | (STOP_EVENTS.indexOf(name) << STOP_FLAG.eventShift);
}

/** Writes the record at `at` once more behind the last one. */
function repeat(events: WordBuffer, at: number): void {
  const words = recordWords(events, at);
  const copy = events.open(words);
  events.i64.copyWithin(copy, at, at + words);
}
