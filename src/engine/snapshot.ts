/**
 * The state out and in again, as a list of byte chunks in a canonical form: the same state gives the same bytes, whatever
 * slots it happens to use, so that their SHA-256 is the state hash. Stamp (seq and time) is kept beside, not inside.
 *
 * Chunks: 0 JSON of everything rare, 1 ledger cells in order of creation, 2 users, 3 seats in order of creation, 4 resting
 * orders by market, side and priority, 5 fills of those that have some, 6 their client ids, 7 stop orders by id, 8 their
 * client ids, 9 to 13 futures.
 */
import type { ApiKey } from "./accounts/api-key.ts";
import type { FeeLevel } from "./accounts/fee-level.ts";
import type { FeeTerms } from "./accounts/user.ts";
import { FLAG } from "./command.ts";
import { cycleOfText } from "./futures/funding/cycle.ts";
import { futuresBytes, loadFutures, type TermsText, termsOfText, termsText } from "./futures/snapshot.ts";
import type { Asset } from "./listing/asset.ts";
import type { FeeDeduction } from "./listing/fee-deduction.ts";
import type { IndexSource, Market } from "./listing/market.ts";
import { scheduleStatus } from "./listing/schedule.ts";
import { enterPhase, type MaintenanceWindow } from "./maintenance/maintenance.ts";
import { SNAPSHOT_VERSION } from "./snapshot-version.ts";
import type { State } from "./state.ts";
import { loadStops, stopBytes } from "./stops/stop-snapshot.ts";
import type { Book } from "./trading/book.ts";
import { NONE } from "./trading/order.ts";
import { WordBuffer } from "./words.ts";

const SEAT_WORDS = 2;
const ORDER_WORDS = 8;
const FILL_WORDS = 9;

/** The chunks of the present state. They are copies: the state may go on. */
export function takeSnapshot(state: State): Uint8Array<ArrayBuffer>[] {
  const slots = restingInPriority(state);
  return [
    new TextEncoder().encode(JSON.stringify(rareParts(state))),
    state.ledger.rowBytes(state.ledger.count),
    state.users.rowBytes(state.users.count),
    seatBytes(state),
    ...orderBytes(state, slots),
    ...stopBytes(state),
    ...futuresBytes(state, slots),
  ];
}

