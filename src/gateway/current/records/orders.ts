/** Records of orders as the contract prints them. */
import { decodeOrder, ORDER_FIELDS, type OrderRecord } from "../../../engine/event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import { type JsonText, jsonList } from "../../reading/json-text.ts";
import { NOTHING, type Printers } from "../../reading/market-printer.ts";
import { recordPrinter, type Shape, sourceOf } from "../../reading/record-printer.ts";
import type { Field, RecordType } from "../../request/rules.ts";
import { loadContract } from "../contract.ts";
import { TRAIT_TEXTS, TRAIT_UNITS } from "./order-traits.ts";

/** Where the fields of orders come from, over HTTP and on sockets. */
export const ORDER_SHAPE = {
  fields: ORDER_FIELDS,
  units: TRAIT_UNITS,
  others: {
    ...TRAIT_TEXTS,
    feeCcy: (_, { settle }) => settle.ccy,
    status: ({ status }) => status,
    lastFilledLots: ({ lastFilledLots }, printer) => (lastFilledLots === 0n ? NOTHING : printer.amount(lastFilledLots)),
  },
} as const satisfies Shape<OrderRecord, unknown>;

const { records } = loadContract();
const recordNamed = (name: string) => records.get(name) as RecordType;

/** By product; spot orders twice, as documented and as existing clients know them. */
const PRINT = {
  spot: recordPrinter(recordNamed("SpotOrder"), ORDER_SHAPE),
  liveSpot: recordPrinter(withFillTwice("SpotOrder"), ORDER_SHAPE),
  futures: recordPrinter(recordNamed("FuturesOrder"), ORDER_SHAPE),
};
const PRINT_STATUS = {
  spot: recordPrinter(recordNamed("SpotOrderStatus"), ORDER_SHAPE),
  liveSpot: recordPrinter(withFillTwice("SpotOrderStatus"), ORDER_SHAPE),
  futures: recordPrinter(recordNamed("FuturesOrderStatus"), ORDER_SHAPE),
};
const printClose = recordPrinter(recordNamed("FuturesCloseOrder"), ORDER_SHAPE);

/** The record with both spellings of its last fill (compat). */
function withFillTwice(name: string): RecordType {
  const { fields } = recordNamed(name);
  const documented = fields.filter((field) => field.name.startsWith("last_filled_"));
  const again = documented.map(
    (field): Field => ({ ...field, name: field.name.replace("filled", "fill"), of: sourceOf(field) }),
  );
  return { fields: fields.toSpliced(fields.indexOf(documented[1] as Field) + 1, 0, ...again) };
}

/**
 * A SpotOrder or a FuturesOrder, as the product of its market shows it. The same printer serves events, live orders and
 * history.
 */
export function orderText(printers: Printers, order: OrderRecord): JsonText {
  return printWith(PRINT, printers, order);
}

/** The same with how the order stands. */
export function orderStatusText(printers: Printers, order: OrderRecord): JsonText {
  return printWith(PRINT_STATUS, printers, order);
}

function printWith({ spot, liveSpot, futures }: typeof PRINT, printers: Printers, order: OrderRecord): JsonText {
  const printer = printers.ofOrders(order.marketId);
  if (printer.market.futures !== undefined) return futures(order, printer);
  return printers.showsOrdersLive ? liveSpot(order, printer) : spot(order, printer);
}

/** A FuturesCloseOrder: it does not say which position it closes. */
export function closeOrderText(printers: Printers, order: OrderRecord): JsonText {
  return printClose(order, printers.ofOrders(order.marketId));
}

/** A list of orders. */
export function orderListText(printers: Printers, orders: readonly OrderRecord[]): JsonText {
  return jsonList(orders, (order) => orderText(printers, order));
}

/** The order whose event starts at word `at`. */
export function orderTextAt(printers: Printers, events: WordBuffer, at: number): JsonText {
  return orderText(printers, decodeOrder(events, at));
}
