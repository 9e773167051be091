import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, Venue } from "../../../test/support/venue.ts";
import type { Command } from "../command.ts";
import { DEAL_FLAG, EVENT, eventKind, ORDER_FLAG } from "../event.ts";
import type { PlanMaintenance } from "../maintenance/command-schemas.ts";
import type { WordBuffer } from "../words.ts";
import { recordWords } from "../words.ts";
import { EventAudit } from "./event-audit.ts";

/** Words at which the events of one kind start, in order of emission. */
type Find = (kind: keyof typeof EVENT) => number[];

/**
 * Users 1 and 2 ask for 1 each at 100, in this order; user 3 has USDT and bids for 1 at 90. `action` is what the engine
 * does next, rightly; then its events are changed as a faulty engine would have emitted them.
 */
interface Fault {
  readonly name: string;
  readonly action: (venue: Venue) => Command;
  readonly plant: (events: WordBuffer, find: Find) => void;
  readonly breach: RegExp;
}

const buys = (venue: Venue) => venue.orderOf(3, "buy 1.5 @ 100.00");
const bids = (venue: Venue) => venue.orderOf(3, "buy 1 @ 80.00");
const cancels = (): Command => ({ kind: "cancel_order", userId: 3, marketId: 0, orderId: 3 });
/** Maintenance that begins at once. */
const maintains = (venue: Venue): Command => ({
  kind: "plan_maintenance",
  scope: ["SPOT"],
  startedAt: venue.timeMs,
  endedAt: venue.timeMs + 1,
  protectDurationStart: 0,
  protectDurationEnd: 0,
  announceUrl: "",
  announceEnabled: false,
});
const deposits = (): Command => ({ kind: "deposit", userId: 3, ccy: "USDT", amount: "5", note: "" });
const adjusts = (): Command => ({
  kind: "adjust_balance",
  userId: 3,
  ccy: "USDT",
  amount: "-5",
  note: "test",
});

