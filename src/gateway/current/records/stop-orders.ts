/** Records of stop orders as the contract prints them. */
import { decodeStop, type StopRecord } from "../../../engine/stops/stop-event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import { asJson, type JsonText } from "../../reading/json-text.ts";
import type { MarketPrinter, Printers } from "../../reading/market-printer.ts";
import type { FuturesStopOrder, SpotStopOrder, StopId } from "../types.generated.ts";
import { MARKET_TYPE } from "./orders.ts";

/** A stop order, from an event, from those that wait or from history, as the product of its market shows it. */
export function stopOrderOf(printers: Printers, stop: StopRecord): SpotStopOrder | FuturesStopOrder {
  const printer = printers.of(stop.marketId);
  return printer.market.futures === undefined ? spotStopOf(printer, stop) : futuresStopOf(printer, stop);
}

function spotStopOf(printer: MarketPrinter, stop: StopRecord): SpotStopOrder {
  const inQuote = stop.amountIn === "quote";
  return {
    stop_id: stop.stopId,
    market: printer.market.name,
    market_type: MARKET_TYPE[stop.account === "margin" ? "margin" : "spot"],
    ccy: inQuote ? printer.quote.ccy : printer.base.ccy,
    side: stop.side,
    type: stop.type,
    amount: inQuote ? printer.value(stop.amount) : printer.amount(stop.amount),
    price: printer.priceOrNothing(stop.price),
    trigger_price: printer.price(stop.trigger),
    trigger_direction: stop.direction,
    trigger_price_type: "latest_price",
    client_id: stop.clientId,
    created_at: stop.createdAt,
    updated_at: stop.updatedAt,
  };
}

function futuresStopOf(printer: MarketPrinter, stop: StopRecord): FuturesStopOrder {
  return {
    stop_id: stop.stopId,
    market: printer.market.name,
    market_type: MARKET_TYPE.futures,
    side: stop.side,
    type: stop.type,
    amount: printer.amount(stop.amount),
    price: printer.priceOrNothing(stop.price),
    position_side: stop.positionSide ?? "",
    trigger_price: printer.price(stop.trigger),
    trigger_direction: stop.direction,
    trigger_price_type: stop.triggerType,
    client_id: stop.clientId,
    created_at: stop.createdAt,
    updated_at: stop.updatedAt,
  };
}

export function stopOrderText(printers: Printers, stop: StopRecord): JsonText {
  return asJson(JSON.stringify(stopOrderOf(printers, stop)));
}

export function stopOrderListText(printers: Printers, stops: readonly StopRecord[]): JsonText {
  return asJson(`[${stops.map((stop) => stopOrderText(printers, stop)).join()}]`);
}

/** The stop order whose event starts at word `at`. */
export function stopOrderTextAt(printers: Printers, events: WordBuffer, at: number): JsonText {
  return stopOrderText(printers, decodeStop(events, at).stop);
}

export function stopIdAt(events: WordBuffer, at: number): StopId {
  return { stop_id: decodeStop(events, at).stop.stopId };
}
