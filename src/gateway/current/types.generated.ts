// Written by scripts/generate-types.ts from contract/current. Change the contract, not this file.
import type { Refused } from "../refused.ts";

export type MarketType = "SPOT" | "MARGIN" | "FUTURES";
export type SpotMarketType = "SPOT" | "MARGIN";
export type FuturesMarketType = "FUTURES";
export type CancelScope = "SPOT" | "MARGIN" | "FUTURES" | "ALL";
export type QuoteMarketType = "SPOT" | "FUTURES";
export type ProtectionLimit = "fills" | "amount" | "delta";
export type AccountType = "SPOT" | "MARGIN" | "FUTURES";
export type StatementAccountType = "SPOT" | "MARGIN" | "FUTURES" | "FINANCIAL";
export type SubTransferAccountType = "SPOT" | "FUTURES";
export type TransferType = "MARGIN" | "FUTURES";
export type OrderSide = "buy" | "sell";
export type OrderType = "limit" | "market" | "maker_only" | "ioc" | "fok";
export type StpMode = "ct" | "cm" | "both";
export type OrderStatus = "open" | "part_filled" | "filled" | "part_canceled" | "canceled";
export type StopOrderStatus = "put" | "active_success" | "active_fail" | "cancel";
export type OrderEvent = "put" | "update" | "modify" | "finish";
export type StopOrderEvent = "put" | "active" | "cancel";
export type PositionEvent = "update" | "close" | "sys_close" | "adl" | "liq" | "alert";
export type TriggerDirection = "higher" | "lower";
export type TriggerPriceType = "latest_price" | "mark_price" | "index_price";
export type TpslPriceType = "latest_price" | "mark_price";
export type PositionSide = "long" | "short";
export type PositionMode = "one_way" | "hedge";
export type MarginMode = "cross" | "isolated";
export type PositionFinishedType =
  | "liq"
  | "adl"
  | "sys"
  | "limit"
  | "market"
  | "market_close_all"
  | "take_profit"
  | "stop_loss";
export type DealRole = "taker" | "maker";
export type ContractType = "linear" | "inverse";
export type MarketStatus = "bidding" | "counting_down" | "online";
export type MaintainScope = "FUTURES" | "SPOT" | "ALL_SITE";
export type TransferStatus = "created" | "deducted" | "failed" | "finished";
export type LoanStatus = "loan" | "debt" | "liquidated" | "finish";
export type DepositStatus = "processing" | "confirming" | "cancelled" | "finished" | "too_small" | "exception";
export type WithdrawStatus =
  | "created"
  | "audit_required"
  | "audited"
  | "processing"
  | "confirming"
  | "finished"
  | "cancelled"
  | "cancellation_failed"
  | "failed";
export type TransferMethod = "on_chain" | "inter_user";
export type SubPermission = "FUTURES" | "MARGIN" | "AMM" | "API";
export type UserType = "NORMAL" | "SUB_ACCOUNT";
export type SettleSwitch = 1 | 2;
export type TransactionType =
  | "deposit"
  | "withdraw"
  | "trade"
  | "maker_cash_back"
  | "investment_interest"
  | "exchange_order_transfer";
export type StatementType =
  | "deposit"
  | "withdraw"
  | "trade"
  | "maker_cash_back"
  | "investment_interest"
  | "exchange_order_transfer"
  | "transfer"
  | "sub_transfer"
  | "margin_borrow"
  | "margin_repay"
  | "margin_interest"
  | "amm_add"
  | "amm_remove"
  | "amm_dividend"
  | "funding"
  | "settle"
  | "liquidation"
  | "fee"
  | "adjust";
export type AmmType = "infinite" | "finite";
export type KlinePeriod =
  | "1min"
  | "3min"
  | "5min"
  | "15min"
  | "30min"
  | "1hour"
  | "2hour"
  | "4hour"
  | "6hour"
  | "12hour"
  | "1day"
  | "3day"
  | "1week";
export type KlinePriceType = "latest_price" | "mark_price" | "index_price";
export type SpotKlinePriceType = "latest_price" | "index_price";
export type DepthLimit = 5 | 10 | 20 | 50;
export type DepthInterval =
  | "0"
  | "0.000000000001"
  | "0.00000000001"
  | "0.0000000001"
  | "0.000000001"
  | "0.00000001"
  | "0.0000001"
  | "0.000001"
  | "0.00001"
  | "0.0001"
  | "0.001"
  | "0.01"
  | "0.1"
  | "1"
  | "10"
  | "100"
  | "1000";
export type Locale =
  | "de-DE"
  | "en-US"
  | "es-AR"
  | "es-ES"
  | "es-MX"
  | "fr-FR"
  | "kk-KZ"
  | "id-ID"
  | "uk-UA"
  | "ja-JP"
  | "ru-RU"
  | "th-TH"
  | "pt-BR"
  | "tr-TR"
  | "vi-VN"
  | "zh-TW"
  | "ar-SA"
  | "hi-IN"
  | "fil-PH";

export interface Pong {
  /** Always "pong". */
  readonly result: string;
}

export interface ServerTime {
  /** Server time, ms. */
  readonly timestamp: number;
}

export interface Maintenance {
  /** Maintenance start, ms. */
  readonly started_at: number;
  /** Maintenance end, ms. */
  readonly ended_at: number;
  /** Parts of the service concerned. */
  readonly scope: readonly MaintainScope[];
  /** Announcement link, empty when none. */
  readonly announce_url: string;
  /** Whether an announcement link exists. */
  readonly announce_enabled: boolean;
  /** Protection period start, ms; 0 unset. */
  readonly protect_duration_start: number;
  /** Protection period end, ms; 0 unset. */
  readonly protect_duration_end: number;
}

export interface SpotMarket {
  /** Market name. */
  readonly market: string;
  /** Standard maker fee rate. */
  readonly maker_fee_rate: string;
  /** Standard taker fee rate. */
  readonly taker_fee_rate: string;
  /** Smallest order amount, base currency. */
  readonly min_amount: string;
  /** Base currency. */
  readonly base_ccy: string;
  /** Quote currency. */
  readonly quote_ccy: string;
  /** Decimals of amounts. */
  readonly base_ccy_precision: number;
  /** Decimals of prices. */
  readonly quote_ccy_precision: number;
  /** Market status. */
  readonly status: MarketStatus;
  /** Expected delisting time, ms; 0 none. */
  readonly delisted_at: number;
  /** AMM liquidity allowed. */
  readonly is_amm_available: boolean;
  /** Margin trading allowed. */
  readonly is_margin_available: boolean;
  /** Pre-market trading allowed. */
  readonly is_pre_market_trading_available: boolean;
  /** Example spelling of the pre-market flag. */
  readonly is_pre_trading_available: boolean;
  /** API trading allowed. */
  readonly is_api_trading_available: boolean;
}

export interface SpotTicker {
  /** Market name. */
  readonly market: string;
  /** Latest price. */
  readonly last: string;
  /** Price 24 hours ago. */
  readonly open: string;
  /** Latest price, same as last. */
  readonly close: string;
  /** 24-hour high. */
  readonly high: string;
  /** 24-hour low. */
  readonly low: string;
  /** 24-hour amount, base currency. */
  readonly volume: string;
  /** 24-hour value, quote currency. */
  readonly value: string;
  /** 24-hour taker sell amount. */
  readonly volume_sell: string;
  /** 24-hour taker buy amount. */
  readonly volume_buy: string;
  /** Window length in seconds, always 86400. */
  readonly period: number;
}

export interface Depth {
  /** Market name. */
  readonly market: string;
  /** Always true over HTTP. */
  readonly is_full: boolean;
  /** The book. */
  readonly depth: DepthBook;
}

export interface DepthBook {
  /** [price, amount] rows, best ask first. */
  readonly asks: readonly (readonly string[])[];
  /** [price, amount] rows, best bid first. */
  readonly bids: readonly (readonly string[])[];
  /** Latest price. */
  readonly last: string;
  /** Book time, ms. */
  readonly updated_at: number;
  /** CRC-32 of the returned rows, unsigned. */
  readonly checksum: number;
}

export interface Deal {
  /** Deal id. */
  readonly deal_id: number;
  /** Deal time, ms. */
  readonly created_at: number;
  /** Taker side. */
  readonly side: OrderSide;
  /** Deal price. */
  readonly price: string;
  /** Deal amount. */
  readonly amount: string;
}

export interface Kline {
  /** Market name. */
  readonly market: string;
  /** Start of the candle, ms. */
  readonly created_at: number;
  /** First price. */
  readonly open: string;
  /** Last price. */
  readonly close: string;
  /** Highest price. */
  readonly high: string;
  /** Lowest price. */
  readonly low: string;
  /** Traded amount, base currency. */
  readonly volume: string;
  /** Traded value, quote currency. */
  readonly value: string;
}

export interface SpotIndex {
  /** Market name. */
  readonly market: string;
  /** Index time, ms. */
  readonly created_at: number;
  /** Index price. */
  readonly price: string;
  /** No source has been heard of for 60 s, or not for long enough again: the price is an old one. */
  readonly is_stale: boolean;
  /** Components of the index. */
  readonly sources: readonly SpotIndexSource[];
}

export interface SpotIndexSource {
  /** Source name. */
  readonly exchange: string;
  /** Time of the source price, ms. */
  readonly created_at: number;
  /** Weight of the source, 0 to 1. */
  readonly index_weight: string;
  /** Price given by the source. */
  readonly index_price: string;
}

export interface SpotOrder {
  /** Order id. */
  readonly order_id: number;
  /** Market name. */
  readonly market: string;
  /** SPOT or MARGIN. */
  readonly market_type: SpotMarketType;
  /** Currency in which amount is expressed. */
  readonly ccy: string;
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Ordered amount, in ccy. */
  readonly amount: string;
  /** Limit price; "0" for market orders. */
  readonly price: string;
  /** Amount still open. */
  readonly unfilled_amount: string;
  /** Amount filled so far. */
  readonly filled_amount: string;
  /** Quote value filled so far. */
  readonly filled_value: string;
  /** Client-chosen id; empty when none was given. */
  readonly client_id: string;
  /** Fee taken in the base currency. */
  readonly base_fee: string;
  /** Fee taken in the quote currency. */
  readonly quote_fee: string;
  /** Fee taken in the deduction currency. */
  readonly discount_fee: string;
  /** Maker fee rate. */
  readonly maker_fee_rate: string;
  /** Taker fee rate. */
  readonly taker_fee_rate: string;
  /** Amount of the latest fill; "0" before any. */
  readonly last_filled_amount: string;
  /** Price of the latest fill; "0" before any. */
  readonly last_filled_price: string;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
}

export interface SpotOrderStatus {
  /** Order id. */
  readonly order_id: number;
  /** Market name. */
  readonly market: string;
  /** SPOT or MARGIN. */
  readonly market_type: SpotMarketType;
  /** Currency in which amount is expressed. */
  readonly ccy: string;
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Ordered amount, in ccy. */
  readonly amount: string;
  /** Limit price; "0" for market orders. */
  readonly price: string;
  /** Amount still open. */
  readonly unfilled_amount: string;
  /** Amount filled so far. */
  readonly filled_amount: string;
  /** Quote value filled so far. */
  readonly filled_value: string;
  /** Client-chosen id; empty when none was given. */
  readonly client_id: string;
  /** Fee taken in the base currency. */
  readonly base_fee: string;
  /** Fee taken in the quote currency. */
  readonly quote_fee: string;
  /** Fee taken in the deduction currency. */
  readonly discount_fee: string;
  /** Maker fee rate. */
  readonly maker_fee_rate: string;
  /** Taker fee rate. */
  readonly taker_fee_rate: string;
  /** Amount of the latest fill; "0" before any. */
  readonly last_filled_amount: string;
  /** Price of the latest fill; "0" before any. */
  readonly last_filled_price: string;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
  /** Order status. */
  readonly status: OrderStatus;
}

export interface SpotStopOrder {
  /** Stop order id. */
  readonly stop_id: number;
  /** Market name. */
  readonly market: string;
  /** SPOT or MARGIN. */
  readonly market_type: SpotMarketType;
  /** Currency in which amount is expressed. */
  readonly ccy: string;
  /** Order side. */
  readonly side: OrderSide;
  /** Type of the order placed on trigger. */
  readonly type: OrderType;
  /** Ordered amount, in ccy. */
  readonly amount: string;
  /** Limit price; "0" for market orders. */
  readonly price: string;
  /** Trigger price. */
  readonly trigger_price: string;
  /** Relation of price to trigger at placement. */
  readonly trigger_direction: TriggerDirection;
  /** Price the trigger watches. */
  readonly trigger_price_type: TriggerPriceType;
  /** Client-chosen id; empty when none was given. */
  readonly client_id: string;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
}

