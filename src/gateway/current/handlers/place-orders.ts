/** POST /spot/order and /spot/batch-order. */
import type { Account, PlaceOrder } from "../../../engine/command.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import { invalidParameter, marketNotFound, Refused } from "../../refusals.ts";
import type { Handlers } from "../api.ts";
import type { SpotMarketType, SpotOrderRequest } from "../types.generated.ts";
import { execute, executeBatch } from "./execute.ts";
import { onGrid } from "./grid.ts";
import type { Printers } from "./market-printer.ts";
import { orderTextAt } from "./wire.ts";

export function placeOrderHandlers(backend: Backend, printers: Printers): Handlers {
  return {
    "POST /spot/order": (call) => {
      const command = placeOrderOf(backend.state, call.caller.userId, call.params);
      if (command instanceof Refused) {
        call.refuse(command);
        return;
      }
      execute(backend, call, command, (outcome, engine) => {
        call.answer(orderTextAt(printers, engine.events, outcome.orderEvent));
      });
    },

    "POST /spot/batch-order": (call) => {
      executeBatch(
        backend,
        call,
        call.params.orders,
        (request) => placeOrderOf(backend.state, call.caller.userId, request),
        (outcome, engine) => orderTextAt(printers, engine.events, outcome.orderEvent),
        (elements) => call.answer(elements),
      );
    },
  };
}

/** The account that a market type of the wire names. */
export function accountOf(marketType: SpotMarketType): Account {
  return marketType === "MARGIN" ? "margin" : "spot";
}

/** The command that a request asks for; refused when its market or its currency is not one. */
export function placeOrderOf(state: State, userId: number, request: SpotOrderRequest): PlaceOrder | Refused {
  const market = state.marketByName.get(request.market);
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
    clientId: request.client_id ?? "",
  };
}

/**
 * What the amount counts. A market order may name either currency of its market; without a name a buy counts quote and a
 * sell base, as existing clients rely on. All other orders count base, so that naming another currency is a mistake.
 * Source: domain 2.3.
 */
function amountCurrencyOf(state: State, market: Market, request: SpotOrderRequest): "base" | "quote" | Refused {
  const { ccy } = request;
  const isMarket = request.type === "market";
  if (ccy === undefined) return isMarket && request.side === "buy" ? "quote" : "base";
  const base = (state.assets[market.baseAssetId] as Asset).ccy;
  const quote = (state.assets[market.quoteAssetId] as Asset).ccy;
  if (ccy === base) return "base";
  if (ccy === quote && isMarket) return "quote";
  return invalidParameter(isMarket ? `ccy must be ${base} or ${quote}.` : `ccy must be ${base} unless type is market.`);
}
