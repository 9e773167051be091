/** Requests about stop orders, of whatever surface, as commands. */
import type { Account, ModifyStopOrder, PlaceStopOrder, TriggerType } from "../../engine/command.ts";
import type { Asset } from "../../engine/listing/asset.ts";
import { onGrid } from "../../engine/money/on-grid.ts";
import type { State } from "../../engine/state.ts";
import { readStop } from "../../engine/stops/emit-stop.ts";
import { findOwnStop } from "../../engine/stops/stop-commands.ts";
import { NONE } from "../../engine/trading/order.ts";
import { invalidParameter, marketNotFound, Refused } from "../refused.ts";
import { type OrderAsked, placeOrderOf } from "./orders.ts";
import { marketNamed, type Product } from "./product.ts";

/** The order that it becomes, and its trigger, a plain decimal. */
export interface StopAsked extends OrderAsked {
  readonly trigger: string;
  /** Of futures alone. */
  readonly triggerType: TriggerType | undefined;
}

export interface StopModificationAsked {
  readonly market: string;
  /** Undefined: it is looked for in every account of the market. */
  readonly account: Account | undefined;
  readonly stopId: number;
  readonly amount: string | undefined;
  readonly price: string | undefined;
  readonly trigger: string | undefined;
}

/** The command that a request asks for: the order that it becomes, and its trigger. */
export function placeStopOf(
  state: State,
  product: Product,
  userId: number,
  asked: StopAsked,
): PlaceStopOrder | Refused {
  const order = placeOrderOf(state, product, userId, asked);
  if (order instanceof Refused) return order;
  const { pricePrecision } = state.markets[order.marketId] as { pricePrecision: number };
  const trigger = onGrid(asked.trigger, pricePrecision);
  return { ...order, kind: "place_stop_order", trigger, triggerType: asked.triggerType };
}

/**
 * Returns the command that modifies a stop order, or a refusal. The currency that the amount counts never changes, so
 * the waiting stop order tells how to read a new amount.
 */
export function modifyStopOf(
  state: State,
  product: Product,
  userId: number,
  asked: StopModificationAsked,
): ModifyStopOrder | Refused {
  const market = marketNamed(state, product, asked.market);
  if (market === undefined) return marketNotFound(asked.market);
  const { amount, price, trigger } = asked;
  if (amount === undefined && price === undefined && trigger === undefined)
    return invalidParameter("amount, price or trigger_price must be given.");
  const slot = findOwnStop(state, userId, market.id, asked.stopId);
  if (slot === NONE) return new Refused("order_not_found");
  const inQuote = readStop(state, slot).amountIn === "quote";
  const scale = inQuote ? (state.assets[market.quoteAssetId] as Asset).scale : market.amountPrecision;
  return {
    kind: "modify_stop_order",
    userId,
    marketId: market.id,
    account: asked.account,
    stopId: asked.stopId,
    amount: amount === undefined ? undefined : onGrid(amount, scale),
    price: price === undefined ? undefined : onGrid(price, market.pricePrecision),
    trigger: trigger === undefined ? undefined : onGrid(trigger, market.pricePrecision),
  };
}
