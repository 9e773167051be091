import { bestPoolLevel } from "../../engine/amm/quotes.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { State } from "../../engine/state.ts";
import type { Book } from "../../engine/trading/book.ts";
import { NONE } from "../../engine/trading/order.ts";
import type { Maker, Room } from "./maker.ts";
import { FINE } from "./price-walk.ts";

/** All makers of one market, who move together so that none meets an order that another has not yet drawn back. */
export class MarketMaking {
  readonly #state: State;
  readonly #makers: readonly Maker[];

  constructor(state: State, makers: readonly Maker[]) {
    this.#state = state;
    this.#makers = makers;
  }

  /** Brings every ladder into its place around `worth`, millionths of a tick. */
  refresh(market: Market, worth: bigint, nowMs: number): void {
    const room = this.#roomIn(market, worth);
    const plans = this.#makers.map((maker) => ({ maker, plan: maker.plan(market, worth, room, nowMs) }));
    for (const { maker, plan } of plans) maker.send(plan.retreats);
    for (const { maker, plan } of plans) maker.send(plan.advances);
  }

  /** Takes every ladder out of the book. */
  withdraw(market: Market): void {
    for (const maker of this.#makers) maker.withdraw(market);
  }

  /** Bids of others above the market's worth keep makers from selling below them, and asks of others the reverse. */
  #roomIn(market: Market, worth: bigint): Room {
    const bid = this.#bestForeign(market, 0, (price) => price * FINE >= worth);
    const ask = this.#bestForeign(market, 1, (price) => price * FINE <= worth);
    return {
      lowestAsk: bid === undefined ? 1n : bid + 1n,
      highestBid: ask === undefined ? market.maxPrice : ask > 1n ? ask - 1n : 1n,
    };
  }

  /**
   * The best price of a side (0 buys) at which somebody stands who is no maker, be it a pool, as long as `matters`
   * holds.
   */
  #bestForeign(market: Market, side: number, matters: (price: bigint) => boolean): bigint | undefined {
    const order = this.#bestForeignOrder(market, side, matters);
    const level = market.pool && bestPoolLevel(this.#state, market, market.pool, side)?.price;
    if (level === undefined || !matters(level)) return order;
    return order === undefined || (side === 0 ? level > order : level < order) ? level : order;
  }

  #bestForeignOrder(market: Market, side: number, matters: (price: bigint) => boolean): bigint | undefined {
    const { orders, seats, users } = this.#state;
    const book = this.#state.books[market.id] as Book;
    for (let slot = book.first(side); slot !== NONE && matters(orders.price(slot)); slot = book.next(slot)) {
      const owner = users.names[seats.userId(orders.seat(slot))];
      if (!this.#makers.some((maker) => maker.name === owner)) return orders.price(slot);
    }
    return undefined;
  }
}
