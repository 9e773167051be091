/** The orders of spot and margin in the legacy generation: /v1/order/… */
import type { Account, OrderType, Side } from "../../../engine/command.ts";
import type { OrderRecord } from "../../../engine/event.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { FinishedOrdersQuery } from "../../../history/orders/order-queries.ts";
import type { Page } from "../../../history/page.ts";
import type { Backend } from "../../backend.ts";
import { inAccount, inAccountOrAll } from "../../legacy/accounts.ts";
import type { LegacyCall, LegacyHandlers } from "../../legacy/call.ts";
import { elementsText } from "../../legacy/elements.ts";
import { aboutOrder, answerElements } from "../../legacy/others-orders.ts";
import { answerNumbered } from "../../legacy/pages.ts";
import { printOrderDeal, printUserDeal } from "../../legacy/records/deal-shape.ts";
import { SpotOrderPrinter } from "../../legacy/records/spot-orders.ts";
import type { LegacyOrderOption } from "../../legacy/types.generated.ts";
import { cancelBatch, cancelNamed, cancelOne, ORDERS } from "../../reading/cancelling.ts";
import { type BatchElement, execute, executeBatch } from "../../reading/execute.ts";
import { fromHistory, pageFromHistory } from "../../reading/from-history.ts";
import { asJson } from "../../reading/json-text.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inPastMarket } from "../../reading/named-markets.ts";
import { openOrders } from "../../reading/open-orders.ts";
import { statusOf } from "../../reading/order-status.ts";
import { modifyOrderOf, type OrderAsked, placeOrderOf } from "../../reading/orders.ts";
import { Refused } from "../../refused.ts";

/** The types of orders behind the options of limit orders. */
export const TYPE_OF_OPTION = {
  NORMAL: "limit",
  IOC: "ioc",
  FOK: "fok",
  MAKER_ONLY: "maker_only",
} as const satisfies Record<LegacyOrderOption, OrderType>;

/** The parameters that the calls that place orders have in common. */
export interface LegacyOrderAsked {
  readonly type: Side;
  readonly amount: string;
  readonly price?: string | undefined;
  readonly option?: LegacyOrderOption | undefined;
  readonly hide?: boolean | undefined;
  readonly amount_asset?: string | undefined;
  readonly client_id?: string | undefined;
}

/** An order in the words of reading; without a price it is one at market. */
export function legacyOrderAsked(
  market: Market,
  account: Account,
  asked: LegacyOrderAsked,
  type?: OrderType,
): OrderAsked {
  return {
    market: market.name,
    account,
    side: asked.type,
    type: type ?? TYPE_OF_OPTION[asked.option ?? "NORMAL"],
    amount: asked.amount,
    price: asked.price,
    ccy: asked.amount_asset,
    positionSide: undefined,
    clientId: asked.client_id,
    hidden: asked.hide,
    stpMode: undefined,
  };
}