const FAULTS: readonly Fault[] = [
  {
    name: "a fee is rounded down, to the last unit of every posting",
    action: (venue) => venue.orderOf(3, "buy 0.333333 @ 100.00"),
    plant: (events, find) => {
      add(events, at(find("deal"), 0) + 9, -1n);
      // The buyer gets the unit that the venue does not.
      const base = find("posting").filter((word) => events.i32[word * 2 + 1] === 0);
      post(events, at(base, 1), 1n);
      post(events, at(base, 2), -1n);
      add(events, at(find("order"), 1) + 8, -1n);
    },
    breach: /takes a fee at another rate than its order has/,
  },
  {
    name: "a deducted fee is a unit too small, in every record",
    action: (venue) => deducting(venue, "buy 1 @ 100.00"),
    plant: (events, find) => {
      add(events, at(find("deal"), 0) + 9, -1n);
      post(events, at(find("posting"), 5), 1n);
      post(events, at(find("posting"), 6), -1n);
      add(events, at(find("order"), 1) + 10, -1n);
    },
    breach: /deducts a fee of 15999999 where 16000000 is due/,
  },
  {
    name: "a deducted fee is not added to its order",
    action: (venue) => deducting(venue, "buy 1 @ 100.00"),
    plant: (events, find) => add(events, at(find("order"), 1) + 10, -1n),
    breach: /does not show the sum of its deals/,
  },
  {
    name: "a deducted fee is told as an ordinary one",
    action: (venue) => deducting(venue, "buy 1 @ 100.00"),
    plant: (events, find) => (events.i32[at(find("deal"), 0) * 2 + 2] = 0),
    breach: /takes a fee in the wrong asset/,
  },
  {
    name: "an ordinary fee is told as a deducted one",
    action: buys,
    plant: (events, find) => (events.i32[at(find("deal"), 0) * 2 + 2] = DEAL_FLAG.takerDeducts),
    breach: /deducts a fee that was to be taken as ever/,
  },
  {
    name: "a fee is not deducted although its user wishes it",
    action: (venue) => {
      const order = deducting(venue, "buy 1 @ 100.00", 1);
      venue.state.users.deducting = 0;
      return order;
    },
    plant: () => {},
    breach: /does not deduct a fee, which it could have/,
  },
  {
    name: "a fee is charged and not kept",
    action: buys,
    plant: (events, find) => drop(events, at(find("posting"), 4)),
    breach: /sum to -\d+ units/,
  },
  {
    name: "a seller is not paid",
    action: buys,
    plant: (events, find) => drop(events, at(find("posting"), 3)),
    breach: /postings of asset 1 sum to/,
  },
  {
    name: "somebody else is paid",
    action: buys,
    plant: (events, find) => (events.i32[at(find("posting"), 3) * 2 + 2] = 2),
    breach: /0 units moved in user 1's spot cell of asset 1/,
  },
  {
    name: "an amount is created in two places",
    action: buys,
    plant: (events, find) => {
      post(events, at(find("posting"), 3), 1n);
      post(events, at(find("posting"), 2), -1n);
    },
    breach: /1 units moved in|moved in user 1's spot cell/,
  },
  {
    name: "the start of a maintenance is not told",
    action: maintains,
    plant: (events, find) => drop(events, at(find("json"), 1)),
    breach: /Maintenance 1 does not begin or end at its time/,
  },
  {
    name: "nobody planned what starts",
    action: maintains,
    plant: (events, find) => drop(events, at(find("json"), 0)),
    breach: /maintenance_started tells of maintenance 1, which nobody planned/,
  },
  {
    name: "a cancelled order keeps its freeze",
    action: cancels,
    plant: (events, find) => drop(events, at(find("posting"), 0)),
    breach: /9000000000 units are frozen in user 3's spot cell of asset 1 for orders that need 0/,
  },
  {
    name: "a freeze is too small",
    action: bids,
    plant: (events, find) => {
      const word = at(find("posting"), 0);
      for (const [offset, delta] of [
        [2, 1n],
        [3, -1n],
        [4, 1n],
        [5, -1n],
      ] as const)
        add(events, word + offset, delta);
    },
    breach: /are frozen in user 3's spot cell of asset 1 for orders that need/,
  },
  {
    name: "a freeze moves money",
    action: bids,
    plant: (events, find) => post(events, at(find("posting"), 0), 1n),
    breach: /A freeze of user 3's spot cell of asset 1 is none/,
  },
  {
    name: "a line does not continue its cell",
    action: bids,
    plant: (events, find) => add(events, at(find("posting"), 0) + 4, 1n),
    breach: /does not continue from what the cell held/,
  },
  {
    name: "a user ends below 0",
    action: bids,
    plant: (events, find) => post(events, at(find("posting"), 0), -(10n ** 15n)),
    breach: /leaves user 3's spot cell of asset 1 with -/,
  },
  {
    name: "a deposit is credited twice",
    action: deposits,
    plant: (events, find) => post(events, at(find("posting"), 1), 500000000n),
    breach: /sum to 500000000 units/,
  },
  {
    name: "an adjustment gives what it should take",
    action: adjusts,
    plant: (events, find) => {
      post(events, at(find("posting"), 0), -10_00000000n);
      post(events, at(find("posting"), 1), 10_00000000n);
    },
    breach: /500000000 units moved in user 3's .* adjustments give reason for -500000000/,
  },
  {
    name: "an adjustment is taken from somebody else",
    action: adjusts,
    plant: (events, find) => (events.i32[at(find("posting"), 1) * 2 + 2] = 1),
    breach: /0 units moved in user 3's .* adjustments give reason for -500000000/,
  },
  {
    name: "a deposit goes to somebody else",
    action: deposits,
    plant: (events, find) => (events.i32[at(find("posting"), 1) * 2 + 2] = 1),
    breach: /deposits and adjustments give reason for 500000000/,
  },
  {
    name: "a value is not price times amount",
    action: buys,
    plant: (events, find) => add(events, at(find("deal"), 0) + 5, 1n),
    breach: /value that is not price times amount/,
  },
  {
    name: "a deal is of nothing",
    action: buys,
    plant: (events, find) => (events.i64[at(find("deal"), 0) + 4] = 0n),
    breach: /is of nothing/,
  },
  {
    name: "a deal is not at the maker's price",
    action: buys,
    plant: (events, find) => add(events, at(find("deal"), 0) + 3, -1n),
    breach: /not at the price of its maker/,
  },
  {
    name: "a deal is worse than the limit",
    action: buys,
    plant: (events, find) => add(events, at(find("deal"), 0) + 3, 1n),
    breach: /worse than its taker's limit/,
  },
  {
    name: "a deal is larger than its maker",
    action: buys,
    plant: (events, find) => add(events, at(find("deal"), 0) + 4, 1n),
    breach: /larger than what its maker had left/,
  },
  {
    name: "a deal passes over an older order",
    action: (venue) => venue.orderOf(3, "buy 0.5 @ 100.00"),
    plant: swapMaker,
    breach: /passes over order 1, which has priority/,
  },
  {
    name: "a deal's maker does not rest",
    action: buys,
    plant: (events, find) => (events.f64[at(find("deal"), 0) + 8] = 99),
    breach: /maker of deal 1 did not rest/,
  },
  {
    name: "a taker is older than its maker",
    action: buys,
    plant: (events, find) => (events.f64[at(find("deal"), 0) + 7] = 0),
    breach: /The taker of deal 1 is older than its maker/,
  },
  {
    name: "a deal id is skipped",
    action: buys,
    plant: (events, find) => (events.f64[at(find("deal"), 1) + 2] = 3),
    breach: /Deal 3 follows deal 1/,
  },
  {
    name: "a fee is in the other currency",
    action: buys,
    plant: (events, find) => (events.i32[at(find("deal"), 0) * 2 + 22] = 1),
    breach: /fee in the wrong asset/,
  },
  {
    name: "a fee exceeds what is received",
    action: buys,
    plant: (events, find) => (events.i64[at(find("deal"), 0) + 9] = 10n ** 12n),
    breach: /takes a fee of 1000000000000 from 100000000/,
  },
  {
    name: "a self-trade is let through",
    action: selfTrade,
    plant: (events, find) => setFlags(events, find("order").at(-1) ?? 0, 3 << 6),
    breach: /self-trade that was to be prevented/,
  },
  {
    name: "an order id is used again",
    action: bids,
    plant: (events, find) => (events.f64[at(find("order"), 0) + 2] = 2),
    breach: /was resting already/,
  },
  {
    name: "an order id goes back",
    action: bids,
    plant: (events, find) => (events.f64[at(find("order"), 0) + 2] = 0),
    breach: /is not new and did not rest/,
  },
  {
    name: "an order rests with nothing left",
    action: bids,
    plant: (events, find) => (events.i64[at(find("order"), 0) + 5] = 0n),
    breach: /is open with 0 lots filled and 0 left/,
  },
  {
    name: "a filled order is called cancelled",
    action: buys,
    plant: (events, find) => setFlags(events, at(find("order"), 0), (2 ^ 3) << ORDER_FLAG.statusShift),
    breach: /is part_canceled with 1000000 lots filled and 0 left/,
  },
  {
    name: "a cancelled order that never traded is called partly cancelled",
    action: cancels,
    plant: (events, find) => setFlags(events, at(find("order"), 0), (4 ^ 3) << ORDER_FLAG.statusShift),
    breach: /is part_canceled with 0 lots filled and 1000000 left/,
  },
  {
    name: "a cancelled order is told as put",
    action: cancels,
    plant: (events, find) => setFlags(events, at(find("order"), 0), 3 << ORDER_FLAG.eventShift),
    breach: /was resting already/,
  },
  {
    name: "a market order rests",
    action: bids,
    plant: (events, find) => setFlags(events, at(find("order"), 0), 1 << 1),
    breach: /rests, being market/,
  },
  {
    name: "an order changes sides",
    action: cancels,
    plant: (events, find) => setFlags(events, at(find("order"), 0), 1),
    breach: /has changed its side/,
  },
  {
    name: "a rate changes",
    action: cancels,
    plant: (events, find) => (events.i32[at(find("order"), 0) * 2 + 22] = 7),
    breach: /has changed its makerFeeRateE8/,
  },
  {
    name: "an order forgets a fill",
    action: buys,
    plant: (events, find) => add(events, at(find("order"), 1) + 6, -1n),
    breach: /does not show the sum of its deals/,
  },
  {
    name: "an order forgets a fee",
    action: buys,
    plant: (events, find) => (events.i64[(find("order").at(-1) ?? 0) + 8] = 0n),
    breach: /does not show the sum of its deals/,
  },
  {
    name: "an order is told with an old time",
    action: cancels,
    plant: (events, find) => (events.f64[at(find("order"), 0) + 15] = 1),
    breach: /was not updated now/,
  },
  {
    name: "an order's trade is not told",
    action: buys,
    plant: (events, find) => drop(events, at(find("order"), 0)),
    breach: /Order 1 traded and no event told of it/,
  },
  {
    name: "a level is told wrongly",
    action: bids,
    plant: (events, find) => add(events, at(find("level"), 0) + 3, 1n),
    breach: /1000001 lots were published for buy level 8000/,
  },
  {
    name: "a level is not told",
    action: bids,
    plant: (events, find) => drop(events, at(find("level"), 0)),
    breach: /change of buy level 8000 of market 0 was not published/,
  },
  {
    name: "a level is told of the other side",
    action: bids,
    plant: (events, find) => (events.i32[at(find("level"), 0) * 2 + 2] = 1),
    breach: /were published for sell level 8000/,
  },
  {
    name: "time goes back",
    action: bids,
    plant: (events, find) => (events.f64[at(find("command"), 0) + 2] = 5),
    breach: /earlier than the one before/,
  },
  {
    name: "a command is counted twice",
    action: bids,
    plant: (events, find) => (events.f64[at(find("command"), 0) + 1] = 1),
    breach: /Command 1 follows command/,
  },
];

