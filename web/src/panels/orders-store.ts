/** One's open orders and waiting stop orders, of both products. */
import { createMemo, createRoot } from "solid-js";
import { ownList, type RowChange } from "../account/own.ts";
import { getPage, post } from "../api/client.ts";
import type {
  FuturesOrder,
  FuturesStopOrder,
  OrderSide,
  OrderType,
  Product,
  SpotOrder,
  SpotStopOrder,
} from "../api/records.ts";
import { market } from "../market/markets.ts";
import type { Decimal } from "../number/decimal.ts";

export type MarketType = "SPOT" | "MARGIN" | "FUTURES";

/** The fields of an open order that are shown, whichever product it is of. */
export interface OpenOrder {
  readonly order_id: number;
  readonly market: string;
  readonly marketType: MarketType;
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly filled_amount: Decimal;
  readonly unfilled_amount: Decimal;
  readonly created_at: number;
}

export interface StopOrder {
  readonly stop_id: number;
  readonly market: string;
  readonly marketType: MarketType;
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly trigger_price: Decimal;
  readonly trigger_direction: string;
  readonly trigger_price_type: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const READ_MAX = 500;

const TYPES_OF: Readonly<Record<Product, readonly MarketType[]>> = { spot: ["SPOT", "MARGIN"], futures: ["FUTURES"] };

interface OrderPush {
  readonly event: "put" | "update" | "modify" | "finish";
  readonly order: Omit<OpenOrder, "marketType"> & { readonly margin_market?: string };
}

interface StopPush {
  readonly event: "put" | "active" | "cancel";
  readonly stop: Omit<StopOrder, "marketType"> & { readonly margin_market?: string };
}

function pushedType(product: Product, marginMarket: string | undefined): MarketType {
  if (product === "futures") return "FUTURES";
  return marginMarket === undefined || marginMarket === "" ? "SPOT" : "MARGIN";
}

/** The rows of a list of one's own of each kind of account that trades in a product's markets. */
export async function readAll<Row extends { readonly market_type: string }>(product: Product, path: string) {
  const pages = await Promise.all(
    TYPES_OF[product].map((market_type) => getPage<Row>(path, { market_type, limit: READ_MAX })),
  );
  return pages.flatMap(({ rows }) => rows.map((row) => ({ ...row, marketType: row.market_type as MarketType })));
}

function openOrders(product: Product) {
  return ownList<OpenOrder>({
    product,
    channel: "order",
    key: "order_id",
    read: () => readAll<SpotOrder | FuturesOrder>(product, `/v2/${product}/pending-order`),
    changesOf: ({ event, order }: OrderPush): readonly RowChange<OpenOrder>[] => {
      if (event === "finish") return [{ gone: `${order.order_id}` }];
      // What takes and never rests is pushed on its way, too.
      if (order.type === "market" || order.type === "ioc" || order.type === "fok") return [];
      return [{ put: { ...order, marketType: pushedType(product, order.margin_market) } }];
    },
  });
}

function stopOrders(product: Product) {
  return ownList<StopOrder>({
    product,
    channel: "stop",
    key: "stop_id",
    read: () => readAll<SpotStopOrder | FuturesStopOrder>(product, `/v2/${product}/pending-stop-order`),
    changesOf: ({ event, stop }: StopPush): readonly RowChange<StopOrder>[] =>
      event === "put"
        ? [
            {
              put: {
                ...stop,
                trigger_price_type: stop.trigger_price_type ?? "latest_price",
                marketType: pushedType(product, stop.margin_market),
              },
            },
          ]
        : [{ gone: `${stop.stop_id}` }],
  });
}

export const orders = { spot: openOrders("spot"), futures: openOrders("futures") };
export const stops = { spot: stopOrders("spot"), futures: stopOrders("futures") };

/** Prices in the book of this market at which one's own orders stand. */
export const ownPrices = createRoot(() =>
  createMemo<ReadonlySet<Decimal>>(() => {
    const now = market();
    if (now === undefined) return new Set();
    const own = orders[now.product].rows().filter((order) => order.market === now.market);
    return new Set(own.map(({ price }) => price));
  }),
);

export function productOf(marketType: MarketType): Product {
  return marketType === "FUTURES" ? "futures" : "spot";
}

export async function cancelOrder({ market: name, marketType, order_id }: OpenOrder): Promise<void> {
  await post(`/v2/${productOf(marketType)}/cancel-order`, { market: name, market_type: marketType, order_id });
}

export async function cancelStop({ market: name, marketType, stop_id }: StopOrder): Promise<void> {
  await post(`/v2/${productOf(marketType)}/cancel-stop-order`, { market: name, market_type: marketType, stop_id });
}

export async function changeOrder(order: OpenOrder, to: { price?: Decimal; amount?: Decimal }): Promise<void> {
  const { market: name, marketType, order_id } = order;
  await post(`/v2/${productOf(marketType)}/modify-order`, { market: name, market_type: marketType, order_id, ...to });
}

export async function changeStop(
  stop: StopOrder,
  to: { price?: Decimal; amount?: Decimal; trigger_price?: Decimal },
): Promise<void> {
  const { market: name, marketType, stop_id } = stop;
  await post(`/v2/${productOf(marketType)}/modify-stop-order`, {
    market: name,
    market_type: marketType,
    stop_id,
    ...to,
  });
}

/** Cancels every open order of these, market by market. */
export async function cancelAll(of: readonly OpenOrder[]): Promise<void> {
  const groups = new Map(of.map((order) => [`${order.marketType} ${order.market}`, order]));
  for (const { market: name, marketType } of groups.values()) {
    await post(`/v2/${productOf(marketType)}/cancel-all-order`, { market: name, market_type: marketType });
  }
}
