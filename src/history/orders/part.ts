import { definePart } from "../part.ts";
import { type EndedOrdersQuery, endedOrdersOf, type FinishedOrdersQuery, finishedOrders } from "./order-queries.ts";
import { OrderWriter } from "./order-writer.ts";
import { ORDER_TABLES } from "./tables.ts";

/** Orders that ended with a fill. */
export const orders = definePart({
  name: "orders",
  version: 1,
  tables: ORDER_TABLES,
  past: "needed",
  migrations: {},
  begin: (file) => new OrderWriter(file),
  queries: ({ db }) => ({
    /** Orders of a user that ended with a fill, newest order id first. */
    finishedOrders: (query: FinishedOrdersQuery) => finishedOrders(db, query),
    /** Those of the given orders that ended with a fill and belong to the user, in no particular order. */
    endedOrders: (query: EndedOrdersQuery) => endedOrdersOf(db, query),
  }),
});
