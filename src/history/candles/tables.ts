import { int, table, text } from "../table.ts";

/** Sums are decimal integers as text, because many amounts can exceed 64 bits. */
const prices = { open: int, high: int, low: int, close: int, volume: text, value: text };

/**
 * Candles with a trade, or an update of the index or mark, in them; empty ones are filled in when asked for. price_type
 * is a place in PRICE_TYPES.
 */
export const klineRows = table(
  "klines",
  { market_id: int, price_type: int, period_s: int, start_s: int, ...prices },
  { key: ["market_id", "price_type", "period_s", "start_s"] },
);

/** Candles of one second with the part of the volume whose taker bought, over the window of the 24 h ticker. */
export const secondRows = table(
  "traded_seconds",
  { market_id: int, second: int, ...prices, volume_buy: text },
  { key: ["market_id", "second"] },
);

export const CANDLE_TABLES = [klineRows, secondRows] as const;