export function legacyOrderHandlers(backend: Backend, printers: Printers): LegacyHandlers {
  const { state, history } = backend;
  const print = new SpotOrderPrinter(state, printers);

  const printOrder = (order: OrderRecord) => print.order(order);

  const statusElement = (order: OrderRecord | Refused | undefined): BatchElement<object> =>
    order instanceof Refused
      ? order
      : order === undefined
        ? new Refused("order_not_found")
        : { data: print.order(order) };

  type Placing = "POST /v1/order/limit" | "POST /v1/order/market" | "POST /v1/order/ioc";
  const place =
    (type?: OrderType) =>
    (call: LegacyCall<Placing>): void => {
      const { caller, params } = call;
      inAccount(state, call, (market, account) => {
        const command = placeOrderOf(state, "spot", caller.userId, legacyOrderAsked(market, account, params, type));
        execute(backend, call, command, (outcome, engine) => {
          call.answer(print.orderAt(engine.events, outcome.orderEvent, params.source_id));
        });
      });
    };

  return {
    "POST /v1/order/limit": place(),
    "POST /v1/order/market": place("market"),
    "POST /v1/order/ioc": place("ioc"),

    "POST /v1/order/limit/batch": (call) => {
      const { caller, params } = call;
      inAccount(state, call, (market, account) => {
        executeBatch(
          backend,
          call,
          params.batch_orders,
          (order) => placeOrderOf(state, "spot", caller.userId, legacyOrderAsked(market, account, order)),
          (outcome, engine) => print.orderAt(engine.events, outcome.orderEvent),
          (elements) => call.answer(elementsText(call.renderer, elements)),
        );
      });
    },

    "POST /v1/order/modify": (call) => {
      const { market, id: orderId, amount, price } = call.params;
      const asked = { market, account: undefined, orderId, amount, price };
      const command = modifyOrderOf(state, "spot", call.caller.userId, asked);
      execute(backend, aboutOrder(backend, call, "order", orderId), command, (outcome, engine) => {
        call.answer(print.orderAt(engine.events, outcome.orderEvent));
      });
    },

    "DELETE /v1/order/pending": (call) => {
      const { caller, params } = call;
      inAccount(state, call, ({ id: marketId }, account) => {
        const { userId } = caller;
        const { id: orderId, type: side } = params;
        if (orderId === undefined) {
          const all = { kind: "cancel_all_orders", userId, marketId, account, side } as const;
          execute(backend, call, all, () => call.answer(NO_RECORD));
        } else {
          const about = aboutOrder(backend, call, "order", orderId);
          const within = { userId, marketId, account };
          cancelOne(backend, about, ORDERS, within, orderId, (order) => call.answer(print.order(order)));
        }
      });
    },

    "DELETE /v1/order/pending/batch": (call) => {
      const { caller, params } = call;
      inAccount(state, call, ({ id: marketId }, account) => {
        const within = { userId: caller.userId, marketId, account };
        const { batch_ids: ids } = params;
        cancelBatch(backend, call, ORDERS, within, ids, printOrder, (elements) =>
          answerElements(backend, call, ids, elements, (told) => call.answer(elementsText(call.renderer, told))),
        );
      });
    },

    "DELETE /v1/order/pending/by_client_id": (call) => {
      const { caller, params } = call;
      inAccountOrAll(state, call, (market, account) => {
        const named = { userId: caller.userId, marketId: market?.id, account, clientId: params.client_id };
        cancelNamed(backend, call, ORDERS, named, printOrder, (elements) =>
          call.answer(elementsText(call.renderer, elements)),
        );
      });
    },

    "GET /v1/order/status": (call) => {
      const { caller, params } = call;
      return inPastMarket(state, "spot", call, params.market, async (market) => {
        const [order] = await statusOf(backend, caller.userId, market, [params.id]);
        if (order === undefined || order instanceof Refused) {
          aboutOrder(backend, call, "order", params.id).refuse(order ?? "order_not_found");
        } else call.answer(print.order(order));
      });
    },

    "GET /v1/order/status/batch": (call) => {
      const { caller, params } = call;
      return inPastMarket(state, "spot", call, params.market, async (market) => {
        const orders = await statusOf(backend, caller.userId, market, params.batch_ids);
        answerElements(backend, call, params.batch_ids, orders.map(statusElement), (told) =>
          call.answer(elementsText(call.renderer, told)),
        );
      });
    },

    "GET /v1/order/pending": (call) => {
      const { caller, params } = call;
      inAccountOrAll(state, call, (market, account) => {
        const { type: side, client_id: clientId, page, limit } = params;
        const query = { userId: caller.userId, account, marketId: market?.id, side, clientId, page, limit };
        answerNumbered(call, openOrders(state, query), (order) => print.order(order));
      });
    },

    "GET /v1/order/finished": (call) => {
      const { caller, params } = call;
      return inAccountOrAll(
        state,
        call,
        async (market, account) => {
          const asked = {
            userId: caller.userId,
            account,
            marketId: market?.id,
            side: params.type,
            clientId: params.client_id,
            startTime: params.start_time,
            endTime: params.end_time,
            page: params.page,
            limit: params.limit,
          };
          const { stop_order_id: stopId } = params;
          const page =
            stopId === undefined
              ? await pageFromHistory((query) => history.finishedOrders(query), asked)
              : await fromHistory(bornOf(backend, stopId, asked));
          answerNumbered(call, page, (order) => print.order(order));
        },
        "past",
      );
    },

    "GET /v1/order/deals": (call) => {
      const { caller, params } = call;
      return inAccountOrAll(
        state,
        { params: { account_id: params.account_id }, refuse: (refused) => call.refuse(refused) },
        async (market, account) => {
          const page = await pageFromHistory((query) => history.orderDeals(query), {
            userId: caller.userId,
            account,
            marketId: market?.id,
            orderId: params.id,
            page: params.page,
            limit: params.limit,
          });
          answerNumbered(call, page, (deal) => printOrderDeal(deal, printers.of(deal.marketId)));
        },
        "past",
      );
    },

    "GET /v1/order/user/deals": (call) => {
      const { caller, params } = call;
      return inAccountOrAll(
        state,
        call,
        async (market, account) => {
          const page = await pageFromHistory((query) => history.userDeals(query), {
            userId: caller.userId,
            account,
            marketId: market?.id,
            side: params.type,
            startTime: params.start_time,
            endTime: params.end_time,
            page: params.page,
            limit: params.limit,
          });
          answerNumbered(call, page, (deal) => printUserDeal(deal, printers.of(deal.marketId), state));
        },
        "past",
      );
    },
  };
}

/** The finished order that a stop order of the user became, as far as it is one of those asked for. */
async function bornOf({ history }: Backend, stopId: number, asked: FinishedOrdersQuery): Promise<Page<OrderRecord>> {
  const { userId, account, marketId, side, clientId, startTime = 0, endTime = Number.MAX_SAFE_INTEGER } = asked;
  const stop = await history.firedStopOfAnybody({ stopId });
  if (stop?.userId !== userId) return NO_ORDERS;
  const born = await history.endedOrders({ userId, marketId: stop.marketId, orderIds: [stop.orderId] });
  const rows = born.filter(
    (order) =>
      order.account === account &&
      (marketId === undefined || order.marketId === marketId) &&
      (side === undefined || order.side === side) &&
      (clientId === undefined || order.clientId === clientId) &&
      order.createdAt >= startTime &&
      order.createdAt <= endTime,
  );
  return asked.page === 1 ? { rows, hasNext: false } : NO_ORDERS;
}

const NO_ORDERS: Page<OrderRecord> = { rows: [], hasNext: false };

/** Stands where a call has no record to show. */
const NO_RECORD = asJson("{}");
