import { definePart } from "../part.ts";
import {
  type EndedOrdersQuery,
  endedOrderOf,
  endedOrdersOf,
  type FinishedOrdersQuery,
  finishedOrders,
} from "./order-queries.ts";
import { OrderWriter } from "./order-writer.ts";
import { ORDER_TABLES } from "./tables.ts";

/** Orders that ended with a fill. */
export const orders = definePart({
  name: "orders",
  version: 1,
  tables: ORDER_TABLES,
  backfill: "needed",
  migrations: {},
  begin: (tables) => OrderWriter.begin(tables),
  queries: ({ db, segments }) => ({
    /** Orders of a user that ended with a fill, newest order id first. */
    finishedOrders: (query: FinishedOrdersQuery) => finishedOrders(db, segments, query),
    /** The one of this id that ended with a fill, whosever it was. */
    orderOfAnybody: (query: { readonly orderId: number }) => endedOrderOf(db, query),
    /** Those of the given orders that ended with a fill and belong to the user, in no particular order. */
    endedOrders: (query: EndedOrdersQuery) => endedOrdersOf(db, query),
  }),
});
