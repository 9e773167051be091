/** The invariants of orders, books and seats between two commands. Source: domain 10, numbers 4-9 and 31. */
import { VENUE_USER } from "../accounts/user.ts";
import { FLAG, TYPE } from "../command.ts";
import { VENUE } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import { isRate } from "../money/rate.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { SlotSet } from "../store/slot-set.ts";
import type { Book, Level } from "./book.ts";
import { OPEN_ORDERS_MAX } from "./check.ts";
import { NONE } from "./order.ts";

/** Says what does not hold, and what resting orders freeze. Reads only. */
export function checkTrading(state: State, census: Census): void {
  const found = new Found(state, census);
  for (const market of state.markets) checkBook(found, market);
  checkPriorities(found);
  checkSeats(found);
  checkOrderStore(found);
}

/** The contents of the books as they were found, to compare everything else with. */
class Found {
  readonly state: State;
  readonly resting = new SlotSet();
  readonly fillRows = new SlotSet();
  /** Of the resting orders, as they were found. */
  readonly prios: Float64Array;
  /** Resting orders by seat. */
  readonly ofSeat: Int32Array;
  private readonly census: Census;

  constructor(state: State, census: Census) {
    this.state = state;
    this.census = census;
    this.ofSeat = new Int32Array(state.seats.count);
    this.prios = new Float64Array(state.orders.live);
  }

  expect(holds: boolean, breach: () => string): void {
    this.census.expect(holds, breach);
  }

  freezes(cell: number, units: bigint): void {
    this.census.freezes(cell, units);
  }
}

/** 5, 6, 7, 8: who rests in a book, in which order, and what it displays. */
function checkBook(found: Found, market: Market): void {
  const { state } = found;
  const book = state.books[market.id] as Book;
  const bid = checkSide(found, market, book, 0);
  const ask = checkSide(found, market, book, 1);
  const isOpen = !market.delisted && (market.status === "online" || market.status === "bidding");
  found.expect(isOpen || (bid === 0n && ask === 0n), () => `${market.name} is not open and has resting orders.`);
  found.expect(
    market.status !== "online" || bid === 0n || ask === 0n || bid < ask,
    () => `The book of ${market.name} is crossed: it bids ${bid} and asks ${ask} ticks.`,
  );
}

/** Walks one side in priority; returns its best price, 0 when it is empty. */
function checkSide(found: Found, market: Market, book: Book, side: number): bigint {
  const { orders } = found.state;
  const displayed: Level[] = [];
  let before = NONE;
  for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) {
    if (found.resting.has(slot)) {
      found.expect(false, () => `Order ${orders.orderId(slot)} stands twice in the book of ${market.name}.`);
      break;
    }
    found.prios[found.resting.size] = orders.prio(slot);
    found.resting.add(slot);
    checkResting(found, market, side, slot);
    if (before !== NONE) checkFollows(found, market, side, before, slot);
    if (!orders.isHidden(slot)) addTo(displayed, orders.price(slot), displayedOf(found.state, slot));
    before = slot;
  }
  checkLevels(found, market, side, displayed, [...book.levels(side)]);
  const best = book.first(side);
  return best === NONE ? 0n : orders.price(best);
}

/** Lots that the level of an order that is not hidden displays of it. */
function displayedOf({ orders }: State, slot: number): bigint {
  const iceberg = orders.icebergs.get(orders.orderId(slot));
  return iceberg === undefined ? orders.left(slot) : iceberg.shown;
}

function addTo(levels: Level[], price: bigint, lots: bigint): void {
  const last = levels.at(-1);
  if (last === undefined || last.price !== price) levels.push({ price, lots });
  else levels[levels.length - 1] = { price, lots: last.lots + lots };
}