test("every fault planted into the events of a command is found", () => {
  for (const { name, action, plant, breach } of FAULTS) {
    const { venue, audit, events } = quietVenue();
    const { from } = venue.engine.execute(action(venue), { seq: venue.state.seq + 1, timeMs: venue.timeMs });
    plant(events, (kind) => startsOf(events, EVENT[kind]));
    const breaches = audit.check(events, from, events.length);
    assert.ok(
      breaches.some((sentence) => breach.test(sentence)),
      `${name}:\n${breaches.join("\n")}`,
    );
  }
});

/**
 * Users 1 and 2 ask for 1 at 99 and 1 at 100, and user 3 bids for 1.5 at 101: the market opens at 100, where order 3
 * takes all of order 1 and half of order 2.
 */
const AUCTION_FAULTS: readonly Omit<Fault, "action">[] = [
  {
    name: "a deal is not at the opening price",
    plant: (events, find) => add(events, at(find("deal"), 0) + 3, 1n),
    breach: /Deal 1 is not at the price of its auction/,
  },
  {
    name: "a deal is worse than its maker's limit",
    plant: (events, find) => add(events, at(find("deal"), 1) + 3, -1n),
    breach: /Deal 2 is worse than its maker's limit/,
  },
  {
    name: "it is not told that an auction ends",
    plant: (events, find) => drop(events, at(find("json"), 1)),
    breach: /Deal 1 is not at the price of its maker/,
  },
  {
    name: "less trades than could",
    plant: (events, find) => drop(events, at(find("deal"), 1)),
    breach: /The auction of market 0 leaves 500000 lots that could have traded/,
  },
  {
    name: "a deal passes over a better order",
    plant: swapMaker,
    breach: /Deal 1 passes over order 1, which has priority/,
  },
  {
    name: "who came first takes",
    plant: (events, find) => {
      const deal = at(find("deal"), 0);
      [events.f64[deal + 7], events.f64[deal + 8]] = [1, 3];
    },
    breach: /The taker of deal 1 came before its maker/,
  },
  {
    name: "a stranger takes",
    plant: (events, find) => (events.f64[at(find("deal"), 0) + 7] = 99),
    breach: /The taker of deal 1, which is of an auction, did not rest/,
  },
];

