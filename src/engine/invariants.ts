/**
 * What must hold of the whole state between two commands, as far as it concerns the ledger and trading: a look at
 * everything that shares no code with what wrote it. Tests ask after every command, a running venue on a beat. It costs
 * time linear in orders and cells; 100,000 resting orders take about a twentieth of a second.
 *
 * Source: domain 10, numbers 1-9, 23, 31 and 37. What happened in between is the business of event-audit.ts.
 */
import { FLAG, TYPE } from "./command.ts";
import { checkExits } from "./futures/exits/exit-invariants.ts";
import { checkFutures } from "./futures/invariants.ts";
import { LIQUIDATOR } from "./futures/positions/futures-account.ts";
import { CELLS, isSoundAmount, VENUE } from "./ledger/cell.ts";
import type { Market } from "./listing/market.ts";
import { WINDOWS_MAX } from "./maintenance/maintenance.ts";
import { RATE_ONE_E8 } from "./money/rate.ts";
import type { State } from "./state.ts";
import { checkStops } from "./stops/stop-invariants.ts";
import type { Book, Level } from "./trading/book.ts";
import { OPEN_ORDERS_MAX } from "./trading/check.ts";
import { NONE } from "./trading/order.ts";
import { freezeOf, givingCell } from "./trading/value.ts";

/** Of a state that is broken everywhere, so many sentences are enough. */
const BREACHES_MAX = 50;

/** Sentences that say what does not hold; empty when the state is sound. Reads only. */
export function checkInvariants(state: State): string[] {
  const census = new Census(state);
  for (const market of state.markets) checkBook(census, market);
  checkSeats(census);
  checkOrderStore(census);
  checkCells(census);
  checkFeeLevels(census);
  checkMaintenance(census);
  checkFutures(state, (holds, breach) => census.expect(holds, breach));
  checkExits(state, (holds, breach) => census.expect(holds, breach));
  checkStops(state, (holds, breach) => census.expect(holds, breach));
  return census.breaches;
}

/** What the books turn out to hold, to compare everything else with. */
class Census {
  readonly state: State;
  readonly breaches: string[] = [];
  readonly resting = new Set<number>();
  readonly prios = new Set<number>();
  readonly fillRows = new Set<number>();
  /** What resting orders freeze, by cell. */
  readonly frozen: BigInt64Array;
  /** Resting orders by seat. */
  readonly ofSeat: Int32Array;

  constructor(state: State) {
    this.state = state;
    this.frozen = new BigInt64Array(state.ledger.count);
    this.ofSeat = new Int32Array(state.seats.count);
  }

  expect(holds: boolean, breach: () => string): void {
    if (!holds && this.breaches.length < BREACHES_MAX) this.breaches.push(breach());
  }
}

/** 5, 6, 7, 8: who rests in a book, in which order, and what it displays. */
function checkBook(census: Census, market: Market): void {
  const { state } = census;
  const book = state.books[market.id] as Book;
  const bid = checkSide(census, market, book, 0);
  const ask = checkSide(census, market, book, 1);
  checkStatus(census, market);
  const isOpen = !market.delisted && (market.status === "online" || market.status === "bidding");
  census.expect(isOpen || (bid === 0n && ask === 0n), () => `${market.name} is not open and has resting orders.`);
  census.expect(
    market.status !== "online" || bid === 0n || ask === 0n || bid < ask,
    () => `The book of ${market.name} is crossed: it bids ${bid} and asks ${ask} ticks.`,
  );
}

/** 5: that its status is the one of its times, by a reading of its own; only an auction may open late, when it had to wait. */
function checkStatus(census: Census, market: Market): void {
  if (market.delisted) return;
  const { timeMs, nextDueMs, spotPhase, cancelOnly } = census.state;
  const { status, biddingAt, noCancelAt, onlineAt, delistedAt } = market;
  const say = (what: string) => () => `${market.name}, which is ${status}, ${what}.`;
  const waits = spotPhase > 0 || cancelOnly || market.suspended || !market.apiTradingAvailable;
  const next = status === "counting_down" && biddingAt > 0 ? biddingAt : onlineAt;
  census.expect(
    status === "online" ? onlineAt <= timeMs : timeMs < next || (status === "bidding" && waits),
    say("should not be so any more"),
  );
  census.expect(status !== "bidding" || (biddingAt > 0 && biddingAt <= timeMs), say("has begun too early"));
  census.expect(biddingAt > 0 ? biddingAt < onlineAt : noCancelAt === 0, say("has an auction without its times"));
  census.expect(
    noCancelAt === 0 || (biddingAt <= noCancelAt && noCancelAt <= onlineAt),
    say("locks its auction outside of it"),
  );
  census.expect(status === "online" || next <= timeMs || nextDueMs <= next, say("will not change in time"));
  census.expect(delistedAt === 0 || nextDueMs <= delistedAt, say("stays too long"));
}

