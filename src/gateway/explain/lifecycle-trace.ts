/**
 * The lives of orders, stop orders and positions as they happened, with the book that each order met: for who asks why.
 * Of the dev profile, in memory and bounded; the simulated traders, who are most of it, are left out. Elsewhere history
 * tells what there is to tell.
 */
import { poolLevels } from "../../engine/amm/quotes.ts";
import { type Command, FLAG, type Side } from "../../engine/command.ts";
import type { Engine, Outcome } from "../../engine/engine.ts";
import {
  type DealEvent,
  decodeDeal,
  decodeEvent,
  decodeOrder,
  EVENT,
  eventKind,
  type JsonEvent,
  type OrderRecord,
  orderEventName,
  type RareEvent,
} from "../../engine/event.ts";
import { markOf } from "../../engine/futures/funding/mark.ts";
import type { PositionEvent } from "../../engine/futures/positions/position-event.ts";
import { MARKET_STATUSES, type Market } from "../../engine/listing/market.ts";
import { type Refusal, refusalOf } from "../../engine/refusal.ts";
import type { State } from "../../engine/state.ts";
import { decodeStop } from "../../engine/stops/stop-event.ts";
import type { Book } from "../../engine/trading/book.ts";
import type { WordBuffer } from "../../engine/words.ts";
import { recordWords } from "../../engine/words.ts";
import type { Figures } from "../refused.ts";
import { copyRecord, type Entry, EventRing } from "./event-ring.ts";
import { figuresText, noteStop, type StopStep, stopStepsIn, wordsBeyond } from "./stop-notes.ts";

/** Steps of one; of a longer life the first and the latest are told. */
const STEPS_KEPT = 200;
const DEALS_KEPT = 200;
/** Levels of the book that are remembered of each step. */
export const LEVELS_KEPT = 5;

/**
 * Records in the ring that are no events: how the other side of an order's market stood after the command, and the mark
 * of a position's market.
 *
 * Layout of a book, in words: 0 head + market, 1 side + status, 2.. price and lots of each level. Of a mark: 0 head +
 * market, 1 ticks.
 */
const NOTE = { book: 100, mark: 101 } as const;
const BOOK_HEAD_WORDS = 2;
const LEVEL_WORDS = 2;
const MARK_WORDS = 2;

/** Ticks and lots. */
export interface Level {
  readonly price: bigint;
  readonly lots: bigint;
}

/** The effect of one command on an order. */
export interface OrderStep {
  readonly seq: number;
  readonly timeMs: number;
  /** The number of the command's kind, see KIND. */
  readonly commandKind: number;
  /** How the order stood after it. */
  readonly order: OrderRecord;
  /** It is in the books no more. */
  readonly isEnd: boolean;
  /** Its deals in this command. */
  readonly deals: readonly DealEvent[];
  /** The levels that were left on the other side after it, best first. */
  readonly levels: readonly Level[];
  readonly marketStatus: Market["status"];
  /** Rare things that happened in the same command, by their types. */
  readonly rareEvents: readonly string[];
}

/** The effect of one command on a position. */
export interface PositionStep {
  readonly seq: number;
  readonly timeMs: number;
  readonly position: PositionEvent;
  /** Ticks. */
  readonly mark: bigint;
  /** The venue took it over in this command. */
  readonly liquidated: Extract<RareEvent, { type: "liquidated" }> | undefined;
}

type FiguresOf = (command: Command, refusal: Refusal) => Figures | undefined;

const NOTHING: ReadonlyMap<number, string> = new Map();

export class LifecycleTrace {
  readonly #ring = new EventRing();
  readonly #isLeftOut: (userId: number) => boolean;
  readonly #figuresOf: FiguresOf;
  readonly #leftOut = new Map<number, boolean>();
  #lastSeq = 0;

  /** `isLeftOut`: whose orders nobody will ask about. `figuresOf`: what the order of a stop order was refused by. */
  constructor(isLeftOut: (userId: number) => boolean, figuresOf: FiguresOf = () => undefined) {
    this.#isLeftOut = isLeftOut;
    this.#figuresOf = figuresOf;
  }

  orderSteps(orderId: number): readonly OrderStep[] {
    return this.#stepsOf(EVENT.order, orderId, orderStepOf);
  }

  positionSteps(positionId: number): readonly PositionStep[] {
    return this.#stepsOf(EVENT.position, positionId, positionStepOf);
  }

  stopSteps(stopId: number): readonly StopStep[] {
    const steps: StopStep[] = [];
    for (const entry of this.#ring.entries()) {
      for (const step of stopStepsIn(entry, stopId)) {
        if (steps.length >= STEPS_KEPT) steps.splice(1, 1);
        steps.push(step);
      }
    }
    return steps;
  }

