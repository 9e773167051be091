import type { Side } from "../engine/command.ts";
import type { OrderEventName, OrderRecord } from "../engine/event.ts";
import type { State } from "../engine/state.ts";
import { readOrder } from "../engine/trading/emit.ts";
import { NONE } from "../engine/trading/order.ts";

/** The part of a user's own hidden orders that rests at a price, in ticks and lots. */
export interface HiddenLevel {
  readonly price: bigint;
  readonly lots: bigint;
}

/**
 * The hidden orders that one user has resting in one market: nobody else sees them, the owner sees them in its own
 * depth. Source: domain 2.8.
 */
export class OwnHidden {
  readonly #orders = new Map<number, { readonly side: Side; readonly price: bigint; readonly lots: bigint }>();

  get isEmpty(): boolean {
    return this.#orders.size === 0;
  }

  /** Takes over an order as its last event left it. */
  note(event: OrderEventName, { orderId, side, price, left }: OrderRecord): void {
    if (event === "finish") this.#orders.delete(orderId);
    else this.#orders.set(orderId, { side, price, lots: left });
  }

  /** The levels of a side, best price first. An account may have a few hundred orders in a market. */
  levels(side: Side): HiddenLevel[] {
    const byPrice = new Map<bigint, bigint>();
    for (const order of this.#orders.values()) {
      if (order.side === side) byPrice.set(order.price, (byPrice.get(order.price) ?? 0n) + order.lots);
    }
    const levels = Array.from(byPrice, ([price, lots]) => ({ price, lots }));
    return levels.sort((one, other) => (one.price < other.price === (side === "sell") ? -1 : 1));
  }
}

/** The hidden orders of users who are looked after: from the state when that begins, from events from then on. */
export class OwnHiddenOrders {
  readonly #byUser = new Map<number, Map<number, OwnHidden>>();
  /** How often anything has changed. */
  changes = 0;

  begin(state: State, userId: number): void {
    const byMarket = new Map<number, OwnHidden>();
    this.#byUser.set(userId, byMarket);
    this.changes++;
    for (const seat of state.seats.ofUser(userId)) {
      for (let slot = state.seats.tail(seat); slot !== NONE; slot = state.orders.seatPrev(slot)) {
        const order = readOrder(state, slot);
        if (order.hidden) this.note("put", order);
      }
    }
  }

  end(userId: number): void {
    if (this.#byUser.delete(userId)) this.changes++;
  }

  /** Takes in what became of a hidden order of somebody who is looked after. */
  note(event: OrderEventName, order: OrderRecord): void {
    const byMarket = this.#byUser.get(order.userId);
    if (byMarket === undefined) return;
    let own = byMarket.get(order.marketId);
    if (own === undefined) {
      own = new OwnHidden();
      byMarket.set(order.marketId, own);
    }
    own.note(event, order);
    this.changes++;
  }

  /** The user's hidden orders in a market; undefined when there is none. */
  of(userId: number, marketId: number): OwnHidden | undefined {
    const own = this.#byUser.get(userId)?.get(marketId);
    return own === undefined || own.isEmpty ? undefined : own;
  }
}
