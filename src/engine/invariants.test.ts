import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, marketOf, type Venue } from "../../test/support/venue.ts";
import { feeLevels } from "./accounts/fee-level.ts";
import { FLAG } from "./command.ts";
import { checkInvariants } from "./invariants.ts";
import { CELL } from "./ledger/cell.ts";
import { POSTING } from "./ledger/posting.ts";
import type { BookMaker, State } from "./state.ts";
import { LadderBook } from "./trading/ladder-book.ts";
import { NONE, type Orders } from "./trading/order.ts";
import { WordBuffer } from "./words.ts";

/** Slots of the orders of `brokenVenue`, in order of placement. */
interface Slots {
  /** Alice bids for 1 at 100, a quarter of it filled. */
  readonly filled: number;
  /** Bob bids for 2 at 100, displayed, and 1 at 100, hidden. */
  readonly second: number;
  readonly hidden: number;
  /** Bob bids for 1 at 99 with a client id. */
  readonly named: number;
  /** Bob asks for 1 at 110. */
  readonly ask: number;
}

/** Each takes a sound state and breaks one thing; what must be said of it. */
const FAULTS: readonly (readonly [name: string, plant: (state: State, slots: Slots) => void, breach: RegExp])[] = [
  ["a unit comes from nowhere", (state) => post(state, 0, 1n, 0n), /All cells of USDT sum to 1 units/],
  ["a user owes", (state) => post(state, 0, -10_000_00000000n, 0n), /user 1 in USDT holds -\d+ available/],
  ["a freeze is kept", (state) => post(state, 0, -5n, 5n), /has frozen 7500000005 units for orders of 7500000000/],
  [
    "a freeze is lost",
    (state) => post(state, 0, 7_500000000n, -7_500000000n),
    /has frozen 0 units for orders of 7500000000/,
  ],
  ["the venue freezes", (state) => post(state, state.ledger.venueCell(CELL.fee, 1), -1n, 1n), /has frozen 1 units/],
  ["fees are negative", takeFees, /Cell fee of the venue in USDT holds -1 available/],
  [
    "more is held than may be",
    overfill,
    /Cell outside of the venue in USDT holds -\d+ available units, which it may not/,
  ],
  ["less is left than frozen", ({ orders }, { second }) => orders.setLeft(second, 1n), /shows .* lots and holds/],
  ["nothing is left", ({ orders }, { ask }) => orders.setLeft(ask, 0n), /rests with nothing left/],
  ["a price is 0", ({ orders }, { ask }) => orders.setPrice(ask, 0n), /rests without a price/],
  ["a market order rests", ({ orders }, { ask }) => retype(orders, ask, 1), /of a type that never does/],
  ["a fok order rests", ({ orders }, { ask }) => retype(orders, ask, 4), /of a type that never does/],
  [
    "a budget rests",
    ({ orders }, { ask }) => flag(orders, ask, FLAG.inQuote),
    /counts its amount in the quote currency/,
  ],
  ["a sell stands among buys", ({ orders }, { named }) => flag(orders, named, FLAG.sell), /stands on the wrong side/],
  [
    "a hidden order is shown",
    ({ orders }, { hidden }) => flag(orders, hidden, FLAG.hidden),
    /shows 2750000 @ 10000 lots and holds 3750000/,
  ],
  ["the queue is out of order", swapPriorities, /order 3 stands behind order 1 and should not/],
  [
    "an order is taken for one of a group",
    ({ orders }, { ask }) => flag(orders, ask, FLAG.grouped),
    /Order 6 in BTCUSDT and its group do not know each other/,
  ],
  ["two orders share a priority", ({ orders }, { ask }) => orders.setPrio(ask, 1), /no priority of its own/],
  ["an index is taken to be of another time", ({ indexTimes }) => indexTimes.set(0, 99), /is taken to be of 99/],
  ["a priority is from the future", ({ orders }, { ask }) => orders.setPrio(ask, 99), /no priority of its own/],
  [
    "prices are out of order",
    ({ orders }, { named }) => orders.setPrice(named, 10_001n),
    /order 5 stands behind order 4 and should not/,
  ],
  [
    "the book is crossed",
    ({ orders }, { ask }) => orders.setPrice(ask, 10_000n),
    /crossed: it bids 10000 and asks 10000/,
  ],
  [
    "an order cannot be found",
    ({ orders }, { ask }) => orders.leave(ask),
    /Order 6 in BTCUSDT cannot be found by its id/,
  ],
  [
    "an order has an id of the future",
    ({ orders }, { ask }) => orders.setOrderId(ask, 99),
    /an id that was never given out/,
  ],
  ["an order comes from the future", ({ orders }, { ask }) => orders.setCreatedAt(ask, 9_999), /comes from the future/],
  ["a rate is 100 %", ({ orders }, { ask }) => orders.setMakerFeeRateE8(ask, 100_000_000), /no sound fee rate/],
  ["a client id is lost", ({ orders }, { named }) => orders.clientId.delete(named), /lost or changed its client id/],
  ["a client id is left behind", ({ orders }) => orders.clientId.set(77, "x"), /A client id is stored of slot 77/],
  [
    "an order takes another's fills",
    ({ orders }, { filled, second }) => orders.setFill(second, orders.fill(filled)),
    /shares its fills/,
  ],
  ["fills are left behind", ({ fills }) => fills.allocate(), /Fills of 2 orders are stored; 1 rest/],
  [
    "a fill is negative",
    ({ orders, fills }, { filled }) => fills.setFilledLots(orders.fill(filled), -1n),
    /filled lots without a value|Order 1/,
  ],
  [
    "a fill has no value",
    ({ orders, fills }, { filled }) => fills.setFilledValue(orders.fill(filled), 0n),
    /filled lots without a value/,
  ],
  [
    "a fee is negative",
    ({ orders, fills }, { filled }) => fills.setBaseFee(orders.fill(filled), -1n),
    /paid a fee below 0/,
  ],
  [
    "a buyer pays in quote",
    ({ orders, fills }, { filled }) => fills.setQuoteFee(orders.fill(filled), 1n),
    /fee in the currency that it gives/,
  ],
  [
    "a fee is deducted in nothing",
    ({ orders, fills }, { filled }) => fills.setDiscountFee(orders.fill(filled), 1n),
    /a deduction currency that nobody ever paid in/,
  ],
  ["those who deduct are miscounted", ({ users }) => users.deducting++, /1 users are counted as paying fees/],
  [
    "a change is from the future",
    ({ orders, fills }, { filled }) => fills.setUpdatedAt(orders.fill(filled), 9_999),
    /changed in the future/,
  ],
  ["an ended order is kept", ({ orders }) => orders.allocate(), /6 orders are stored and 5 rest/],
  ["a seat forgets an order", ({ orders, seats }, { ask }) => seats.remove(orders, ask), /lists 3 orders and has 4/],
  ["a seat miscounts", ({ seats }) => seats.setOpenOrders(0, 7), /counts 7 orders and lists 1/],
  [
    "a seat lists a stranger's order",
    ({ orders, seats }, { ask }) => orders.setSeat(ask, seats.find(1, 0, 0)),
    /lists an order that does not rest|gives/,
  ],
  ["a seat's list is bent", ({ orders }, { ask }) => orders.setSeatPrev(ask, NONE), /a list whose links disagree/],
  [
    "a seat gives from a foreign cell",
    ({ seats }) => seats.setQuoteCell(0, seats.quoteCell(1)),
    /gives from a foreign cell/,
  ],
  [
    "orders rest in a closed market",
    ({ markets }) => Object.assign(markets[0] as object, { status: "counting_down" }),
    /is not open and has resting orders/,
  ],
  [
    "a market trades before its time",
    ({ markets }) => Object.assign(markets[0] as object, { onlineAt: 9_000 }),
    /BTCUSDT, which is online, should not be so any more/,
  ],
  [
    "an auction goes on after its time",
    ({ markets }) => Object.assign(markets[0] as object, { status: "bidding", biddingAt: 500, onlineAt: 900 }),
    /BTCUSDT, which is bidding, should not be so any more/,
  ],
  [
    "nothing wakes up for an opening",
    ({ markets }) => Object.assign(markets[0] as object, { status: "bidding", biddingAt: 500, onlineAt: 9_000 }),
    /BTCUSDT, which is bidding, will not change in time/,
  ],
  [
    "an auction begins before its time",
    ({ markets }) => Object.assign(markets[0] as object, { status: "bidding", biddingAt: 8_000, onlineAt: 9_000 }),
    /BTCUSDT, which is bidding, has begun too early/,
  ],
  [
    "an auction locks without bids",
    ({ markets }) => Object.assign(markets[0] as object, { noCancelAt: 500 }),
    /has an auction without its times/,
  ],
  [
    "an auction locks after its end",
    ({ markets }) => Object.assign(markets[0] as object, { biddingAt: 100, noCancelAt: 300, onlineAt: 200 }),
    /locks its auction outside of it/,
  ],
  [
    "a market stays after its delisting",
    ({ markets }) => Object.assign(markets[0] as object, { delistedAt: 900 }),
    /stays too long/,
  ],
  [
    "a user keeps the rates of a level that changed",
    (state) => feeLevels.of(state).set("vip", { level: "vip", makerFeeRateE8: 1, takerFeeRateE8: 2 }),
    /User 1 pays other rates than its level/,
  ],
  ["a fee level is lost", (state) => feeLevels.of(state).clear(), /User 1 is on a fee level that there is not/],
  ["a maintenance is left behind", (state) => (state.spotPhase = 2), /in phase 2 of maintenance and should be in 0/],
  ["a maintenance begins unnoticed", (state) => plan(state, 500, 5_000), /Maintenance 1 begins or ends unnoticed/],
  ["a maintenance is over and kept", (state) => plan(state, 500, 600), /Maintenance 1 is over and still stored/],
  [
    "nothing wakes up for a maintenance",
    (state) => plan(state, 4_000, 5_000),
    /Maintenance 1 begins or ends unnoticed/,
  ],
  [
    "orders rest in a delisted market",
    ({ markets }) => Object.assign(markets[0] as object, { delisted: true }),
    /is not open and has resting orders/,
  ],
];

