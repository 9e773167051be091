/** Trailing stops, icebergs, pairs and brackets, below /ext. */
import type { OrderRecord } from "../../../engine/event.ts";
import type { State } from "../../../engine/state.ts";
import type { Leg, PlaceConditional } from "../../../engine/stops/command-schemas.ts";
import type { Iceberg } from "../../../engine/trading/order.ts";
import type { CountedPage } from "../../../history/page.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { openList } from "../../current/lists.ts";
import { accountOf } from "../../current/product.ts";
import { type ConditionalRow, conditionalListText } from "../../current/records/conditional-orders.ts";
import { type IcebergRow, icebergListText } from "../../current/records/iceberg-orders.ts";
import type { ConditionalPlaced, FuturesConditionalRequest, MarketType } from "../../current/types.generated.ts";
import { cutPage } from "../../reading/cut-page.ts";
import { execute } from "../../reading/execute.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { type OpenOrdersQuery, openOrders } from "../../reading/open-orders.ts";
import { marketNamed, type Product } from "../../reading/product.ts";
import { type WaitingStopsQuery, waitingStops } from "../../reading/waiting-stops.ts";
import { marketNotFound, type Refused } from "../../refused.ts";

type Ext<Method extends "GET" | "POST", Rest extends string> = `${Method} /ext/${Product}/${Rest}`;

/** Whose orders a request wants placed, and where. */
interface Where {
  readonly market: string;
  readonly market_type: MarketType;
}

export function conditionalHandlers(backend: Backend, printers: Printers): Handlers {
  const { state } = backend;

  const place = (
    product: Product,
    call: Parameters<Handler<Ext<"POST", "oco" | "bracket" | "trailing-stop" | "iceberg-order">>>[0],
    shape: string,
    legs: readonly Leg[],
  ) => {
    const command = placeOf(state, product, call.caller.userId, call.params, shape, legs);
    execute(backend, call, command, ({ result }) => call.answer(placedOf(result)));
  };

  const trailing =
    (product: Product): Handler<Ext<"POST", "trailing-stop">> =>
    (call) =>
      place(product, call, "single", [legOf({ ...call.params, type: "market" })]);

  const oco =
    (product: Product): Handler<Ext<"POST", "oco">> =>
    (call) =>
      place(product, call, "oco", call.params.orders.map(legOf));

  const bracket =
    (product: Product): Handler<Ext<"POST", "bracket">> =>
    (call) => {
      const { params } = call;
      const exit = {
        side: params.side === "buy" ? ("sell" as const) : ("buy" as const),
        type: "market",
        amount: params.amount,
        trigger_price_type: params.trigger_price_type,
        position_side: "position_side" in params ? params.position_side : undefined,
        is_reduce_only: product === "futures",
      } as const;
      const loss = {
        trigger_price: params.stop_loss_price,
        trail: params.stop_loss_trail,
        trail_rate: params.stop_loss_trail_rate,
      };
      place(product, call, "bracket", [
        legOf({ ...params, trigger_price_type: undefined }),
        legOf({ ...exit, trigger_price: params.take_profit_price }),
        legOf({ ...exit, ...loss }),
      ]);
    };

  const cancel =
    (marketType: "SPOT" | "FUTURES"): Handler<Ext<"POST", "cancel-group">> =>
    (call) => {
      const { caller, params } = call;
      const command = { kind: "cancel_group", userId: caller.userId, groupId: params.group_id, marketType } as const;
      execute(backend, call, command, ({ result }) => call.answer(placedOf(result)));
    };

  const iceberg =
    (product: Product): Handler<Ext<"POST", "iceberg-order">> =>
    (call) =>
      place(product, call, "single", [legOf(call.params)]);

  const icebergs = openList(
    state,
    (query) => icebergRows(state, query),
    (rows) => icebergListText(printers, rows),
  );

  const pending = openList(
    state,
    (query) => cutPage(conditionalRows(state, query), query),
    (rows) => conditionalListText(printers, rows),
  );

  return {
    "POST /ext/spot/trailing-stop": trailing("spot"),
    "POST /ext/futures/trailing-stop": trailing("futures"),
    "POST /ext/spot/oco": oco("spot"),
    "POST /ext/futures/oco": oco("futures"),
    "POST /ext/spot/bracket": bracket("spot"),
    "POST /ext/futures/bracket": bracket("futures"),
    "POST /ext/spot/iceberg-order": iceberg("spot"),
    "POST /ext/futures/iceberg-order": iceberg("futures"),
    "GET /ext/spot/iceberg-order": icebergs("spot"),
    "GET /ext/futures/iceberg-order": icebergs("futures"),
    "POST /ext/spot/cancel-group": cancel("SPOT"),
    "POST /ext/futures/cancel-group": cancel("FUTURES"),
    "GET /ext/spot/conditional-order": pending("spot"),
    "GET /ext/futures/conditional-order": pending("futures"),
  };
}

/** Newest first. */
function icebergRows(state: State, query: OpenOrdersQuery): CountedPage<IcebergRow> {
  const { rows, ...page } = openOrders(state, { ...query, areIcebergs: true });
  const withSlice = (order: OrderRecord): IcebergRow => {
    return { ...order, ...(state.orders.icebergs.get(order.orderId) as Iceberg) };
  };
  return { ...page, rows: rows.map(withSlice) };
}

/** Newest first. */
function conditionalRows(state: State, query: WaitingStopsQuery): ConditionalRow[] {
  return waitingStops(state, query)
    .filter((stop) => stop.groupId !== undefined)
    .map((stop) => {
      const orderId = state.stops.groups.find(stop.groupId as number)?.orderId ?? 0;
      return { ...stop, orderId } as ConditionalRow;
    });
}

function placeOf(
  state: State,
  product: Product,
  userId: number,
  { market: name, market_type }: Where,
  shape: string,
  legs: readonly Leg[],
): PlaceConditional | Refused {
  const market = marketNamed(state, product, name);
  if (market === undefined) return marketNotFound(name);
  return { kind: "place_conditional", userId, marketId: market.id, account: accountOf(market_type), shape, legs };
}

/** An order of a request as the command has it. */
function legOf(
  request: Partial<FuturesConditionalRequest> & Pick<FuturesConditionalRequest, "side" | "type" | "amount">,
): Leg {
  return {
    side: request.side,
    type: request.type,
    amount: request.amount,
    price: request.price,
    trigger: request.trigger_price,
    trail: request.trail,
    trailRate: request.trail_rate,
    activation: request.activation_price,
    triggerType: request.trigger_price_type,
    reduces: request.is_reduce_only,
    positionSide: request.position_side,
    hidden: request.is_hide,
    display: request.display_amount,
    stpMode: request.stp_mode,
    clientId: request.client_id,
  };
}

function placedOf(result: unknown): ConditionalPlaced {
  const { groupId, orderId, stopIds } = result as {
    readonly groupId: number;
    readonly orderId: number;
    readonly stopIds: readonly number[];
  };
  return { group_id: groupId, order_id: orderId, stop_ids: stopIds };
}
