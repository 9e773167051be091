/**
 * Mass quotes: in each market that the command names, these bids and asks take the place of those that the user has by
 * his last one. A market is taken whole or refused whole, and then keeps the earlier ones. Source: domain 2.19.
 *
 * A quote at a price of an earlier one of its side, and no larger than what that has open, is the same order with the
 * same place in its queue. All others are new orders at the back of theirs; earlier ones without a successor end.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import { FLAG, TYPE } from "../command.ts";
import { ORDER_EVENT, STATUS } from "../event.ts";
import type { Market } from "../listing/market.ts";
import { onGrid } from "../money/on-grid.ts";
import { type Refusal, refusalNumber, refusalOf } from "../refusal.ts";
import type { State } from "../state.ts";
import type { Book } from "../trading/book.ts";
import { ACTION, OPEN_ORDERS_MAX, refuseCancelling, refuseLocked, refuseTrading } from "../trading/check.ts";
import { emitOrder } from "../trading/emit.ts";
import { noteChanged } from "../trading/fills.ts";
import { NONE } from "../trading/order.ts";
import { enterAccepted } from "../trading/place.ts";
import { endResting } from "../trading/resting.ts";
import type { ReplacedQuote } from "../trading/settlement.ts";
import type { MassQuote } from "./command-schemas.ts";

/** Pairs of one command: what one call brings is bounded by what a venue does in a millisecond. */
export const PAIRS_MAX = 100;

const QUOTE_FLAGS = FLAG.massQuote | (TYPE.maker_only << FLAG.typeShift);
const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const WOULD_TAKE = refusalNumber("would_take");
const TOO_MANY = refusalNumber("too_many_open_orders");

/**
 * The outcome in one market: why it was refused, or the ids of the orders of each pair; 0 where it has no such side.
 */
export interface QuotedMarket {
  readonly marketId: number;
  readonly refusal?: Refusal | undefined;
  readonly orderIds: readonly (readonly [bid: number, ask: number])[];
}

type Pair = MassQuote["quotes"][number];

/** A bid or an ask that is asked for. */
interface Wanted {
  /** Place of its pair among those of the market. */
  readonly pair: number;
  readonly side: 0 | 1;
  readonly price: bigint;
  readonly lots: bigint;
  /** The earlier order that it is; NONE: a new one. */
  slot: number;
}

export function massQuote(state: State, { userId, quotes }: MassQuote): Answer {
  if (!state.users.has(userId)) return refused("user_not_found", `There is no user ${userId}.`);
  if (quotes.length === 0 || quotes.length > PAIRS_MAX) {
    return refused("invalid_command", `quotes must hold from 1 to ${PAIRS_MAX} pairs.`);
  }
  if (quotes.some(isHalf)) return refused("invalid_command", "A price and its amount are given together.");
  const byMarket = new Map<number, Pair[]>();
  for (const pair of quotes) {
    const ofMarket = byMarket.get(pair.marketId);
    if (ofMarket === undefined) byMarket.set(pair.marketId, [pair]);
    else ofMarket.push(pair);
  }
  return accepted([...byMarket].map(([marketId, pairs]) => quoteIn(state, userId, marketId, pairs)));
}

function isHalf({ bidPrice, bidAmount, askPrice, askAmount }: Pair): boolean {
  return (
    (bidPrice === undefined) !== (bidAmount === undefined) || (askPrice === undefined) !== (askAmount === undefined)
  );
}

function quoteIn(state: State, userId: number, marketId: number, pairs: readonly Pair[]): QuotedMarket {
  const market = state.markets[marketId];
  if (market === undefined || market.delisted) return refusedIn(marketId, MARKET_NOT_FOUND);
  const flags = market.settlement.keepsPositions ? QUOTE_FLAGS | FLAG.futures : QUOTE_FLAGS;
  const { settlement } = market;
  const wanted = pairs.flatMap((pair, at) => wantedOf(market, pair, at));
  const refusal =
    settlement.refuseAccount(state, market, flags) ||
    settlement.refuseUser(state, userId, market, flags) ||
    // Who only withdraws quotes needs no market that takes new ones, but one that lets orders be cancelled.
    (wanted.length === 0
      ? refuseCancelling(state, settlement.marketType) || refuseLocked(state, market)
      : refuseTrading(state, userId, market, ACTION.makerOnly, flags));
  if (refusal !== 0) return refusedIn(marketId, refusal);

  const found = state.seats.find(userId, marketId, 0);
  // Who was never in the market has nothing to withdraw.
  if (found === NONE && wanted.length === 0) return { marketId, orderIds: pairs.map(() => [0, 0] as const) };
  const seat = found === NONE ? settlement.openSeat(state, userId, market, flags) : found;
  const earlier = earlierQuotes(state, seat);
  const replaced = match(state, earlier, wanted);
  const refusedBy = refuseQuotes(state, market, seat, flags, replaced, wanted);
  if (refusedBy !== 0) return refusedIn(marketId, refusedBy);

  // Nothing is refused below this line.
  for (const { slot, stays } of replaced) {
    if (stays === 0n) endResting(state, market, slot);
    else if (stays < state.orders.left(slot)) shrink(state, market, slot, stays);
  }
  const orderIds = pairs.map((): [number, number] => [0, 0]);
  for (const quote of wanted) {
    if (quote.slot === NONE) place(state, userId, market, seat, flags, quote);
    (orderIds[quote.pair] as [number, number])[quote.side] = state.orders.orderId(quote.slot);
  }
  return { marketId, orderIds };
}