export interface StopId {
  /** Stop order id. */
  readonly stop_id: number;
}

export interface SpotUserDeal {
  /** Deal id. */
  readonly deal_id: number;
  /** Deal time, ms. */
  readonly created_at: number;
  /** Own order id. */
  readonly order_id: number;
  /** Market name. */
  readonly market: string;
  /** Margin market; null outside margin. */
  readonly margin_market: string | null;
  /** Own side. */
  readonly side: OrderSide;
  /** Deal price. */
  readonly price: string;
  /** Deal amount. */
  readonly amount: string;
  /** Own role. */
  readonly role: DealRole;
  /** Fee charged. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_ccy: string;
}

export interface SpotOrderRequest {
  /** Market name. */
  readonly market: string;
  /** SPOT or MARGIN. */
  readonly market_type: SpotMarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Amount currency of a market order; optional. */
  readonly ccy: string | undefined;
  /** Order amount. */
  readonly amount: string;
  /** Limit price; optional for market orders. */
  readonly price: string | undefined;
  /** Client id; optional. */
  readonly client_id: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide: boolean | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode: StpMode | undefined;
}

export interface SpotStopOrderRequest {
  /** Market name. */
  readonly market: string;
  /** SPOT or MARGIN. */
  readonly market_type: SpotMarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Amount currency of a market order; optional. */
  readonly ccy: string | undefined;
  /** Order amount. */
  readonly amount: string;
  /** Limit price; optional for market orders. */
  readonly price: string | undefined;
  /** Trigger price. */
  readonly trigger_price: string;
  /** Client id; optional. */
  readonly client_id: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide: boolean | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode: StpMode | undefined;
}

export interface SpotModifyRequest {
  /** Market name. */
  readonly market: string;
  /** SPOT or MARGIN. */
  readonly market_type: SpotMarketType;
  /** Pending order. */
  readonly order_id: number;
  /** New total amount; optional. */
  readonly amount: string | undefined;
  /** New price; optional. */
  readonly price: string | undefined;
}

export interface FuturesMarket {
  /** Market name. */
  readonly market: string;
  /** Linear or inverse. */
  readonly contract_type: ContractType;
  /** Standard maker fee rate. */
  readonly maker_fee_rate: string;
  /** Standard taker fee rate. */
  readonly taker_fee_rate: string;
  /** Smallest order amount. */
  readonly min_amount: string;
  /** Base currency. */
  readonly base_ccy: string;
  /** Quote currency. */
  readonly quote_ccy: string;
  /** Decimals of amounts. */
  readonly base_ccy_precision: number;
  /** Decimals of prices. */
  readonly quote_ccy_precision: number;
  /** Market status. */
  readonly status: MarketStatus;
  /** Expected delisting time, ms; 0 none. */
  readonly delisted_at: number;
  /** Smallest price step. */
  readonly tick_size: string;
  /** Leverages offered, ascending. */
  readonly leverage: readonly string[];
  /** Total open position size. */
  readonly open_interest_volume: string;
  /** Market is open. */
  readonly is_market_available: boolean;
  /** Copy trading allowed. */
  readonly is_copy_trading_available: boolean;
  /** API trading allowed. */
  readonly is_api_trading_available: boolean;
}

export interface FuturesTicker {
  /** Market name. */
  readonly market: string;
  /** Latest price. */
  readonly last: string;
  /** Price 24 hours ago. */
  readonly open: string;
  /** Latest price, same as last. */
  readonly close: string;
  /** 24-hour high. */
  readonly high: string;
  /** 24-hour low. */
  readonly low: string;
  /** 24-hour amount, base currency. */
  readonly volume: string;
  /** 24-hour value, quote currency. */
  readonly value: string;
  /** 24-hour taker sell amount. */
  readonly volume_sell: string;
  /** 24-hour taker buy amount. */
  readonly volume_buy: string;
  /** Index price. */
  readonly index_price: string;
  /** Mark price. */
  readonly mark_price: string;
  /** Total open position size. */
  readonly open_interest_volume: string;
  /** Window length in seconds, always 86400. */
  readonly period: number;
}

export interface FuturesIndex {
  /** Market name. */
  readonly market: string;
  /** Index time, ms. */
  readonly created_at: number;
  /** Index price. */
  readonly price: string;
  /** No source has been heard of for 60 s, or not for long enough again: positions cannot grow, and nothing is liquidated. */
  readonly is_stale: boolean;
  /** Components of the index. */
  readonly sources: readonly FuturesIndexSource[];
}

export interface FuturesIndexSource {
  /** Source name. */
  readonly exchange: string;
  /** Time of the source price, ms. */
  readonly created_at: number;
  /** Weight of the source, 0 to 1. */
  readonly index_weight: string;
}

export interface FundingRate {
  /** Market name. */
  readonly market: string;
  /** Mark price. */
  readonly mark_price: string;
  /** Current funding rate. */
  readonly latest_funding_rate: string;
  /** Predicted next funding rate. */
  readonly next_funding_rate: string;
  /** Upper bound of the rate. */
  readonly max_funding_rate: string;
  /** Lower bound of the rate. */
  readonly min_funding_rate: string;
  /** Latest collection time, ms. */
  readonly latest_funding_time: number;
  /** Next collection time, ms. */
  readonly next_funding_time: number;
}

export interface FundingRateHistory {
  /** Market name. */
  readonly market: string;
  /** Collection time, ms. */
  readonly funding_time: number;
  /** Rate as computed. */
  readonly theoretical_funding_rate: string;
  /** Rate really charged. */
  readonly actual_funding_rate: string;
}

export interface PremiumIndex {
  /** Market name. */
  readonly market: string;
  /** Sample time, ms. */
  readonly created_at: number;
  /** Premium index. */
  readonly premium_index: string;
}

export interface PositionLevels {
  /** Market name. */
  readonly market: string;
  /** Levels, ascending. */
  readonly level: readonly PositionLevel[];
}

export interface PositionLevel {
  /** Upper bound of the position size. */
  readonly amount: string;
  /** Highest leverage of the level. */
  readonly leverage: string;
  /** Maintenance margin rate. */
  readonly maintenance_margin_rate: string;
  /** Smallest initial margin rate. */
  readonly min_initial_margin_rate: string;
}

export interface Liquidation {
  /** Market name. */
  readonly market: string;
  /** Side of the liquidated position. */
  readonly side: PositionSide;
  /** Liquidation price. */
  readonly liq_price: string;
  /** Liquidated amount. */
  readonly liq_amount: string;
  /** Bankruptcy price. */
  readonly bkr_price: string;
  /** Liquidation time, ms. */
  readonly created_at: number;
}

export interface Basis {
  /** Market name. */
  readonly market: string;
  /** Sample time, ms. */
  readonly created_at: number;
  /** Basis rate. */
  readonly basis_rate: string;
}

export interface FuturesOrder {
  /** Order id. */
  readonly order_id: number;
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Ordered amount. */
  readonly amount: string;
  /** Limit price; "0" for market orders. */
  readonly price: string;
  /** Position side; empty in one-way mode. */
  readonly position_side: PositionSide | "";
  /** Amount still open. */
  readonly unfilled_amount: string;
  /** Amount filled so far. */
  readonly filled_amount: string;
  /** Value filled so far. */
  readonly filled_value: string;
  /** Client-chosen id; empty when none was given. */
  readonly client_id: string;
  /** Fee charged so far. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_ccy: string;
  /** Maker fee rate. */
  readonly maker_fee_rate: string;
  /** Taker fee rate. */
  readonly taker_fee_rate: string;
  /** Amount of the latest fill; "0" before any. */
  readonly last_filled_amount: string;
  /** Price of the latest fill; "0" before any. */
  readonly last_filled_price: string;
  /** Profit or loss realised by this order. */
  readonly realized_pnl: string;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
}

export interface FuturesCloseOrder {
  /** Order id. */
  readonly order_id: number;
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Ordered amount. */
  readonly amount: string;
  /** Limit price; "0" for market orders. */
  readonly price: string;
  /** Amount still open. */
  readonly unfilled_amount: string;
  /** Amount filled so far. */
  readonly filled_amount: string;
  /** Value filled so far. */
  readonly filled_value: string;
  /** Client-chosen id; empty when none was given. */
  readonly client_id: string;
  /** Fee charged so far. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_ccy: string;
  /** Maker fee rate. */
  readonly maker_fee_rate: string;
  /** Taker fee rate. */
  readonly taker_fee_rate: string;
  /** Amount of the latest fill; "0" before any. */
  readonly last_filled_amount: string;
  /** Price of the latest fill; "0" before any. */
  readonly last_filled_price: string;
  /** Profit or loss realised by this order. */
  readonly realized_pnl: string;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
}

export interface FuturesOrderStatus {
  /** Order id. */
  readonly order_id: number;
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Ordered amount. */
  readonly amount: string;
  /** Limit price; "0" for market orders. */
  readonly price: string;
  /** Position side; empty in one-way mode. */
  readonly position_side: PositionSide | "";
  /** Amount still open. */
  readonly unfilled_amount: string;
  /** Amount filled so far. */
  readonly filled_amount: string;
  /** Value filled so far. */
  readonly filled_value: string;
  /** Client-chosen id; empty when none was given. */
  readonly client_id: string;
  /** Fee charged so far. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_ccy: string;
  /** Maker fee rate. */
  readonly maker_fee_rate: string;
  /** Taker fee rate. */
  readonly taker_fee_rate: string;
  /** Amount of the latest fill; "0" before any. */
  readonly last_filled_amount: string;
  /** Price of the latest fill; "0" before any. */
  readonly last_filled_price: string;
  /** Profit or loss realised by this order. */
  readonly realized_pnl: string;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
  /** Order status. */
  readonly status: OrderStatus;
}

export interface FuturesStopOrder {
  /** Stop order id. */
  readonly stop_id: number;
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Type of the order placed on trigger. */
  readonly type: OrderType;
  /** Ordered amount. */
  readonly amount: string;
  /** Limit price; "0" for market orders. */
  readonly price: string;
  /** Position side; empty in one-way mode. */
  readonly position_side: PositionSide | "";
  /** Trigger price. */
  readonly trigger_price: string;
  /** Relation of price to trigger at placement. */
  readonly trigger_direction: TriggerDirection;
  /** Price the trigger watches. */
  readonly trigger_price_type: TriggerPriceType;
  /** Client-chosen id; empty when none was given. */
  readonly client_id: string;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
}

export interface PositionTrigger {
  /** Stop-loss or take-profit id. */
  readonly id: number;
  /** Trigger price. */
  readonly price: string;
  /** Price the trigger watches. */
  readonly type: TpslPriceType;
  /** Amount to close; whole position when is_all. */
  readonly amount: string;
  /** Covers the whole position. */
  readonly is_all: boolean;
  /** Creation time, ms. */
  readonly created_at: number;
}

export interface Position {
  /** Position id. */
  readonly position_id: number;
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Position side. */
  readonly side: PositionSide;
  /** Margin mode. */
  readonly margin_mode: MarginMode;
  /** Position size. */
  readonly open_interest: string;
  /** Size still free to close. */
  readonly close_avbl: string;
  /** Largest size this position ever had. */
  readonly ath_position_amount: string;
  /** Unrealised profit at mark or latest price. */
  readonly unrealized_pnl: string;
  /** Realised profit and loss. */
  readonly realized_pnl: string;
  /** Average entry price. */
  readonly avg_entry_price: string;
  /** Cumulative opened value at average entry price. */
  readonly cml_position_value: string;
  /** Largest opened value at entry price. */
  readonly max_position_value: string;
  /** Take-profit trigger price; empty when unset. */
  readonly take_profit_price: string;
  /** Stop-loss trigger price; empty when unset. */
  readonly stop_loss_price: string;
  /** Take-profit price type; empty when unset. */
  readonly take_profit_type: TpslPriceType | "";
  /** Stop-loss price type; empty when unset. */
  readonly stop_loss_type: TpslPriceType | "";
  /** Leverage. */
  readonly leverage: string;
  /** Margin allocated to the position. */
  readonly margin_avbl: string;
  /** Largest margin this position ever had. */
  readonly ath_margin_size: string;
  /** Position margin rate. */
  readonly position_margin_rate: string;
  /** Maintenance margin rate of the current level. */
  readonly maintenance_margin_rate: string;
  /** Maintenance margin amount. */
  readonly maintenance_margin_value: string;
  /** Estimated liquidation price; "0" when none. */
  readonly liq_price: string;
  /** Bankruptcy price; "0" in cross margin. */
  readonly bkr_price: string;
  /** Auto-deleveraging level, 1 (low) to 5. */
  readonly adl_level: number;
  /** Settlement price, from mark price. */
  readonly settle_price: string;
  /** Settlement value, from mark price. */
  readonly settle_value: string;
  /** Position risk rate, adjusted in real time. */
  readonly risk_rate: string;
  /** Open time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
  /** Stop-loss orders of the position. */
  readonly stop_loss_list: readonly PositionTrigger[];
  /** Take-profit orders of the position. */
  readonly take_profit_list: readonly PositionTrigger[];
}

