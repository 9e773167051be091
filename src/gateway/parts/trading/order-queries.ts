import type { OrderRecord } from "../../../engine/event.ts";
import type { UserDeal } from "../../../history/deals/deal-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { openList, pastList } from "../../current/lists.ts";
import type { Both } from "../../current/product.ts";
import { userDealListText } from "../../current/records/deals.ts";
import { orderListText, orderStatusText } from "../../current/records/orders.ts";
import type { BatchElement } from "../../reading/execute.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inPastMarket } from "../../reading/named-markets.ts";
import { openOrders } from "../../reading/open-orders.ts";
import { statusOf } from "../../reading/order-status.ts";
import type { Product } from "../../reading/product.ts";
import { Refused } from "../../refused.ts";

export function orderQueryHandlers(backend: Backend, printers: Printers): Handlers {
  const { state, history } = backend;
  const print = (orders: readonly OrderRecord[]) => orderListText(printers, orders);
  const printDeals = (deals: readonly UserDeal[]) => userDealListText(printers, deals);

  const status =
    (product: Product): Handler<Both<"GET", "order-status">> =>
    (call) => {
      const { caller, params } = call;
      return inPastMarket(state, product, call, params.market, async (market) => {
        const [order] = await statusOf(backend, caller.userId, market, [params.order_id]);
        if (order === undefined || order instanceof Refused) call.refuse(order ?? "order_not_found");
        else call.answer(orderStatusText(printers, order));
      });
    };

  const statuses =
    (product: Product): Handler<Both<"GET", "batch-order-status">> =>
    (call) => {
      const { caller, params } = call;
      return inPastMarket(state, product, call, params.market, async (market) => {
        const orders = await statusOf(backend, caller.userId, market, params.order_ids);
        call.answer(
          orders.map((order): BatchElement<never> => {
            if (order === undefined) return new Refused("order_not_found");
            return order instanceof Refused ? order : { data: orderStatusText(printers, order) };
          }),
        );
      });
    };

  const pending = openList(state, (query) => openOrders(state, query), print);
  const finished = pastList(state, (query) => history.finishedOrders(query), print);
  const userDeals = pastList(state, (query) => history.userDeals(query), printDeals);
  const orderDeals = pastList(
    state,
    (query) => history.orderDeals({ ...query, orderId: query.orderId as number }),
    printDeals,
  );

  return {
    "GET /spot/order-status": status("spot"),
    "GET /futures/order-status": status("futures"),
    "GET /spot/batch-order-status": statuses("spot"),
    "GET /futures/batch-order-status": statuses("futures"),
    "GET /spot/pending-order": pending("spot"),
    "GET /futures/pending-order": pending("futures"),
    "GET /spot/finished-order": finished("spot"),
    "GET /futures/finished-order": finished("futures"),
    "GET /spot/user-deals": userDeals("spot"),
    "GET /futures/user-deals": userDeals("futures"),
    "GET /spot/order-deals": orderDeals("spot"),
    "GET /futures/order-deals": orderDeals("futures"),
  };
}
