/** Listing of assets and markets. Fields are named as in the records that the API answers. */
import { CONTRACT_TYPES } from "../../../engine/futures/positions/contract.ts";
import { CHAIN_NAME } from "../../../engine/listing/chain-settings.ts";
import type {
  AssetChain,
  ChangeMarket,
  InterruptionSettings,
  ListMarket,
} from "../../../engine/listing/command-schemas.ts";
import { MARKET_TYPES, type Market } from "../../../engine/listing/market.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { REST_MS, REST_MS_MAX } from "../../../engine/trading/tick-marks.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import {
  decimal,
  type Form,
  flag,
  listOf,
  oneOf,
  optional,
  recordOrNone,
  records,
  required,
  text,
  time,
  timeOrZero,
  type Values,
  webAddress,
  whole,
} from "../../admin/field.ts";
import { invalidParameter, type Refused } from "../../refused.ts";
import { WRONG } from "../../request/value.ts";

const SCALE_MAX = 18;
const URL_CHARS_MAX = 256;
const CHAINS_MAX = 32;
const SOURCES_MAX = 32;
const LEVERAGE_MAX = 1_000;
const LEVERAGES_MAX = 64;
const LEVELS_MAX = 64;
const MINUTES_MAX = 525_600;
const CONFIRMATIONS_MAX = 1_000_000;

const ccy = text("CCY", 1, 20);
export const marketName = text("MARKET", 1, 40);
const url = webAddress(URL_CHARS_MAX);
const rate = decimal("RATE");
const amount = decimal("AMOUNT");
const scale = whole("N", 0, SCALE_MAX);

/** Listings take it as it is; later changes of the same chain are refused where its name is another. */
const chainName: Form<string> = {
  ...text("NAME", 1, 32),
  expected: "1 to 32 letters, digits, _ and -",
  check: (raw) => (typeof raw === "string" && CHAIN_NAME.test(raw) ? raw : WRONG),
};

export const chainFields = {
  chain: required(chainName, "name of the chain"),
  min_deposit_amount: optional(amount, "smallest deposit; 0 unless given"),
  min_withdraw_amount: optional(amount, "smallest withdrawal; 0 unless given"),
  deposit_enabled: optional(flag, "deposits open; false unless given"),
  withdraw_enabled: optional(flag, "withdrawals open; false unless given"),
  deposit_delay_minutes: optional(whole("N", 0, MINUTES_MAX), "credit delay; 0 unless given"),
  safe_confirmations: optional(whole("N", 0, CONFIRMATIONS_MAX), "confirmations before crediting; 1 unless given"),
  irreversible_confirmations: optional(
    whole("N", 0, CONFIRMATIONS_MAX),
    "confirmations before withdrawal; 1 unless given",
  ),
  deflation_rate: optional(rate, "share lost at each transfer; 0 unless given"),
  withdrawal_fee: optional(amount, "fee of a withdrawal; 0 unless given"),
  withdrawal_precision: optional(scale, "decimals of withdrawals; at most 8 and the asset's unless given"),
  memo: optional(text("TEXT", 0, 128), "memo of the venue"),
  is_memo_required_for_deposit: optional(flag, "memo needed to deposit; false unless given"),
  explorer_asset_url: optional(url, "explorer link of the asset"),
  identity: optional(text("TEXT", 0, 128), "contract or asset id; empty for native coins"),
};

