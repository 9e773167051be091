/** Candles that were recorded elsewhere, for the past of a dev venue's market. */
import { pow10 } from "../../../engine/money/decimal.ts";
import type { Candle } from "../../../history/candles/kline.ts";
import { candleStart, KLINE_PERIODS, type KlinePeriod } from "../../../history/candles/kline.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, oneOf, optional, records, required, text, time } from "../../admin/field.ts";
import { invalidParameter } from "../../refused.ts";

const MARKET_CHARS_MAX = 64;
/** As many as a command holds well; `bourse candles import` sends a file in pieces. */
export const CANDLES_PER_CALL_MAX = 200;

const PERIODS = Object.keys(KLINE_PERIODS) as KlinePeriod[];

const addCandles = call({
  method: "POST",
  path: "/admin/candles",
  verbs: { "candles add": "Give a market of a dev venue candles that were recorded elsewhere; dev only." },
  fields: {
    market: required(text("MARKET", 1, MARKET_CHARS_MAX), "market"),
    market_type: optional(oneOf(["SPOT", "FUTURES"]), "what is traded; SPOT unless given"),
    period: optional(oneOf(PERIODS), "length of each; 1min unless given"),
    candles: required(
      records(
        {
          time: required(time, "start"),
          open: required(decimal("PRICE"), "first price"),
          high: required(decimal("PRICE"), "highest"),
          low: required(decimal("PRICE"), "lowest"),
          close: required(decimal("PRICE"), "last"),
          volume: required(decimal("AMOUNT"), "traded, in the base currency; of an inverse contract, contracts"),
          value: required(
            decimal("AMOUNT"),
            "what that was worth, in the quote currency; of an inverse contract, in coins",
          ),
        },
        CANDLES_PER_CALL_MAX,
      ),
      "the candles, ascending",
    ),
  },
  async serve(backend, { market: name, market_type: type, period = "1min", candles }) {
    if (backend.status().profile !== "dev") return invalidParameter("candles are imported into dev venues only.");
    const market = backend.state.marketNamed(name, type === "FUTURES");
    if (market === undefined) return invalidParameter(`there is no market ${name}.`);
    const periodS = KLINE_PERIODS[period];
    for (const [at, { time: startMs }] of candles.entries()) {
      if (startMs % 1_000 !== 0 || candleStart(periodS, startMs / 1_000) !== startMs / 1_000) {
        return invalidParameter(
          `Candle ${at + 1}: no candle of ${period} begins at ${new Date(startMs).toISOString()}.`,
        );
      }
    }
    const first = candles[0]?.time ?? 0;
    const known = await backend.history.klines({
      ...{ marketId: market.id, period, priceType: "latest_price" as const, limit: CANDLES_PER_CALL_MAX },
      ...{ startTime: first, endTime: candles.at(-1)?.time ?? first, nowMs: backend.state.timeMs },
    });
    const traded = new Map(known.filter(({ volume }) => volume > 0n).map((candle) => [candle.createdAt, candle]));
    const scale = pow10(market.pricePrecision);
    const other = candles.findIndex((candle) => {
      const there = traded.get(candle.time);
      return there !== undefined && !isSame(there, candle, scale);
    });
    if (other >= 0) {
      return invalidParameter(
        `Candle ${other + 1}: the market has another candle at that time already; what was traded stays. Start ` +
          "a venue with --past 0 and import what lies before its first deal.",
      );
    }
    const rows = candles.map(({ time: startMs, ...rest }) => ({ startS: startMs / 1_000, ...rest }));
    return execute(
      backend,
      { kind: "import_candles", market: name, marketType: type, periodS, candles: rows },
      (result) => result as object,
    );
  },
});

/** Whether a candle has the prices of one that was sent before. */
function isSame(there: Candle, given: { readonly open: string; readonly close: string }, scale: bigint): boolean {
  const priced = (ticks: bigint) => Number(ticks) / Number(scale);
  return priced(there.open) === Number(given.open) && priced(there.close) === Number(given.close);
}

export const CANDLE_CALLS: readonly AdminCall[] = [addCandles];
