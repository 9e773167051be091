/** Records of stop orders with trails and of those in groups as the contract prints them. */
import { CONDITION_FIELDS } from "../../../engine/stops/condition.ts";
import type { StopRecord } from "../../../engine/stops/stop-event.ts";
import { type JsonText, jsonList } from "../../reading/json-text.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { recordPrinter, type Shape } from "../../reading/record-printer.ts";
import type { RecordType } from "../../request/rules.ts";
import { loadContract } from "../contract.ts";
import { STOP_SHAPE } from "./stop-orders.ts";

/** A conditional order, and the order of its group that rests; 0: there is none. */
export type ConditionalRow = Required<Pick<StopRecord, keyof typeof CONDITION_FIELDS>> &
  StopRecord & { readonly orderId: number };

const SHAPE: Shape<ConditionalRow, unknown> = {
  fields: { ...STOP_SHAPE.fields, ...CONDITION_FIELDS, orderId: "id" },
  units: STOP_SHAPE.units,
  others: { ...STOP_SHAPE.others, isReduceOnly: ({ reduces }) => (reduces === true ? "true" : "false") },
};

const print = recordPrinter(loadContract().records.get("ConditionalOrder") as RecordType, SHAPE);

export function conditionalListText(printers: Printers, rows: readonly ConditionalRow[]): JsonText {
  return jsonList(rows, (row) => print(row, printers.of(row.marketId)));
}