test("every fault planted into the events of an opening is found", () => {
  for (const { name, plant, breach } of [{ name: "none", plant: () => undefined, breach: /^$/ }, ...AUCTION_FAULTS]) {
    const venue = new Venue();
    venue.listAsset("BTC");
    venue.listAsset("USDT");
    venue.listMarket("BTC", "USDT", { biddingAt: venue.timeMs, onlineAt: venue.timeMs + 10 });
    venue.put(venue.addUser("first", { BTC: "5" }), "sell 1 @ 99.00");
    venue.put(venue.addUser("second", { BTC: "5" }), "sell 1 @ 100.00");
    venue.put(venue.addUser("third", { USDT: "1000" }), "buy 1.5 @ 101.00");
    const { events } = venue.engine;
    events.clear();
    const audit = new EventAudit(venue.state, true);
    venue.engine.execute({ kind: "tick" }, { seq: venue.state.seq + 1, timeMs: venue.timeMs + 10 });
    plant(events, (kind) => startsOf(events, EVENT[kind]));
    const breaches = audit.check(events, 0, events.length);
    assert.match(breaches.join("\n"), breach, name);
  }
});

test("events that nobody has changed are found sound", () => {
  for (const action of [buys, bids, cancels, deposits, adjusts, selfTrade]) {
    const { venue, audit, events } = quietVenue();
    const { from, to } = venue.engine.execute(action(venue), { seq: venue.state.seq + 1, timeMs: venue.timeMs });
    assert.deepEqual([...audit.check(events, from, to), ...audit.compare()], []);
  }
});

