/** Records of stop orders as the contract prints them. */
import { decodeStop, STOP_FIELDS, type StopRecord } from "../../../engine/stops/stop-event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import { type JsonText, jsonList } from "../../reading/json-text.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { recordPrinter, type Shape } from "../../reading/record-printer.ts";
import type { RecordType } from "../../request/rules.ts";
import { loadContract } from "../contract.ts";
import type { StopId } from "../types.generated.ts";
import { TRAIT_TEXTS, TRAIT_UNITS } from "./order-traits.ts";

/** Where the fields of stop orders come from, over HTTP and on sockets. */
export const STOP_SHAPE = {
  fields: STOP_FIELDS,
  units: TRAIT_UNITS,
  others: {
    ...TRAIT_TEXTS,
    triggerDirection: ({ direction }) => direction,
    triggerPriceType: ({ triggerType }) => triggerType,
  },
} as const satisfies Shape<StopRecord, unknown>;

const { records } = loadContract();
const printSpot = recordPrinter(records.get("SpotStopOrder") as RecordType, STOP_SHAPE);
const printFutures = recordPrinter(records.get("FuturesStopOrder") as RecordType, STOP_SHAPE);

/** A stop order, from an event, from those that wait or from history, as the product of its market shows it. */
export function stopOrderText(printers: Printers, stop: StopRecord): JsonText {
  const printer = printers.of(stop.marketId);
  return printer.market.futures === undefined ? printSpot(stop, printer) : printFutures(stop, printer);
}

export function stopOrderListText(printers: Printers, stops: readonly StopRecord[]): JsonText {
  return jsonList(stops, (stop) => stopOrderText(printers, stop));
}

export function stopIdAt(events: WordBuffer, at: number): StopId {
  return { stop_id: decodeStop(events, at).stop.stopId };
}
