/** Candles as the legacy generation prints them. */
import type { Candle } from "../../../history/candles/kline.ts";
import type { MarketPrinter } from "../../reading/market-printer.ts";
import type { LegacyKlineRow } from "../types.generated.ts";
import { seconds } from "./time.ts";

export function klineOf(printer: MarketPrinter, candle: Candle): LegacyKlineRow {
  return [
    seconds(candle.createdAt),
    printer.price(candle.open),
    printer.price(candle.close),
    printer.price(candle.high),
    printer.price(candle.low),
    printer.amount(candle.volume),
    printer.value(candle.value),
  ];
}