const listAsset = call({
  method: "POST",
  path: "/admin/assets",
  verbs: { "asset create": "List an asset, so that it can be held and traded." },
  fields: {
    ccy: required(ccy, "name of the asset, capital letters and digits"),
    scale: optional(scale, "decimals that the ledger keeps; cannot be changed later"),
    precision: optional(scale, "another name of scale"),
    full_name: optional(text("TEXT", 0, 64), "full name; the name unless given"),
    max_units: optional(amount, "whole units that the venue may hold; as many as fit unless given"),
    website_url: optional(url, "site"),
    white_paper_url: optional(url, "white paper"),
    is_st: optional(flag, "specially treated asset; false unless given"),
    inter_transfer_enabled: optional(flag, "transfers between users; true unless given"),
    chains: optional(records(chainFields, CHAINS_MAX), "chains on which it moves in and out"),
  },
  serve(backend, values) {
    const scaleGiven = values.scale ?? values.precision;
    if (scaleGiven === undefined) return invalidParameter("scale is required.");
    if ((values.precision ?? scaleGiven) !== scaleGiven) {
      return invalidParameter("scale and precision are names of one setting and cannot differ.");
    }
    return execute(
      backend,
      {
        kind: "list_asset",
        ccy: values.ccy,
        scale: scaleGiven,
        fullName: values.full_name,
        maxUnits: values.max_units,
        websiteUrl: values.website_url,
        whitePaperUrl: values.white_paper_url,
        isSt: values.is_st,
        interTransferEnabled: values.inter_transfer_enabled,
        chains: values.chains?.map((chain) => chainOf(chain, scaleGiven)),
      },
      () => ({ ccy: values.ccy }),
    );
  },
});

/** The settings that were given; what was not stays as it is, or is what suits a new chain. */
export function chainOf(values: Values<typeof chainFields>, assetScale: number, known?: AssetChain): AssetChain {
  const standard = known ?? { ...STANDARD_CHAIN, withdrawalPrecision: Math.min(8, assetScale) };
  return {
    chain: values.chain,
    minDepositAmount: values.min_deposit_amount ?? standard.minDepositAmount,
    minWithdrawAmount: values.min_withdraw_amount ?? standard.minWithdrawAmount,
    depositEnabled: values.deposit_enabled ?? standard.depositEnabled,
    withdrawEnabled: values.withdraw_enabled ?? standard.withdrawEnabled,
    depositDelayMinutes: values.deposit_delay_minutes ?? standard.depositDelayMinutes,
    safeConfirmations: values.safe_confirmations ?? standard.safeConfirmations,
    irreversibleConfirmations: values.irreversible_confirmations ?? standard.irreversibleConfirmations,
    deflationRate: values.deflation_rate ?? standard.deflationRate,
    withdrawalFee: values.withdrawal_fee ?? standard.withdrawalFee,
    withdrawalPrecision: values.withdrawal_precision ?? standard.withdrawalPrecision,
    memo: values.memo ?? standard.memo,
    isMemoRequiredForDeposit: values.is_memo_required_for_deposit ?? standard.isMemoRequiredForDeposit,
    explorerAssetUrl: values.explorer_asset_url ?? standard.explorerAssetUrl,
    identity: values.identity ?? standard.identity,
  };
}

const STANDARD_CHAIN = {
  minDepositAmount: "0",
  minWithdrawAmount: "0",
  depositEnabled: false,
  withdrawEnabled: false,
  depositDelayMinutes: 0,
  safeConfirmations: 1,
  irreversibleConfirmations: 1,
  deflationRate: "0",
  withdrawalFee: "0",
  memo: "",
  isMemoRequiredForDeposit: false,
  explorerAssetUrl: "",
  identity: "",
};

const exchange = text("NAME", 1, 32);

/** Which of the two markets that may have the same name. */
export const marketType = optional(oneOf(MARKET_TYPES), "what is traded; SPOT unless given");

/** A level of GET /futures/position-level. */
const levelFields = {
  amount: required(amount, "largest position of the level"),
  leverage: required(whole("N", 1, LEVERAGE_MAX), "highest leverage"),
  maintenance_margin_rate: required(rate, "maintenance margin rate"),
  min_initial_margin_rate: required(rate, "smallest initial margin rate"),
};

const SPAN_MS_MAX = 86_400_000;

const interruptionFields = {
  move: required(rate, "how far from its reference a price may go, a share"),
  window_ms: required(whole("MS", 1_000, SPAN_MS_MAX), "how long the reference looks back"),
  auction_ms: required(whole("MS", 1_000, SPAN_MS_MAX), "how long bids are taken then"),
};

/** The interruption settings of a spot market in production when its listing gives none. Source: domain 2.9. */
const STANDARD_INTERRUPTION = { move: "0.1", windowMs: 60_000, auctionMs: 120_000 };

