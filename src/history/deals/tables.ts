import { int, table } from "../table.ts";

/**
 * Executions with both private sides; flags as in the engine's deal event (DEAL_FLAG). Ids rise with time. For
 * statements also the entry of the first of its six lines, and what the four cells held right after it, fees taken out;
 * 0 of contracts.
 */
export const dealRows = table(
  "deals",
  {
    deal_id: int,
    market_id: int,
    time_ms: int,
    flags: int,
    price: int,
    lots: int,
    value: int,
    taker_user_id: int,
    maker_user_id: int,
    taker_order_id: int,
    maker_order_id: int,
    taker_fee: int,
    maker_fee: int,
    taker_fee_asset_id: int,
    maker_fee_asset_id: int,
    first_entry: int,
    buyer_base: int,
    buyer_quote: int,
    seller_base: int,
    seller_quote: int,
  },
  { key: "deal_id", indexes: { deals_by_market: { on: ["market_id"] } } },
);

/** Two rows per deal, the taker's and the maker's; side is the user's own. */
export const userDeals = table(
  "user_deals",
  { segment: int, user_id: int, market_id: int, account: int, side: int, deal_id: int },
  {
    key: ["segment", "user_id", "market_id", "account", "side", "deal_id"],
    segmented: { by: "deal_id", of: "deals", alsoBy: ["user_id"] },
  },
);

export const dealSegments = table("deal_segments", { segment: int }, { key: "segment" });

/** Two rows per deal, one for each of its orders. */
export const orderDeals = table("order_deals", { order_id: int, deal_id: int }, { key: ["order_id", "deal_id"] });

/** The currencies and the lot size of each market with deals, learnt from its first deal. */
export const tradedMarkets = table(
  "traded_markets",
  { market_id: int, base_asset_id: int, quote_asset_id: int, units_per_lot: int },
  { key: "market_id" },
);

export const DEAL_TABLES = [dealRows, userDeals, dealSegments, orderDeals, tradedMarkets] as const;