export interface FinishedPosition {
  /** Position id. */
  readonly position_id: number;
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Position side. */
  readonly side: PositionSide;
  /** Margin mode. */
  readonly margin_mode: MarginMode;
  /** Position size. */
  readonly open_interest: string;
  /** Size still free to close. */
  readonly close_avbl: string;
  /** Largest size this position ever had. */
  readonly ath_position_amount: string;
  /** Unrealised profit at mark or latest price. */
  readonly unrealized_pnl: string;
  /** Realised profit and loss. */
  readonly realized_pnl: string;
  /** Average entry price. */
  readonly avg_entry_price: string;
  /** Cumulative opened value at average entry price. */
  readonly cml_position_value: string;
  /** Largest opened value at entry price. */
  readonly max_position_value: string;
  /** Take-profit trigger price; empty when unset. */
  readonly take_profit_price: string;
  /** Stop-loss trigger price; empty when unset. */
  readonly stop_loss_price: string;
  /** Take-profit price type; empty when unset. */
  readonly take_profit_type: TpslPriceType | "";
  /** Stop-loss price type; empty when unset. */
  readonly stop_loss_type: TpslPriceType | "";
  /** Leverage. */
  readonly leverage: string;
  /** Margin allocated to the position. */
  readonly margin_avbl: string;
  /** Largest margin this position ever had. */
  readonly ath_margin_size: string;
  /** Position margin rate. */
  readonly position_margin_rate: string;
  /** Maintenance margin rate of the current level. */
  readonly maintenance_margin_rate: string;
  /** Maintenance margin amount. */
  readonly maintenance_margin_value: string;
  /** Estimated liquidation price; "0" when none. */
  readonly liq_price: string;
  /** Bankruptcy price; "0" in cross margin. */
  readonly bkr_price: string;
  /** Auto-deleveraging level, 1 (low) to 5. */
  readonly adl_level: number;
  /** Settlement price, from mark price. */
  readonly settle_price: string;
  /** Settlement value, from mark price. */
  readonly settle_value: string;
  /** Position risk rate, adjusted in real time. */
  readonly risk_rate: string;
  /** Open time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
  /** Stop-loss orders of the position. */
  readonly stop_loss_list: readonly PositionTrigger[];
  /** Take-profit orders of the position. */
  readonly take_profit_list: readonly PositionTrigger[];
  /** How the position ended. */
  readonly finished_type: PositionFinishedType;
}

export interface PositionLeverage {
  /** Margin mode now in force. */
  readonly margin_mode: MarginMode;
  /** Leverage now in force. */
  readonly leverage: number;
}

export interface FuturesUserDeal {
  /** Deal id. */
  readonly deal_id: number;
  /** Deal time, ms. */
  readonly created_at: number;
  /** Own order id. */
  readonly order_id: number;
  /** Position changed by the deal. */
  readonly position_id: number;
  /** Market name. */
  readonly market: string;
  /** Own side. */
  readonly side: OrderSide;
  /** Deal price. */
  readonly price: string;
  /** Deal amount. */
  readonly amount: string;
  /** Own role. */
  readonly role: DealRole;
  /** Fee charged. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_ccy: string;
}

export interface PositionMarginChange {
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Position id. */
  readonly position_id: number;
  /** Margin mode. */
  readonly margin_mode: MarginMode;
  /** Leverage. */
  readonly leverage: string;
  /** Liquidation price after the change. */
  readonly liq_price: string;
  /** Bankruptcy price after the change. */
  readonly bkr_price: string;
  /** Settlement price. */
  readonly settle_price: string;
  /** Position size. */
  readonly open_interest: string;
  /** Margin after the change. */
  readonly margin_avbl: string;
  /** Signed change. */
  readonly margin_change: string;
  /** Time, ms. */
  readonly created_at: number;
}

export interface PositionFunding {
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Currency paid. */
  readonly ccy: string;
  /** Position id. */
  readonly position_id: number;
  /** Position side. */
  readonly side: PositionSide;
  /** Margin mode. */
  readonly margin_mode: MarginMode;
  /** Position size. */
  readonly open_interest: string;
  /** Settlement price. */
  readonly settle_price: string;
  /** Rate charged. */
  readonly funding_rate: string;
  /** Signed payment. */
  readonly funding_value: string;
  /** Time, ms. */
  readonly created_at: number;
}

export interface PositionAdl {
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Position id. */
  readonly position_id: number;
  /** Forced order id. */
  readonly order_id: number;
  /** Forced deal id. */
  readonly deal_id: number;
  /** Reduced amount. */
  readonly amount: string;
  /** Deal price. */
  readonly price: string;
  /** Side of the forced deal. */
  readonly side: OrderSide;
  /** Role in the forced deal. */
  readonly role: DealRole;
  /** Time, ms. */
  readonly created_at: number;
}

export interface PositionSettlement {
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Position id. */
  readonly position_id: number;
  /** Margin mode. */
  readonly margin_mode: MarginMode;
  /** Leverage. */
  readonly leverage: string;
  /** Liquidation price after settlement. */
  readonly liq_price: string;
  /** Bankruptcy price after settlement. */
  readonly bkr_price: string;
  /** Settlement price. */
  readonly settle_price: string;
  /** Position size. */
  readonly open_interest: string;
  /** Margin after settlement. */
  readonly margin_avbl: string;
  /** Signed change. */
  readonly margin_change: string;
  /** Time, ms. */
  readonly created_at: number;
}

export interface FuturesOrderRequest {
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Order amount. */
  readonly amount: string;
  /** Limit price; optional for market orders. */
  readonly price: string | undefined;
  /** Hedge mode only; optional. */
  readonly position_side: PositionSide | undefined;
  /** Client id; optional. */
  readonly client_id: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide: boolean | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode: StpMode | undefined;
}

export interface FuturesStopOrderRequest {
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Order amount. */
  readonly amount: string;
  /** Limit price; optional for market orders. */
  readonly price: string | undefined;
  /** Trigger price. */
  readonly trigger_price: string;
  /** Price the trigger watches. */
  readonly trigger_price_type: TriggerPriceType;
  /** Hedge mode only; optional. */
  readonly position_side: PositionSide | undefined;
  /** Client id; optional. */
  readonly client_id: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide: boolean | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode: StpMode | undefined;
}

export interface FuturesModifyRequest {
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Pending order. */
  readonly order_id: number;
  /** New total amount; optional. */
  readonly amount: string | undefined;
  /** New price; optional. */
  readonly price: string | undefined;
}

export interface SubAccount {
  /** Sub-account name. */
  readonly sub_user_name: string;
  /** Frozen or not. */
  readonly is_frozen: boolean;
  /** Authorised to another user or not. */
  readonly is_authorized: boolean;
  /** Permissions held. */
  readonly permissions: readonly SubPermission[];
  /** Total market value, USD. */
  readonly balance_usd: string;
}

export interface SubApiKey {
  /** Key id. */
  readonly api_id: number;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Access id. */
  readonly access_id: string;
  /** Secret; filled at creation only. */
  readonly secret_key: string;
  /** Addresses allowed to use the key. */
  readonly ip_whitelist: readonly string[];
  /** May trade. */
  readonly trade_enabled: boolean;
  /** May withdraw; always false for sub-account keys. */
  readonly withdraw_enabled: boolean;
  /** Key has expired. */
  readonly is_expired: boolean;
  /** Expiry time, ms; 0 means never. */
  readonly expires_at: number;
  /** Free note. */
  readonly remark: string;
}

export interface SubApiKeyItem {
  /** Key id. */
  readonly api_id: number;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Access id. */
  readonly access_id: string;
  /** Addresses allowed to use the key. */
  readonly ip_whitelist: readonly string[];
  /** May trade. */
  readonly trade_enabled: boolean;
  /** May withdraw; always false for sub-account keys. */
  readonly withdraw_enabled: boolean;
  /** Key has expired. */
  readonly is_expired: boolean;
  /** Expiry time, ms; 0 means never. */
  readonly expires_at: number;
  /** Free note. */
  readonly remark: string;
}

export interface SubTransfer {
  /** Record id. */
  readonly id: number;
  /** Application time, ms. */
  readonly created_at: number;
  /** Source account. */
  readonly from_account_type: AccountType;
  /** Target account. */
  readonly to_account_type: AccountType;
  /** Source user name. */
  readonly from_user_name: string;
  /** Target user name. */
  readonly to_user_name: string;
  /** Currency. */
  readonly ccy: string;
  /** Amount. */
  readonly amount: string;
  /** Transfer status. */
  readonly status: TransferStatus;
}

export interface SubInfo {
  /** Kind of account. */
  readonly user_type: UserType;
  /** Own sub-account name; null for a main account. */
  readonly sub_user_name: string | null;
}

export interface AccountInfo {
  /** User id. */
  readonly user_id: string;
}

export interface TradeFee {
  /** Market name. */
  readonly market: string;
  /** Own maker fee rate. */
  readonly maker_rate: string;
  /** Own taker fee rate. */
  readonly taker_rate: string;
}

export interface FuturesSettings {
  /** 1 automatic settlement on, 2 off. */
  readonly settle_switch: SettleSwitch;
  /** Position mode in force. */
  readonly position_mode: PositionMode;
}

export interface SpotBalance {
  /** Currency. */
  readonly ccy: string;
  /** Free balance. */
  readonly available: string;
  /** Unavailable balance, order freezes included. */
  readonly frozen: string;
}

export interface MarginBalance {
  /** Margin market name. */
  readonly margin_account: string;
  /** Base currency. */
  readonly base_ccy: string;
  /** Quote currency. */
  readonly quote_ccy: string;
  /** Free amounts, borrowed funds included. */
  readonly available: MarginPair;
  /** Frozen amounts. */
  readonly frozen: MarginPair;
  /** Principal still to repay. */
  readonly repaid: MarginPair;
  /** Interest still to pay. */
  readonly interest: MarginPair;
  /** Current risk rate; empty without a loan. */
  readonly risk_rate: string;
  /** Liquidation price; empty without a loan. */
  readonly liq_price: string;
}

export interface MarginPair {
  /** Amount in the base currency. */
  readonly base_ccy: string;
  /** Amount in the quote currency. */
  readonly quote_ccy: string;
}

export interface FuturesBalance {
  /** Currency. */
  readonly ccy: string;
  /** Cross plus isolated balance. */
  readonly account_balance: string;
  /** Account balance minus isolated balance. */
  readonly cross_balance: string;
  /** Margin allocated by isolated positions. */
  readonly isolated_balance: string;
  /** Same as isolated_margin_avbl; to be dropped later. */
  readonly available: string;
  /** Initial margin and fees frozen by open orders. */
  readonly frozen: string;
  /** Position margin, isolated allocations only. */
  readonly margin: string;
  /** Margin free for cross positions, never negative. */
  readonly cross_margin_avbl: string;
  /** Margin free for isolated positions. */
  readonly isolated_margin_avbl: string;
  /** Transferable amount, equals isolated_margin_avbl. */
  readonly transferrable: string;
  /** Unrealised profit. */
  readonly unrealized_pnl: string;
}

export interface Referee {
  /** Invited user id. */
  readonly uid: string;
  /** Invited user name. */
  readonly account_name: string;
  /** Registration time, ms. */
  readonly registered_at: number;
  /** VIP level. */
  readonly vip_level: number;
  /** Binding time, ms. */
  readonly bound_at: number;
  /** Invitation code. */
  readonly refer_code: string;
  /** Share of the inviter. */
  readonly referrer_rebate_rate: string;
  /** Share of the invited user. */
  readonly referee_rebate_rate: string;
  /** First deposit time, ms. */
  readonly first_deposit_time: number;
  /** First deposit value, USD. */
  readonly first_deposit_value: string;
  /** Total deposit value, USD. */
  readonly total_deposit_value: string;
  /** First deal time, ms. */
  readonly first_deal_time: number;
  /** First deal value, USD. */
  readonly first_deal_value: string;
  /** Spot value traded, USD. */
  readonly total_spot_value: string;
  /** Spot fees paid, USD. */
  readonly total_spot_fee: string;
  /** Spot rebate, USDT part. */
  readonly total_spot_rebate_usdt: string;
  /** Spot rebate, platform-coin part. */
  readonly total_spot_rebate_cet: string;
  /** Futures value traded, USD. */
  readonly total_futures_value: string;
  /** Futures fees paid, USD. */
  readonly total_futures_fee: string;
  /** Futures rebate, USDT part. */
  readonly total_futures_rebate_usdt: string;
  /** Futures rebate, platform-coin part. */
  readonly total_futures_rebate_cet: string;
  /** Total value traded, USD. */
  readonly total_deal_value: string;
  /** Total fees paid, USD. */
  readonly total_deal_fee: string;
  /** Total rebate, USDT part. */
  readonly total_deal_rebate_usdt: string;
  /** Total rebate, platform-coin part. */
  readonly total_deal_rebate_cet: string;
}