  /** Takes in what a command did, right after it was applied. */
  took(commandKind: number, { from, to }: Outcome, { state, events }: Engine): void {
    // A dev venue may have gone back to what it was, and numbers be given again.
    if (state.seq <= this.#lastSeq) this.#forget();
    this.#lastSeq = state.seq;
    if (!this.#concernsSomebody(events, from, to)) return;
    const refusals = this.#refusalsOfStops(events, from, to);
    let wordsMost = (to - from) * 2;
    for (const text of refusals.values()) wordsMost += wordsBeyond(text);
    // Beside its text a note goes with a record that is longer than it.
    this.#ring.add(state.seq, state.timeMs, commandKind, wordsMost, (ring) => {
      const noted = new Set<number>();
      for (let at = from; at < to; at += recordWords(events, at)) {
        if (!this.#isKept(events, at)) continue;
        const kind = eventKind(events, at);
        const market = state.markets[events.i32[at * 2 + 1] as number] as Market;
        if (kind === EVENT.order) noteBook(ring, noted, state, market, sideAt(events, at));
        else if (kind === EVENT.position) noteMark(ring, noted, state, market);
        else if (kind === EVENT.stop) noteStop(ring, state, market, events, [from, at], refusals.get(at) ?? "");
        copyRecord(ring, events, at);
      }
    });
  }

  /** Deals of the simulated traders' pool, and rare events that ended nobody's order, are nobody's life. */
  #concernsSomebody(events: WordBuffer, from: number, to: number): boolean {
    for (let at = from; at < to; at += recordWords(events, at)) {
      const kind = eventKind(events, at);
      const isLife = kind === EVENT.order || kind === EVENT.position || kind === EVENT.stop;
      if (isLife && this.#isKept(events, at)) return true;
    }
    return false;
  }

  /**
   * Returns the figures that decided the refusals of stop orders' orders, by the position of the stop order's event.
   */
  #refusalsOfStops(events: WordBuffer, from: number, to: number): ReadonlyMap<number, string> {
    let found: Map<number, string> | undefined;
    for (let at = from; at < to; at += recordWords(events, at)) {
      if (eventKind(events, at) !== EVENT.stop || !this.#isKept(events, at)) continue;
      const { stop, refusal } = decodeStop(events, at);
      const name = refusalOf(refusal);
      if (name === undefined) continue;
      found ??= new Map();
      found.set(at, figuresText(this.#figuresOf({ ...stop, kind: "place_order" }, name)));
    }
    return found ?? NOTHING;
  }

  #forget(): void {
    this.#ring.forget();
    this.#leftOut.clear();
  }

  #isKept(events: WordBuffer, at: number): boolean {
    const { i32 } = events;
    switch (eventKind(events, at)) {
      case EVENT.order:
      case EVENT.position:
      case EVENT.stop:
        return !this.#omits(i32[at * 2 + 2] as number);
      case EVENT.deal:
        return !(this.#omits(i32[at * 2 + 12] as number) && this.#omits(i32[at * 2 + 13] as number));
      case EVENT.json:
        return true;
      default:
        return false;
    }
  }

  /** Asked several times of every command, and the answer stays: names do. */
  #omits(userId: number): boolean {
    let isLeftOut = this.#leftOut.get(userId);
    if (isLeftOut === undefined) {
      isLeftOut = this.#isLeftOut(userId);
      this.#leftOut.set(userId, isLeftOut);
    }
    return isLeftOut;
  }

  #stepsOf<Step>(kind: number, id: number, stepOf: (entry: Entry, at: number) => Step): readonly Step[] {
    const steps: Step[] = [];
    for (const entry of this.#ring.entries()) {
      const at = lastOf(entry, kind, id);
      if (at === undefined) continue;
      if (steps.length >= STEPS_KEPT) steps.splice(1, 1);
      steps.push(stepOf(entry, at));
    }
    return steps;
  }
}

/** Where the last record of a kind about an order or a position stands in an entry; both have their id in word 2. */
function lastOf({ buffer, from, to }: Entry, kind: number, id: number): number | undefined {
  let found: number | undefined;
  for (let at = from; at < to; at += recordWords(buffer, at)) {
    if (eventKind(buffer, at) === kind && buffer.f64[at + 2] === id) found = at;
  }
  return found;
}

function orderStepOf(entry: Entry, at: number): OrderStep {
  const { seq, timeMs, commandKind, buffer } = entry;
  const order = decodeOrder(buffer, at);
  const deals: DealEvent[] = [];
  const rareEvents: string[] = [];
  let book: Pick<OrderStep, "levels" | "marketStatus"> | undefined;
  for (let next = entry.from; next < entry.to; next += recordWords(buffer, next)) {
    const kind = eventKind(buffer, next);
    if (kind === NOTE.book) book = bookOf(buffer, next, order) ?? book;
    else if (kind === EVENT.json) rareEvents.push((decodeEvent(buffer, next) as JsonEvent).event.type);
    else if (kind === EVENT.deal && deals.length < DEALS_KEPT) {
      const deal = decodeDeal(buffer, next);
      if (deal.taker.orderId === order.orderId || deal.maker.orderId === order.orderId) deals.push(deal);
    }
  }
  const isEnd = orderEventName(buffer, at) === "finish";
  return { seq, timeMs, commandKind, order, isEnd, deals, rareEvents, ...(book as NonNullable<typeof book>) };
}

