/** The orders and stop orders of futures in the legacy generation: /perpetual/v1/order/… */
import type { ClosePosition, OrderType, PositionSide, Side, TriggerType } from "../../../engine/command.ts";
import type { OrderRecord } from "../../../engine/event.ts";
import { isHedge } from "../../../engine/futures/positions/futures-seat.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { onGrid } from "../../../engine/money/on-grid.ts";
import { decodeStop, type StopRecord } from "../../../engine/stops/stop-event.ts";
import { NONE } from "../../../engine/trading/order.ts";
import type { Backend } from "../../backend.ts";
import type { LegacyCall, LegacyHandlers } from "../../legacy/call.ts";
import { aboutOrder, answerElements } from "../../legacy/others-orders.ts";
import { answerOffset } from "../../legacy/pages.ts";
import { isHidden, PerpetualOrderPrinter, typeOf } from "../../legacy/records/perpetual-orders.ts";
import type { LegacyRenderer } from "../../legacy/renderer.ts";
import type {
  PerpetualEffectType,
  PerpetualOption,
  PerpetualSide,
  PerpetualSideFilter,
} from "../../legacy/types.generated.ts";
import { cancelBatch, cancelNamed, cancelOne, ORDERS, STOP_ORDERS } from "../../reading/cancelling.ts";
import { cutPage } from "../../reading/cut-page.ts";
import { type BatchElement, execute } from "../../reading/execute.ts";
import { fromHistory, pageFromHistory } from "../../reading/from-history.ts";
import { asJson, type JsonText } from "../../reading/json-text.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarket, inMarketOrAll, inPastMarket, inPastMarketOrAll } from "../../reading/named-markets.ts";
import { openOrders } from "../../reading/open-orders.ts";
import { openSlot } from "../../reading/open-positions.ts";
import { statusOf } from "../../reading/order-status.ts";
import { modifyOrderOf, type OrderAsked, placeOrderOf } from "../../reading/orders.ts";
import { modifyStopOf, placeStopOf } from "../../reading/stop-orders.ts";
import { cancelWaitingStops, waitingStop, waitingStops } from "../../reading/waiting-stops.ts";
import { invalidParameter, Refused } from "../../refused.ts";

const SIDES: Readonly<Record<PerpetualSide, Side>> = { 1: "sell", 2: "buy" };
const TRIGGERS = { 1: "latest_price", 2: "mark_price", 3: "index_price" } as const satisfies Record<
  number,
  TriggerType
>;
const ACCOUNT = "futures" as const;

/** Undefined for both sides. */
export function sideOf(filter: PerpetualSideFilter): Side | undefined {
  return filter === 0 ? undefined : SIDES[filter];
}

interface LimitOptions {
  readonly effect_type: PerpetualEffectType;
  readonly option: PerpetualOption;
}

/** The type that effect and option come to, or that they exclude each other. */
function limitType({ effect_type: effect, option }: LimitOptions): OrderType | Refused {
  return typeOf(effect, option) ?? invalidParameter("an order that is maker only cannot be filled at once as well.");
}

const SUCCESS = asJson('{"status":"success"}');

