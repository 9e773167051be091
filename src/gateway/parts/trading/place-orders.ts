/** POST /spot/order, /spot/batch-order and their likes for futures. */
import type { PlaceOrder, PositionSide } from "../../../engine/command.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { orderTextAt } from "../../current/records/orders.ts";
import type { MarketType, OrderSide, OrderType, StpMode } from "../../current/types.generated.ts";
import { execute, executeBatch } from "../../reading/execute.ts";
import { onGrid } from "../../reading/grid.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { accountOf, type Both, marketNamed, type Product } from "../../reading/product.ts";
import { invalidParameter, marketNotFound, Refused } from "../../refusals.ts";

/** An order of either product as a request has it: `ccy` is of spot, `position_side` of futures. */
export interface OrderRequest {
  readonly market: string;
  readonly market_type: MarketType;
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly amount: string;
  readonly price: string | undefined;
  readonly ccy?: string | undefined;
  readonly position_side?: PositionSide | undefined;
  readonly client_id: string | undefined;
  readonly is_hide: boolean | undefined;
  readonly stp_mode: StpMode | undefined;
}

export function placeOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const order =
    (product: Product): Handler<Both<"POST", "order">> =>
    (call) => {
      const command = placeOrderOf(backend.state, product, call.caller.userId, call.params);
      if (command instanceof Refused) {
        call.refuse(command);
        return;
      }
      execute(backend, call, command, (outcome, engine) => {
        call.answer(orderTextAt(printers, engine.events, outcome.orderEvent));
      });
    };

  const batch =
    (product: Product): Handler<Both<"POST", "batch-order">> =>
    (call) => {
      executeBatch<OrderRequest>(
        backend,
        call,
        call.params.orders,
        (request) => placeOrderOf(backend.state, product, call.caller.userId, request),
        (outcome, engine) => orderTextAt(printers, engine.events, outcome.orderEvent),
        (elements) => call.answer(elements),
      );
    };

  return {
    "POST /spot/order": order("spot"),
    "POST /futures/order": order("futures"),
    "POST /spot/batch-order": batch("spot"),
    "POST /futures/batch-order": batch("futures"),
  };
}

/** The command that a request asks for; refused when its market or its currency is not one. */
export function placeOrderOf(
  state: State,
  product: Product,
  userId: number,
  request: OrderRequest,
): PlaceOrder | Refused {
  const market = marketNamed(state, product, request.market);
  if (market === undefined) return marketNotFound(request.market);
  const amountIn = amountCurrencyOf(state, market, request);
  if (amountIn instanceof Refused) return amountIn;
  const isMarket = request.type === "market";
  const scale = amountIn === "quote" ? (state.assets[market.quoteAssetId] as Asset).scale : market.amountPrecision;
  return {
    kind: "place_order",
    userId,
    marketId: market.id,
    account: accountOf(request.market_type),
    side: request.side,
    type: request.type,
    amountIn,
    amount: onGrid(request.amount, scale),
    // The frame has seen to it that every other type comes with a price.
    price: isMarket ? 0n : onGrid(request.price as string, market.pricePrecision),
    hidden: request.is_hide ?? false,
    stpMode: request.stp_mode ?? "none",
    positionSide: request.position_side,
    clientId: request.client_id ?? "",
  };
}

/**
 * What the amount counts. A market order of spot may name either currency of its market; without a name a buy counts quote
 * and a sell base, as existing clients rely on. All other orders count base, so that naming another currency is a mistake.
 * Source: domain 2.3.
 */
function amountCurrencyOf(state: State, market: Market, request: OrderRequest): "base" | "quote" | Refused {
  if (market.futures !== undefined) return "base";
  const { ccy } = request;
  const isMarket = request.type === "market";
  if (ccy === undefined) return isMarket && request.side === "buy" ? "quote" : "base";
  const base = (state.assets[market.baseAssetId] as Asset).ccy;
  const quote = (state.assets[market.quoteAssetId] as Asset).ccy;
  if (ccy === base) return "base";
  if (ccy === quote && isMarket) return "quote";
  return invalidParameter(isMarket ? `ccy must be ${base} or ${quote}.` : `ccy must be ${base} unless type is market.`);
}
