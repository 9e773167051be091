/** Finds orders and deals by their numbers. */
import type { OrderRecord } from "../../../engine/event.ts";
import { readOrder } from "../../../engine/trading/emit.ts";
import { NONE } from "../../../engine/trading/order.ts";
import { type Finder, idIn } from "../../admin/search.ts";
import { Printers } from "../../reading/market-printer.ts";

export const findOrders: Finder = async ({ state, history, lifecycleTrace }, text) => {
  const orderId = idIn(text);
  if (orderId === undefined) return [];
  const slot = state.orders.find(orderId);
  const order: OrderRecord | undefined =
    slot === NONE
      ? (lifecycleTrace?.orderSteps(orderId).at(-1)?.order ?? (await history.orderOfAnybody({ orderId })))
      : readOrder(state, slot);
  if (order === undefined) return [];
  const { market } = new Printers(state).of(order.marketId);
  const says = `${order.side} in ${market.name} (${order.account}), ${slot === NONE ? "ended" : "open"}`;
  return [{ kind: "order", id: text, says, userId: order.userId }];
};

export const findDeals: Finder = async ({ state, history }, text) => {
  const dealId = idIn(text);
  const deal = dealId === undefined ? undefined : await history.dealOfAnybody({ dealId });
  if (deal === undefined) return [];
  const print = new Printers(state).of(deal.marketId);
  const { takerUserId, takerOrderId, makerUserId, makerOrderId } = deal;
  const says =
    `${print.amount(deal.lots)} at ${print.price(deal.price)} in ${print.market.name}: order ${takerOrderId} of ` +
    `user ${takerUserId} ` +
    `took order ${makerOrderId} of user ${makerUserId}`;
  return [{ kind: "deal", id: text, says, userId: takerUserId === makerUserId ? takerUserId : 0 }];
};