export function legacyFuturesOrderHandlers(backend: Backend, printers: Printers): LegacyHandlers {
  const { state, history } = backend;
  const print = new PerpetualOrderPrinter(state, printers);
  const printOrder = (order: OrderRecord) => print.order(order);
  const printStop = (stop: StopRecord) => print.stop(stop);

  interface Asked {
    readonly market: string;
    readonly side: PerpetualSide;
    readonly amount: string;
    readonly price?: string | undefined;
    readonly client_id: string | undefined;
  }

  const asked = (params: Asked, type: OrderType, hidden: boolean): OrderAsked => ({
    market: params.market,
    account: ACCOUNT,
    side: SIDES[params.side],
    type,
    amount: params.amount,
    price: params.price,
    ccy: undefined,
    positionSide: undefined,
    clientId: params.client_id,
    hidden,
    stpMode: undefined,
  });

  type Placing = "POST /perpetual/v1/order/put_limit" | "POST /perpetual/v1/order/put_market";
  const place = (call: LegacyCall<Placing>, type: OrderType | Refused, hidden: boolean): void => {
    const command =
      type instanceof Refused
        ? type
        : placeOrderOf(state, "futures", call.caller.userId, asked(call.params, type, hidden));
    execute(backend, call, command, (outcome, engine) => call.answer(print.orderAt(engine.events, outcome.orderEvent)));
  };

  type PlacingStop = "POST /perpetual/v1/order/put_stop_limit" | "POST /perpetual/v1/order/put_stop_market";
  const placeStop = (call: LegacyCall<PlacingStop>, type: OrderType | Refused, hidden: boolean): void => {
    const { params } = call;
    const trigger = { trigger: params.stop_price, triggerType: TRIGGERS[params.stop_type] };
    const command =
      type instanceof Refused
        ? type
        : placeStopOf(state, "futures", call.caller.userId, { ...asked(params, type, hidden), ...trigger });
    execute(backend, call, command, () => call.answer(SUCCESS));
  };

  type Closing =
    | "POST /perpetual/v1/order/close_limit"
    | "POST /perpetual/v1/order/close_market"
    | "POST /perpetual/v1/position/market_close";
  const close = (
    call: LegacyCall<Closing>,
    {
      type,
      price,
      hidden,
      amount,
    }: { type: OrderType | Refused; price: string; hidden: boolean; amount: string | undefined },
  ): void => {
    const { caller, params } = call;
    inMarket(state, "futures", call, params.market, (market) => {
      const named = type instanceof Refused ? type : positionNamed(backend, caller.userId, market, params.position_id);
      if (named instanceof Refused) {
        call.refuse(named);
        return;
      }
      const command: ClosePosition = {
        kind: "close_position",
        userId: caller.userId,
        marketId: market.id,
        type: type as OrderType,
        price: type === "market" ? 0n : onGrid(price, market.pricePrecision),
        amount: amount === undefined ? undefined : onGrid(amount, market.amountPrecision),
        hidden,
        stpMode: "none",
        positionSide: named,
        clientId: clientIdOf(params),
      };
      execute(backend, call, command, (outcome, engine) => call.answer(print.closeAt(outcome, engine)));
    });
  };

  return {
    "POST /perpetual/v1/order/put_limit": (call) => place(call, limitType(call.params), isHidden(call.params.option)),
    "POST /perpetual/v1/order/put_market": (call) => place(call, "market", false),
    "POST /perpetual/v1/order/put_stop_limit": (call) =>
      placeStop(call, limitType(call.params), isHidden(call.params.option)),
    "POST /perpetual/v1/order/put_stop_market": (call) => placeStop(call, "market", false),

    "POST /perpetual/v1/order/close_limit": (call) => {
      const { price, amount, option } = call.params;
      close(call, { type: limitType(call.params), price, amount, hidden: isHidden(option) });
    },
    "POST /perpetual/v1/order/close_market": (call) =>
      close(call, { type: "market", price: "0", amount: call.params.amount, hidden: false }),
    "POST /perpetual/v1/position/market_close": (call) =>
      close(call, { type: "market", price: "0", amount: undefined, hidden: false }),

    "POST /perpetual/v1/order/modify": (call) => {
      const { market, order_id: orderId, amount, price } = call.params;
      const command = modifyOrderOf(state, "futures", call.caller.userId, {
        market,
        account: ACCOUNT,
        orderId,
        amount,
        price,
      });
      execute(backend, aboutOrder(backend, call, "order", orderId), command, (outcome, engine) =>
        call.answer(print.orderAt(engine.events, outcome.orderEvent)),
      );
    },

    "POST /perpetual/v1/order/modify_stop": (call) => {
      const { market, order_id: stopId, amount, price, stop_price: trigger } = call.params;
      const change = { market, account: ACCOUNT, stopId, amount, price, trigger } as const;
      const command = modifyStopOf(state, "futures", call.caller.userId, change);
      execute(backend, aboutOrder(backend, call, "stop", stopId), command, (outcome, engine) =>
        call.answer(print.stop(decodeStop(engine.events, outcome.stopEvent).stop)),
      );
    },

    "POST /perpetual/v1/order/cancel": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, ({ id: marketId }) => {
        const within = { userId: caller.userId, marketId, account: ACCOUNT };
        const about = aboutOrder(backend, call, "order", params.order_id);
        cancelOne(backend, about, ORDERS, within, params.order_id, (order) => call.answer(print.order(order)));
      });
    },

    "POST /perpetual/v1/order/cancel_stop": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, ({ id: marketId }) => {
        const within = { userId: caller.userId, marketId, account: ACCOUNT };
        const about = aboutOrder(backend, call, "stop", params.order_id);
        cancelOne(backend, about, STOP_ORDERS, within, params.order_id, (stop) => call.answer(print.stop(stop)));
      });
    },

    "POST /perpetual/v1/order/cancel_all": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, ({ id: marketId }) => {
        const cancel = { userId: caller.userId, marketId, account: ACCOUNT, side: sideOf(params.side) } as const;
        execute(backend, call, { kind: "cancel_all_orders", ...cancel }, () => call.answer(SUCCESS));
      });
    },

    "POST /perpetual/v1/order/cancel_stop_all": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, ({ id: marketId }) => {
        const all = { userId: caller.userId, account: ACCOUNT, marketId, side: sideOf(params.side) } as const;
        cancelWaitingStops(backend, call, all, () => call.answer(SUCCESS));
      });
    },

    "POST /perpetual/v1/order/cancel_batch": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, ({ id: marketId }) => {
        const within = { userId: caller.userId, marketId, account: ACCOUNT };
        const { order_ids: ids } = params;
        cancelBatch(backend, call, ORDERS, within, ids, printOrder, (elements) =>
          answerElements(backend, call, ids, elements, (told) => call.answer(itemsText(call, told))),
        );
      });
    },

    "POST /perpetual/v1/order/cancel/by_client_id": (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, "futures", call, params.market, (market) => {
        const { client_id: clientId } = params;
        const named = { userId: caller.userId, marketId: market?.id, account: ACCOUNT, clientId };
        cancelNamed(backend, call, ORDERS, named, printOrder, (elements) => call.answer(itemsText(call, elements)));
      });
    },

    "POST /perpetual/v1/order/cancel_stop/by_client_id": (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, "futures", call, params.market, (market) => {
        const { client_id: clientId } = params;
        const named = { userId: caller.userId, marketId: market?.id, account: ACCOUNT, clientId };
        cancelNamed(backend, call, STOP_ORDERS, named, printStop, (elements) => call.answer(itemsText(call, elements)));
      });
    },

    "GET /perpetual/v1/order/status": (call) => {
      const { caller, params } = call;
      return inPastMarket(state, "futures", call, params.market, async (market) => {
        const [order] = await statusOf(backend, caller.userId, market, [params.order_id]);
        if (order === undefined || order instanceof Refused) {
          aboutOrder(backend, call, "order", params.order_id).refuse(order ?? "order_not_found");
        } else call.answer(print.orderStatus(order));
      });
    },

    "GET /perpetual/v1/order/pending": (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, "futures", call, params.market, (market) => {
        const { offset, limit } = params;
        const query = {
          userId: caller.userId,
          account: ACCOUNT,
          marketId: market?.id,
          side: sideOf(params.side),
        } as const;
        answerOffset(call, openOrders(state, { ...query, page: 1, limit, offset }), (order) => print.order(order));
      });
    },

    "GET /perpetual/v1/order/finished": (call) => {
      const { caller, params } = call;
      return inPastMarketOrAll(state, "futures", call, params.market, async (market) => {
        const page = await pageFromHistory((query) => history.finishedOrders(query), {
          userId: caller.userId,
          account: ACCOUNT,
          marketId: market?.id,
          side: sideOf(params.side),
          startTime: params.start_time,
          endTime: params.end_time,
          page: 1,
          limit: params.limit,
          offset: params.offset,
        });
        answerOffset(call, page, (order) => print.order(order));
      });
    },

    "GET /perpetual/v1/order/stop_pending": (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, "futures", call, params.market, (market) => {
        const side = sideOf(params.side);
        const query = {
          userId: caller.userId,
          account: ACCOUNT,
          marketId: market?.id,
          side,
          clientId: undefined,
        } as const;
        const { offset, limit } = params;
        const shown = cutPage(waitingStops(state, query), { page: 1, offset, limit });
        answerOffset(call, shown, (stop) => print.stop(stop));
      });
    },

    "GET /perpetual/v1/order/stop_finished": (call) => {
      const { caller, params } = call;
      return inPastMarketOrAll(state, "futures", call, params.market, async (market) => {
        const page = await pageFromHistory((query) => history.firedStops(query), {
          userId: caller.userId,
          account: ACCOUNT,
          marketId: market?.id,
          side: sideOf(params.side),
          startTime: params.start_time,
          endTime: params.end_time,
          page: 1,
          limit: params.limit,
          offset: params.offset,
        });
        answerOffset(call, page, (stop) =>
          print.finishedStop(stop, { status: stop.orderId === 0 ? FAILED : ACTIVATED }),
        );
      });
    },

    "GET /perpetual/v1/order/stop_status": (call) => {
      const { caller, params } = call;
      const { userId } = caller;
      return inPastMarket(state, "futures", call, params.market, async ({ id: marketId }) => {
        const own = waitingStop(state, userId, marketId, params.order_id);
        if (own !== undefined) {
          call.answer(print.stopStatus(own, { status: "not_deal" }));
          return;
        }
        const fired = await fromHistory(history.firedStop({ userId, marketId, stopId: params.order_id }));
        if (fired instanceof Refused) call.refuse(fired);
        else if (fired === undefined) aboutOrder(backend, call, "stop", params.order_id).refuse("order_not_found");
        else call.answer(print.stopStatus(fired, { status: fired.orderId === 0 ? "fail" : "activated" }));
      });
    },
  };
}