test("an audit that starts in the middle takes over what is there, and finds what no event told", () => {
  const { venue } = quietVenue();
  venue.execute(buys(venue));
  const audit = new EventAudit(venue.state, true);
  assert.deepEqual(audit.compare(), []);
  venue.engine.events.clear();
  venue.engine.execute(bids(venue), { seq: venue.state.seq + 1, timeMs: venue.timeMs });
  assert.match(audit.compare().join("\n"), /Postings do not tell what user 3's spot cell of asset 1 holds/);
  assert.match(audit.compare().join("\n"), /Events tell of 2 resting orders of 3/);
});

test("orders and deals in a maintenance, or in a protection period, are found", () => {
  for (const [protection, breach] of [
    [false, /A deal was made[\s\S]*Order 2 was taken or changed during maintenance/],
    [true, /A deal was made[\s\S]*Order 2 was taken or changed during protection/],
  ] as const) {
    const { venue } = quietVenue();
    const { timeMs } = venue;
    const soon = { protectDurationStart: timeMs, protectDurationEnd: timeMs + 9 };
    venue.accept({
      ...(maintains(venue) as PlanMaintenance),
      ...(protection ? { startedAt: timeMs + 5, endedAt: timeMs + 6, ...soon } : {}),
    });
    const audit = new EventAudit(venue.state);
    const { events } = venue.engine;
    events.clear();
    venue.state.spotPhase = 0;
    venue.engine.execute(buys(venue), { seq: venue.state.seq + 1, timeMs });
    assert.match(audit.check(events, 0, events.length).join("\n"), breach);
    assert.match(audit.compare().join("\n"), /Events put spot trading into phase \d, the state is in 0/);
  }
});

function quietVenue(): { venue: Venue; audit: EventAudit; events: WordBuffer } {
  const venue = bitcoinVenue();
  for (const name of ["first", "second"]) venue.put(venue.addUser(name, { BTC: "5" }), "sell 1 @ 100.00");
  venue.put(venue.addUser("third", { USDT: "1000", BTC: "1" }), "buy 1 @ 90.00");
  venue.timeMs += 10;
  venue.engine.events.clear();
  return { venue, audit: new EventAudit(venue.state, true), events: venue.engine.events };
}

/** An order of user 3, while `userId` pays fees in USDT. */
function deducting(venue: Venue, text: string, userId = 3): Command {
  venue.accept({ kind: "set_fee_deduction", ccy: "USDT" });
  venue.accept({ kind: "change_user", userId, feeDeduction: true });
  venue.engine.events.clear();
  return venue.orderOf(3, text);
}

function selfTrade(venue: Venue): Command {
  return venue.orderOf(3, "sell 0.5 @ 90.00");
}

function startsOf(events: WordBuffer, kind: number): number[] {
  const starts: number[] = [];
  for (let word = 0; word < events.length; word += recordWords(events, word)) {
    if (eventKind(events, word) === kind) starts.push(word);
  }
  return starts;
}

function at(starts: readonly number[], place: number): number {
  const word = starts[place];
  assert.ok(word !== undefined);
  return word;
}

function add(events: WordBuffer, word: number, delta: bigint): void {
  events.i64[word] = (events.i64[word] as bigint) + delta;
}

/** Lets a posting move `delta` more, with the balance that it tells. */
function post(events: WordBuffer, word: number, delta: bigint): void {
  add(events, word + 2, delta);
  add(events, word + 4, delta);
}

function setFlags(events: WordBuffer, word: number, bits: number): void {
  events.i32[word * 2 + 3] = (events.i32[word * 2 + 3] as number) ^ bits;
}

/** Takes an event out. */
function drop(events: WordBuffer, word: number): void {
  const words = recordWords(events, word);
  events.i64.copyWithin(word, word + words, events.length);
  events.length -= words;
}

/** The deal with order 1 becomes one with order 2, in every respect. */
function swapMaker(events: WordBuffer, find: Find): void {
  events.f64[at(find("deal"), 0) + 8] = 2;
  events.i32[at(find("deal"), 0) * 2 + 13] = 2;
  events.f64[at(find("order"), 0) + 2] = 2;
  events.i32[at(find("order"), 0) * 2 + 2] = 2;
}
