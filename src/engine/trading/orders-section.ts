import { between, type ChunksInSteps, inSteps, joinedBytes, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import type { CopyMemory } from "../store/copy-memory.ts";
import { WordBuffer } from "../words.ts";
import type { Book } from "./book.ts";
import { FILL_ROW_WORDS, type Fills, NONE, type Orders, type Seats } from "./order.ts";

const SEAT_WORDS = 2;
const ORDER_WORDS = 8;
/** The place of its order, then a row of `Fills`. */
const FILL_WORDS = 1 + FILL_ROW_WORDS;

/**
 * Chunks: seats in order of creation, resting orders by market, side and priority, the fills of those that have some,
 * their client ids.
 */
export const ordersSection: Section = {
  name: "orders",
  version: 1,
  ...inSteps({
    bytes: ({ orders, fills }) => orders.copiedBytes + fills.copiedBytes,
    copy: copyOrders,
  }),
  read: (state, chunks) => {
    const [seats, orders, fills, clientIds] = chunks as readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    loadSeats(state, WordBuffer.over(seats));
    loadOrders(state, WordBuffer.over(orders), WordBuffer.over(fills), clientIds);
  },
};

/** Slots of the orders that rest in these books, in order of listing: buys before sells, best first. */
export function restingInPriority(state: State, books: readonly Book[] = state.books): Int32Array {
  const slots = new Int32Array(state.orders.live);
  let count = 0;
  for (const book of books) {
    for (const side of [0, 1]) {
      for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) slots[count++] = slot;
    }
  }
  return slots.subarray(0, count);
}

/**
 * Copied at once are the rows of orders and fills, where each queue begins, and client ids. Seats are only added, and
 * what is written of them never changes: their number is enough.
 */
function copyOrders(state: State, memory: CopyMemory): ChunksInSteps {
  const { orders, fills, seats, books } = state;
  const queues: number[] = [];
  for (const book of books) for (const side of [0, 1]) for (const slot of book.queues(side)) queues.push(slot);
  return orderChunks({
    seats,
    seatCount: seats.count,
    orders: orders.copied(memory),
    live: orders.live,
    areLinked: !books.some(({ isPlain }) => isPlain),
    fills: fills.copied(memory),
    filled: fills.live,
    clientSlots: Int32Array.from(orders.clientId.keys()),
    clientIds: [...orders.clientId.values()],
    queues,
  });
}

interface CopiedOrders {
  readonly seats: Seats;
  readonly seatCount: number;
  readonly orders: Orders;
  readonly live: number;
  /** Whether orders of a queue follow each other by `next`; else each is given as a queue. */
  readonly areLinked: boolean;
  readonly fills: Fills;
  /** Rows of fills in use. */
  readonly filled: number;
  readonly clientSlots: Int32Array;
  readonly clientIds: readonly string[];
  /** The first order of each queue, by market, side and priority. */
  readonly queues: readonly number[];
}

/** Rows that are written in a step. */
const STEP_ROWS = 8_192;

/** Orders, their fills and their client ids: the last two name an order by its place in the first. */
function* orderChunks(copied: CopiedOrders): ChunksInSteps {
  const { orders, live, areLinked, fills, filled, queues } = copied;
  const seatBytes = yield* seatChunk(copied);
  const idBySlot = new Map<number, string>();
  for (const [at, slot] of copied.clientSlots.entries()) {
    idBySlot.set(slot, copied.clientIds[at] as string);
    if (at % STEP_ROWS === 0) yield;
  }
  const rows = new WordBuffer(live * ORDER_WORDS);
  const ofFills = new WordBuffer(filled * FILL_WORDS);
  const clientIds: string[] = [];
  let texts: string[] = [];
  let place = 0;
  for (const first of queues) {
    for (let slot = first; slot !== NONE; slot = areLinked ? orders.next(slot) : NONE) {
      const at = place * ORDER_WORDS;
      orders.copyOwnWords(slot, rows.i32, at * 2);
      rows.f64[at + 7] = orders.changedAfter(slot);
      const fill = orders.fill(slot);
      if (fill !== NONE) {
        const to = ofFills.open(FILL_WORDS);
        ofFills.f64[to] = place;
        fills.copyRow(fill, ofFills.i32, (to + 1) * 2);
      }
      const clientId = idBySlot.get(slot);
      if (clientId !== undefined) texts.push(JSON.stringify([place, clientId]));
      if (++place % STEP_ROWS === 0) {
        if (texts.length > 0) clientIds.push(texts.join(","));
        texts = [];
        yield;
      }
    }
  }
  if (texts.length > 0) clientIds.push(texts.join(","));
  return [seatBytes, rows.bytes, ofFills.copy(), yield* joinedBytes(["[", ...between(clientIds), "]"])];
}

/** A seat: its key, then its two cells; user, market and account are in the key. */
function* seatChunk({ seats, seatCount }: CopiedOrders): Generator<void, Uint8Array<ArrayBuffer>> {
  const out = new WordBuffer(seatCount * SEAT_WORDS);
  for (let seat = 0; seat < seatCount; seat++) {
    out.f64[seat * SEAT_WORDS] = seats.keyOf(seat);
    out.i32[seat * 4 + 2] = seats.baseCell(seat);
    out.i32[seat * 4 + 3] = seats.quoteCell(seat);
    if (seat % STEP_ROWS === 0) yield;
  }
  return out.bytes;
}

function loadSeats(state: State, rows: WordBuffer): void {
  state.seats.reserve(rows.length / SEAT_WORDS);
  for (let seat = 0; seat * SEAT_WORDS < rows.length; seat++) {
    const key = rows.f64[seat * SEAT_WORDS] as number;
    state.seats.addWithKey(key, rows.i32[seat * 4 + 2] as number, rows.i32[seat * 4 + 3] as number);
  }
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
    orders.setOwnWords(slot, rows.i32, at * 2);
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
    fills.setRow(fill, filled.i32, (at + 1) * 2);
  }
  for (const [place, clientId] of jsonOf(clientIds) as [number, string][]) {
    orders.clientId.set(slots[place] as number, clientId);
  }
  // A seat lists its orders by acceptance, which is the order of their ids.
  const ids = new Float64Array(count);
  for (let place = 0; place < count; place++) ids[place] = orders.orderId(slots[place] as number);
  ids.sort();
  for (let place = 0; place < count; place++) seats.append(orders, orders.find(ids[place] as number));
}