/** Fills an empty state from chunks that `takeSnapshot` gave. Throws when they are of another version. */
export function loadSnapshot(state: State, chunks: readonly Uint8Array[], seq: number, timeMs: number): void {
  const [json, cells, users, seats, orders, fills, clientIds, stops, stopClientIds, ...futures] = chunks as readonly [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const rare = JSON.parse(new TextDecoder().decode(json)) as RareParts;
  if (rare.version !== SNAPSHOT_VERSION) {
    throw new Error(`The snapshot has version ${rare.version}; this program reads version ${SNAPSHOT_VERSION}.`);
  }
  state.seq = seq;
  state.timeMs = timeMs;
  Object.assign(state, rare.counters);
  for (const asset of rare.assets) state.enterAsset({ ...asset, maxCustody: BigInt(asset.maxCustody) });
  for (const market of rare.markets) enterMarket(state, market);
  state.deduction = { ...rare.deduction, ccy: rare.deduction.ccy ?? undefined };
  for (const key of rare.keys) state.keys.set(key.accessId, key);
  state.ledger.load(cells);
  state.users.load(users, rare.userNames, rare.userCreatedAt);
  for (const level of rare.feeLevels) state.feeLevels.set(level.level, level);
  for (const [userId, terms] of rare.onFeeLevel) state.users.onFeeLevel.set(userId, terms);
  loadSeats(state, WordBuffer.over(seats));
  loadOrders(state, WordBuffer.over(orders), WordBuffer.over(fills), clientIds);
  state.maintenance.push(...rare.maintenance);
  enterPhase(state);
  loadStops(state, WordBuffer.over(stops), stopClientIds);
  // Their slots come with the positions.
  for (const id of rare.alerted.positions) state.futures.alertedPositions.set(id, NONE);
  for (const account of rare.alerted.accounts) state.futures.alertedAccounts.add(account);
  loadFutures(state, futures);
  for (const market of state.markets) scheduleStatus(state, market);
}

interface RareParts {
  readonly version: number;
  readonly counters: {
    readonly nextOrderId: number;
    readonly nextDealId: number;
    readonly nextDepositId: number;
    readonly nextAdjustmentId: number;
    readonly nextPrio: number;
    readonly nextMaintenanceId: number;
    readonly nextStopId: number;
    readonly nextPositionId: number;
    readonly nextExitId: number;
    readonly nextTransferId: number;
    readonly cancelOnly: boolean;
  };
  readonly assets: readonly (Omit<Asset, "maxCustody"> & { readonly maxCustody: string })[];
  readonly markets: readonly MarketText[];
  readonly deduction: Omit<FeeDeduction, "ccy"> & { readonly ccy: string | null };
  readonly keys: readonly ApiKey[];
  readonly feeLevels: readonly FeeLevel[];
  /** By user id. */
  readonly onFeeLevel: readonly (readonly [userId: number, terms: FeeTerms])[];
  readonly maintenance: readonly MaintenanceWindow[];
  /** Whose margin is near its end, and has been told so: position ids and futures accounts. */
  readonly alerted: { readonly positions: readonly number[]; readonly accounts: readonly number[] };
  readonly userNames: readonly string[];
  readonly userCreatedAt: readonly number[];
}

/** A market with its whole numbers as text, which JSON can carry. */
type MarketText = Omit<Market, keyof MarketNumbers | "index" | "futures"> &
  Record<keyof MarketNumbers, string> & {
    readonly futures?: TermsText | undefined;
    readonly lastPrice: string;
    readonly index: {
      readonly price: string;
      readonly updatedAt: number;
      readonly sources: readonly (Omit<IndexSource, "price"> & { readonly price: string })[];
    };
  };

type MarketNumbers = Pick<Market, "unitsPerLotTick" | "unitsPerLot" | "minAmount" | "maxAmount" | "maxPrice">;

function rareParts(state: State): RareParts {
  const { nextOrderId, nextDealId, nextDepositId, nextAdjustmentId, nextPrio, users } = state;
  const { nextStopId, nextMaintenanceId, nextPositionId, nextExitId, nextTransferId, cancelOnly } = state;
  const rare = { nextDepositId, nextAdjustmentId, nextMaintenanceId, nextTransferId };
  const ids = { nextOrderId, nextDealId, nextPrio, nextStopId, nextPositionId, nextExitId, ...rare };
  return {
    version: SNAPSHOT_VERSION,
    counters: { ...ids, cancelOnly },
    assets: state.assets.map((asset) => ({ ...asset, maxCustody: asset.maxCustody.toString() })),
    markets: state.markets.map((market) => marketText(state, market)),
    deduction: { ...state.deduction, ccy: state.deduction.ccy ?? null },
    keys: [...state.keys.values()],
    feeLevels: [...state.feeLevels.values()],
    onFeeLevel: [...users.onFeeLevel].sort(([one], [other]) => one - other),
    maintenance: state.maintenance,
    alerted: {
      positions: [...state.futures.alertedPositions.keys()].sort((one, other) => one - other),
      accounts: [...state.futures.alertedAccounts].sort((one, other) => one - other),
    },
    userNames: users.names,
    userCreatedAt: users.createdAt,
  };
}

function marketText(state: State, market: Market): MarketText {
  const { index } = market;
  return {
    ...market,
    futures: termsText(state, market),
    unitsPerLotTick: market.unitsPerLotTick.toString(),
    unitsPerLot: market.unitsPerLot.toString(),
    minAmount: market.minAmount.toString(),
    maxAmount: market.maxAmount.toString(),
    maxPrice: market.maxPrice.toString(),
    lastPrice: (state.lastPrice[market.id] as bigint).toString(),
    index: {
      price: index.price.toString(),
      updatedAt: index.updatedAt,
      sources: index.sources.map((source) => ({ ...source, price: source.price.toString() })),
    },
  };
}

function enterMarket(state: State, text: MarketText): void {
  const { lastPrice, index, ...rest } = text;
  state.enterMarket({
    ...rest,
    futures: termsOfText(text.futures),
    unitsPerLotTick: BigInt(text.unitsPerLotTick),
    unitsPerLot: BigInt(text.unitsPerLot),
    minAmount: BigInt(text.minAmount),
    maxAmount: BigInt(text.maxAmount),
    maxPrice: BigInt(text.maxPrice),
    index: {
      price: BigInt(index.price),
      updatedAt: index.updatedAt,
      sources: index.sources.map((source) => ({ ...source, price: BigInt(source.price) })),
    },
  });
  state.lastPrice[text.id] = BigInt(lastPrice);
  if (text.futures !== undefined) {
    state.futures.live.setMark(text.id, BigInt(text.futures.mark));
    state.futures.cycles[text.id] = cycleOfText(text.futures.cycle);
  }
  if (text.delisted) state.forgetName(state.markets[text.id] as Market);
}

/** Slots of all resting orders: markets in order of listing, buys before sells, best first. */
function restingInPriority(state: State): Int32Array {
  const slots = new Int32Array(state.orders.live);
  let count = 0;
  for (const book of state.books) {
    for (const side of [0, 1]) {
      for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) slots[count++] = slot;
    }
  }
  return slots;
}

/** A seat: its key, then its two cells; user, market and account are in the key. */
function seatBytes(state: State): Uint8Array<ArrayBuffer> {
  const { seats } = state;
  const out = new WordBuffer(seats.count * SEAT_WORDS);
  for (let seat = 0; seat < seats.count; seat++) {
    out.f64[seat * SEAT_WORDS] = seats.keyOf(seat);
    out.i32[seat * 4 + 2] = seats.baseCell(seat);
    out.i32[seat * 4 + 3] = seats.quoteCell(seat);
  }
  return out.bytes;
}

