/**
 * Which of one's open orders are icebergs, and how much of each the book shows at a time: the records of orders do not
 * tell. Read when the list of open orders has other orders than before.
 */
import { createRoot } from "solid-js";
import type { IcebergOrder, Product } from "../api/records.ts";
import type { Decimal } from "../number/decimal.ts";
import { readBeside } from "./beside.ts";
import { type OpenOrder, orders, productOf, readAll } from "./orders-store.ts";

/** A program that places many orders a second is no reason to ask as often. */
const READ_MS = 1_000;

function icebergsOf(product: Product) {
  return readBeside<ReadonlyMap<number, Decimal>>({
    rows: () =>
      orders[product]
        .rows()
        .map(({ order_id }) => order_id)
        .join(),
    none: new Map(),
    read: async () => {
      const rows = await readAll<IcebergOrder>(product, `/v2/ext/${product}/iceberg-order`);
      return new Map(rows.map(({ order_id, display_amount }) => [order_id, display_amount]));
    },
    readMs: READ_MS,
  });
}

const displays = createRoot(() => ({ spot: icebergsOf("spot"), futures: icebergsOf("futures") }));

/** As much of an order as the book shows at a time; undefined where it shows all of it. */
export function displayOf({ marketType, order_id }: OpenOrder): Decimal | undefined {
  return displays[productOf(marketType)]().get(order_id);
}
