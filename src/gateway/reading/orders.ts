/** Requests about orders, of whatever surface, as commands. */
import type { Account, ModifyOrder, OrderType, PlaceOrder, PositionSide, Side, StpMode } from "../../engine/command.ts";
import type { Asset } from "../../engine/listing/asset.ts";
import type { Market } from "../../engine/listing/market.ts";
import { onGrid } from "../../engine/money/on-grid.ts";
import type { State } from "../../engine/state.ts";
import { invalidParameter, marketNotFound, Refused } from "../refused.ts";
import { marketNamed, type Product } from "./product.ts";

/** An order as it is asked for: amounts and prices are plain decimals. */
export interface OrderAsked {
  readonly market: string;
  readonly account: Account;
  readonly side: Side;
  readonly type: OrderType;
  readonly amount: string;
  /** Of every type but market. */
  readonly price: string | undefined;
  /** The currency that the amount counts; of market orders of spot. */
  readonly ccy: string | undefined;
  /** Of futures. */
  readonly positionSide: PositionSide | undefined;
  readonly clientId: string | undefined;
  readonly hidden: boolean | undefined;
  readonly stpMode: StpMode | undefined;
}

/** The changes that are asked of a resting order: its total amount, its price, or both. */
export interface ModificationAsked {
  readonly market: string;
  /** Undefined: the order is looked for in every account of the market. */
  readonly account: Account | undefined;
  readonly orderId: number;
  readonly amount: string | undefined;
  readonly price: string | undefined;
}

/** The command that a request asks for; refused when its market or its currency is not one. */
export function placeOrderOf(state: State, product: Product, userId: number, asked: OrderAsked): PlaceOrder | Refused {
  const market = marketNamed(state, product, asked.market);
  if (market === undefined) return marketNotFound(asked.market);
  const amountIn = amountCurrencyOf(state, market, asked);
  if (amountIn instanceof Refused) return amountIn;
  const isMarket = asked.type === "market";
  const scale = amountIn === "quote" ? (state.assets[market.quoteAssetId] as Asset).scale : market.amountPrecision;
  return {
    kind: "place_order",
    userId,
    marketId: market.id,
    account: asked.account,
    side: asked.side,
    type: asked.type,
    amountIn,
    amount: onGrid(asked.amount, scale),
    // The surface has seen to it that every other type comes with a price.
    price: isMarket ? 0n : onGrid(asked.price as string, market.pricePrecision),
    hidden: asked.hidden ?? false,
    stpMode: asked.stpMode ?? "none",
    positionSide: asked.positionSide,
    clientId: asked.clientId ?? "",
  };
}

/**
 * Returns which currency the amount counts. A market order of spot may name either currency of its market; without a
 * name a buy counts quote and a sell base, as existing clients rely on. All other orders count base, so that naming
 * another currency is a mistake, which is refused.
 * Source: domain 2.3.
 */
function amountCurrencyOf(state: State, market: Market, asked: OrderAsked): "base" | "quote" | Refused {
  if (market.futures !== undefined) return "base";
  const { ccy } = asked;
  const isMarket = asked.type === "market";
  if (ccy === undefined) return isMarket && asked.side === "buy" ? "quote" : "base";
  const base = (state.assets[market.baseAssetId] as Asset).ccy;
  const quote = (state.assets[market.quoteAssetId] as Asset).ccy;
  if (ccy === base) return "base";
  if (ccy === quote && isMarket) return "quote";
  return invalidParameter(isMarket ? `ccy must be ${base} or ${quote}.` : `ccy must be ${base} unless type is market.`);
}

/** The command that a request to modify a resting order asks for. */
export function modifyOrderOf(
  state: State,
  product: Product,
  userId: number,
  asked: ModificationAsked,
): ModifyOrder | Refused {
  const market = marketNamed(state, product, asked.market);
  if (market === undefined) return marketNotFound(asked.market);
  const { amount, price } = asked;
  if (amount === undefined && price === undefined) return invalidParameter("amount or price must be given.");
  return {
    kind: "modify_order",
    userId,
    marketId: market.id,
    account: asked.account,
    orderId: asked.orderId,
    amount: amount === undefined ? undefined : onGrid(amount, market.amountPrecision),
    price: price === undefined ? undefined : onGrid(price, market.pricePrecision),
  };
}