function loadSeats(state: State, rows: WordBuffer): void {
  for (let seat = 0; seat * SEAT_WORDS < rows.length; seat++) {
    const key = rows.f64[seat * SEAT_WORDS] as number;
    state.seats.addWithKey(key, rows.i32[seat * 4 + 2] as number, rows.i32[seat * 4 + 3] as number);
  }
}

/** Orders, their fills and their client ids: the last two name an order by its place in the first. */
function orderBytes(state: State, slots: Int32Array): Uint8Array<ArrayBuffer>[] {
  const { orders, fills } = state;
  const rows = new WordBuffer(slots.length * ORDER_WORDS);
  const filled = new WordBuffer(64);
  const clientIds: [number, string][] = [];
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place] as number;
    const at = place * ORDER_WORDS;
    const flags = orders.flags(slot);
    rows.f64[at] = orders.orderId(slot);
    rows.i64[at + 1] = orders.price(slot);
    rows.i64[at + 2] = orders.left(slot);
    rows.f64[at + 3] = orders.createdAt(slot);
    rows.f64[at + 4] = orders.prio(slot);
    rows.i32[at * 2 + 10] = flags;
    rows.i32[at * 2 + 11] = orders.seat(slot);
    rows.i32[at * 2 + 12] = orders.makerFeeRateE8(slot);
    rows.i32[at * 2 + 13] = orders.takerFeeRateE8(slot);
    rows.f64[at + 7] = orders.changedAfter(slot);
    const fill = orders.fill(slot);
    if (fill !== NONE) {
      filled.reserve(FILL_WORDS);
      const to = filled.length;
      filled.f64[to] = place;
      filled.i64[to + 1] = fills.filledLots(fill);
      filled.i64[to + 2] = fills.filledValue(fill);
      filled.i64[to + 3] = fills.baseFee(fill);
      filled.i64[to + 4] = fills.quoteFee(fill);
      filled.i64[to + 5] = fills.discountFee(fill);
      filled.i64[to + 6] = fills.lastLots(fill);
      filled.i64[to + 7] = fills.lastPrice(fill);
      filled.f64[to + 8] = fills.updatedAt(fill);
      filled.length = to + FILL_WORDS;
    }
    if (flags >>> FLAG.clientIdLengthShift !== 0) clientIds.push([place, orders.clientId.get(slot) as string]);
  }
  return [rows.bytes, filled.copy(), new TextEncoder().encode(JSON.stringify(clientIds))];
}

function loadOrders(state: State, rows: WordBuffer, filled: WordBuffer, clientIds: Uint8Array): void {
  const { orders, fills, seats } = state;
  const count = rows.length / ORDER_WORDS;
  const slots = new Int32Array(count);
  orders.reserve(count);
  for (let place = 0; place < count; place++) {
    const at = place * ORDER_WORDS;
    const slot = orders.allocate();
    slots[place] = slot;
    orders.setOrderId(slot, rows.f64[at] as number);
    orders.setPrice(slot, rows.i64[at + 1] as bigint);
    orders.setLeft(slot, rows.i64[at + 2] as bigint);
    orders.setCreatedAt(slot, rows.f64[at + 3] as number);
    orders.setPrio(slot, rows.f64[at + 4] as number);
    orders.setFlags(slot, rows.i32[at * 2 + 10] as number);
    orders.setSeat(slot, rows.i32[at * 2 + 11] as number);
    orders.setMakerFeeRateE8(slot, rows.i32[at * 2 + 12] as number);
    orders.setTakerFeeRateE8(slot, rows.i32[at * 2 + 13] as number);
    orders.setChangedAfter(slot, rows.f64[at + 7] as number);
    orders.enter(slot);
    // Best first and in time order, so that each order goes to the back of its queue.
    (state.books[seats.marketId(orders.seat(slot))] as Book).insert(slot);
    // The book publishes its level; nobody is to hear of it.
    state.events.clear();
  }
  for (let at = 0; at < filled.length; at += FILL_WORDS) {
    const fill = fills.allocate();
    orders.setFill(slots[filled.f64[at] as number] as number, fill);
    fills.setFilledLots(fill, filled.i64[at + 1] as bigint);
    fills.setFilledValue(fill, filled.i64[at + 2] as bigint);
    fills.setBaseFee(fill, filled.i64[at + 3] as bigint);
    fills.setQuoteFee(fill, filled.i64[at + 4] as bigint);
    fills.setDiscountFee(fill, filled.i64[at + 5] as bigint);
    fills.setLastLots(fill, filled.i64[at + 6] as bigint);
    fills.setLastPrice(fill, filled.i64[at + 7] as bigint);
    fills.setUpdatedAt(fill, filled.f64[at + 8] as number);
  }
  for (const [place, clientId] of JSON.parse(new TextDecoder().decode(clientIds)) as [number, string][]) {
    orders.clientId.set(slots[place] as number, clientId);
  }
  // A seat lists its orders by acceptance, which is the order of their ids.
  const ids = Float64Array.from(slots, (slot) => orders.orderId(slot)).sort();
  for (const orderId of ids) seats.append(orders, orders.find(orderId));
}
