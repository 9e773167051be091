/** Commands about what is listed: assets, markets, their index prices and the currency of fee deduction. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import {
  decimal,
  type Field,
  flag,
  listOf,
  optional,
  orNull,
  recordOf,
  text,
  textOrNull,
  type Values,
  whole,
} from "../field.ts";

/** Settings of one chain, in the words of the contract's AssetChain record. */
export const CHAIN = recordOf({
  chain: text,
  minDepositAmount: decimal,
  minWithdrawAmount: decimal,
  depositEnabled: flag,
  withdrawEnabled: flag,
  depositDelayMinutes: whole,
  safeConfirmations: whole,
  irreversibleConfirmations: whole,
  deflationRate: decimal,
  withdrawalFee: decimal,
  withdrawalPrecision: whole,
  memo: text,
  isMemoRequiredForDeposit: flag,
  explorerAssetUrl: text,
  identity: text,
});

/** A candle of trades elsewhere; `startS` in seconds, the rest in whole units. */
const RECORDED_CANDLE = recordOf({
  startS: whole,
  open: decimal,
  high: decimal,
  low: decimal,
  close: decimal,
  volume: decimal,
  value: decimal,
});

const LEVEL = recordOf({
  /** Largest position of the level. */
  amount: decimal,
  leverage: whole,
  maintenanceMarginRate: decimal,
  minInitialMarginRate: decimal,
});

/** Further settings of a futures market; absent of a spot market. */
const FUTURES_SETTINGS = {
  /** linear or inverse; set once, at the listing. */
  contractType: optional(text),
  tickSize: optional(decimal),
  leverages: optional(listOf("whole numbers", whole)),
  levels: optional(listOf("position levels", LEVEL)),
  /** How far the mark may lie from the index, a share; domain 4.11 says what holds without it. */
  markBand: optional(decimal),
  /** For how long an order must have rested to count in an impact price, ms; domain 4.11 says what holds without it. */
  impactRestMs: optional(whole),
};

/** The volatility interruption of a spot market. */
const INTERRUPTION = recordOf({
  /** How far from its reference a price may go, a share. */
  move: decimal,
  /** How long the reference looks back, and how long the market takes bids then. */
  windowMs: whole,
  auctionMs: whole,
});

/** Settings that may be given at the listing of a market and changed later. */
const MARKET_SETTINGS = {
  maxAmount: optional(decimal),
  maxPrice: optional(decimal),
  /** An auction takes bids from here to `onlineAt`, and is locked from `noCancelAt` on; 0 or absent: there is none. */
  biddingAt: optional(whole),
  noCancelAt: optional(whole),
  /** Trading starts at this time; absent or past: at once. */
  onlineAt: optional(whole),
  delistedAt: optional(whole),
  apiTradingAvailable: optional(flag),
  preMarketTradingAvailable: optional(flag),
  suspended: optional(flag),
  /** SPOT or FUTURES; absent: SPOT. */
  marketType: optional(text),
  ...FUTURES_SETTINGS,
  /** Weighted sources of the index; empty or absent: the market has no index. */
  indexSources: optional(listOf("{exchange, weight}", recordOf({ exchange: text, weight: decimal }))),
  /** null: none; at the listing absent as well. */
  interruption: optional(orNull(INTERRUPTION)),
};

export const LISTING_SCHEMAS = {
  list_asset: commandSchema({
    by: "operator",
    fields: {
      ccy: text,
      fullName: optional(text),
      /** Decimals kept by the ledger, 0..18. */
      scale: whole,
      /** Whole units that custody may reach; absent: as many as int64 holds. */
      maxUnits: optional(decimal),
      websiteUrl: optional(text),
      whitePaperUrl: optional(text),
      isSt: optional(flag),
      interTransferEnabled: optional(flag),
      chains: optional(listOf("chains, each with every setting", CHAIN)),
    },
  }),
  list_market: commandSchema({
    by: "operator",
    fields: {
      market: text,
      baseCcy: text,
      quoteCcy: text,
      amountPrecision: whole,
      pricePrecision: whole,
      minAmount: decimal,
      makerFeeRate: decimal,
      takerFeeRate: decimal,
      ...MARKET_SETTINGS,
    },
  }),
  change_market: commandSchema({
    by: "operator",
    fields: {
      market: text,
      minAmount: optional(decimal),
      makerFeeRate: optional(decimal),
      takerFeeRate: optional(decimal),
      ...MARKET_SETTINGS,
    },
  }),
  set_index_prices: commandSchema({
    by: "feed",
    fields: {
      market: text,
      /** SPOT or FUTURES; absent: SPOT. */
      marketType: optional(text),
      sources: listOf(
        "{exchange, price}, with a weight or without",
        recordOf({ exchange: text, price: decimal, weight: optional(decimal) }),
      ),
    },
  }),
  /** Every source goes on saying what it said last until a time: what an operator asks of a clock that jumps. */
  hold_index: commandSchema({ by: "operator", fields: { untilMs: whole } }),
  /** Candles that were recorded elsewhere, for a market's past: they change nothing but what history shows. */
  import_candles: commandSchema({
    by: "operator",
    fields: {
      market: text,
      marketType: optional(text),
      /** Length of each, seconds. */
      periodS: whole,
      /** Ascending. */
      candles: listOf("candles", RECORDED_CANDLE),
    },
  }),
  /** In which currency fees can be deducted, and at what discount; what is absent stays. */
  set_fee_deduction: commandSchema({
    by: "operator",
    fields: {
      /** null: none from now on. */
      ccy: optional(textOrNull),
      discountRate: optional(decimal),
    },
  }),
};

type RecordOf<One> = One extends Field<infer Value> ? Value : never;
export type AssetChain = RecordOf<typeof CHAIN>;
export type InterruptionSettings = RecordOf<typeof INTERRUPTION>;
export type LevelSettings = RecordOf<typeof LEVEL>;
export type FuturesSettings = Values<typeof FUTURES_SETTINGS>;
export type ListAsset = CommandOf<typeof LISTING_SCHEMAS, "list_asset">;
export type ListMarket = CommandOf<typeof LISTING_SCHEMAS, "list_market">;
export type ChangeMarket = CommandOf<typeof LISTING_SCHEMAS, "change_market">;
export type SetIndexPrices = CommandOf<typeof LISTING_SCHEMAS, "set_index_prices">;
export type HoldIndex = CommandOf<typeof LISTING_SCHEMAS, "hold_index">;
export type ImportCandles = CommandOf<typeof LISTING_SCHEMAS, "import_candles">;
export type SetFeeDeduction = CommandOf<typeof LISTING_SCHEMAS, "set_fee_deduction">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof LISTING_SCHEMAS> {}
}