const marketFields = {
  market: required(marketName, "name of the market, capital letters and digits"),
  market_type: marketType,
  base_ccy: optional(ccy, "base currency; to list"),
  quote_ccy: optional(ccy, "quote currency; to list"),
  base_ccy_precision: optional(scale, "decimals of amounts; to list"),
  quote_ccy_precision: optional(scale, "decimals of prices; to list"),
  min_amount: optional(amount, "smallest order, base currency; needed to list"),
  maker_fee_rate: optional(rate, "standard maker fee rate; needed to list"),
  taker_fee_rate: optional(rate, "standard taker fee rate; needed to list"),
  max_amount: optional(amount, "largest order, base currency; what suits the market unless given"),
  max_price: optional(amount, "highest price of an order; what suits the market unless given"),
  bidding_at: optional(timeOrZero, "bids for an opening auction are taken from then to online_at; 0 for none"),
  no_cancel_at: optional(timeOrZero, "the auction's orders stand from then on; 0 for never"),
  online_at: optional(time, "trading starts then; at once unless given"),
  delisted_at: optional(timeOrZero, "the market leaves the list then; 0 takes it back"),
  suspended: optional(flag, "no new orders"),
  is_api_trading_available: optional(flag, "orders over the API"),
  is_pre_market_trading_available: optional(flag, "pre-market flag"),
  index_sources: optional(
    records({ exchange: required(exchange, "name"), weight: required(decimal("WEIGHT"), "0 to 1") }, SOURCES_MAX),
    "sources of the index with their weights",
  ),
  contract_type: optional(oneOf(CONTRACT_TYPES), "futures only, to list: what the contract settles in"),
  tick_size: optional(amount, "futures only: smallest price step; one step of the precision unless given"),
  leverage: optional(
    listOf(whole("N", 1, LEVERAGE_MAX), LEVERAGES_MAX),
    "futures only, needed to list: leverages offered",
  ),
  level: optional(records(levelFields, LEVELS_MAX), "futures only, needed to list: position levels, ascending"),
  mark_band: optional(
    rate,
    "futures only: how far the mark may lie from the index, a share; what suits the levels unless given",
  ),
  impact_rest_ms: optional(
    whole("MS", REST_MS, REST_MS_MAX),
    "futures only: for how long an order must have rested to count in the mark and in funding; a second unless given",
  ),
  interruption: optional(
    recordOrNone(interruptionFields),
    "spot only: when a price that moves too far is answered by an auction; in production as the rules say unless given",
  ),
};
type MarketValues = Values<typeof marketFields>;

/**
 * Fields that a listing needs and that a change cannot touch, because orders depend on them; then all fields that a
 * listing needs (`contract_type` only for futures).
 */
const FIXED = ["base_ccy", "quote_ccy", "base_ccy_precision", "quote_ccy_precision", "contract_type"] as const;
const NEEDED = [...FIXED.slice(0, 4), "min_amount", "maker_fee_rate", "taker_fee_rate"] as const;
/** Fields that only futures markets have; then all fields that the listing of a futures market needs. */
const FUTURES_ONLY = ["contract_type", "tick_size", "leverage", "level", "mark_band", "impact_rest_ms"] as const;
const FUTURES_NEEDED = [...NEEDED, "contract_type", "leverage", "level"] as const;

const listMarket = call({
  method: "POST",
  path: "/admin/markets",
  verbs: {
    "market create": "List a spot or a futures market.",
    "market change": "Change a market that is listed: fees, bounds, times, switches, index sources, position levels.",
  },
  fields: marketFields,
  serve(backend, values) {
    const { state } = backend;
    const isFutures = values.market_type === "FUTURES";
    const misplaced = isFutures ? undefined : FUTURES_ONLY.find((name) => values[name] !== undefined);
    if (misplaced !== undefined) return invalidParameter(`${misplaced} is of futures markets only.`);
    const listed = state.marketNamed(values.market, isFutures);
    const isNew = listed === undefined || listed.delisted;
    const command = isNew ? listingOf(values, backend.status().profile) : changeOf(state, listed, values);
    return "refusal" in command ? command : execute(backend, command, () => ({ market: values.market }));
  },
});