function positionStepOf(entry: Entry, at: number): PositionStep {
  const { seq, timeMs, buffer } = entry;
  const position = decodeEvent(buffer, at) as PositionEvent;
  let mark = 0n;
  let liquidated: PositionStep["liquidated"];
  for (let next = entry.from; next < entry.to; next += recordWords(buffer, next)) {
    const kind = eventKind(buffer, next);
    if (kind === NOTE.mark && buffer.i32[next * 2 + 1] === position.marketId) mark = buffer.i64[next + 1] as bigint;
    if (kind !== EVENT.json) continue;
    const { event } = decodeEvent(buffer, next) as JsonEvent;
    if (event.type === "liquidated" && event.positionId === position.positionId) liquidated ??= event;
  }
  return { seq, timeMs, position, mark, liquidated };
}

/**
 * Returns the levels on the other side of an order, hidden orders and pool included, best first; LEVELS_KEPT at most.
 */
export function levelsAgainst(state: State, market: Market, side: Side): readonly Level[] {
  const other = side === "buy" ? 1 : 0;
  const isBetter = (one: bigint, than: bigint) => (other === 1 ? one < than : one > than);
  const quotes = poolLevels(state, market, other);
  let quote = quotes.next().value;
  const levels: Level[] = [];
  for (const { price, lots } of (state.books[market.id] as Book).wholeLevels(other)) {
    for (; quote && isBetter(quote.price, price); quote = quotes.next().value) {
      if (levels.push(quote) === LEVELS_KEPT) return levels;
    }
    const isShared = quote?.price === price;
    const quoted = isShared && quote ? quote.lots : 0n;
    if (levels.push({ price, lots: lots + quoted }) === LEVELS_KEPT) return levels;
    if (isShared) quote = quotes.next().value;
  }
  for (; quote && levels.length < LEVELS_KEPT; quote = quotes.next().value) levels.push(quote);
  return levels;
}

/** Of the order whose event stands at `at`. */
function sideAt({ i32 }: WordBuffer, at: number): Side {
  return (i32[at * 2 + 3] as number) & FLAG.sell ? "sell" : "buy";
}

/** Writes down what stands against an order of this side, unless the entry has it; `noted` is what it has. */
function noteBook(ring: WordBuffer, noted: Set<number>, state: State, market: Market, side: Side): void {
  const sideBit = side === "sell" ? FLAG.sell : 0;
  const name = market.id * 3 + (side === "sell" ? 1 : 0);
  if (noted.has(name)) return;
  noted.add(name);
  const words = copyLevelsAgainst(state, market, side) * LEVEL_WORDS;
  const at = openNote(ring, NOTE.book, BOOK_HEAD_WORDS + words, market);
  ring.i32[at * 2 + 2] = sideBit;
  ring.i32[at * 2 + 3] = MARKET_STATUSES.indexOf(market.status);
  for (let word = 0; word < words; word++) ring.i64[at + BOOK_HEAD_WORDS + word] = levelsNow[word] as bigint;
}

/** Levels as they are written down. */
const levelsNow = new BigInt64Array(LEVELS_KEPT * LEVEL_WORDS);

/**
 * Puts what `levelsAgainst` gives there, and gives how many levels that are. Without a pool they are the book's, which
 * copies them as they are.
 */
function copyLevelsAgainst(state: State, market: Market, side: Side): number {
  if (market.pool === undefined) {
    return (state.books[market.id] as Book).copyWholeLevels(side === "buy" ? 1 : 0, levelsNow);
  }
  const levels = levelsAgainst(state, market, side);
  levelsNow.set(levels.flatMap(({ price, lots }) => [price, lots]));
  return levels.length;
}

function noteMark(ring: WordBuffer, noted: Set<number>, state: State, market: Market): void {
  const name = market.id * 3 + 2;
  if (noted.has(name)) return;
  noted.add(name);
  const at = openNote(ring, NOTE.mark, MARK_WORDS, market);
  ring.i64[at + 1] = markOf(state, market);
}

function openNote(ring: WordBuffer, kind: number, words: number, market: Market): number {
  const at = ring.open(words);
  ring.i32[at * 2] = kind | (words << 8);
  ring.i32[at * 2 + 1] = market.id;
  return at;
}

function isBookOf({ i32 }: WordBuffer, at: number, marketId: number, sideBit: number): boolean {
  return i32[at * 2 + 1] === marketId && i32[at * 2 + 2] === sideBit;
}

/** A book as it was written down; undefined when it is not the one that an order met. */
function bookOf(
  buffer: WordBuffer,
  at: number,
  { marketId, side }: OrderRecord,
): Pick<OrderStep, "levels" | "marketStatus"> | undefined {
  if (!isBookOf(buffer, at, marketId, side === "sell" ? FLAG.sell : 0)) return undefined;
  const levels: Level[] = [];
  const end = at + recordWords(buffer, at);
  for (let place = at + BOOK_HEAD_WORDS; place < end; place += LEVEL_WORDS) {
    levels.push({ price: buffer.i64[place] as bigint, lots: buffer.i64[place + 1] as bigint });
  }
  return { levels, marketStatus: MARKET_STATUSES[buffer.i32[at * 2 + 3] as number] as Market["status"] };
}