export interface RebateRecord {
  /** Day of the record, ms. */
  readonly created_at: number;
  /** Invited users who traded. */
  readonly deal_user_number: number;
  /** Spot value traded, USD. */
  readonly total_spot_value: string;
  /** Spot fees paid, USD. */
  readonly total_spot_fee: string;
  /** Futures value traded, USD. */
  readonly total_futures_value: string;
  /** Futures fees paid, USD. */
  readonly total_futures_fee: string;
  /** Total value traded, USD. */
  readonly total_deal_value: string;
  /** Total fees paid, USD. */
  readonly total_deal_fee: string;
  /** Rebate received, USDT part. */
  readonly total_deal_rebate_usdt: string;
  /** Rebate received, platform-coin part. */
  readonly total_deal_rebate_cet: string;
}

export interface RebateDetail {
  /** Day of the record, ms. */
  readonly created_at: number;
  /** Invited user id. */
  readonly uid: string;
  /** Invited user name. */
  readonly account_name: string;
  /** Spot value traded, USD. */
  readonly spot_value: string;
  /** Spot fees paid, USD. */
  readonly spot_fee: string;
  /** Futures value traded, USD. */
  readonly futures_value: string;
  /** Futures fees paid, USD. */
  readonly futures_fee: string;
  /** Total value traded, USD. */
  readonly deal_value: string;
  /** Total fees paid, USD. */
  readonly deal_fee: string;
  /** Rebate received, USDT part. */
  readonly deal_rebate_usdt: string;
  /** Rebate received, platform-coin part. */
  readonly deal_rebate_cet: string;
}

export interface AgentReferee {
  /** Agent id. */
  readonly uid: string;
  /** Agent name. */
  readonly account_name: string;
  /** Share the agent receives. */
  readonly rebate_rate: string;
  /** Users the agent invited. */
  readonly invite_number: number;
  /** Invited users who traded. */
  readonly invite_deal_number: number;
  /** Value traded by invited users, USD. */
  readonly invite_deal_value: string;
  /** Fees paid by invited users, USD. */
  readonly invite_deal_fee: string;
  /** Rebate received, USDT part. */
  readonly invite_rebate_usdt: string;
  /** Rebate received, platform-coin part. */
  readonly invite_rebate_cet: string;
  /** Free note. */
  readonly remark: string;
}

export interface FinancialBalance {
  /** Currency. */
  readonly ccy: string;
  /** Free balance. */
  readonly available: string;
  /** Frozen balance. */
  readonly frozen: string;
}

export interface CreditInfo {
  /** Account value, USD. */
  readonly equity: string;
  /** Value still to repay, USD. */
  readonly repaid: string;
  /** Current risk rate; empty without debt. */
  readonly risk_rate: string;
  /** Risk rate below which withdrawal stops. */
  readonly withdrawal_risk: string;
  /** Value that may be withdrawn, USD. */
  readonly withdrawal_value: string;
}

export interface CreditBalance {
  /** Currency. */
  readonly ccy: string;
  /** Principal still to repay. */
  readonly repaid: string;
  /** Interest still to pay. */
  readonly interest: string;
}

export interface AmmLiquidity {
  /** Market name. */
  readonly market: string;
  /** Base currency. */
  readonly base_ccy: string;
  /** Quote currency. */
  readonly quote_ccy: string;
  /** Base currency in the pool. */
  readonly base_ccy_amount: string;
  /** Quote currency in the pool. */
  readonly quote_ccy_amount: string;
  /** Share of the pool. */
  readonly liquidity_proportion: string;
}

export interface AmmChange {
  /** Market name. */
  readonly market: string;
  /** Base currency held in the pool afterwards. */
  readonly base_ccy_amount: string;
  /** Quote currency held in the pool afterwards. */
  readonly quote_ccy_amount: string;
  /** Share of the pool afterwards. */
  readonly liquidity_proportion: string;
}

export interface AmmPool {
  /** Market name. */
  readonly market: string;
  /** Kind of pool. */
  readonly type: AmmType;
  /** Base currency. */
  readonly base_ccy: string;
  /** Quote currency. */
  readonly quote_ccy: string;
  /** Base currency in the pool. */
  readonly base_ccy_amount: string;
  /** Quote currency in the pool. */
  readonly quote_ccy_amount: string;
  /** Value of the pool, USD. */
  readonly total_liquidity: string;
  /** Yearly yield from one day. */
  readonly apy_1day: string;
  /** Yearly yield from seven days. */
  readonly apy_7day: string;
  /** Value traded in seven days. */
  readonly value_7day: string;
  /** Fees distributed in seven days. */
  readonly fee_dividend_7day: string;
}

export interface AmmIncome {
  /** Settlement time, ms. */
  readonly created_at: number;
  /** Market name. */
  readonly market: string;
  /** Base currency. */
  readonly base_ccy: string;
  /** Quote currency. */
  readonly quote_ccy: string;
  /** Base coins the user traded. */
  readonly base_ccy_amount: string;
  /** Quote coins the user traded. */
  readonly quote_ccy_amount: string;
  /** Total liquidity of the user. */
  readonly liquidity: string;
  /** Share of the pool. */
  readonly liquidity_proportion: string;
  /** Seven-day fee dividend. */
  readonly fee_dividend: string;
}

export interface MarginLoan {
  /** Loan id. */
  readonly borrow_id: number;
  /** Loan time, ms. */
  readonly created_at: number;
  /** Margin market. */
  readonly market: string;
  /** Currency borrowed. */
  readonly ccy: string;
  /** Daily interest rate. */
  readonly daily_interest_rate: string;
  /** Due time, ms. */
  readonly expired_at: number;
  /** Amount borrowed. */
  readonly borrow_amount: string;
  /** Principal and interest still due. */
  readonly to_repaid_amount: string;
  /** Same value under a spelling that clients read. */
  readonly to_repaied_amount: string;
  /** Renewed automatically at the due time. */
  readonly is_auto_renew: boolean;
  /** Loan status. */
  readonly status: LoanStatus;
}

export interface MarginLimit {
  /** Margin market. */
  readonly market: string;
  /** Currency. */
  readonly ccy: string;
  /** Highest leverage. */
  readonly leverage: number;
  /** Smallest loan. */
  readonly min_amount: string;
  /** Largest loan. */
  readonly max_amount: string;
  /** Daily interest rate. */
  readonly daily_interest_rate: string;
}

export interface DepositAddress {
  /** Address. */
  readonly address: string;
  /** Memo; empty when not needed. */
  readonly memo: string;
}

export interface Deposit {
  /** Deposit id. */
  readonly deposit_id: number;
  /** Time, ms. */
  readonly created_at: number;
  /** Transaction hash. */
  readonly tx_id: string;
  /** Hash to show; may be empty. */
  readonly tx_id_display: string;
  /** Currency. */
  readonly ccy: string;
  /** Chain name; empty for inter-user. */
  readonly chain: string;
  /** How the funds came. */
  readonly deposit_method: TransferMethod;
  /** Amount sent. */
  readonly amount: string;
  /** Amount credited; empty until known. */
  readonly actual_amount: string;
  /** Receiving address. */
  readonly to_address: string;
  /** Confirmations so far. */
  readonly confirmations: number;
  /** Deposit status. */
  readonly status: DepositStatus;
  /** Explorer link of the transaction. */
  readonly tx_explorer_url: string;
  /** Explorer link of the address. */
  readonly to_addr_explorer_url: string;
  /** Free note. */
  readonly remark: string;
}

export interface Withdrawal {
  /** Withdrawal id. */
  readonly withdraw_id: number;
  /** Application time, ms. */
  readonly created_at: number;
  /** Currency. */
  readonly ccy: string;
  /** Chain name; empty for inter-user. */
  readonly chain: string;
  /** How the funds leave. */
  readonly withdraw_method: TransferMethod;
  /** Memo; empty when not needed. */
  readonly memo: string;
  /** Amount asked. */
  readonly amount: string;
  /** Currency of the fee. */
  readonly fee_ccy: string;
  /** Amount received by the target. */
  readonly actual_amount: string;
  /** Withdrawal fee. */
  readonly tx_fee: string;
  /** Transaction hash; empty until sent. */
  readonly tx_id: string;
  /** Target address or user. */
  readonly to_address: string;
  /** Confirmations so far. */
  readonly confirmations: number;
  /** Explorer link of the address. */
  readonly explorer_address_url: string;
  /** Explorer link of the transaction. */
  readonly explorer_tx_url: string;
  /** Withdrawal status. */
  readonly status: WithdrawStatus;
  /** Free note. */
  readonly remark: string;
}

export interface AssetConfig {
  /** Switches of the currency. */
  readonly asset: AssetFlags;
  /** Chains of the currency. */
  readonly chains: readonly AssetChain[];
}

export interface AssetFlags {
  /** Currency. */
  readonly ccy: string;
  /** Deposits open. */
  readonly deposit_enabled: boolean;
  /** Withdrawals open. */
  readonly withdraw_enabled: boolean;
  /** Inter-user transfers open. */
  readonly inter_transfer_enabled: boolean;
  /** Under special treatment. */
  readonly is_st: boolean;
}

export interface AssetChain {
  /** Chain name. */
  readonly chain: string;
  /** Smallest deposit. */
  readonly min_deposit_amount: string;
  /** Smallest withdrawal. */
  readonly min_withdraw_amount: string;
  /** Deposits open on this chain. */
  readonly deposit_enabled: boolean;
  /** Withdrawals open on this chain. */
  readonly withdraw_enabled: boolean;
  /** Credit delay, minutes. */
  readonly deposit_delay_minutes: number;
  /** Confirmations before crediting. */
  readonly safe_confirmations: number;
  /** Confirmations before withdrawal is allowed. */
  readonly irreversible_confirmations: number;
  /** Share lost at each transfer. */
  readonly deflation_rate: string;
  /** Withdrawal fee. */
  readonly withdrawal_fee: string;
  /** Decimals of withdrawal amounts. */
  readonly withdrawal_precision: number;
  /** Memo of the venue, empty when none. */
  readonly memo: string;
  /** Memo needed to deposit. */
  readonly is_memo_required_for_deposit: boolean;
  /** Explorer link of the asset. */
  readonly explorer_asset_url: string;
}

export interface AssetInfo {
  /** Currency. */
  readonly short_name: string;
  /** Full name. */
  readonly full_name: string;
  /** Site. */
  readonly website_url: string;
  /** White paper. */
  readonly white_paper_url: string;
  /** Chains. */
  readonly chain_info: readonly AssetInfoChain[];
}

export interface AssetInfoChain {
  /** Chain. */
  readonly chain_name: string;
  /** Contract or asset id; empty for native coins. */
  readonly identity: string;
  /** Explorer link. */
  readonly explorer_url: string;
}

export interface Transfer {
  /** Record id. */
  readonly id: number;
  /** Margin market; empty when none. */
  readonly margin_market: string;
  /** Time, ms. */
  readonly created_at: number;
  /** Source account. */
  readonly from_account_type: AccountType;
  /** Target account. */
  readonly to_account_type: AccountType;
  /** Currency. */
  readonly ccy: string;
  /** Amount. */
  readonly amount: string;
  /** Transfer status. */
  readonly status: TransferStatus;
}

export interface SpotTransaction {
  /** Time, ms. */
  readonly created_at: number;
  /** Currency. */
  readonly ccy: string;
  /** Kind of change. */
  readonly type: TransactionType;
  /** Signed change. */
  readonly change: string;
  /** Balance afterwards. */
  readonly balance: string;
}

export interface Statement {
  /** Entry id, increasing. */
  readonly id: number;
  /** Time, ms. */
  readonly created_at: number;
  /** Account changed. */
  readonly account_type: StatementAccountType;
  /** Margin or futures market; null otherwise. */
  readonly market: string | null;
  /** Currency. */
  readonly ccy: string;
  /** Kind of change. */
  readonly type: StatementType;
  /** Signed change. */
  readonly change: string;
  /** Balance afterwards. */
  readonly balance: string;
}

export interface CancelAfter {
  /** Whose orders are cancelled. */
  readonly scope: CancelScope;
  /** The time that was set; 0: none runs. */
  readonly timeout_ms: number;
  /** When orders are cancelled, ms; 0: never. */
  readonly cancel_at: number;
}

