/** Records of stop orders as the contract prints them. */
import { decodeStop, type StopRecord } from "../../../engine/stop-event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import type { SpotStopOrder, StopId } from "../types.generated.ts";
import type { Printers } from "./market-printer.ts";
import { MARKET_TYPE } from "./wire.ts";

/** A stop order, from an event, from those that wait or from history. */
export function stopOrderOf(printers: Printers, stop: StopRecord): SpotStopOrder {
  const printer = printers.of(stop.marketId);
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

/** The stop order whose event starts at word `at`. */
export function stopOrderAt(printers: Printers, events: WordBuffer, at: number): SpotStopOrder {
  return stopOrderOf(printers, decodeStop(events, at).stop);
}

export function stopIdAt(events: WordBuffer, at: number): StopId {
  return { stop_id: decodeStop(events, at).stop.stopId };
}
