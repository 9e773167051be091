import { LegacyBboChannel } from "../../legacy/sockets/channels/bbo.ts";
import { LegacyDealsChannel } from "../../legacy/sockets/channels/deals.ts";
import { LegacyDepthChannel } from "../../legacy/sockets/channels/depth.ts";
import { LegacyKlineChannel } from "../../legacy/sockets/channels/klines.ts";
import { LegacyIndexChannel } from "../../legacy/sockets/channels/prices.ts";
import { LegacyStateChannel } from "../../legacy/sockets/channels/state.ts";
import { channel } from "../../ws/channel.ts";
import { BboChannel } from "../../ws/channels/bbo.ts";
import { DealsChannel } from "../../ws/channels/deals.ts";
import { DepthChannel } from "../../ws/channels/depth.ts";
import { IndexChannel } from "../../ws/channels/index-price.ts";
import { StateChannel } from "../../ws/channels/state.ts";
import type { GatewayPart } from "../part.ts";
import { ASSET_LIST_CALLS } from "./asset-list-call.ts";
import { CANDLE_CALLS } from "./candle-calls.ts";
import { LISTING_FIGURES } from "./figures.ts";
import { legacyMarketDataHandlers } from "./legacy-market-data.ts";
import { legacyMarketCalls } from "./legacy-socket-calls.ts";
import { LISTING_CALLS } from "./listing-calls.ts";
import { marketDataHandlers } from "./market-data.ts";
import { marketHandlers } from "./markets.ts";
import { MARKET_VIEW_CALLS } from "./view-calls.ts";

/** Assets and markets: their listing, and what everybody may know of them. */
export const listing = {
  name: "listing",
  refusals: {
    market_not_found: {
      v2: 3639,
      v1: 2,
      perpetual: 3101,
      rule: "2.1 row 2",
      message: "Invalid Parameter: market not found",
    },
    market_not_open: { v2: 4117, v1: 35, perpetual: 3130, rule: "2.12", message: "The market is not open for this." },
    market_suspended: { v2: 3157, v1: 35, perpetual: 3130, rule: "2.12", message: "The market is suspended." },
    api_trading_off: { v2: 4159, v1: 158, rule: "2.12", message: "The market does not take orders over the API." },
    invalid_listing: { v2: 3639, v1: 2, rule: "1.2", message: "Invalid Parameter: the listing breaks a rule." },
    already_listed: { v2: 3639, v1: 2, rule: "1.2", message: "Invalid Parameter: the name is already listed." },
  },
  figures: LISTING_FIGURES,
  handlers: (backend, printers) => ({
    ...marketHandlers(backend, printers),
    ...marketDataHandlers(backend, printers),
  }),
  calls: [...LISTING_CALLS, ...ASSET_LIST_CALLS, ...MARKET_VIEW_CALLS, ...CANDLE_CALLS],
  nouns: {
    asset: "list and show assets",
    market: "list, change and show markets",
    index: "feed index prices",
    candles: "give markets candles that were recorded elsewhere",
  },
  channels: [
    channel("state", "both", StateChannel),
    channel("depth", "both", DepthChannel),
    channel("deals", "both", DealsChannel),
    channel("bbo", "both", BboChannel),
    channel("index", "both", IndexChannel),
  ],
  legacy: legacyMarketDataHandlers,
  legacySockets: {
    channels: [
      channel("state", "both", LegacyStateChannel),
      channel("depth", "both", LegacyDepthChannel),
      channel("deals", "both", LegacyDealsChannel),
      channel("kline", "both", LegacyKlineChannel),
      channel("bbo", "both", LegacyBboChannel),
      channel("index", "spot", LegacyIndexChannel),
    ],
    calls: legacyMarketCalls,
  },
} satisfies GatewayPart;