export interface ConditionalPlaced {
  /** The pair or bracket; 0 of a single order. */
  readonly group_id: number;
  /** The order that was placed at once; 0: none. */
  readonly order_id: number;
  /** The stop orders that wait, in the order in which they were given. */
  readonly stop_ids: readonly number[];
}

export interface SpotConditionalRequest {
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Order amount, in the base currency. */
  readonly amount: string;
  /** Limit price; optional for market orders. */
  readonly price: string | undefined;
  /** Makes it a stop order; optional. */
  readonly trigger_price: string | undefined;
  /** Makes it a trailing stop, of type market; optional. */
  readonly trail: string | undefined;
  /** Likewise, as a share of the best price; optional. */
  readonly trail_rate: string | undefined;
  /** The trail begins when the price comes here; optional. */
  readonly activation_price: string | undefined;
  /** Price that is followed or compared; optional. */
  readonly trigger_price_type: TriggerPriceType | undefined;
  /** Client id; optional. */
  readonly client_id: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide: boolean | undefined;
  /** Of limit and maker_only: the book shows so much of it at a time; optional. */
  readonly display_amount: string | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode: StpMode | undefined;
}

export interface FuturesConditionalRequest {
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Order amount, in the base currency. */
  readonly amount: string;
  /** Limit price; optional for market orders. */
  readonly price: string | undefined;
  /** Makes it a stop order; optional. */
  readonly trigger_price: string | undefined;
  /** Makes it a trailing stop, of type market; optional. */
  readonly trail: string | undefined;
  /** Likewise, as a share of the best price; optional. */
  readonly trail_rate: string | undefined;
  /** The trail begins when the price comes here; optional. */
  readonly activation_price: string | undefined;
  /** Price that is followed or compared; optional. */
  readonly trigger_price_type: TriggerPriceType | undefined;
  /** Only reduces a position; optional. */
  readonly is_reduce_only: boolean | undefined;
  /** Required in hedge mode, omitted in one-way mode. */
  readonly position_side: PositionSide | undefined;
  /** Client id; optional. */
  readonly client_id: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide: boolean | undefined;
  /** Of limit and maker_only: the book shows so much of it at a time; optional. */
  readonly display_amount: string | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode: StpMode | undefined;
}

export interface IcebergOrder {
  /** Order id. */
  readonly order_id: number;
  /** Market name. */
  readonly market: string;
  /** Account. */
  readonly market_type: MarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Limit or maker_only. */
  readonly type: OrderType;
  /** Ordered amount. */
  readonly amount: string;
  /** Limit price. */
  readonly price: string;
  /** Amount still open, displayed or not. */
  readonly unfilled_amount: string;
  /** Amount filled so far. */
  readonly filled_amount: string;
  /** As much as is displayed at a time. */
  readonly display_amount: string;
  /** As much as is displayed now. */
  readonly displayed_amount: string;
  /** Position side; empty in one-way mode and in spot markets. */
  readonly position_side: PositionSide | "";
  /** Only reduces a position. */
  readonly is_reduce_only: boolean;
  /** Client-chosen id; empty when none was given. */
  readonly client_id: string;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Last change time, ms. */
  readonly updated_at: number;
}

export interface ConditionalOrder {
  /** Stop order id. */
  readonly stop_id: number;
  /** The pair or bracket that it belongs to; 0: none. */
  readonly group_id: number;
  /** The order of the group that rests; 0: none. */
  readonly order_id: number;
  /** Market name. */
  readonly market: string;
  /** Account. */
  readonly market_type: MarketType;
  /** Order side. */
  readonly side: OrderSide;
  /** Type of the order placed on trigger. */
  readonly type: OrderType;
  /** Order amount; 0 while a take profit or stop loss sleeps. */
  readonly amount: string;
  /** Limit price; "0" for market orders. */
  readonly price: string;
  /** Position side; empty in one-way mode and in spot markets. */
  readonly position_side: PositionSide | "";
  /** Only reduces a position. */
  readonly is_reduce_only: boolean;
  /** The price that fires it now; of a trail that has not begun its activation price, or "0". */
  readonly trigger_price: string;
  /** Whether it waits for a fall (higher) or a rise (lower). */
  readonly trigger_direction: TriggerDirection;
  /** Price that is followed or compared. */
  readonly trigger_price_type: TriggerPriceType;
  /** Distance of a trail; "0" where it has none, or a rate. */
  readonly trail: string;
  /** The same as a share; "0" where it has none. */
  readonly trail_rate: string;
  /** Price at which the trail begins; "0": at once, or no trail. */
  readonly activation_price: string;
  /** Best price since the trail began; "0" before. */
  readonly extreme_price: string;
  /** As much as its order displays at a time; all of it where 0. */
  readonly display_amount: string;
  /** Client-chosen id; empty when none was given. */
  readonly client_id: string;
  /** Creation time, ms. */
  readonly created_at: number;
  /** Last change time, ms; of a trail not each step of its trigger. */
  readonly updated_at: number;
}

export interface MarketMakerProtection {
  /** Market name. */
  readonly market: string;
  /** SPOT or FUTURES. */
  readonly market_type: QuoteMarketType;
  /** For how long a fill counts; 0: the market is not protected. */
  readonly window_ms: number;
  /** Limit of fills; 0 where nothing is protected. */
  readonly max_fills: number;
  /** Limit of the amount; null: none. */
  readonly max_amount: string | null;
  /** Limit of the net amount; null: none. */
  readonly max_delta: string | null;
  /** Fills in the window. */
  readonly fills: number;
  /** Amount filled in the window. */
  readonly amount: string;
  /** Bought less sold in the window. */
  readonly delta: string;
  /** The limit that was reached; null: quotes are taken. */
  readonly reached: ProtectionLimit | null;
  /** When, ms; 0: it was not. */
  readonly reached_at: number;
}

export interface QuoteRequest {
  /** Market name. */
  readonly market: string;
  /** SPOT or FUTURES. */
  readonly market_type: QuoteMarketType;
  /** Price to buy at; with bid_amount, or neither. */
  readonly bid_price: string | undefined;
  /** Amount that is to be open there. */
  readonly bid_amount: string | undefined;
  /** Price to sell at; with ask_amount, or neither. */
  readonly ask_price: string | undefined;
  /** Amount that is to be open there. */
  readonly ask_amount: string | undefined;
}

export interface QuotedMarket {
  /** Market name. */
  readonly market: string;
  /** SPOT or FUTURES. */
  readonly market_type: QuoteMarketType;
  /** 0: the quotes rest; else why none of them was taken. */
  readonly code: number;
  /** The sentence that goes with the code. */
  readonly message: string;
  /** One for each pair of the market, in their order; empty where it was refused. */
  readonly quotes: readonly QuoteOrders[];
}

export interface QuoteOrders {
  /** Order that buys; 0 without one. */
  readonly bid_order_id: number;
  /** Order that sells; 0 without one. */
  readonly ask_order_id: number;
}

export interface Liabilities {
  /** The command in the log at which liabilities were counted. */
  readonly seq: number;
  /** Its time, ms. */
  readonly counted_at: number;
  /** SHA-256 over all roots, 64 hexadecimal digits. */
  readonly head: string;
  /** Of which something is owed. */
  readonly currencies: readonly LiabilityRoot[];
}

export interface LiabilityRoot {
  /** Currency. */
  readonly ccy: string;
  /** Decimals of its amounts. */
  readonly precision: number;
  /** Hash of the root of its sum tree, 64 hexadecimal digits. */
  readonly root: string;
  /** What the venue owes of it, all accounts together. */
  readonly total: string;
  /** Leaves, two for each account. */
  readonly leaf_count: number;
}

export interface LiabilityProof {
  /** As in Liabilities. */
  readonly seq: number;
  /** As in Liabilities. */
  readonly counted_at: number;
  /** As in Liabilities. */
  readonly head: string;
  /** As in Liabilities. */
  readonly currencies: readonly LiabilityRoot[];
  /** The account, user_id of /account/info. */
  readonly account_id: string;
  /** Two of each currency of which the account is owed something. */
  readonly leaves: readonly LiabilityLeaf[];
}

export interface LiabilityLeaf {
  /** Currency. */
  readonly ccy: string;
  /** Place among the leaves, from 0. */
  readonly index: number;
  /** Part of what the account is owed. */
  readonly amount: string;
  /** 32 hexadecimal digits, hashed with account and amount. */
  readonly salt: string;
  /** Neighbours on the way to the root, the lowest first. */
  readonly path: readonly LiabilityStep[];
}

export interface LiabilityStep {
  /** Hash of the neighbour, 64 hexadecimal digits. */
  readonly hash: string;
  /** Sum of the leaves below it. */
  readonly amount: string;
}