test("every fault planted into the state is found", () => {
  for (const [name, plant, breach] of FAULTS) {
    const { venue, slots } = brokenVenue();
    plant(venue.state, slots);
    const breaches = checkInvariants(venue.state);
    assert.ok(
      breaches.some((sentence) => breach.test(sentence)),
      `${name}:\n${breaches.join("\n")}`,
    );
  }
});

/** Books that break a rule, and what must be said once orders have come and gone. */
const BROKEN_BOOKS: readonly (readonly [name: string, makeBook: BookMaker, breach: RegExp])[] = [
  ["a book that serves the newest first", (...of) => new NewestFirst(...of), /stands behind order \d+ and should not/],
  ["a book that forgets to lower a level", (...of) => new NeverReduces(...of), /were published for|shows/],
  ["a book that keeps what was taken out", (...of) => new NeverRemoves(...of), /order|Order/],
  [
    "a book that shows hidden orders",
    (...of) => new ShowsHidden(...of),
    /shows 2000000 @ 10000 lots and holds 1000000/,
  ],
  ["a book whose last change is not told", (...of) => new TellsNothing(...of), /lots were published for/],
];

test("every broken book is found out by the orders that it serves", () => {
  for (const [name, makeBook, breach] of BROKEN_BOOKS)
    assert.throws(() => exercise(bitcoinVenue(makeBook)), breach, name);
  exercise(bitcoinVenue());
});