/** Walks one side in priority; returns its best price, 0 when it is empty. */
function checkSide(census: Census, market: Market, book: Book, side: number): bigint {
  const { orders } = census.state;
  const displayed: Level[] = [];
  let before = NONE;
  for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) {
    if (census.resting.has(slot)) {
      census.expect(false, () => `Order ${orders.orderId(slot)} stands twice in the book of ${market.name}.`);
      break;
    }
    census.resting.add(slot);
    checkResting(census, market, side, slot);
    if (before !== NONE) checkFollows(census, market, side, before, slot);
    if (!orders.isHidden(slot)) addTo(displayed, orders.price(slot), orders.left(slot));
    before = slot;
  }
  checkLevels(census, market, side, displayed, [...book.levels(side)]);
  const best = book.first(side);
  return best === NONE ? 0n : orders.price(best);
}

function addTo(levels: Level[], price: bigint, lots: bigint): void {
  const last = levels.at(-1);
  if (last === undefined || last.price !== price) levels.push({ price, lots });
  else levels[levels.length - 1] = { price, lots: last.lots + lots };
}

/** 4, 5, 31: one resting order by itself. Counts it for its cell and its seat. */
function checkResting(census: Census, market: Market, side: number, slot: number): void {
  const { state } = census;
  const { orders, seats } = state;
  const id = orders.orderId(slot);
  const flags = orders.flags(slot);
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  const seat = orders.seat(slot);
  const say = (what: string) => () => `Order ${id} in ${market.name} ${what}.`;
  census.expect(type === TYPE.limit || type === TYPE.maker_only, say("rests and is of a type that never does"));
  census.expect((flags & FLAG.inQuote) === 0, say("rests and counts its amount in the quote currency"));
  census.expect(orders.side(slot) === side, say("stands on the wrong side"));
  census.expect(orders.price(slot) > 0n, say("rests without a price"));
  census.expect(orders.left(slot) > 0n, say("rests with nothing left"));
  census.expect(orders.find(id) === slot, say("cannot be found by its id"));
  census.expect(id > 0 && id < state.nextOrderId, say("has an id that was never given out"));
  census.expect(orders.createdAt(slot) <= state.timeMs, say("comes from the future"));
  census.expect(
    isRate(orders.makerFeeRateE8(slot)) && isRate(orders.takerFeeRateE8(slot)),
    say("has no sound fee rate"),
  );

  const prio = orders.prio(slot);
  census.expect(
    prio > 0 && prio < state.nextPrio && !census.prios.has(prio),
    say(`has no priority of its own (${prio})`),
  );
  census.prios.add(prio);

  const idLength = (flags >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask;
  census.expect((orders.clientId.get(slot)?.length ?? 0) === idLength, say("has lost or changed its client id"));
  checkFills(census, slot, say);

  if (seat < 0 || seat >= seats.count || seats.marketId(seat) !== market.id) {
    census.expect(false, say("belongs to no seat of this market"));
    return;
  }
  census.ofSeat[seat] = (census.ofSeat[seat] as number) + 1;
  // In futures a freeze is a sum beside the ledger.
  if (market.futures !== undefined) return;
  const cell = givingCell(state, seat, flags);
  const freeze = freezeOf(market, flags, orders.price(slot), orders.left(slot));
  if (cell >= 0 && cell < census.frozen.length) census.frozen[cell] = (census.frozen[cell] as bigint) + freeze;
}

/** 4: what an order remembers of its fills. */
function checkFills(census: Census, slot: number, say: (what: string) => () => string): void {
  const { orders, fills, timeMs } = census.state;
  const row = orders.fill(slot);
  if (row === NONE) return;
  census.expect(!census.fillRows.has(row), say("shares its fills with another order"));
  census.fillRows.add(row);
  const [lots, value] = [fills.filledLots(row), fills.filledValue(row)];
  const isFutures = orders.isFutures(slot);
  const fees = [fills.baseFee(row), fills.quoteFee(row), isFutures ? 0n : fills.discountFee(row)];
  census.expect(lots >= 0n && value >= 0n && (lots === 0n) === (value === 0n), say("has filled lots without a value"));
  census.expect(
    fees.every((fee) => fee >= 0n),
    say("has paid a fee below 0"),
  );
  const received = orders.side(slot) === 0 && !isFutures ? fills.quoteFee(row) : fills.baseFee(row);
  census.expect(received === 0n, say("has paid a fee in the currency that it gives"));
  census.expect(
    fees[2] === 0n || census.state.deduction.chargedAssetId >= 0,
    say("has paid a fee in a deduction currency that nobody ever paid in"),
  );
  census.expect(lots > 0n || fees.every((fee) => fee === 0n), say("has paid fees without a fill"));
  census.expect(fills.updatedAt(row) <= timeMs, say("was changed in the future"));
}

/** 7: better price first; at one price displayed before hidden, then by priority. */
function checkFollows(census: Census, market: Market, side: number, first: number, second: number): void {
  const { orders } = census.state;
  const [price, next] = [orders.price(first), orders.price(second)];
  const inPrice = side === 0 ? price > next : price < next;
  const [hidden, nextHidden] = [orders.isHidden(first), orders.isHidden(second)];
  const inQueue = hidden === nextHidden ? orders.prio(first) < orders.prio(second) : nextHidden;
  census.expect(
    inPrice || (price === next && inQueue),
    () =>
      `In ${market.name} order ${orders.orderId(second)} stands behind order ${orders.orderId(first)} and should not.`,
  );
}

/** 8: every level displays the sum of its displayed orders, and there is no other. */
function checkLevels(census: Census, market: Market, side: number, orders: Level[], levels: Level[]): void {
  const show = (all: Level[], at: number) => (all[at] === undefined ? "nothing" : `${all[at].lots} @ ${all[at].price}`);
  for (let at = 0; at < Math.max(orders.length, levels.length); at++) {
    if (orders[at]?.price === levels[at]?.price && orders[at]?.lots === levels[at]?.lots) continue;
    census.expect(
      false,
      () =>
        `Level ${at} of the ${side === 0 ? "bids" : "asks"} of ${market.name} shows ${show(levels, at)} lots and holds ${show(orders, at)}.`,
    );
    return;
  }
}

/** Seats list exactly the resting orders of their account and market, by acceptance, and know the account's cells. */
function checkSeats(census: Census): void {
  const { seats, orders, ledger, markets } = census.state;
  for (let seat = 0; seat < seats.count; seat++) {
    const market = markets[seats.marketId(seat)] as Market;
    const userId = seats.userId(seat);
    const say = (what: string) => () => `The seat of user ${userId} in ${market.name} ${what}.`;
    let listed = 0;
    let before = NONE;
    for (let slot = seats.head(seat); slot !== NONE && listed <= census.resting.size; slot = orders.seatNext(slot)) {
      census.expect(census.resting.has(slot) && orders.seat(slot) === seat, say("lists an order that does not rest"));
      census.expect(orders.seatPrev(slot) === before, say("has a list whose links disagree"));
      census.expect(before === NONE || orders.orderId(before) < orders.orderId(slot), say("lists orders out of order"));
      before = slot;
      listed++;
    }
    census.expect(seats.tail(seat) === before, say("does not know its last order"));
    census.expect(
      listed === seats.openOrders(seat),
      say(`counts ${seats.openOrders(seat)} orders and lists ${listed}`),
    );
    census.expect(listed === census.ofSeat[seat], say(`lists ${listed} orders and has ${census.ofSeat[seat]}`));
    census.expect(listed <= OPEN_ORDERS_MAX, say("has more orders than it may"));
    // What the venue itself takes over in futures is on the account of the insurance fund.
    const owner = userId === LIQUIDATOR ? VENUE : userId;
    const isOwn = (cell: number, assetId: number) => ledger.userId(cell) === owner && ledger.assetId(cell) === assetId;
    const settles = market.futures?.settleAssetId;
    census.expect(isOwn(seats.baseCell(seat), settles ?? market.baseAssetId), say("gives from a foreign cell"));
    census.expect(isOwn(seats.quoteCell(seat), settles ?? market.quoteAssetId), say("gives from a foreign cell"));
  }
}

/** 9: nothing is stored of an order that does not rest. */
function checkOrderStore(census: Census): void {
  const { orders, fills } = census.state;
  const { resting, fillRows } = census;
  census.expect(orders.live === resting.size, () => `${orders.live} orders are stored and ${resting.size} rest.`);
  census.expect(
    orders.indexed === resting.size,
    () => `${orders.indexed} orders can be found by id and ${resting.size} rest.`,
  );
  census.expect(fills.live === fillRows.size, () => `Fills of ${fills.live} orders are stored; ${fillRows.size} rest.`);
  for (const slot of orders.clientId.keys()) {
    census.expect(resting.has(slot), () => `A client id is stored of slot ${slot}, where no order rests.`);
  }
}

/** 1, 2, 3: signs, freezes and sums of all cells, and custody within its bound. */
function checkCells(census: Census): void {
  const { ledger, assets, users } = census.state;
  let deducting = 0;
  for (let userId = 1; userId < users.count; userId++) if (users.get(userId)?.feeDeduction === true) deducting++;
  census.expect(
    users.deducting === deducting,
    () => `${users.deducting} users are counted as paying fees by deduction and ${deducting} do.`,
  );
  const sums = assets.map(() => 0n);
  for (let cell = 0; cell < ledger.count; cell++) {
    const kind = ledger.marks(cell) & 255;
    const userId = ledger.userId(cell);
    const asset = assets[ledger.assetId(cell)];
    const [available, frozen] = [ledger.available(cell), ledger.frozen(cell)];
    const say = (what: string) => () =>
      `Cell ${CELLS.has(kind) ? CELLS.nameOf(kind) : kind} of ${userId === VENUE ? "the venue" : `user ${userId}`} in ${asset?.ccy} ${what}.`;
    if (asset === undefined || !CELLS.has(kind)) {
      census.expect(false, say("is of no known kind or asset"));
      continue;
    }
    sums[asset.id] = (sums[asset.id] as bigint) + available + frozen;
    census.expect(ledger.find(ledger.keyOf(cell)) === cell, say("cannot be found by its key"));
    const { owner, sign } = CELLS.traitsOf(kind);
    census.expect(owner === "user" ? users.has(userId) : userId === VENUE, say("belongs to nobody"));
    const isWithinCustody = sign !== "negative" || -available <= asset.maxCustody;
    census.expect(
      isWithinCustody && isSoundAmount(kind, available),
      say(`holds ${available} available units, which it may not`),
    );
    census.expect(
      frozen === census.frozen[cell],
      say(`has frozen ${frozen} units for orders of ${census.frozen[cell]}`),
    );
  }
  for (const asset of assets) {
    census.expect(
      sums[asset.id] === 0n,
      () => `All cells of ${asset.ccy} sum to ${sums[asset.id]} units and not to 0.`,
    );
  }
}

/** The rates of who is on a level are its own ones or the level's, and the level is there. */
function checkFeeLevels(census: Census): void {
  const { users, feeLevels } = census.state;
  for (const [userId, terms] of users.onFeeLevel) {
    const say = (what: string) => () => `User ${userId} ${what}.`;
    const level = feeLevels.get(terms.level ?? "");
    census.expect(users.has(userId) && level !== undefined, say("is on a fee level that there is not"));
    if (level === undefined) continue;
    const maker = terms.makerFeeRateE8 === -1 ? level.makerFeeRateE8 : terms.makerFeeRateE8;
    const taker = terms.takerFeeRateE8 === -1 ? level.takerFeeRateE8 : terms.takerFeeRateE8;
    const isSettled = users.makerFeeRateE8(userId) === maker && users.takerFeeRateE8(userId) === taker;
    census.expect(isSettled && isRate(maker) && isRate(taker), say("pays other rates than its level and its own"));
  }
}

/** 37: what is planned and running, by a reading of its own of the times. */
function checkMaintenance(census: Census): void {
  const { maintenance, nextMaintenanceId, nextDueMs, spotPhase, futuresPhase, timeMs } = census.state;
  const phases = { SPOT: 0, FUTURES: 0 };
  let before = 0;
  census.expect(maintenance.length <= WINDOWS_MAX, () => `${maintenance.length} windows of maintenance are stored.`);
  for (const window of maintenance) {
    const { maintenanceId: id, startedAt, endedAt, protectDurationStart: from, protectDurationEnd: to } = window;
    const say = (what: string) => () => `Maintenance ${id} ${what}.`;
    census.expect(id > before && id < nextMaintenanceId, say("has an id that was not its turn"));
    before = id;
    census.expect(startedAt < endedAt && (to === 0 ? from === 0 : from < to), say("ends before it begins"));
    census.expect(endedAt > timeMs || to > timeMs, say("is over and still stored"));
    const edges = to === 0 ? [startedAt, endedAt] : [startedAt, endedAt, from, to];
    census.expect(
      edges.every((atMs) => (atMs <= timeMs ? window.toldMs >= atMs : window.toldMs < atMs && nextDueMs <= atMs)),
      say("begins or ends unnoticed"),
    );
    for (const product of ["SPOT", "FUTURES"] as const) {
      if (!window.scope.some((scope) => scope === product || scope === "ALL_SITE")) continue;
      if (startedAt <= timeMs && timeMs < endedAt) phases[product] = 2;
      else if (from <= timeMs && timeMs < to && phases[product] === 0) phases[product] = 1;
    }
  }
  census.expect(
    spotPhase === phases.SPOT,
    () => `Spot trading is in phase ${spotPhase} of maintenance and should be in ${phases.SPOT}.`,
  );
  census.expect(
    futuresPhase === phases.FUTURES,
    () => `Futures trading is in phase ${futuresPhase} of maintenance and should be in ${phases.FUTURES}.`,
  );
}

function isRate(rateE8: number): boolean {
  return Number.isInteger(rateE8) && rateE8 >= 0 && rateE8 < RATE_ONE_E8;
}