/** The checked parameters of each endpoint. */
export interface EndpointParams {
  "GET /ping": Readonly<Record<string, never>>;
  "GET /time": Readonly<Record<string, never>>;
  "GET /maintain/info": Readonly<Record<string, never>>;
  "GET /maintain-info": Readonly<Record<string, never>>;
  "GET /spot/market": {
    readonly market: readonly string[] | undefined;
  };
  "GET /spot/ticker": {
    readonly market: readonly string[] | undefined;
  };
  "GET /spot/depth": {
    readonly market: string;
    readonly limit: DepthLimit;
    readonly interval: DepthInterval;
  };
  "GET /spot/deals": {
    readonly market: string;
    readonly limit: number;
    readonly last_id: number;
  };
  "GET /spot/kline": {
    readonly market: string;
    readonly period: KlinePeriod;
    readonly price_type: SpotKlinePriceType;
    readonly limit: number;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
  };
  "GET /spot/index": {
    readonly market: readonly string[] | undefined;
  };
  "POST /spot/order": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide;
    readonly type: OrderType;
    readonly ccy: string | undefined;
    readonly amount: string;
    readonly price: string | undefined;
    readonly client_id: string | undefined;
    readonly is_hide: boolean;
    readonly stp_mode: StpMode | undefined;
  };
  "POST /spot/stop-order": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide;
    readonly type: OrderType;
    readonly ccy: string | undefined;
    readonly amount: string;
    readonly price: string | undefined;
    readonly trigger_price: string;
    readonly client_id: string | undefined;
    readonly is_hide: boolean;
    readonly stp_mode: StpMode | undefined;
  };
  "POST /spot/batch-order": {
    readonly orders: readonly (SpotOrderRequest | Refused)[];
  };
  "POST /spot/batch-stop-order": {
    readonly orders: readonly (SpotStopOrderRequest | Refused)[];
  };
  "POST /spot/modify-order": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly order_id: number;
    readonly amount: string | undefined;
    readonly price: string | undefined;
  };
  "POST /spot/modify-stop-order": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly stop_id: number;
    readonly amount: string | undefined;
    readonly price: string | undefined;
    readonly trigger_price: string | undefined;
  };
  "POST /spot/batch-modify-order": {
    readonly orders: readonly (SpotModifyRequest | Refused)[];
  };
  "POST /spot/cancel-order": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly order_id: number;
  };
  "POST /spot/cancel-stop-order": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly stop_id: number;
  };
  "POST /spot/cancel-batch-order": {
    readonly market: string;
    readonly market_type: SpotMarketType | undefined;
    readonly order_ids: readonly (number | Refused)[];
  };
  "POST /spot/cancel-batch-stop-order": {
    readonly market: string;
    readonly market_type: SpotMarketType | undefined;
    readonly stop_ids: readonly (number | Refused)[];
  };
  "POST /spot/cancel-all-order": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide | undefined;
  };
  "POST /spot/cancel-order-by-client-id": {
    readonly market: string | undefined;
    readonly market_type: SpotMarketType;
    readonly client_id: string;
  };
  "POST /spot/cancel-stop-order-by-client-id": {
    readonly market: string | undefined;
    readonly market_type: SpotMarketType;
    readonly client_id: string;
  };
  "GET /spot/order-status": {
    readonly market: string;
    readonly order_id: number;
  };
  "GET /spot/batch-order-status": {
    readonly market: string;
    readonly order_ids: readonly number[];
  };
  "GET /spot/pending-order": {
    readonly market: string | undefined;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide | undefined;
    readonly client_id: string | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /spot/pending-stop-order": {
    readonly market: string | undefined;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide | undefined;
    readonly client_id: string | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /spot/finished-order": {
    readonly market: string | undefined;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide | undefined;
    readonly client_id: string | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /spot/finished-stop-order": {
    readonly market: string | undefined;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /spot/user-deals": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /spot/order-deals": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly order_id: number;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/market": {
    readonly market: readonly string[] | undefined;
  };
  "GET /futures/ticker": {
    readonly market: readonly string[] | undefined;
  };
  "GET /futures/depth": {
    readonly market: string;
    readonly limit: DepthLimit;
    readonly interval: DepthInterval;
  };
  "GET /futures/deals": {
    readonly market: string;
    readonly limit: number;
    readonly last_id: number;
  };
  "GET /futures/kline": {
    readonly market: string;
    readonly period: KlinePeriod;
    readonly price_type: KlinePriceType;
    readonly limit: number;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
  };
  "GET /futures/index": {
    readonly market: readonly string[] | undefined;
  };
  "GET /futures/funding-rate": {
    readonly market: readonly string[] | undefined;
  };
  "GET /futures/funding-rate-history": {
    readonly market: string;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/premium-index-history": {
    readonly market: string;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/position-level": {
    readonly market: readonly string[] | undefined;
  };
  "GET /futures/liquidation-history": {
    readonly market: string;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/basis-history": {
    readonly market: string;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
  };
  "POST /futures/order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide;
    readonly type: OrderType;
    readonly amount: string;
    readonly price: string | undefined;
    readonly position_side: PositionSide | undefined;
    readonly client_id: string | undefined;
    readonly is_hide: boolean;
    readonly stp_mode: StpMode | undefined;
  };
  "POST /futures/stop-order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide;
    readonly type: OrderType;
    readonly amount: string;
    readonly price: string | undefined;
    readonly trigger_price: string;
    readonly trigger_price_type: TriggerPriceType;
    readonly position_side: PositionSide | undefined;
    readonly client_id: string | undefined;
    readonly is_hide: boolean;
    readonly stp_mode: StpMode | undefined;
  };
  "POST /futures/batch-order": {
    readonly orders: readonly (FuturesOrderRequest | Refused)[];
  };
  "POST /futures/batch-stop-order": {
    readonly orders: readonly (FuturesStopOrderRequest | Refused)[];
  };
  "POST /futures/modify-order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly order_id: number;
    readonly amount: string | undefined;
    readonly price: string | undefined;
  };
  "POST /futures/modify-stop-order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly stop_id: number;
    readonly amount: string | undefined;
    readonly price: string | undefined;
    readonly trigger_price: string | undefined;
  };
  "POST /futures/batch-modify-order": {
    readonly orders: readonly (FuturesModifyRequest | Refused)[];
  };
  "POST /futures/cancel-order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly order_id: number;
  };
  "POST /futures/cancel-stop-order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly stop_id: number;
  };
  "POST /futures/cancel-batch-order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly order_ids: readonly (number | Refused)[];
  };
  "POST /futures/cancel-batch-stop-order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly stop_ids: readonly (number | Refused)[];
  };
  "POST /futures/cancel-all-order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide | undefined;
    readonly position_side: PositionSide | undefined;
  };
  "POST /futures/cancel-order-by-client-id": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly position_side: PositionSide | undefined;
    readonly client_id: string;
  };
  "POST /futures/cancel-stop-order-by-client-id": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly position_side: PositionSide | undefined;
    readonly client_id: string;
  };
  "POST /futures/close-position": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly type: OrderType;
    readonly position_side: PositionSide | undefined;
    readonly price: string | undefined;
    readonly amount: string | undefined;
    readonly client_id: string | undefined;
    readonly is_hide: boolean;
    readonly stp_mode: StpMode | undefined;
  };
  "POST /futures/adjust-position-margin": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_side: PositionSide | undefined;
    readonly amount: string;
  };
  "POST /futures/adjust-position-leverage": {
    readonly market: string;
    readonly market_type: FuturesMarketType | undefined;
    readonly margin_mode: MarginMode;
    readonly leverage: number;
  };
  "POST /futures/set-position-stop-loss": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_side: PositionSide | undefined;
    readonly stop_loss_type: TpslPriceType;
    readonly stop_loss_price: string;
    readonly stop_loss_amount: string | undefined;
  };
  "POST /futures/set-position-take-profit": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_side: PositionSide | undefined;
    readonly take_profit_type: TpslPriceType;
    readonly take_profit_price: string;
    readonly take_profit_amount: string | undefined;
  };
  "POST /futures/modify-position-stop-loss": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_side: PositionSide | undefined;
    readonly stop_loss_id: number;
    readonly stop_loss_type: TpslPriceType | undefined;
    readonly stop_loss_price: string | undefined;
    readonly stop_loss_amount: string | undefined;
  };
  "POST /futures/modify-position-take-profit": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_side: PositionSide | undefined;
    readonly take_profit_id: number;
    readonly take_profit_type: TpslPriceType | undefined;
    readonly take_profit_price: string | undefined;
    readonly take_profit_amount: string | undefined;
  };
  "POST /futures/cancel-position-stop-loss": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_side: PositionSide | undefined;
    readonly stop_loss_id: number | undefined;
  };
  "POST /futures/cancel-position-take-profit": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_side: PositionSide | undefined;
    readonly take_profit_id: number | undefined;
  };
  "GET /futures/order-status": {
    readonly market: string;
    readonly order_id: number;
  };
  "GET /futures/batch-order-status": {
    readonly market: string;
    readonly order_ids: readonly number[];
  };
  "GET /futures/pending-order": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide | undefined;
    readonly client_id: string | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/pending-stop-order": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide | undefined;
    readonly client_id: string | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/finished-order": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide | undefined;
    readonly client_id: string | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/finished-stop-order": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/finished-position": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/user-deals": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/order-deals": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly order_id: number;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/pending-position": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/position-margin-history": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_id: number;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/position-funding-history": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_id: number | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/position-adl-history": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_id: number;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /futures/position-settle-history": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly position_id: number;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "POST /account/subs": {
    readonly sub_user_name: string;
    readonly permissions: readonly SubPermission[] | undefined;
    readonly remark: string | undefined;
  };
  "GET /account/subs": {
    readonly sub_user_name: string | undefined;
    readonly is_frozen: boolean;
    readonly page: number;
    readonly limit: number;
  };
  "POST /account/subs/frozen": {
    readonly sub_user_name: string;
  };
  "POST /account/subs/unfrozen": {
    readonly sub_user_name: string;
  };
  "POST /account/subs/api": {
    readonly sub_user_name: string;
    readonly ip_whitelist: readonly string[];
    readonly trade_enabled: boolean;
    readonly remark: string | undefined;
  };
  "GET /account/subs/api": {
    readonly sub_user_name: string;
    readonly page: number;
    readonly limit: number;
  };
  "GET /account/subs/api-detail": {
    readonly api_id: number;
  };
  "POST /account/subs/edit-api": {
    readonly sub_user_name: string;
    readonly api_id: number;
    readonly trade_enabled: boolean | undefined;
    readonly can_trade: boolean | undefined;
    readonly ip_whitelist: readonly string[] | undefined;
    readonly remark: string | undefined;
  };
  "POST /account/subs/delete-api": {
    readonly sub_user_name: string | undefined;
    readonly api_id: number;
  };
  "POST /account/subs/transfer": {
    readonly from_account_type: SubTransferAccountType;
    readonly to_account_type: SubTransferAccountType;
    readonly from_user_name: string | undefined;
    readonly to_user_name: string | undefined;
    readonly ccy: string;
    readonly amount: string;
  };
  "GET /account/subs/transfer-history": {
    readonly sub_user_name: string | undefined;
    readonly ccy: string | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /account/subs/balance": {
    readonly sub_user_name: string;
    readonly market_type: MarketType;
    readonly market: string | undefined;
  };
  "GET /account/subs/spot-balance": {
    readonly sub_user_name: string;
    readonly ccy: string | undefined;
  };
  "GET /account/subs/info": Readonly<Record<string, never>>;
  "GET /account/info": Readonly<Record<string, never>>;
  "GET /account/trade-fee-rate": {
    readonly market: string;
    readonly market_type: MarketType;
  };
  "POST /account/settings": {
    readonly cet_discount_enabled: boolean;
  };
  "GET /account/futures-market-settings": Readonly<Record<string, never>>;
  "POST /account/futures-market-settings": {
    readonly settle_switch: SettleSwitch | undefined;
    readonly position_mode: PositionMode | undefined;
  };
  "GET /refer/referee": {
    readonly search: string | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /refer/referee-rebate/record": {
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /refer/referee-rebate/detail": {
    readonly search: string | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /refer/agent-referee": {
    readonly search: string | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /refer/agent-rebate/record": {
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /refer/agent-rebate/detail": {
    readonly search: string | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /assets/spot/balance": Readonly<Record<string, never>>;
  "GET /assets/futures/balance": Readonly<Record<string, never>>;
  "GET /assets/margin/balance": {
    readonly market: string | undefined;
  };
  "GET /assets/financial/balance": Readonly<Record<string, never>>;
  "GET /assets/credit/info": Readonly<Record<string, never>>;
  "GET /assets/credit/balance": Readonly<Record<string, never>>;
  "GET /assets/amm/liquidity": Readonly<Record<string, never>>;
  "POST /assets/amm/add-liquidity": {
    readonly market: string;
    readonly base_ccy_amount: string;
    readonly quote_ccy_amount: string;
  };
  "POST /assets/amm/remove-liquidity": {
    readonly market: string;
  };
  "GET /assets/amm/liquidity-pool": {
    readonly market: readonly string[];
  };
  "GET /assets/amm/income-history": {
    readonly market: string;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "POST /assets/margin/borrow": {
    readonly market: string;
    readonly ccy: string;
    readonly borrow_amount: string;
    readonly is_auto_renew: boolean;
  };
  "POST /assets/margin/repay": {
    readonly market: string;
    readonly ccy: string;
    readonly amount: string | undefined;
    readonly borrow_amount: string | undefined;
    readonly borrow_id: number | undefined;
  };
  "GET /assets/margin/borrow-history": {
    readonly market: string | undefined;
    readonly status: LoanStatus | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /assets/margin/interest-limit": {
    readonly market: string;
    readonly ccy: string;
  };
  "GET /assets/deposit-address": {
    readonly ccy: string;
    readonly chain: string;
  };
  "POST /assets/renewal-deposit-address": {
    readonly ccy: string;
    readonly chain: string;
  };
  "GET /assets/deposit-history": {
    readonly ccy: string | undefined;
    readonly tx_id: string | undefined;
    readonly status: DepositStatus | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "POST /assets/withdraw": {
    readonly ccy: string;
    readonly chain: string | undefined;
    readonly to_address: string;
    readonly withdraw_method: TransferMethod;
    readonly memo: string | undefined;
    readonly amount: string;
    readonly fee_ccy: string | undefined;
    readonly extra: Readonly<Record<string, unknown>> | undefined;
    readonly remark: string | undefined;
  };
  "GET /assets/withdraw": {
    readonly ccy: string | undefined;
    readonly withdraw_id: number | undefined;
    readonly status: WithdrawStatus | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "POST /assets/cancel-withdraw": {
    readonly withdraw_id: number;
  };
  "GET /assets/deposit-withdraw-config": {
    readonly ccy: string;
  };
  "GET /assets/all-deposit-withdraw-config": Readonly<Record<string, never>>;
  "GET /assets/info": Readonly<Record<string, never>>;
  "POST /assets/transfer": {
    readonly from_account_type: AccountType;
    readonly to_account_type: AccountType;
    readonly ccy: string;
    readonly amount: string;
    readonly market: string | undefined;
  };
  "GET /assets/transfer-history": {
    readonly ccy: string;
    readonly transfer_type: TransferType;
    readonly market: string | undefined;
    readonly status: TransferStatus | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /assets/spot/transcation-history": {
    readonly ccy: string | undefined;
    readonly type: TransactionType | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /assets/statement": {
    readonly account_type: StatementAccountType | undefined;
    readonly ccy: string | undefined;
    readonly type: StatementType | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "POST /ext/cancel-after": {
    readonly timeout_ms: number;
    readonly scope: CancelScope;
  };
  "GET /ext/cancel-after": Readonly<Record<string, never>>;
  "POST /ext/spot/trailing-stop": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide;
    readonly amount: string;
    readonly trail: string | undefined;
    readonly trail_rate: string | undefined;
    readonly activation_price: string | undefined;
    readonly trigger_price_type: TriggerPriceType;
    readonly client_id: string | undefined;
    readonly stp_mode: StpMode | undefined;
  };
  "POST /ext/spot/oco": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly orders: readonly SpotConditionalRequest[];
  };
  "POST /ext/spot/bracket": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide;
    readonly type: OrderType;
    readonly amount: string;
    readonly price: string | undefined;
    readonly take_profit_price: string;
    readonly stop_loss_price: string | undefined;
    readonly stop_loss_trail: string | undefined;
    readonly stop_loss_trail_rate: string | undefined;
    readonly trigger_price_type: TriggerPriceType;
    readonly client_id: string | undefined;
    readonly is_hide: boolean;
    readonly display_amount: string | undefined;
    readonly stp_mode: StpMode | undefined;
  };
  "POST /ext/spot/iceberg-order": {
    readonly market: string;
    readonly market_type: SpotMarketType;
    readonly side: OrderSide;
    readonly type: OrderType;
    readonly amount: string;
    readonly price: string;
    readonly display_amount: string;
    readonly trigger_price: string | undefined;
    readonly trigger_price_type: TriggerPriceType;
    readonly client_id: string | undefined;
    readonly stp_mode: StpMode | undefined;
  };
  "GET /ext/spot/iceberg-order": {
    readonly market: string | undefined;
    readonly market_type: SpotMarketType;
    readonly page: number;
    readonly limit: number;
  };
  "POST /ext/spot/cancel-group": {
    readonly group_id: number;
  };
  "GET /ext/spot/conditional-order": {
    readonly market: string | undefined;
    readonly market_type: SpotMarketType;
    readonly page: number;
    readonly limit: number;
  };
  "POST /ext/futures/trailing-stop": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide;
    readonly amount: string;
    readonly trail: string | undefined;
    readonly trail_rate: string | undefined;
    readonly activation_price: string | undefined;
    readonly trigger_price_type: TriggerPriceType;
    readonly is_reduce_only: boolean;
    readonly position_side: PositionSide | undefined;
    readonly client_id: string | undefined;
    readonly stp_mode: StpMode | undefined;
  };
  "POST /ext/futures/oco": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly orders: readonly FuturesConditionalRequest[];
  };
  "POST /ext/futures/bracket": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide;
    readonly type: OrderType;
    readonly amount: string;
    readonly price: string | undefined;
    readonly take_profit_price: string;
    readonly stop_loss_price: string | undefined;
    readonly stop_loss_trail: string | undefined;
    readonly stop_loss_trail_rate: string | undefined;
    readonly trigger_price_type: TriggerPriceType;
    readonly position_side: PositionSide | undefined;
    readonly client_id: string | undefined;
    readonly is_hide: boolean;
    readonly display_amount: string | undefined;
    readonly stp_mode: StpMode | undefined;
  };
  "POST /ext/futures/iceberg-order": {
    readonly market: string;
    readonly market_type: FuturesMarketType;
    readonly side: OrderSide;
    readonly type: OrderType;
    readonly amount: string;
    readonly price: string;
    readonly display_amount: string;
    readonly trigger_price: string | undefined;
    readonly trigger_price_type: TriggerPriceType;
    readonly is_reduce_only: boolean;
    readonly position_side: PositionSide | undefined;
    readonly client_id: string | undefined;
    readonly stp_mode: StpMode | undefined;
  };
  "GET /ext/futures/iceberg-order": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly page: number;
    readonly limit: number;
  };
  "POST /ext/futures/cancel-group": {
    readonly group_id: number;
  };
  "GET /ext/futures/conditional-order": {
    readonly market: string | undefined;
    readonly market_type: FuturesMarketType;
    readonly page: number;
    readonly limit: number;
  };
  "POST /ext/market-maker-protection": {
    readonly market: string;
    readonly market_type: QuoteMarketType;
    readonly window_ms: number;
    readonly max_fills: number | undefined;
    readonly max_amount: string | undefined;
    readonly max_delta: string | undefined;
  };
  "GET /ext/market-maker-protection": Readonly<Record<string, never>>;
  "POST /ext/market-maker-protection/reset": {
    readonly market: string;
    readonly market_type: QuoteMarketType;
  };
  "POST /ext/mass-quote": {
    readonly quotes: readonly QuoteRequest[];
  };
  "GET /ext/liabilities": {
    readonly limit: number;
  };
  "GET /ext/liability-proof": Readonly<Record<string, never>>;
}