test("a state that is broken everywhere is reported in a bounded number of sentences", () => {
  const { venue } = brokenVenue();
  for (let slot = 100; slot < 300; slot++) venue.state.orders.clientId.set(slot, "x");
  assert.equal(checkInvariants(venue.state).length, 50);
});

test("a circle in a queue or in a seat's list is reported and does not go on for ever", () => {
  const { venue, slots } = brokenVenue();
  venue.state.orders.setNext(slots.second, slots.filled);
  assert.match(checkInvariants(venue.state).join("\n"), /stands twice/);
  const other = brokenVenue();
  other.venue.state.orders.setSeatNext(other.slots.ask, other.slots.second);
  assert.match(checkInvariants(other.venue.state).join("\n"), /The seat of user 2/);
});

function brokenVenue(): { venue: Venue; slots: Slots } {
  const venue = bitcoinVenue();
  venue.listAsset("ETH");
  venue.accept(marketOf("ETH", "USDT"));
  const alice = venue.addUser("alice", { USDT: "1000" });
  const bob = venue.addUser("bob", { USDT: "1000", BTC: "5" });
  const carol = venue.addUser("carol", { BTC: "5" });
  venue.accept({ kind: "set_fee_level", level: "vip", makerFeeRate: "0.001", takerFeeRate: "0.002" });
  venue.accept({ kind: "change_user", userId: alice, feeLevel: "vip" });
  const slotOf = (user: number, text: string) => venue.state.orders.find(venue.put(user, text).orderId);
  const filled = slotOf(alice, "buy 1 @ 100.00");
  venue.put(carol, "sell 0.25 @ 100.00");
  const slots: Slots = {
    filled,
    second: slotOf(bob, "buy 2 @ 100.00"),
    hidden: slotOf(bob, "buy 1 @ 100.00 hidden"),
    named: slotOf(bob, "buy 1 @ 99.00 id:mine"),
    ask: slotOf(bob, "sell 1 @ 110.00"),
  };
  assert.deepEqual(checkInvariants(venue.state), []);
  return { venue, slots };
}

