/** Records of open orders that the book shows a part of, as the contract prints them. */
import type { OrderRecord } from "../../../engine/event.ts";
import type { Fields, RecordOf } from "../../../engine/record.ts";
import { type JsonText, jsonList } from "../../reading/json-text.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { recordPrinter, type Shape } from "../../reading/record-printer.ts";
import type { RecordType } from "../../request/rules.ts";
import { loadContract } from "../contract.ts";
import { ORDER_SHAPE } from "./orders.ts";

/** Lots that an iceberg displays at a time, and now. */
const SLICE_FIELDS = { peak: "lots", shown: "lots" } as const satisfies Fields;

export type IcebergRow = OrderRecord & RecordOf<typeof SLICE_FIELDS>;

const SHAPE: Shape<IcebergRow, unknown> = {
  fields: { ...ORDER_SHAPE.fields, ...SLICE_FIELDS },
  units: ORDER_SHAPE.units,
  others: { ...ORDER_SHAPE.others, isReduceOnly: ({ aim }) => (aim === "trade" ? "false" : "true") },
};

const print = recordPrinter(loadContract().records.get("IcebergOrder") as RecordType, SHAPE);

export function icebergListText(printers: Printers, rows: readonly IcebergRow[]): JsonText {
  return jsonList(rows, (row) => print(row, printers.of(row.marketId)));
}
