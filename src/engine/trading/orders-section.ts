import { FLAG } from "../command.ts";
import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import { WordBuffer } from "../words.ts";
import type { Book } from "./book.ts";
import { FILL_ROW_WORDS, NONE } from "./order.ts";

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
  write: (state) => [seatBytes(state), ...orderBytes(state, restingInPriority(state))],
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
  state.seats.reserve(rows.length / SEAT_WORDS);
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
    orders.copyOwnWords(slot, rows.i32, at * 2);
    rows.f64[at + 7] = orders.changedAfter(slot);
    const fill = orders.fill(slot);
    if (fill !== NONE) {
      const to = filled.open(FILL_WORDS);
      filled.f64[to] = place;
      fills.copyRow(fill, filled.i32, (to + 1) * 2);
    }
    if (orders.flags(slot) >>> FLAG.clientIdLengthShift !== 0)
      clientIds.push([place, orders.clientId.get(slot) as string]);
  }
  return [rows.bytes, filled.copy(), jsonChunk(clientIds)];
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