/** Posts to a cell alone; 0 stands for alice's USDT. */
function post({ ledger }: State, cell: number, available: bigint, frozen: bigint): void {
  ledger.post(new WordBuffer(8), cell === 0 ? ledger.findSpotCell(1, 1) : cell, available, frozen, POSTING.adjust, 0);
}

function takeFees(state: State): void {
  const cell = state.ledger.venueCell(CELL.fee, 1);
  post(state, cell, -state.ledger.available(cell) - 1n, 0n);
}

function overfill(state: State): void {
  const cell = state.ledger.venueCell(CELL.outside, 1);
  (state.assets[1] as { maxCustody: bigint }).maxCustody = 1n;
  post(state, cell, 0n, 0n);
}

function flag(orders: Orders, slot: number, bit: number): void {
  orders.setFlags(slot, orders.flags(slot) ^ bit);
}

function retype(orders: Orders, slot: number, type: number): void {
  orders.setFlags(slot, (orders.flags(slot) & ~(FLAG.typeMask << FLAG.typeShift)) | (type << FLAG.typeShift));
}

function swapPriorities({ orders }: State, { filled, second }: Slots): void {
  const first = orders.prio(filled);
  orders.setPrio(filled, orders.prio(second));
  orders.setPrio(second, first);
}

/** Orders that come, trade in part, trade whole, are cancelled and hidden. */
function exercise(venue: Venue): void {
  const maker = venue.addUser("maker", { BTC: "10" });
  const taker = venue.addUser("taker", { USDT: "10000" });
  venue.put(maker, "sell 1 @ 100.00");
  venue.put(maker, "sell 1 @ 100.00 hidden");
  const { orderId } = venue.put(maker, "sell 1 @ 100.00");
  venue.put(taker, "buy 0.5 @ 100.00");
  venue.cancel(maker, orderId);
  venue.put(taker, "buy 1.5 @ 100.00");
}

/** A book that lets those who spoil it at what it holds. */
class SpoiltBook extends LadderBook {
  protected readonly served: Orders;
  protected readonly published: WordBuffer;

  constructor(orders: Orders, events: WordBuffer, marketId: number) {
    super(orders, events, marketId);
    this.served = orders;
    this.published = events;
  }
}

/** Puts a new order in front of those that wait at its price. */
class NewestFirst extends SpoiltBook {
  private readonly placed: number[] = [];

  override insert(slot: number): void {
    for (const other of this.placed) super.remove(other);
    this.placed.unshift(slot);
    for (const other of this.placed) super.insert(other);
  }

  override remove(slot: number): void {
    this.placed.splice(this.placed.indexOf(slot), 1);
    super.remove(slot);
  }
}

class NeverReduces extends SpoiltBook {
  override resize(slot: number, left: bigint): void {
    this.served.setLeft(slot, left);
  }
}

class NeverRemoves extends SpoiltBook {
  override remove(): void {}
}

class TellsNothing extends SpoiltBook {
  override insert(slot: number): void {
    super.insert(slot);
    this.published.i64[this.published.length - 1] = 0n;
  }
}

class ShowsHidden extends SpoiltBook {
  override insert(slot: number): void {
    this.asDisplayed(slot, () => super.insert(slot));
  }

  override remove(slot: number): void {
    this.asDisplayed(slot, () => super.remove(slot));
  }

  private asDisplayed(slot: number, change: () => void): void {
    const flags = this.served.flags(slot);
    this.served.setFlags(slot, flags & ~FLAG.hidden);
    change();
    this.served.setFlags(slot, flags);
  }
}

/** Stores a window behind the engine's back. */
function plan(state: State, startedAt: number, endedAt: number): void {
  const plan = { scope: ["SPOT" as const], startedAt, endedAt, protectDurationStart: 0, protectDurationEnd: 0 };
  const maintenanceId = state.nextMaintenanceId++;
  state.maintenance.push({ maintenanceId, ...plan, announceUrl: "", announceEnabled: false, toldMs: -1 });
}