/** 4, 5, 31: one resting order by itself. Counts it for its cell and its seat. */
function checkResting(found: Found, market: Market, side: number, slot: number): void {
  const { state } = found;
  const { orders, seats } = state;
  const id = orders.orderId(slot);
  const flags = orders.flags(slot);
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  const seat = orders.seat(slot);
  const report = (what: string) => () => `Order ${id} in ${market.name} ${what}.`;
  found.expect(type === TYPE.limit || type === TYPE.maker_only, report("rests and is of a type that never does"));
  found.expect((flags & FLAG.inQuote) === 0, report("rests and counts its amount in the quote currency"));
  found.expect(orders.side(slot) === side, report("stands on the wrong side"));
  found.expect(orders.price(slot) > 0n, report("rests without a price"));
  found.expect(orders.left(slot) > 0n, report("rests with nothing left"));
  found.expect(orders.find(id) === slot, report("cannot be found by its id"));
  found.expect(id > 0 && id < state.nextOrderId, report("has an id that was never given out"));
  found.expect(orders.createdAt(slot) <= state.timeMs, report("comes from the future"));
  found.expect(
    isRate(orders.makerFeeRateE8(slot)) && isRate(orders.takerFeeRateE8(slot)),
    report("has no sound fee rate"),
  );

  const prio = orders.prio(slot);
  found.expect(prio > 0 && prio < state.nextPrio, report(`has no priority of its own (${prio})`));

  const idLength = (flags >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask;
  found.expect((orders.clientId.get(slot)?.length ?? 0) === idLength, report("has lost or changed its client id"));
  checkFills(found, market, slot, report);
  checkSlice(found, slot, report);
  const isGrouped = (flags & FLAG.grouped) !== 0;
  found.expect(
    isGrouped === (state.stops.groups.ofOrder(id) !== undefined),
    report("and its group do not know each other"),
  );

  if (seat < 0 || seat >= seats.count || seats.marketId(seat) !== market.id) {
    found.expect(false, report("belongs to no seat of this market"));
    return;
  }
  found.ofSeat[seat] = (found.ofSeat[seat] as number) + 1;
}

/** 8: an iceberg shows something, no more than it may and no more than it has. */
function checkSlice(found: Found, slot: number, report: (what: string) => () => string): void {
  const { orders } = found.state;
  const iceberg = orders.icebergs.get(orders.orderId(slot));
  const isIceberg = (orders.flags(slot) & FLAG.iceberg) !== 0;
  found.expect(isIceberg === (iceberg !== undefined), report("and the figures of its slice do not know each other"));
  if (iceberg === undefined) return;
  const { peak, shown } = iceberg;
  found.expect(!orders.isHidden(slot), report("is hidden and shows a slice"));
  found.expect(shown > 0n && shown <= peak && shown <= orders.left(slot), report(`shows ${shown} lots of ${peak}`));
}

/** 5: no two orders came at once. */
function checkPriorities(found: Found): void {
  const prios = found.prios.subarray(0, found.resting.size).sort();
  for (let at = 1; at < prios.length; at++) {
    const prio = prios[at] as number;
    found.expect(prio !== prios[at - 1], () => `An order has no priority of its own: ${prio} is another's.`);
  }
}

/** 4: what an order remembers of its fills. */
function checkFills(found: Found, market: Market, slot: number, report: (what: string) => () => string): void {
  const { orders, fills, timeMs } = found.state;
  const row = orders.fill(slot);
  if (row === NONE) return;
  found.expect(!found.fillRows.has(row), report("shares its fills with another order"));
  found.fillRows.add(row);
  const [lots, value] = [fills.filledLots(row), fills.filledValue(row)];
  const { keepsPositions } = market.settlement;
  const fees = [fills.baseFee(row), fills.quoteFee(row), keepsPositions ? 0n : fills.discountFee(row)];
  found.expect(
    lots >= 0n && value >= 0n && (lots === 0n) === (value === 0n),
    report("has filled lots without a value"),
  );
  found.expect(
    fees.every((fee) => fee >= 0n),
    report("has paid a fee below 0"),
  );
  const received = orders.side(slot) === 0 && !keepsPositions ? fills.quoteFee(row) : fills.baseFee(row);
  found.expect(received === 0n, report("has paid a fee in the currency that it gives"));
  found.expect(
    fees[2] === 0n || found.state.deduction.chargedAssetId >= 0,
    report("has paid a fee in a deduction currency that nobody ever paid in"),
  );
  found.expect(lots > 0n || fees.every((fee) => fee === 0n), report("has paid fees without a fill"));
  found.expect(fills.updatedAt(row) <= timeMs, report("was changed in the future"));
}

/** 7: better price first; at one price displayed before hidden, then by priority. */
function checkFollows(found: Found, market: Market, side: number, first: number, second: number): void {
  const { orders } = found.state;
  const [price, next] = [orders.price(first), orders.price(second)];
  const inPrice = side === 0 ? price > next : price < next;
  const [hidden, nextHidden] = [orders.isHidden(first), orders.isHidden(second)];
  const inQueue = hidden === nextHidden ? orders.prio(first) < orders.prio(second) : nextHidden;
  found.expect(
    inPrice || (price === next && inQueue),
    () =>
      `In ${market.name} order ${orders.orderId(second)} stands behind order ${orders.orderId(first)} and should not.`,
  );
}

/** 8: every level displays the sum of its displayed orders, and there is no other. */
function checkLevels(found: Found, market: Market, side: number, orders: Level[], levels: Level[]): void {
  const show = (all: Level[], at: number) => (all[at] === undefined ? "nothing" : `${all[at].lots} @ ${all[at].price}`);
  for (let at = 0; at < Math.max(orders.length, levels.length); at++) {
    if (orders[at]?.price === levels[at]?.price && orders[at]?.lots === levels[at]?.lots) continue;
    found.expect(
      false,
      () =>
        `Level ${at} of the ${side === 0 ? "bids" : "asks"} of ${market.name} shows ${show(levels, at)} lots ` +
        `and holds ${show(orders, at)}.`,
    );
    return;
  }
}

/** Seats list exactly the resting orders of their account and market, by acceptance, and know the account's cells. */
function checkSeats(found: Found): void {
  const { seats, orders, ledger, markets } = found.state;
  for (let seat = 0; seat < seats.count; seat++) {
    const market = markets[seats.marketId(seat)] as Market;
    const userId = seats.userId(seat);
    const report = (what: string) => () => `The seat of user ${userId} in ${market.name} ${what}.`;
    let listed = 0;
    let before = NONE;
    for (let slot = seats.head(seat); slot !== NONE && listed <= found.resting.size; slot = orders.seatNext(slot)) {
      found.expect(found.resting.has(slot) && orders.seat(slot) === seat, report("lists an order that does not rest"));
      found.expect(orders.seatPrev(slot) === before, report("has a list whose links disagree"));
      found.expect(
        before === NONE || orders.orderId(before) < orders.orderId(slot),
        report("lists orders out of order"),
      );
      before = slot;
      listed++;
    }
    found.expect(seats.tail(seat) === before, report("does not know its last order"));
    found.expect(
      listed === seats.openOrders(seat),
      report(`counts ${seats.openOrders(seat)} orders and lists ${listed}`),
    );
    found.expect(listed === found.ofSeat[seat], report(`lists ${listed} orders and has ${found.ofSeat[seat]}`));
    found.expect(listed <= OPEN_ORDERS_MAX, report("has more orders than it may"));
    // What the venue itself takes over is on the account of an insurance fund.
    const owner = userId === VENUE_USER ? VENUE : userId;
    const isOwn = (cell: number, assetId: number) => ledger.userId(cell) === owner && ledger.assetId(cell) === assetId;
    const receives = (buys: boolean) => market.settlement.feeAssetId(market, buys);
    found.expect(isOwn(seats.baseCell(seat), receives(true)), report("gives from a foreign cell"));
    found.expect(isOwn(seats.quoteCell(seat), receives(false)), report("gives from a foreign cell"));
  }
}

/** 9: nothing is stored of an order that does not rest. */
function checkOrderStore(found: Found): void {
  const { orders, fills } = found.state;
  const { resting, fillRows } = found;
  found.expect(orders.live === resting.size, () => `${orders.live} orders are stored and ${resting.size} rest.`);
  found.expect(
    orders.indexed === resting.size,
    () => `${orders.indexed} orders can be found by id and ${resting.size} rest.`,
  );
  found.expect(fills.live === fillRows.size, () => `Fills of ${fills.live} orders are stored; ${fillRows.size} rest.`);
  for (const id of orders.icebergs.keys()) {
    found.expect(resting.has(orders.find(id)), () => `A slice is stored of order ${id}, which does not rest.`);
  }
  for (const slot of orders.clientId.keys()) {
    found.expect(resting.has(slot), () => `A client id is stored of slot ${slot}, where no order rests.`);
  }
}