/** The outcome of a stop order that has fired. Source: PerpetualStopFinish. */
const ACTIVATED = 1;
const FAILED = 2;

function clientIdOf(params: object): string {
  return (params as { readonly client_id?: string }).client_id ?? "";
}

function itemsText(call: { readonly renderer: LegacyRenderer }, elements: readonly BatchElement<object>[]): JsonText {
  return asJson(`[${elements.map((element) => itemText(call, element)).join()}]`);
}

/** A PerpetualBatchItem, or one of stop orders: both call what they hold an order. */
function itemText({ renderer }: { readonly renderer: LegacyRenderer }, element: BatchElement<object>): string {
  if (!(element instanceof Refused)) return `{"code":0,"message":"","order":${element.data}}`;
  return `{"code":${renderer.codeOf(element)},"message":${JSON.stringify(renderer.sentenceOf(element))},"order":null}`;
}

/**
 * The side that a call in hedge mode has to name; undefined in one-way mode. Refused when the position is not the
 * caller's.
 */
export function positionNamed(
  { state }: Backend,
  userId: number,
  { id: marketId }: Market,
  positionId: number,
): PositionSide | undefined | Refused {
  const isHedged = isHedge(state, userId);
  if (positionId === 0) return isHedged ? new Refused("no_position") : undefined;
  const slot = openSlot(state, userId, marketId, positionId);
  if (slot === NONE) return new Refused("no_position");
  if (!isHedged) return undefined;
  return state.futures.positions.isShort(slot) ? "short" : "long";
}
