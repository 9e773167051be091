/**
 * Public queries about markets on the legacy sockets: state.query, depth.query, deals.query, kline.query, index.query,
 * price.query.
 */
import type { Market } from "../../../engine/listing/market.ts";
import { KLINES_MAX } from "../../../history/candles/candle-queries.ts";
import type { KlinePeriod } from "../../../history/candles/kline.ts";
import { dealsText } from "../../legacy/records/deal-shape.ts";
import { besideDepth } from "../../legacy/records/depth.ts";
import { klineOf } from "../../legacy/records/klines.ts";
import { PERIOD_OF_SECONDS } from "../../legacy/sockets/channels/klines.ts";
import type { LegacySocketCalls } from "../../legacy/sockets/generation.ts";
import { lateData } from "../../legacy/sockets/late-data.ts";
import { inListed } from "../../legacy/sockets/listed.ts";
import { stateText } from "../../legacy/sockets/records/state.ts";
import type { LateAnswer } from "../../ws/methods.ts";

interface KlineRange {
  readonly start: number;
  readonly end: number;
  readonly interval: number;
}

export const legacyMarketCalls: LegacySocketCalls = (context) => {
  const { backend, printers } = context;
  const { feeds } = backend;

  /** The newest candles of a range, at most as many as over HTTP. */
  const klines = (market: Market, { start, end, interval }: KlineRange): Promise<LateAnswer> => {
    const period = PERIOD_OF_SECONDS.get(interval) as KlinePeriod;
    const query = {
      ...{ marketId: market.id, period, limit: KLINES_MAX, nowMs: backend.now() },
      ...{ priceType: "latest_price" as const, startTime: start * 1_000, endTime: end * 1_000 },
    };
    const printer = printers.of(market.id);
    return lateData(backend.history.klines(query), (candles) =>
      JSON.stringify(candles.map((candle) => klineOf(printer, candle))),
    );
  };

  return {
    "state.query": inListed(context, ({ id }) => ({ data: stateText(backend, printers.of(id), backend.now()) })),

    "depth.query": inListed<{ limit: number; interval: string }>(context, ({ id }, { limit, interval }) => {
      const { json, updatedAt } = feeds.depth(id, limit, interval);
      return { data: `{${json},${besideDepth(backend, printers.of(id))},"time":${updatedAt}}` };
    }),

    "deals.query": inListed<{ limit: number; last_id: number }>(context, ({ id }, { limit, last_id: lastId }) => ({
      data: dealsText(printers.of(id), feeds.recentDeals(id, lastId, limit)),
    })),

    "kline.query": inListed<KlineRange>(context, (market, range) => ({ later: () => klines(market, range) })),

    "index.query": inListed(context, ({ id, name, index }) => ({
      data: `{"market":"${name}","price":"${printers.of(id).priceOrNothing(index.price)}"}`,
    })),

    "price.query": inListed(context, ({ id }) => ({
      data: `"${printers.of(id).priceOrNothing(feeds.lastPrice(id))}"`,
    })),
  };
};