/** What `data` holds: the record itself, or one row of a list, page or batch. */
export interface EndpointRecord {
  "GET /ping": Pong;
  "GET /time": ServerTime;
  "GET /maintain/info": Maintenance;
  "GET /maintain-info": Maintenance;
  "GET /spot/market": SpotMarket;
  "GET /spot/ticker": SpotTicker;
  "GET /spot/depth": Depth;
  "GET /spot/deals": Deal;
  "GET /spot/kline": Kline;
  "GET /spot/index": SpotIndex;
  "POST /spot/order": SpotOrder;
  "POST /spot/stop-order": StopId;
  "POST /spot/batch-order": SpotOrder;
  "POST /spot/batch-stop-order": StopId;
  "POST /spot/modify-order": SpotOrderStatus;
  "POST /spot/modify-stop-order": StopId;
  "POST /spot/batch-modify-order": SpotOrder;
  "POST /spot/cancel-order": SpotOrder;
  "POST /spot/cancel-stop-order": SpotStopOrder;
  "POST /spot/cancel-batch-order": SpotOrder;
  "POST /spot/cancel-batch-stop-order": SpotStopOrder;
  "POST /spot/cancel-all-order": never;
  "POST /spot/cancel-order-by-client-id": SpotOrder;
  "POST /spot/cancel-stop-order-by-client-id": SpotStopOrder;
  "GET /spot/order-status": SpotOrderStatus;
  "GET /spot/batch-order-status": SpotOrderStatus;
  "GET /spot/pending-order": SpotOrder;
  "GET /spot/pending-stop-order": SpotStopOrder;
  "GET /spot/finished-order": SpotOrder;
  "GET /spot/finished-stop-order": SpotStopOrder;
  "GET /spot/user-deals": SpotUserDeal;
  "GET /spot/order-deals": SpotUserDeal;
  "GET /futures/market": FuturesMarket;
  "GET /futures/ticker": FuturesTicker;
  "GET /futures/depth": Depth;
  "GET /futures/deals": Deal;
  "GET /futures/kline": Kline;
  "GET /futures/index": FuturesIndex;
  "GET /futures/funding-rate": FundingRate;
  "GET /futures/funding-rate-history": FundingRateHistory;
  "GET /futures/premium-index-history": PremiumIndex;
  "GET /futures/position-level": PositionLevels;
  "GET /futures/liquidation-history": Liquidation;
  "GET /futures/basis-history": Basis;
  "POST /futures/order": FuturesOrder;
  "POST /futures/stop-order": StopId;
  "POST /futures/batch-order": FuturesOrder;
  "POST /futures/batch-stop-order": StopId;
  "POST /futures/modify-order": FuturesOrder;
  "POST /futures/modify-stop-order": StopId;
  "POST /futures/batch-modify-order": FuturesOrder;
  "POST /futures/cancel-order": FuturesOrder;
  "POST /futures/cancel-stop-order": FuturesStopOrder;
  "POST /futures/cancel-batch-order": FuturesOrder;
  "POST /futures/cancel-batch-stop-order": FuturesStopOrder;
  "POST /futures/cancel-all-order": never;
  "POST /futures/cancel-order-by-client-id": FuturesOrder;
  "POST /futures/cancel-stop-order-by-client-id": FuturesStopOrder;
  "POST /futures/close-position": FuturesCloseOrder;
  "POST /futures/adjust-position-margin": Position;
  "POST /futures/adjust-position-leverage": PositionLeverage;
  "POST /futures/set-position-stop-loss": Position;
  "POST /futures/set-position-take-profit": Position;
  "POST /futures/modify-position-stop-loss": Position;
  "POST /futures/modify-position-take-profit": Position;
  "POST /futures/cancel-position-stop-loss": Position;
  "POST /futures/cancel-position-take-profit": Position;
  "GET /futures/order-status": FuturesOrderStatus;
  "GET /futures/batch-order-status": FuturesOrderStatus;
  "GET /futures/pending-order": FuturesOrder;
  "GET /futures/pending-stop-order": FuturesStopOrder;
  "GET /futures/finished-order": FuturesOrder;
  "GET /futures/finished-stop-order": FuturesStopOrder;
  "GET /futures/finished-position": FinishedPosition;
  "GET /futures/user-deals": FuturesUserDeal;
  "GET /futures/order-deals": FuturesUserDeal;
  "GET /futures/pending-position": Position;
  "GET /futures/position-margin-history": PositionMarginChange;
  "GET /futures/position-funding-history": PositionFunding;
  "GET /futures/position-adl-history": PositionAdl;
  "GET /futures/position-settle-history": PositionSettlement;
  "POST /account/subs": never;
  "GET /account/subs": SubAccount;
  "POST /account/subs/frozen": never;
  "POST /account/subs/unfrozen": never;
  "POST /account/subs/api": SubApiKey;
  "GET /account/subs/api": SubApiKeyItem;
  "GET /account/subs/api-detail": SubApiKey;
  "POST /account/subs/edit-api": SubApiKey;
  "POST /account/subs/delete-api": never;
  "POST /account/subs/transfer": never;
  "GET /account/subs/transfer-history": SubTransfer;
  "GET /account/subs/balance": SpotBalance | MarginBalance | FuturesBalance;
  "GET /account/subs/spot-balance": SpotBalance;
  "GET /account/subs/info": SubInfo;
  "GET /account/info": AccountInfo;
  "GET /account/trade-fee-rate": TradeFee;
  "POST /account/settings": never;
  "GET /account/futures-market-settings": FuturesSettings;
  "POST /account/futures-market-settings": never;
  "GET /refer/referee": Referee;
  "GET /refer/referee-rebate/record": RebateRecord;
  "GET /refer/referee-rebate/detail": RebateDetail;
  "GET /refer/agent-referee": AgentReferee;
  "GET /refer/agent-rebate/record": RebateRecord;
  "GET /refer/agent-rebate/detail": RebateDetail;
  "GET /assets/spot/balance": SpotBalance;
  "GET /assets/futures/balance": FuturesBalance;
  "GET /assets/margin/balance": MarginBalance;
  "GET /assets/financial/balance": FinancialBalance;
  "GET /assets/credit/info": CreditInfo;
  "GET /assets/credit/balance": CreditBalance;
  "GET /assets/amm/liquidity": AmmLiquidity;
  "POST /assets/amm/add-liquidity": AmmChange;
  "POST /assets/amm/remove-liquidity": AmmChange;
  "GET /assets/amm/liquidity-pool": AmmPool;
  "GET /assets/amm/income-history": AmmIncome;
  "POST /assets/margin/borrow": MarginLoan;
  "POST /assets/margin/repay": never;
  "GET /assets/margin/borrow-history": MarginLoan;
  "GET /assets/margin/interest-limit": MarginLimit;
  "GET /assets/deposit-address": DepositAddress;
  "POST /assets/renewal-deposit-address": DepositAddress;
  "GET /assets/deposit-history": Deposit;
  "POST /assets/withdraw": Withdrawal;
  "GET /assets/withdraw": Withdrawal;
  "POST /assets/cancel-withdraw": never;
  "GET /assets/deposit-withdraw-config": AssetConfig;
  "GET /assets/all-deposit-withdraw-config": AssetConfig;
  "GET /assets/info": AssetInfo;
  "POST /assets/transfer": never;
  "GET /assets/transfer-history": Transfer;
  "GET /assets/spot/transcation-history": SpotTransaction;
  "GET /assets/statement": Statement;
  "POST /ext/cancel-after": CancelAfter;
  "GET /ext/cancel-after": CancelAfter;
  "POST /ext/spot/trailing-stop": ConditionalPlaced;
  "POST /ext/spot/oco": ConditionalPlaced;
  "POST /ext/spot/bracket": ConditionalPlaced;
  "POST /ext/spot/iceberg-order": ConditionalPlaced;
  "GET /ext/spot/iceberg-order": IcebergOrder;
  "POST /ext/spot/cancel-group": ConditionalPlaced;
  "GET /ext/spot/conditional-order": ConditionalOrder;
  "POST /ext/futures/trailing-stop": ConditionalPlaced;
  "POST /ext/futures/oco": ConditionalPlaced;
  "POST /ext/futures/bracket": ConditionalPlaced;
  "POST /ext/futures/iceberg-order": ConditionalPlaced;
  "GET /ext/futures/iceberg-order": IcebergOrder;
  "POST /ext/futures/cancel-group": ConditionalPlaced;
  "GET /ext/futures/conditional-order": ConditionalOrder;
  "POST /ext/market-maker-protection": MarketMakerProtection;
  "GET /ext/market-maker-protection": MarketMakerProtection;
  "POST /ext/market-maker-protection/reset": MarketMakerProtection;
  "POST /ext/mass-quote": QuotedMarket;
  "GET /ext/liabilities": Liabilities;
  "GET /ext/liability-proof": LiabilityProof;
}