function refusedIn(marketId: number, refusal: number): QuotedMarket {
  return { marketId, refusal: refusalOf(refusal), orderIds: [] };
}

function wantedOf(market: Market, pair: Pair, at: number): Wanted[] {
  const { bidPrice, bidAmount, askPrice, askAmount } = pair;
  const sides: Wanted[] = [];
  const add = (side: 0 | 1, price: string | undefined, amount: string | undefined) => {
    if (price === undefined || amount === undefined) return;
    const ticks = onGrid(price, market.pricePrecision);
    sides.push({ pair: at, side, price: ticks, lots: onGrid(amount, market.amountPrecision), slot: NONE });
  };
  add(0, bidPrice, bidAmount);
  add(1, askPrice, askAmount);
  return sides;
}

/** Orders of a seat that a mass quote has placed, oldest first. */
function earlierQuotes({ orders, seats }: State, seat: number): number[] {
  const slots: number[] = [];
  for (let slot = seats.head(seat); slot !== NONE; slot = orders.seatNext(slot)) {
    if ((orders.flags(slot) & FLAG.massQuote) !== 0) slots.push(slot);
  }
  return slots;
}

/** Finds the earlier orders that go on as quotes that are wanted. Returns what stays of each earlier order. */
function match({ orders }: State, earlier: readonly number[], wanted: readonly Wanted[]): ReplacedQuote[] {
  const atPrice = [new Map<bigint, Wanted[]>(), new Map<bigint, Wanted[]>()] as const;
  for (const quote of wanted) {
    const same = atPrice[quote.side].get(quote.price);
    if (same === undefined) atPrice[quote.side].set(quote.price, [quote]);
    else same.push(quote);
  }
  return earlier.map((slot) => {
    const candidates = atPrice[orders.side(slot) as 0 | 1].get(orders.price(slot));
    const quote = candidates?.find((each) => each.slot === NONE && each.lots <= orders.left(slot));
    if (quote === undefined) return { slot, stays: 0n };
    quote.slot = slot;
    return { slot, stays: quote.lots };
  });
}

/**
 * The checks of all quotes of a market: amounts, how many orders there are, then price and money of each new one in its
 * turn, then whether any would take; 0 = nothing to object.
 */
function refuseQuotes(
  state: State,
  market: Market,
  seat: number,
  flags: number,
  replaced: readonly ReplacedQuote[],
  wanted: readonly Wanted[],
): number {
  const { scratch } = state;
  for (const { side, lots } of wanted) {
    scratch.draft.left = lots;
    const refusal = market.settlement.refuseLots(scratch, market, flags | side);
    if (refusal !== 0) return refusal;
  }
  const ending = replaced.filter(({ stays }) => stays === 0n);
  const placed = wanted.filter(({ slot }) => slot === NONE);
  if (state.seats.openOrders(seat) - ending.length + placed.length > OPEN_ORDERS_MAX) return TOO_MANY;
  const trial = market.settlement.tryQuotes(state, market, seat, replaced);
  let refusal = 0;
  for (const { side, price, lots } of placed) {
    scratch.draft.price = price;
    scratch.draft.left = lots;
    refusal = trial.refuse(scratch, flags | side);
    if (refusal !== 0) break;
  }
  trial.end();
  return refusal || (wouldTake(state, market, ending, wanted) ? WOULD_TAKE : 0);
}

/** Whether a quote would meet another one of them, or an order in the book once the quotes that end are gone. */
function wouldTake(state: State, market: Market, ending: readonly ReplacedQuote[], wanted: readonly Wanted[]): boolean {
  const { orders } = state;
  const book = state.books[market.id] as Book;
  const ended = new Set(ending.map(({ slot }) => slot));
  const best: [bid: bigint | undefined, ask: bigint | undefined] = [undefined, undefined];
  const note = (side: 0 | 1, price: bigint) => {
    const known = best[side];
    if (known === undefined || (side === 0 ? price > known : price < known)) best[side] = price;
  };
  for (const { side, price } of wanted) note(side, price);
  const [bid, ask] = best;
  if (bid !== undefined && ask !== undefined && bid >= ask) return true;
  for (const side of [0, 1] as const) {
    const own = best[side];
    if (own === undefined) continue;
    let slot = book.first(side ^ 1);
    while (slot !== NONE && ended.has(slot)) slot = book.next(slot);
    if (slot !== NONE && (side === 0 ? orders.price(slot) <= own : orders.price(slot) >= own)) return true;
    const pool = market.quotes?.best(state, market, side ^ 1);
    if (pool !== undefined && (side === 0 ? pool.price <= own : pool.price >= own)) return true;
  }
  return false;
}

/** Reduces an order, which keeps its place. */
function shrink(state: State, market: Market, slot: number, lots: bigint): void {
  const { orders, fills } = state;
  market.settlement.release(state, market, slot);
  (state.books[market.id] as Book).resize(slot, lots);
  market.settlement.hold(state, market, slot);
  noteChanged(state, slot);
  const isFilled = fills.isFilled(orders.fillRow(slot));
  emitOrder(state, slot, ORDER_EVENT.modify, isFilled ? STATUS.part_filled : STATUS.open);
}

/** Places a quote that has been checked. */
function place(state: State, userId: number, market: Market, seat: number, flags: number, quote: Wanted): void {
  const { scratch } = state;
  scratch.draft.price = quote.price;
  scratch.draft.left = quote.lots;
  market.settlement.draftQuote(state, scratch, market, flags | quote.side);
  enterAccepted(state, scratch, userId, market, seat, flags | quote.side, "");
  quote.slot = state.seats.tail(seat);
}
