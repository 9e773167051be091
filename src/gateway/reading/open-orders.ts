/** An account's resting orders, read from the engine's memory. */
import type { Account, Side } from "../../engine/command.ts";
import type { OrderRecord } from "../../engine/event.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { State } from "../../engine/state.ts";
import { readOrder } from "../../engine/trading/emit.ts";
import { NONE } from "../../engine/trading/order.ts";
import { findOwn } from "../../engine/trading/resting.ts";
import type { CountedPage } from "../../history/page.ts";
import { isOf, productOfAccount } from "./product.ts";

export interface OpenOrdersQuery {
  readonly userId: number;
  readonly account: Account;
  /** Absent: every market. */
  readonly marketId?: number | undefined;
  readonly side?: Side | undefined;
  readonly clientId?: string | undefined;
  /** Those alone that the book shows a part of. */
  readonly areIcebergs?: boolean;
  readonly page: number;
  readonly limit: number;
  /** Takes the place of the page. */
  readonly offset?: number | undefined;
}

/**
 * A page of them, newest first. It walks all resting orders of the account, of which the engine allows a thousand per
 * market, because the total must be known anyway; only those of the page are read.
 */
export function openOrders(state: State, query: OpenOrdersQuery): CountedPage<OrderRecord> {
  const ids = openOrderIds(state, query);
  const from = query.offset ?? (query.page - 1) * query.limit;
  const shown = ids.slice(from, from + query.limit);
  return {
    rows: Array.from(shown, (id) => readOrder(state, state.orders.find(id))),
    total: ids.length,
    hasNext: from + query.limit < ids.length,
  };
}

/**
 * A resting order of the user in a market, in either account; undefined when it rests no more or is somebody else's.
 */
export function openOrder(state: State, userId: number, marketId: number, orderId: number): OrderRecord | undefined {
  const slot = findOwn(state, userId, marketId, undefined, orderId);
  return slot === NONE ? undefined : readOrder(state, slot);
}

/** Ids rise with acceptance, which is what newest means, in every seat and across them. */
function openOrderIds(state: State, query: OpenOrdersQuery): readonly number[] | Float64Array {
  const { orders } = state;
  const { side, clientId, areIcebergs = false } = query;
  const seats = seatsOf(state, query);
  const ids: number[] = [];
  for (const seat of seats) {
    for (let slot = state.seats.tail(seat); slot !== NONE; slot = orders.seatPrev(slot)) {
      if (side !== undefined && orders.side(slot) !== (side === "sell" ? 1 : 0)) continue;
      if (clientId !== undefined && orders.clientId.get(slot) !== clientId) continue;
      if (areIcebergs && !orders.isIceberg(slot)) continue;
      ids.push(orders.orderId(slot));
    }
  }
  return seats.length > 1 ? Float64Array.from(ids).sort().reverse() : ids;
}

function seatsOf(state: State, { userId, account, marketId }: OpenOrdersQuery): number[] {
  const isMargin = account === "margin";
  if (marketId === undefined) {
    const product = productOfAccount(account);
    return [...state.seats.ofUser(userId)].filter(
      (seat) =>
        state.seats.place(seat) === (isMargin ? 1 : 0) &&
        isOf(product, state.markets[state.seats.marketId(seat)] as Market),
    );
  }
  const seat = state.seats.find(userId, marketId, isMargin ? 1 : 0);
  return seat === NONE ? [] : [seat];
}