/** What goes into the envelope. */
export interface EndpointKind {
  "GET /ping": "object";
  "GET /time": "object";
  "GET /maintain/info": "array";
  "GET /maintain-info": "array";
  "GET /spot/market": "array";
  "GET /spot/ticker": "array";
  "GET /spot/depth": "object";
  "GET /spot/deals": "array";
  "GET /spot/kline": "array";
  "GET /spot/index": "array";
  "POST /spot/order": "object";
  "POST /spot/stop-order": "object";
  "POST /spot/batch-order": "batch";
  "POST /spot/batch-stop-order": "batch";
  "POST /spot/modify-order": "object";
  "POST /spot/modify-stop-order": "object";
  "POST /spot/batch-modify-order": "batch";
  "POST /spot/cancel-order": "object";
  "POST /spot/cancel-stop-order": "object";
  "POST /spot/cancel-batch-order": "batch";
  "POST /spot/cancel-batch-stop-order": "batch";
  "POST /spot/cancel-all-order": "empty";
  "POST /spot/cancel-order-by-client-id": "batch";
  "POST /spot/cancel-stop-order-by-client-id": "batch";
  "GET /spot/order-status": "object";
  "GET /spot/batch-order-status": "batch";
  "GET /spot/pending-order": "page";
  "GET /spot/pending-stop-order": "page";
  "GET /spot/finished-order": "page";
  "GET /spot/finished-stop-order": "page";
  "GET /spot/user-deals": "page";
  "GET /spot/order-deals": "page";
  "GET /futures/market": "array";
  "GET /futures/ticker": "array";
  "GET /futures/depth": "object";
  "GET /futures/deals": "array";
  "GET /futures/kline": "array";
  "GET /futures/index": "array";
  "GET /futures/funding-rate": "array";
  "GET /futures/funding-rate-history": "page";
  "GET /futures/premium-index-history": "page";
  "GET /futures/position-level": "array";
  "GET /futures/liquidation-history": "page";
  "GET /futures/basis-history": "array";
  "POST /futures/order": "object";
  "POST /futures/stop-order": "object";
  "POST /futures/batch-order": "batch";
  "POST /futures/batch-stop-order": "batch";
  "POST /futures/modify-order": "object";
  "POST /futures/modify-stop-order": "object";
  "POST /futures/batch-modify-order": "batch";
  "POST /futures/cancel-order": "object";
  "POST /futures/cancel-stop-order": "object";
  "POST /futures/cancel-batch-order": "batch";
  "POST /futures/cancel-batch-stop-order": "batch";
  "POST /futures/cancel-all-order": "empty";
  "POST /futures/cancel-order-by-client-id": "batch";
  "POST /futures/cancel-stop-order-by-client-id": "batch";
  "POST /futures/close-position": "object";
  "POST /futures/adjust-position-margin": "object";
  "POST /futures/adjust-position-leverage": "object";
  "POST /futures/set-position-stop-loss": "object";
  "POST /futures/set-position-take-profit": "object";
  "POST /futures/modify-position-stop-loss": "object";
  "POST /futures/modify-position-take-profit": "object";
  "POST /futures/cancel-position-stop-loss": "object";
  "POST /futures/cancel-position-take-profit": "object";
  "GET /futures/order-status": "object";
  "GET /futures/batch-order-status": "batch";
  "GET /futures/pending-order": "page";
  "GET /futures/pending-stop-order": "page";
  "GET /futures/finished-order": "page";
  "GET /futures/finished-stop-order": "page";
  "GET /futures/finished-position": "page";
  "GET /futures/user-deals": "page";
  "GET /futures/order-deals": "page";
  "GET /futures/pending-position": "page";
  "GET /futures/position-margin-history": "page";
  "GET /futures/position-funding-history": "page";
  "GET /futures/position-adl-history": "page";
  "GET /futures/position-settle-history": "page";
  "POST /account/subs": "empty";
  "GET /account/subs": "page";
  "POST /account/subs/frozen": "empty";
  "POST /account/subs/unfrozen": "empty";
  "POST /account/subs/api": "object";
  "GET /account/subs/api": "page";
  "GET /account/subs/api-detail": "object";
  "POST /account/subs/edit-api": "object";
  "POST /account/subs/delete-api": "empty";
  "POST /account/subs/transfer": "empty";
  "GET /account/subs/transfer-history": "page";
  "GET /account/subs/balance": "array";
  "GET /account/subs/spot-balance": "array";
  "GET /account/subs/info": "object";
  "GET /account/info": "object";
  "GET /account/trade-fee-rate": "object";
  "POST /account/settings": "empty";
  "GET /account/futures-market-settings": "object";
  "POST /account/futures-market-settings": "empty";
  "GET /refer/referee": "page";
  "GET /refer/referee-rebate/record": "page";
  "GET /refer/referee-rebate/detail": "page";
  "GET /refer/agent-referee": "page";
  "GET /refer/agent-rebate/record": "page";
  "GET /refer/agent-rebate/detail": "page";
  "GET /assets/spot/balance": "array";
  "GET /assets/futures/balance": "array";
  "GET /assets/margin/balance": "array";
  "GET /assets/financial/balance": "array";
  "GET /assets/credit/info": "object";
  "GET /assets/credit/balance": "array";
  "GET /assets/amm/liquidity": "array";
  "POST /assets/amm/add-liquidity": "object";
  "POST /assets/amm/remove-liquidity": "object";
  "GET /assets/amm/liquidity-pool": "array";
  "GET /assets/amm/income-history": "page";
  "POST /assets/margin/borrow": "object";
  "POST /assets/margin/repay": "empty";
  "GET /assets/margin/borrow-history": "page";
  "GET /assets/margin/interest-limit": "object";
  "GET /assets/deposit-address": "object";
  "POST /assets/renewal-deposit-address": "object";
  "GET /assets/deposit-history": "page";
  "POST /assets/withdraw": "object";
  "GET /assets/withdraw": "page";
  "POST /assets/cancel-withdraw": "empty";
  "GET /assets/deposit-withdraw-config": "object";
  "GET /assets/all-deposit-withdraw-config": "array";
  "GET /assets/info": "array";
  "POST /assets/transfer": "empty";
  "GET /assets/transfer-history": "page";
  "GET /assets/spot/transcation-history": "page";
  "GET /assets/statement": "page";
  "POST /ext/cancel-after": "object";
  "GET /ext/cancel-after": "array";
  "POST /ext/spot/trailing-stop": "object";
  "POST /ext/spot/oco": "object";
  "POST /ext/spot/bracket": "object";
  "POST /ext/spot/iceberg-order": "object";
  "GET /ext/spot/iceberg-order": "page";
  "POST /ext/spot/cancel-group": "object";
  "GET /ext/spot/conditional-order": "page";
  "POST /ext/futures/trailing-stop": "object";
  "POST /ext/futures/oco": "object";
  "POST /ext/futures/bracket": "object";
  "POST /ext/futures/iceberg-order": "object";
  "GET /ext/futures/iceberg-order": "page";
  "POST /ext/futures/cancel-group": "object";
  "GET /ext/futures/conditional-order": "page";
  "POST /ext/market-maker-protection": "object";
  "GET /ext/market-maker-protection": "array";
  "POST /ext/market-maker-protection/reset": "object";
  "POST /ext/mass-quote": "array";
  "GET /ext/liabilities": "array";
  "GET /ext/liability-proof": "object";
}

export type EndpointName = keyof EndpointParams;

/** The endpoints that have a caller. */
export type SignedEndpointName =
  | "POST /spot/order"
  | "POST /spot/stop-order"
  | "POST /spot/batch-order"
  | "POST /spot/batch-stop-order"
  | "POST /spot/modify-order"
  | "POST /spot/modify-stop-order"
  | "POST /spot/batch-modify-order"
  | "POST /spot/cancel-order"
  | "POST /spot/cancel-stop-order"
  | "POST /spot/cancel-batch-order"
  | "POST /spot/cancel-batch-stop-order"
  | "POST /spot/cancel-all-order"
  | "POST /spot/cancel-order-by-client-id"
  | "POST /spot/cancel-stop-order-by-client-id"
  | "GET /spot/order-status"
  | "GET /spot/batch-order-status"
  | "GET /spot/pending-order"
  | "GET /spot/pending-stop-order"
  | "GET /spot/finished-order"
  | "GET /spot/finished-stop-order"
  | "GET /spot/user-deals"
  | "GET /spot/order-deals"
  | "POST /futures/order"
  | "POST /futures/stop-order"
  | "POST /futures/batch-order"
  | "POST /futures/batch-stop-order"
  | "POST /futures/modify-order"
  | "POST /futures/modify-stop-order"
  | "POST /futures/batch-modify-order"
  | "POST /futures/cancel-order"
  | "POST /futures/cancel-stop-order"
  | "POST /futures/cancel-batch-order"
  | "POST /futures/cancel-batch-stop-order"
  | "POST /futures/cancel-all-order"
  | "POST /futures/cancel-order-by-client-id"
  | "POST /futures/cancel-stop-order-by-client-id"
  | "POST /futures/close-position"
  | "POST /futures/adjust-position-margin"
  | "POST /futures/adjust-position-leverage"
  | "POST /futures/set-position-stop-loss"
  | "POST /futures/set-position-take-profit"
  | "POST /futures/modify-position-stop-loss"
  | "POST /futures/modify-position-take-profit"
  | "POST /futures/cancel-position-stop-loss"
  | "POST /futures/cancel-position-take-profit"
  | "GET /futures/order-status"
  | "GET /futures/batch-order-status"
  | "GET /futures/pending-order"
  | "GET /futures/pending-stop-order"
  | "GET /futures/finished-order"
  | "GET /futures/finished-stop-order"
  | "GET /futures/finished-position"
  | "GET /futures/user-deals"
  | "GET /futures/order-deals"
  | "GET /futures/pending-position"
  | "GET /futures/position-margin-history"
  | "GET /futures/position-funding-history"
  | "GET /futures/position-adl-history"
  | "GET /futures/position-settle-history"
  | "POST /account/subs"
  | "GET /account/subs"
  | "POST /account/subs/frozen"
  | "POST /account/subs/unfrozen"
  | "POST /account/subs/api"
  | "GET /account/subs/api"
  | "GET /account/subs/api-detail"
  | "POST /account/subs/edit-api"
  | "POST /account/subs/delete-api"
  | "POST /account/subs/transfer"
  | "GET /account/subs/transfer-history"
  | "GET /account/subs/balance"
  | "GET /account/subs/spot-balance"
  | "GET /account/subs/info"
  | "GET /account/info"
  | "GET /account/trade-fee-rate"
  | "POST /account/settings"
  | "GET /account/futures-market-settings"
  | "POST /account/futures-market-settings"
  | "GET /refer/referee"
  | "GET /refer/referee-rebate/record"
  | "GET /refer/referee-rebate/detail"
  | "GET /refer/agent-referee"
  | "GET /refer/agent-rebate/record"
  | "GET /refer/agent-rebate/detail"
  | "GET /assets/spot/balance"
  | "GET /assets/futures/balance"
  | "GET /assets/margin/balance"
  | "GET /assets/financial/balance"
  | "GET /assets/credit/info"
  | "GET /assets/credit/balance"
  | "GET /assets/amm/liquidity"
  | "POST /assets/amm/add-liquidity"
  | "POST /assets/amm/remove-liquidity"
  | "GET /assets/amm/liquidity-pool"
  | "GET /assets/amm/income-history"
  | "POST /assets/margin/borrow"
  | "POST /assets/margin/repay"
  | "GET /assets/margin/borrow-history"
  | "GET /assets/margin/interest-limit"
  | "GET /assets/deposit-address"
  | "POST /assets/renewal-deposit-address"
  | "GET /assets/deposit-history"
  | "POST /assets/withdraw"
  | "GET /assets/withdraw"
  | "POST /assets/cancel-withdraw"
  | "POST /assets/transfer"
  | "GET /assets/transfer-history"
  | "GET /assets/spot/transcation-history"
  | "GET /assets/statement"
  | "POST /ext/cancel-after"
  | "GET /ext/cancel-after"
  | "POST /ext/spot/trailing-stop"
  | "POST /ext/spot/oco"
  | "POST /ext/spot/bracket"
  | "POST /ext/spot/iceberg-order"
  | "GET /ext/spot/iceberg-order"
  | "POST /ext/spot/cancel-group"
  | "GET /ext/spot/conditional-order"
  | "POST /ext/futures/trailing-stop"
  | "POST /ext/futures/oco"
  | "POST /ext/futures/bracket"
  | "POST /ext/futures/iceberg-order"
  | "GET /ext/futures/iceberg-order"
  | "POST /ext/futures/cancel-group"
  | "GET /ext/futures/conditional-order"
  | "POST /ext/market-maker-protection"
  | "GET /ext/market-maker-protection"
  | "POST /ext/market-maker-protection/reset"
  | "POST /ext/mass-quote"
  | "GET /ext/liability-proof";