/** Returns the settings that a listing may give and a later change may replace; undefined where none is given. */
function settingsOf(values: MarketValues): Omit<ChangeMarket, "kind" | "market"> {
  return {
    marketType: values.market_type,
    contractType: values.contract_type,
    tickSize: values.tick_size,
    leverages: values.leverage,
    levels: values.level?.map((level) => ({
      amount: level.amount,
      leverage: level.leverage,
      maintenanceMarginRate: level.maintenance_margin_rate,
      minInitialMarginRate: level.min_initial_margin_rate,
    })),
    minAmount: values.min_amount,
    maxAmount: values.max_amount,
    maxPrice: values.max_price,
    makerFeeRate: values.maker_fee_rate,
    takerFeeRate: values.taker_fee_rate,
    biddingAt: values.bidding_at,
    noCancelAt: values.no_cancel_at,
    onlineAt: values.online_at,
    delistedAt: values.delisted_at,
    suspended: values.suspended,
    apiTradingAvailable: values.is_api_trading_available,
    preMarketTradingAvailable: values.is_pre_market_trading_available,
    indexSources: values.index_sources,
    markBand: values.mark_band,
    impactRestMs: values.impact_rest_ms,
    interruption: interruptionOf(values),
  };
}

function interruptionOf({ interruption }: MarketValues): InterruptionSettings | null | undefined {
  if (interruption === undefined) return undefined;
  if (interruption === "none") return null;
  return { move: interruption.move, windowMs: interruption.window_ms, auctionMs: interruption.auction_ms };
}

function listingOf(values: MarketValues, profile: string): ListMarket | Refused {
  const needed = values.market_type === "FUTURES" ? FUTURES_NEEDED : NEEDED;
  const missing = needed.filter((name) => values[name] === undefined);
  if (missing.length > 0) {
    const names = missing.length === 1 ? `${missing[0]} is` : `${missing.join(", ")} are`;
    return invalidParameter(`the market ${values.market} is not listed; to list it, ${names} required.`);
  }
  const isSpot = values.market_type !== "FUTURES";
  const isStandard = isSpot && profile === "production" && values.interruption === undefined;
  return {
    kind: "list_market",
    market: values.market,
    ...settingsOf(values),
    ...(isStandard ? { interruption: STANDARD_INTERRUPTION } : {}),
    baseCcy: values.base_ccy as string,
    quoteCcy: values.quote_ccy as string,
    amountPrecision: values.base_ccy_precision as number,
    pricePrecision: values.quote_ccy_precision as number,
    minAmount: values.min_amount as string,
    makerFeeRate: values.maker_fee_rate as string,
    takerFeeRate: values.taker_fee_rate as string,
  };
}

function changeOf(state: State, market: Market, values: MarketValues): ChangeMarket | Refused {
  const now = {
    base_ccy: state.assets[market.baseAssetId]?.ccy,
    quote_ccy: state.assets[market.quoteAssetId]?.ccy,
    base_ccy_precision: market.amountPrecision,
    quote_ccy_precision: market.pricePrecision,
    contract_type: market.futures?.contractType,
  };
  const touched = FIXED.find((name) => values[name] !== undefined && values[name] !== now[name]);
  if (touched !== undefined) {
    return invalidParameter(`${touched} of ${market.name} is ${now[touched]} and cannot be changed.`);
  }
  return { kind: "change_market", market: market.name, ...settingsOf(values) };
}

const setIndexPrices = call({
  method: "POST",
  path: "/admin/index-prices",
  verbs: { "index set": "Feed the index of a market with prices of its sources." },
  fields: {
    market: required(marketName, "market"),
    market_type: marketType,
    sources: required(
      records(
        {
          exchange: required(exchange, "name"),
          price: required(decimal("PRICE"), "price"),
          weight: optional(decimal("WEIGHT"), "0 to 1; as it is, or 1 for a new source, unless given"),
        },
        SOURCES_MAX,
      ),
      "prices by source",
    ),
  },
  serve: (backend, { market, market_type: type, sources }) =>
    execute(backend, { kind: "set_index_prices", market, marketType: type, sources }, (_result, { state }) => {
      const { index, pricePrecision } = state.marketNamed(market, type === "FUTURES") as Market;
      return { market, price: formatDecimal(index.price, pricePrecision) };
    }),
});

export const LISTING_CALLS: readonly AdminCall[] = [listAsset, listMarket, setIndexPrices];
