/** Candles that were recorded elsewhere: checked here, kept by history alone. Nothing of the state depends on them. */
import { type Answer, accepted, refused } from "../answer.ts";
import { parseDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { ImportCandles } from "./command-schemas.ts";
import type { Market } from "./market.ts";

type Recorded = ImportCandles["candles"][number];
/** [start in seconds, open, high, low, close, volume, value] as decimal integers: ticks, lots and units. */
export type CandleRow = readonly [number, string, string, string, string, string, string];

/** A year: no candle is longer. */
const PERIOD_MAX_S = 31_536_000;

/** Takes in closed candles of one length, ascending. Amounts finer than the market counts are cut off. */
export function importCandles(state: State, { market: name, marketType, periodS, candles }: ImportCandles): Answer {
  const market = state.marketNamed(name, marketType === "FUTURES");
  if (market === undefined || market.delisted) return refused("market_not_found", `The market ${name} is not listed.`);
  if (periodS < 1 || periodS > PERIOD_MAX_S)
    return refused("invalid_command", "The length of a candle is from a second to a year.");
  if (candles.length === 0) return refused("invalid_command", "There must be at least one candle.");
  const rows: CandleRow[] = [];
  for (const [at, candle] of candles.entries()) {
    const before = candles[at - 1];
    const isInOrder = before === undefined || candle.startS >= before.startS + periodS;
    const isClosed = candle.startS >= 0 && (candle.startS + periodS) * 1_000 <= state.timeMs;
    const row = isInOrder && isClosed ? rowOf(state, market, candle) : undefined;
    if (row !== undefined && typeof row !== "string") rows.push(row);
    else return refused("invalid_command", `Candle ${at + 1}: ${row ?? orderFault(isInOrder)}`);
  }
  emitRareEvent(state, { type: "candles_imported", marketId: market.id, periodS, rows });
  return accepted({ market: market.name, candles: rows.length });
}

function orderFault(isInOrder: boolean): string {
  return isInOrder
    ? "it has to be over by the venue's time, and not before 1970."
    : "it begins before the one before it is over; candles ascend and do not overlap.";
}

/** The row, or what is wrong as a sentence. */
function rowOf(state: State, market: Market, candle: Recorded): CandleRow | string {
  const [open, high, low, close] = (["open", "high", "low", "close"] as const).map((name) =>
    parseDecimal(candle[name], market.pricePrecision),
  );
  if (!open || !high || !low || !close || low <= 0n) {
    return (
      `its prices must be decimals above 0 with at most ${market.pricePrecision} decimals, as the market counts ` +
      "them."
    );
  }
  if (high > market.maxPrice) return "its high is above the highest price of the market.";
  if (low > open || low > close || high < open || high < close)
    return "its low and high must enclose its open and close.";
  const volume = cut(candle.volume, market.amountPrecision);
  const value = cut(candle.value, valueScale(state, market));
  if (volume === undefined || value === undefined)
    return "its volume and value must be decimals of 0 or more with at most 18 decimals.";
  return [
    candle.startS,
    ...([open, high, low, close, volume, value].map(String) as [string, string, string, string, string, string]),
  ];
}

/**
 * Returns the scale of the asset in which a market counts the value of deals: its quote asset, or the asset it settles
 * in.
 */
function valueScale(state: State, { futures, quoteAssetId }: Market): number {
  return state.assets[futures?.settleAssetId ?? quoteAssetId]?.scale ?? 0;
}

function cut(text: string, scale: number): bigint | undefined {
  const fine = parseDecimal(text, 18);
  return fine === undefined || fine < 0n ? undefined : fine / 10n ** BigInt(18 - scale);
}
