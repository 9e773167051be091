// Written by scripts/generate-client.ts from contract/current. Change the contract, not this file.

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
  readonly asks: readonly (readonly [price: string, amount: string])[];
  /** [price, amount] rows, best bid first. */
  readonly bids: readonly (readonly [price: string, amount: string])[];
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
  readonly ccy?: string | undefined;
  /** Order amount. */
  readonly amount: string;
  /** Limit price; optional for market orders. */
  readonly price?: string | undefined;
  /** Client id; optional. */
  readonly client_id?: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide?: boolean | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode?: StpMode | undefined;
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
  readonly ccy?: string | undefined;
  /** Order amount. */
  readonly amount: string;
  /** Limit price; optional for market orders. */
  readonly price?: string | undefined;
  /** Trigger price. */
  readonly trigger_price: string;
  /** Client id; optional. */
  readonly client_id?: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide?: boolean | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode?: StpMode | undefined;
}

export interface SpotModifyRequest {
  /** Market name. */
  readonly market: string;
  /** SPOT or MARGIN. */
  readonly market_type: SpotMarketType;
  /** Pending order. */
  readonly order_id: number;
  /** New total amount; optional. */
  readonly amount?: string | undefined;
  /** New price; optional. */
  readonly price?: string | undefined;
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
  readonly price?: string | undefined;
  /** Hedge mode only; optional. */
  readonly position_side?: PositionSide | undefined;
  /** Client id; optional. */
  readonly client_id?: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide?: boolean | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode?: StpMode | undefined;
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
  readonly price?: string | undefined;
  /** Trigger price. */
  readonly trigger_price: string;
  /** Price the trigger watches. */
  readonly trigger_price_type: TriggerPriceType;
  /** Hedge mode only; optional. */
  readonly position_side?: PositionSide | undefined;
  /** Client id; optional. */
  readonly client_id?: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide?: boolean | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode?: StpMode | undefined;
}

export interface FuturesModifyRequest {
  /** Market name. */
  readonly market: string;
  /** Always FUTURES. */
  readonly market_type: FuturesMarketType;
  /** Pending order. */
  readonly order_id: number;
  /** New total amount; optional. */
  readonly amount?: string | undefined;
  /** New price; optional. */
  readonly price?: string | undefined;
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
  readonly price?: string | undefined;
  /** Makes it a stop order; optional. */
  readonly trigger_price?: string | undefined;
  /** Makes it a trailing stop, of type market; optional. */
  readonly trail?: string | undefined;
  /** Likewise, as a share of the best price; optional. */
  readonly trail_rate?: string | undefined;
  /** The trail begins when the price comes here; optional. */
  readonly activation_price?: string | undefined;
  /** Price that is followed or compared; optional. */
  readonly trigger_price_type?: TriggerPriceType | undefined;
  /** Client id; optional. */
  readonly client_id?: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide?: boolean | undefined;
  /** Of limit and maker_only: the book shows so much of it at a time; optional. */
  readonly display_amount?: string | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode?: StpMode | undefined;
}

export interface FuturesConditionalRequest {
  /** Order side. */
  readonly side: OrderSide;
  /** Order type. */
  readonly type: OrderType;
  /** Order amount, in the base currency. */
  readonly amount: string;
  /** Limit price; optional for market orders. */
  readonly price?: string | undefined;
  /** Makes it a stop order; optional. */
  readonly trigger_price?: string | undefined;
  /** Makes it a trailing stop, of type market; optional. */
  readonly trail?: string | undefined;
  /** Likewise, as a share of the best price; optional. */
  readonly trail_rate?: string | undefined;
  /** The trail begins when the price comes here; optional. */
  readonly activation_price?: string | undefined;
  /** Price that is followed or compared; optional. */
  readonly trigger_price_type?: TriggerPriceType | undefined;
  /** Only reduces a position; optional. */
  readonly is_reduce_only?: boolean | undefined;
  /** Required in hedge mode, omitted in one-way mode. */
  readonly position_side?: PositionSide | undefined;
  /** Client id; optional. */
  readonly client_id?: string | undefined;
  /** Hidden order; optional. */
  readonly is_hide?: boolean | undefined;
  /** Of limit and maker_only: the book shows so much of it at a time; optional. */
  readonly display_amount?: string | undefined;
  /** Self-trade mode; optional. */
  readonly stp_mode?: StpMode | undefined;
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
  readonly bid_price?: string | undefined;
  /** Amount that is to be open there. */
  readonly bid_amount?: string | undefined;
  /** Price to sell at; with ask_amount, or neither. */
  readonly ask_price?: string | undefined;
  /** Amount that is to be open there. */
  readonly ask_amount?: string | undefined;
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

/** What each call takes. Decimals are texts, times are ms. */
export interface Params {
  "GET /ping": Readonly<Record<string, never>>;
  "GET /time": Readonly<Record<string, never>>;
  "GET /maintain/info": Readonly<Record<string, never>>;
  "GET /maintain-info": Readonly<Record<string, never>>;
  "GET /spot/market": {
    /** Comma-separated market names, at most 10; absent or empty means every market. */
    readonly market?: string | readonly string[] | undefined;
  };
  "GET /spot/ticker": {
    /** Comma-separated market names, at most 10; absent or empty means every market. */
    readonly market?: string | readonly string[] | undefined;
  };
  "GET /spot/depth": {
    /** One market name. */
    readonly market: string;
    /** Rows per side; one of 5, 10, 20, 50. */
    readonly limit: DepthLimit;
    /** Price merge step; "0" means unmerged. */
    readonly interval: DepthInterval;
  };
  "GET /spot/deals": {
    /** One market name. */
    readonly market: string;
    /** At most 1000. */
    readonly limit?: number | undefined;
    /** Starting deal id; 0 means from the latest. */
    readonly last_id?: number | undefined;
  };
  "GET /spot/kline": {
    /** One market name. */
    readonly market: string;
    /** Candle length. */
    readonly period: KlinePeriod;
    /** Latest_price or index_price; mark_price is refused. */
    readonly price_type?: SpotKlinePriceType | undefined;
    /** Number of most recent candles in range; at most 1000. */
    readonly limit?: number | undefined;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
  };
  "GET /spot/index": {
    /** Comma-separated market names, at most 10; absent or empty means every market. */
    readonly market?: string | readonly string[] | undefined;
  };
  "POST /spot/order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Order type. */
    readonly type: OrderType;
    /** Market orders: base or quote currency the amount is in. */
    readonly ccy?: string | undefined;
    /** Positive; at least min_amount, within precision. */
    readonly amount: string;
    /** Required unless type is market. */
    readonly price?: string | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Hides the order from the public depth. */
    readonly is_hide?: boolean | undefined;
    /** Self-trade protection; no effect on stop orders during an auction. */
    readonly stp_mode?: StpMode | undefined;
  };
  "POST /spot/stop-order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Order type. */
    readonly type: OrderType;
    /** Market orders: base or quote currency the amount is in. */
    readonly ccy?: string | undefined;
    /** Positive; at least min_amount, within precision. */
    readonly amount: string;
    /** Required unless type is market. */
    readonly price?: string | undefined;
    /** Positive price that arms the order. */
    readonly trigger_price: string;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Hides the order from the public depth. */
    readonly is_hide?: boolean | undefined;
    /** Self-trade protection; no effect on stop orders during an auction. */
    readonly stp_mode?: StpMode | undefined;
  };
  "POST /spot/batch-order": {
    /** 1 to 100 order requests. */
    readonly orders: readonly SpotOrderRequest[];
  };
  "POST /spot/batch-stop-order": {
    /** 1 to 100 stop order requests. */
    readonly orders: readonly SpotStopOrderRequest[];
  };
  "POST /spot/modify-order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** A pending order. */
    readonly order_id: number;
    /** New total; must exceed what is already filled. */
    readonly amount?: string | undefined;
    /** New limit price. */
    readonly price?: string | undefined;
  };
  "POST /spot/modify-stop-order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** A pending stop order. */
    readonly stop_id: number;
    /** New amount. */
    readonly amount?: string | undefined;
    /** New limit price. */
    readonly price?: string | undefined;
    /** New trigger price. */
    readonly trigger_price?: string | undefined;
  };
  "POST /spot/batch-modify-order": {
    /** 1 to 100 modifications. */
    readonly orders: readonly SpotModifyRequest[];
  };
  "POST /spot/cancel-order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** A pending order. */
    readonly order_id: number;
  };
  "POST /spot/cancel-stop-order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** A pending stop order. */
    readonly stop_id: number;
  };
  "POST /spot/cancel-batch-order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type?: SpotMarketType | undefined;
    /** 1 to 100 order ids of that market. */
    readonly order_ids: readonly number[];
  };
  "POST /spot/cancel-batch-stop-order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type?: SpotMarketType | undefined;
    /** 1 to 100 stop ids of that market. */
    readonly stop_ids: readonly number[];
  };
  "POST /spot/cancel-all-order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
  };
  "POST /spot/cancel-order-by-client-id": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Client id given at placement. */
    readonly client_id: string;
  };
  "POST /spot/cancel-stop-order-by-client-id": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Client id given at placement. */
    readonly client_id: string;
  };
  "GET /spot/order-status": {
    /** One market name. */
    readonly market: string;
    /** Order id. */
    readonly order_id: number;
  };
  "GET /spot/batch-order-status": {
    /** One market name. */
    readonly market: string;
    /** Order ids joined by commas; at most 100. */
    readonly order_ids: string | readonly number[];
  };
  "GET /spot/pending-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Only orders with this client id. */
    readonly client_id?: string | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /spot/pending-stop-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Only stop orders with this client id. */
    readonly client_id?: string | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /spot/finished-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Only orders with this client id. */
    readonly client_id?: string | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /spot/finished-stop-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /spot/user-deals": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /spot/order-deals": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Order id. */
    readonly order_id: number;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/market": {
    /** Comma-separated market names, at most 10; absent or empty means every market. */
    readonly market?: string | readonly string[] | undefined;
  };
  "GET /futures/ticker": {
    /** Comma-separated market names, at most 10; absent or empty means every market. */
    readonly market?: string | readonly string[] | undefined;
  };
  "GET /futures/depth": {
    /** One market name. */
    readonly market: string;
    /** Rows per side; one of 5, 10, 20, 50. */
    readonly limit: DepthLimit;
    /** Price merge step; "0" means unmerged. */
    readonly interval: DepthInterval;
  };
  "GET /futures/deals": {
    /** One market name. */
    readonly market: string;
    /** At most 1000. */
    readonly limit?: number | undefined;
    /** Starting deal id; 0 means from the latest. */
    readonly last_id?: number | undefined;
  };
  "GET /futures/kline": {
    /** One market name. */
    readonly market: string;
    /** Candle length. */
    readonly period: KlinePeriod;
    /** Price series to draw. */
    readonly price_type?: KlinePriceType | undefined;
    /** Number of most recent candles in range; at most 1000. */
    readonly limit?: number | undefined;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
  };
  "GET /futures/index": {
    /** Comma-separated market names, at most 10; absent or empty means every market. */
    readonly market?: string | readonly string[] | undefined;
  };
  "GET /futures/funding-rate": {
    /** Comma-separated market names, at most 10; absent or empty means every market. */
    readonly market?: string | readonly string[] | undefined;
  };
  "GET /futures/funding-rate-history": {
    /** One market name. */
    readonly market: string;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/premium-index-history": {
    /** One market name. */
    readonly market: string;
    /** Default 8 hours ago; range at most 1 day, at most 30 days back. */
    readonly start_time?: number | undefined;
    /** Default now. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/position-level": {
    /** Comma-separated market names, at most 10; absent or empty means every market. */
    readonly market?: string | readonly string[] | undefined;
  };
  "GET /futures/liquidation-history": {
    /** One market name. */
    readonly market: string;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/basis-history": {
    /** One market name. */
    readonly market: string;
    /** Default 7 days ago. */
    readonly start_time?: number | undefined;
    /** Default now. */
    readonly end_time?: number | undefined;
  };
  "POST /futures/order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Order type. */
    readonly type: OrderType;
    /** Positive; at least min_amount, within precision. */
    readonly amount: string;
    /** Required unless type is market. */
    readonly price?: string | undefined;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Hides the order from the public depth. */
    readonly is_hide?: boolean | undefined;
    /** Self-trade protection; no effect on stop orders during an auction. */
    readonly stp_mode?: StpMode | undefined;
  };
  "POST /futures/stop-order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Order type. */
    readonly type: OrderType;
    /** Positive; at least min_amount, within precision. */
    readonly amount: string;
    /** Required unless type is market. */
    readonly price?: string | undefined;
    /** Positive price that arms the order. */
    readonly trigger_price: string;
    /** Price the trigger watches. */
    readonly trigger_price_type?: TriggerPriceType | undefined;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Hides the order from the public depth. */
    readonly is_hide?: boolean | undefined;
    /** Self-trade protection; no effect on stop orders during an auction. */
    readonly stp_mode?: StpMode | undefined;
  };
  "POST /futures/batch-order": {
    /** 1 to 100 order requests. */
    readonly orders: readonly FuturesOrderRequest[];
  };
  "POST /futures/batch-stop-order": {
    /** 1 to 100 stop order requests. */
    readonly orders: readonly FuturesStopOrderRequest[];
  };
  "POST /futures/modify-order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** A pending order. */
    readonly order_id: number;
    /** New total; must exceed what is already filled. */
    readonly amount?: string | undefined;
    /** New limit price. */
    readonly price?: string | undefined;
  };
  "POST /futures/modify-stop-order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** A pending stop order. */
    readonly stop_id: number;
    /** New amount. */
    readonly amount?: string | undefined;
    /** New limit price. */
    readonly price?: string | undefined;
    /** New trigger price. */
    readonly trigger_price?: string | undefined;
  };
  "POST /futures/batch-modify-order": {
    /** 1 to 100 modifications. */
    readonly orders: readonly FuturesModifyRequest[];
  };
  "POST /futures/cancel-order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** A pending order. */
    readonly order_id: number;
  };
  "POST /futures/cancel-stop-order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** A pending stop order. */
    readonly stop_id: number;
  };
  "POST /futures/cancel-batch-order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** 1 to 100 order ids of that market. */
    readonly order_ids: readonly number[];
  };
  "POST /futures/cancel-batch-stop-order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** 1 to 100 stop ids of that market. */
    readonly stop_ids: readonly number[];
  };
  "POST /futures/cancel-all-order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Hedge mode only; absent means both sides. */
    readonly position_side?: PositionSide | undefined;
  };
  "POST /futures/cancel-order-by-client-id": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Hedge mode only; absent means both sides. */
    readonly position_side?: PositionSide | undefined;
    /** Client id given at placement. */
    readonly client_id: string;
  };
  "POST /futures/cancel-stop-order-by-client-id": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Hedge mode: absent cancels all sides, long or short limits it. */
    readonly position_side?: PositionSide | undefined;
    /** Client id given at placement. */
    readonly client_id: string;
  };
  "POST /futures/close-position": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Order type. */
    readonly type: OrderType;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Required for a limit close. */
    readonly price?: string | undefined;
    /** Absent closes the whole position. */
    readonly amount?: string | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Hides the order from the public depth. */
    readonly is_hide?: boolean | undefined;
    /** Self-trade protection; no effect on stop orders during an auction. */
    readonly stp_mode?: StpMode | undefined;
  };
  "POST /futures/adjust-position-margin": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Positive adds margin, negative removes it. */
    readonly amount: string;
  };
  "POST /futures/adjust-position-leverage": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type?: FuturesMarketType | undefined;
    /** Cross or isolated. */
    readonly margin_mode: MarginMode;
    /** One of the leverages the market offers. */
    readonly leverage: number;
  };
  "POST /futures/set-position-stop-loss": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Price the trigger watches. */
    readonly stop_loss_type: TpslPriceType;
    /** Trigger price; must not fire at once against the price of the chosen type, else 3639. */
    readonly stop_loss_price: string;
    /** Amount to close; absent means the whole position. */
    readonly stop_loss_amount?: string | undefined;
  };
  "POST /futures/set-position-take-profit": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Price the trigger watches. */
    readonly take_profit_type: TpslPriceType;
    /** Trigger price; must not fire at once against the price of the chosen type, else 3639. */
    readonly take_profit_price: string;
    /** Amount to close; absent means the whole position. */
    readonly take_profit_amount?: string | undefined;
  };
  "POST /futures/modify-position-stop-loss": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Entry of the position record list. */
    readonly stop_loss_id: number;
    /** New price type. */
    readonly stop_loss_type?: TpslPriceType | undefined;
    /** New trigger price. */
    readonly stop_loss_price?: string | undefined;
    /** New amount. */
    readonly stop_loss_amount?: string | undefined;
  };
  "POST /futures/modify-position-take-profit": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Entry of the position record list. */
    readonly take_profit_id: number;
    /** New price type. */
    readonly take_profit_type?: TpslPriceType | undefined;
    /** New trigger price. */
    readonly take_profit_price?: string | undefined;
    /** New amount. */
    readonly take_profit_amount?: string | undefined;
  };
  "POST /futures/cancel-position-stop-loss": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Absent cancels every entry of that kind. */
    readonly stop_loss_id?: number | undefined;
  };
  "POST /futures/cancel-position-take-profit": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Absent cancels every entry of that kind. */
    readonly take_profit_id?: number | undefined;
  };
  "GET /futures/order-status": {
    /** One market name. */
    readonly market: string;
    /** Order id. */
    readonly order_id: number;
  };
  "GET /futures/batch-order-status": {
    /** One market name. */
    readonly market: string;
    /** Order ids joined by commas; at most 100. */
    readonly order_ids: string | readonly number[];
  };
  "GET /futures/pending-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Only orders with this client id. */
    readonly client_id?: string | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/pending-stop-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Only stop orders with this client id. */
    readonly client_id?: string | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/finished-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Only orders with this client id. */
    readonly client_id?: string | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/finished-stop-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/finished-position": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/user-deals": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Absent means both sides. */
    readonly side?: OrderSide | undefined;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/order-deals": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Order id. */
    readonly order_id: number;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/pending-position": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/position-margin-history": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Position id. */
    readonly position_id: number;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/position-funding-history": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Absent means every position of the market. */
    readonly position_id?: number | undefined;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/position-adl-history": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Position id. */
    readonly position_id: number;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /futures/position-settle-history": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Position id. */
    readonly position_id: number;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "POST /account/subs": {
    /** 3 to 26 letters, digits or hyphens; unique. */
    readonly sub_user_name: string;
    /** Absent grants every permission. */
    readonly permissions?: readonly SubPermission[] | undefined;
    /** At most 50 characters. */
    readonly remark?: string | undefined;
  };
  "GET /account/subs": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name?: string | undefined;
    /** Filter on the frozen flag. */
    readonly is_frozen?: boolean | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "POST /account/subs/frozen": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name: string;
  };
  "POST /account/subs/unfrozen": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name: string;
  };
  "POST /account/subs/api": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name: string;
    /** 0 to 50 addresses; empty means any address and a 3-month life. */
    readonly ip_whitelist: readonly string[];
    /** Whether the key may trade. */
    readonly trade_enabled: boolean;
    /** At most 50 characters. */
    readonly remark?: string | undefined;
  };
  "GET /account/subs/api": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name: string;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /account/subs/api-detail": {
    /** Key id. */
    readonly api_id: number;
  };
  "POST /account/subs/edit-api": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name: string;
    /** Key id. */
    readonly api_id: number;
    /** New trading permission. */
    readonly trade_enabled?: boolean | undefined;
    /** The same as trade_enabled, which wins. */
    readonly can_trade?: boolean | undefined;
    /** 0 to 50 addresses; empty means any address and a 3-month life. */
    readonly ip_whitelist?: readonly string[] | undefined;
    /** At most 50 characters. */
    readonly remark?: string | undefined;
  };
  "POST /account/subs/delete-api": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name?: string | undefined;
    /** Key id. */
    readonly api_id: number;
  };
  "POST /account/subs/transfer": {
    /** Source account. */
    readonly from_account_type: SubTransferAccountType;
    /** Target account. */
    readonly to_account_type: SubTransferAccountType;
    /** Source sub-account; absent means the main account. */
    readonly from_user_name?: string | undefined;
    /** Target sub-account; absent means the main account. */
    readonly to_user_name?: string | undefined;
    /** Currency. */
    readonly ccy: string;
    /** Positive. */
    readonly amount: string;
  };
  "GET /account/subs/transfer-history": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name?: string | undefined;
    /** Only this currency. */
    readonly ccy?: string | undefined;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /account/subs/balance": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name: string;
    /** Which account. */
    readonly market_type: MarketType;
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
  };
  "GET /account/subs/spot-balance": {
    /** Name of a sub-account of the caller. */
    readonly sub_user_name: string;
    /** Only this currency; absent means all. */
    readonly ccy?: string | undefined;
  };
  "GET /account/subs/info": Readonly<Record<string, never>>;
  "GET /account/info": Readonly<Record<string, never>>;
  "GET /account/trade-fee-rate": {
    /** One market name. */
    readonly market: string;
    /** Kind of market. */
    readonly market_type: MarketType;
  };
  "POST /account/settings": {
    /** Pay fees in the platform coin. */
    readonly cet_discount_enabled: boolean;
  };
  "GET /account/futures-market-settings": Readonly<Record<string, never>>;
  "POST /account/futures-market-settings": {
    /** 1 on, 2 off; required unless position_mode is given. */
    readonly settle_switch?: SettleSwitch | undefined;
    /** One_way or hedge. */
    readonly position_mode?: PositionMode | undefined;
  };
  "GET /refer/referee": {
    /** User id or account name to look for. */
    readonly search?: string | undefined;
    /** Milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 100. */
    readonly limit?: number | undefined;
  };
  "GET /refer/referee-rebate/record": {
    /** Milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 100. */
    readonly limit?: number | undefined;
  };
  "GET /refer/referee-rebate/detail": {
    /** User id or account name to look for. */
    readonly search?: string | undefined;
    /** Milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 100. */
    readonly limit?: number | undefined;
  };
  "GET /refer/agent-referee": {
    /** User id or account name to look for. */
    readonly search?: string | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 100. */
    readonly limit?: number | undefined;
  };
  "GET /refer/agent-rebate/record": {
    /** Milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 100. */
    readonly limit?: number | undefined;
  };
  "GET /refer/agent-rebate/detail": {
    /** User id or account name to look for. */
    readonly search?: string | undefined;
    /** Milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 100. */
    readonly limit?: number | undefined;
  };
  "GET /assets/spot/balance": Readonly<Record<string, never>>;
  "GET /assets/futures/balance": Readonly<Record<string, never>>;
  "GET /assets/margin/balance": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
  };
  "GET /assets/financial/balance": Readonly<Record<string, never>>;
  "GET /assets/credit/info": Readonly<Record<string, never>>;
  "GET /assets/credit/balance": Readonly<Record<string, never>>;
  "GET /assets/amm/liquidity": Readonly<Record<string, never>>;
  "POST /assets/amm/add-liquidity": {
    /** One market name. */
    readonly market: string;
    /** Positive. */
    readonly base_ccy_amount: string;
    /** Positive. */
    readonly quote_ccy_amount: string;
  };
  "POST /assets/amm/remove-liquidity": {
    /** One market name. */
    readonly market: string;
  };
  "GET /assets/amm/liquidity-pool": {
    /** 1 to 10 market names, comma-separated. */
    readonly market: string | readonly string[];
  };
  "GET /assets/amm/income-history": {
    /** One market name. */
    readonly market: string;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 100. */
    readonly limit?: number | undefined;
  };
  "POST /assets/margin/borrow": {
    /** One market name. */
    readonly market: string;
    /** Base or quote currency of the market. */
    readonly ccy: string;
    /** Between min_amount and max_amount of the limit endpoint. */
    readonly borrow_amount: string;
    /** Renew automatically at the due time. */
    readonly is_auto_renew: boolean;
  };
  "POST /assets/margin/repay": {
    /** One market name. */
    readonly market: string;
    /** Currency. */
    readonly ccy: string;
    /** Positive; required unless borrow_amount is given. */
    readonly amount?: string | undefined;
    /** Another name of amount. */
    readonly borrow_amount?: string | undefined;
    /** Absent repays the oldest loans first. */
    readonly borrow_id?: number | undefined;
  };
  "GET /assets/margin/borrow-history": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only loans in this status. */
    readonly status?: LoanStatus | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /assets/margin/interest-limit": {
    /** One market name. */
    readonly market: string;
    /** Currency. */
    readonly ccy: string;
  };
  "GET /assets/deposit-address": {
    /** Currency. */
    readonly ccy: string;
    /** Chain name. */
    readonly chain: string;
  };
  "POST /assets/renewal-deposit-address": {
    /** Currency. */
    readonly ccy: string;
    /** Chain name. */
    readonly chain: string;
  };
  "GET /assets/deposit-history": {
    /** Only this currency. */
    readonly ccy?: string | undefined;
    /** Only this transaction. */
    readonly tx_id?: string | undefined;
    /** Only this status. */
    readonly status?: DepositStatus | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "POST /assets/withdraw": {
    /** Currency. */
    readonly ccy: string;
    /** Required for on_chain, not for inter_user. */
    readonly chain?: string | undefined;
    /** Address, or user for inter_user; must be on the whitelist. */
    readonly to_address: string;
    /** How the funds leave. */
    readonly withdraw_method?: TransferMethod | undefined;
    /** When the chain needs one. */
    readonly memo?: string | undefined;
    /** At least min_withdraw_amount. */
    readonly amount: string;
    /** Currency to charge the fee in. */
    readonly fee_ccy?: string | undefined;
    /** Chain-specific additions such as chain_id. */
    readonly extra?: Readonly<Record<string, unknown>> | undefined;
    /** Free note. */
    readonly remark?: string | undefined;
  };
  "GET /assets/withdraw": {
    /** Only this currency. */
    readonly ccy?: string | undefined;
    /** Only this withdrawal. */
    readonly withdraw_id?: number | undefined;
    /** Only this status. */
    readonly status?: WithdrawStatus | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "POST /assets/cancel-withdraw": {
    /** A withdrawal not yet processing. */
    readonly withdraw_id: number;
  };
  "GET /assets/deposit-withdraw-config": {
    /** Currency. */
    readonly ccy: string;
  };
  "GET /assets/all-deposit-withdraw-config": Readonly<Record<string, never>>;
  "GET /assets/info": Readonly<Record<string, never>>;
  "POST /assets/transfer": {
    /** Source account. */
    readonly from_account_type: AccountType;
    /** Target account. */
    readonly to_account_type: AccountType;
    /** Currency. */
    readonly ccy: string;
    /** Positive. */
    readonly amount: string;
    /** Margin market; required when one side is MARGIN. */
    readonly market?: string | undefined;
  };
  "GET /assets/transfer-history": {
    /** Currency. */
    readonly ccy: string;
    /** MARGIN or FUTURES. */
    readonly transfer_type: TransferType;
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only this status. */
    readonly status?: TransferStatus | undefined;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /assets/spot/transcation-history": {
    /** Only this currency. */
    readonly ccy?: string | undefined;
    /** Only this kind. */
    readonly type?: TransactionType | undefined;
    /** Inclusive lower bound, milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Inclusive upper bound, milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "GET /assets/statement": {
    /** Which account; absent means all. */
    readonly account_type?: StatementAccountType | undefined;
    /** Only this currency. */
    readonly ccy?: string | undefined;
    /** Only this kind. */
    readonly type?: StatementType | undefined;
    /** Milliseconds; absent means no filter. */
    readonly start_time?: number | undefined;
    /** Milliseconds; absent means no filter. */
    readonly end_time?: number | undefined;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "POST /ext/cancel-after": {
    /** From 1000: the time from now after which open orders are cancelled; 0 ends the timer. */
    readonly timeout_ms: number;
    /** Whose orders; each scope has a timer of its own. */
    readonly scope?: CancelScope | undefined;
  };
  "GET /ext/cancel-after": Readonly<Record<string, never>>;
  "POST /ext/spot/trailing-stop": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Positive; at least min_amount, within precision; in the base currency. */
    readonly amount: string;
    /** The distance from the best price, in prices of the market; either this or trail_rate. */
    readonly trail?: string | undefined;
    /** The distance as a share of the best price, from 0.0001 to 0.5. */
    readonly trail_rate?: string | undefined;
    /** The trail begins when the price comes here; absent: at once. */
    readonly activation_price?: string | undefined;
    /** Latest_price or index_price. */
    readonly trigger_price_type?: TriggerPriceType | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Self-trade protection. */
    readonly stp_mode?: StpMode | undefined;
  };
  "POST /ext/spot/oco": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Two orders; at most one without trigger_price, trail and trail_rate, of type limit or maker_only. */
    readonly orders: readonly SpotConditionalRequest[];
  };
  "POST /ext/spot/bracket": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Type of the entry. */
    readonly type: OrderType;
    /** Positive; at least min_amount, within precision; in the base currency. */
    readonly amount: string;
    /** Of the entry; required unless type is market. */
    readonly price?: string | undefined;
    /** Trigger on the side of profit. */
    readonly take_profit_price: string;
    /** Trigger on the other side; either this or a trail. */
    readonly stop_loss_price?: string | undefined;
    /** As trail of a trailing stop. */
    readonly stop_loss_trail?: string | undefined;
    /** As trail_rate of a trailing stop. */
    readonly stop_loss_trail_rate?: string | undefined;
    /** Of take profit and stop loss: latest_price or index_price. */
    readonly trigger_price_type?: TriggerPriceType | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Hides the entry from the public depth. */
    readonly is_hide?: boolean | undefined;
    /** Of a limit or maker_only entry: the book shows so much of it at a time. */
    readonly display_amount?: string | undefined;
    /** Self-trade protection. */
    readonly stp_mode?: StpMode | undefined;
  };
  "POST /ext/spot/iceberg-order": {
    /** One market name. */
    readonly market: string;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Limit or maker_only. */
    readonly type: OrderType;
    /** Positive; at least min_amount, within precision; in the base currency. */
    readonly amount: string;
    /** Limit price. */
    readonly price: string;
    /** As much as the book shows at a time: at least min_amount and a twentieth of the amount, and less than the amount. */
    readonly display_amount: string;
    /** Makes it a stop order, which becomes the iceberg. */
    readonly trigger_price?: string | undefined;
    /** Of a stop order: latest_price or index_price. */
    readonly trigger_price_type?: TriggerPriceType | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Self-trade protection. */
    readonly stp_mode?: StpMode | undefined;
  };
  "GET /ext/spot/iceberg-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "POST /ext/spot/cancel-group": {
    /** As it was given when it was placed. */
    readonly group_id: number;
  };
  "GET /ext/spot/conditional-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** SPOT or MARGIN. */
    readonly market_type: SpotMarketType;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "POST /ext/futures/trailing-stop": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Positive; at least min_amount, within precision; in the base currency. */
    readonly amount: string;
    /** The distance from the best price, in prices of the market; either this or trail_rate. */
    readonly trail?: string | undefined;
    /** The distance as a share of the best price, from 0.0001 to 0.5. */
    readonly trail_rate?: string | undefined;
    /** The trail begins when the price comes here; absent: at once. */
    readonly activation_price?: string | undefined;
    /** Price that is followed or compared. */
    readonly trigger_price_type?: TriggerPriceType | undefined;
    /** Only reduces a position; its amount is cut to what can be reduced when it fires. */
    readonly is_reduce_only?: boolean | undefined;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Self-trade protection. */
    readonly stp_mode?: StpMode | undefined;
  };
  "POST /ext/futures/oco": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Two orders; at most one without trigger_price, trail and trail_rate, of type limit or maker_only. */
    readonly orders: readonly FuturesConditionalRequest[];
  };
  "POST /ext/futures/bracket": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Type of the entry. */
    readonly type: OrderType;
    /** Positive; at least min_amount, within precision; in the base currency. */
    readonly amount: string;
    /** Of the entry; required unless type is market. */
    readonly price?: string | undefined;
    /** Trigger on the side of profit. */
    readonly take_profit_price: string;
    /** Trigger on the other side; either this or a trail. */
    readonly stop_loss_price?: string | undefined;
    /** As trail of a trailing stop. */
    readonly stop_loss_trail?: string | undefined;
    /** As trail_rate of a trailing stop. */
    readonly stop_loss_trail_rate?: string | undefined;
    /** Of take profit and stop loss: price that is followed or compared. */
    readonly trigger_price_type?: TriggerPriceType | undefined;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Hides the entry from the public depth. */
    readonly is_hide?: boolean | undefined;
    /** Of a limit or maker_only entry: the book shows so much of it at a time. */
    readonly display_amount?: string | undefined;
    /** Self-trade protection. */
    readonly stp_mode?: StpMode | undefined;
  };
  "POST /ext/futures/iceberg-order": {
    /** One market name. */
    readonly market: string;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Buy or sell. */
    readonly side: OrderSide;
    /** Limit or maker_only. */
    readonly type: OrderType;
    /** Positive; at least min_amount, within precision; in the base currency. */
    readonly amount: string;
    /** Limit price. */
    readonly price: string;
    /** As much as the book shows at a time: at least min_amount and a twentieth of the amount, and less than the amount. */
    readonly display_amount: string;
    /** Makes it a stop order, which becomes the iceberg. */
    readonly trigger_price?: string | undefined;
    /** Of a stop order: price that is compared. */
    readonly trigger_price_type?: TriggerPriceType | undefined;
    /** Only reduces a position. */
    readonly is_reduce_only?: boolean | undefined;
    /** Required in hedge mode, omitted in one-way mode. */
    readonly position_side?: PositionSide | undefined;
    /** Letters, digits, hyphen, underscore; at most 32 bytes. */
    readonly client_id?: string | undefined;
    /** Self-trade protection. */
    readonly stp_mode?: StpMode | undefined;
  };
  "GET /ext/futures/iceberg-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "POST /ext/futures/cancel-group": {
    /** As it was given when it was placed. */
    readonly group_id: number;
  };
  "GET /ext/futures/conditional-order": {
    /** One market name; absent means every market. */
    readonly market?: string | undefined;
    /** Only FUTURES. */
    readonly market_type: FuturesMarketType;
    /** Page number from 1. */
    readonly page?: number | undefined;
    /** Records per page; at most 1000. */
    readonly limit?: number | undefined;
  };
  "POST /ext/market-maker-protection": {
    /** One market name. */
    readonly market: string;
    /** SPOT or FUTURES; SPOT counts orders of the margin account as well. */
    readonly market_type: QuoteMarketType;
    /** From 100: for how long a fill counts; 0 ends the protection. */
    readonly window_ms: number;
    /** Fills in a window at which quotes are pulled; 1000 unless given. */
    readonly max_fills?: number | undefined;
    /** Amount filled in a window, of both sides together. */
    readonly max_amount?: string | undefined;
    /** Futures only: amount bought less amount sold in a window, or the other way round. */
    readonly max_delta?: string | undefined;
  };
  "GET /ext/market-maker-protection": Readonly<Record<string, never>>;
  "POST /ext/market-maker-protection/reset": {
    /** One market name. */
    readonly market: string;
    /** SPOT or FUTURES. */
    readonly market_type: QuoteMarketType;
  };
  "POST /ext/mass-quote": {
    /** 1 to 100 pairs, several of one market where it is quoted at several levels. */
    readonly quotes: readonly QuoteRequest[];
  };
  "GET /ext/liabilities": {
    /** Counts, the newest first. */
    readonly limit?: number | undefined;
  };
  "GET /ext/liability-proof": Readonly<Record<string, never>>;
}

/** What each call gives: the record itself, or one row of a list, page or batch. */
export interface Records {
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
  "POST /spot/cancel-all-order": Readonly<Record<string, never>>;
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
  "POST /futures/cancel-all-order": Readonly<Record<string, never>>;
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
  "POST /account/subs": Readonly<Record<string, never>>;
  "GET /account/subs": SubAccount;
  "POST /account/subs/frozen": Readonly<Record<string, never>>;
  "POST /account/subs/unfrozen": Readonly<Record<string, never>>;
  "POST /account/subs/api": SubApiKey;
  "GET /account/subs/api": SubApiKeyItem;
  "GET /account/subs/api-detail": SubApiKey;
  "POST /account/subs/edit-api": SubApiKey;
  "POST /account/subs/delete-api": Readonly<Record<string, never>>;
  "POST /account/subs/transfer": Readonly<Record<string, never>>;
  "GET /account/subs/transfer-history": SubTransfer;
  "GET /account/subs/balance": SpotBalance | MarginBalance | FuturesBalance;
  "GET /account/subs/spot-balance": SpotBalance;
  "GET /account/subs/info": SubInfo;
  "GET /account/info": AccountInfo;
  "GET /account/trade-fee-rate": TradeFee;
  "POST /account/settings": Readonly<Record<string, never>>;
  "GET /account/futures-market-settings": FuturesSettings;
  "POST /account/futures-market-settings": Readonly<Record<string, never>>;
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
  "POST /assets/margin/repay": Readonly<Record<string, never>>;
  "GET /assets/margin/borrow-history": MarginLoan;
  "GET /assets/margin/interest-limit": MarginLimit;
  "GET /assets/deposit-address": DepositAddress;
  "POST /assets/renewal-deposit-address": DepositAddress;
  "GET /assets/deposit-history": Deposit;
  "POST /assets/withdraw": Withdrawal;
  "GET /assets/withdraw": Withdrawal;
  "POST /assets/cancel-withdraw": Readonly<Record<string, never>>;
  "GET /assets/deposit-withdraw-config": AssetConfig;
  "GET /assets/all-deposit-withdraw-config": AssetConfig;
  "GET /assets/info": AssetInfo;
  "POST /assets/transfer": Readonly<Record<string, never>>;
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

/** How each call gives it. */
export interface Kinds {
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

/** Codes that the venue refuses with, and what they say. */
export const CODES = {
  0: "success",
  3008: "service busy",
  3109: "balance too low",
  3127: "amount below the minimum",
  3157: "market stopped",
  3600: "order not found",
  3606: "price too far from the latest price",
  3610: "cancel refused in call auction",
  3612: "sell would push below the best ask band",
  3613: "buy would push above the best bid band",
  3614: "estimated fill too far from index",
  3615: "price too far from index",
  3616: "price above the best bid bound",
  3617: "price below the best ask bound",
  3618: "price too far from index (futures)",
  3619: "price too far from trigger",
  3620: "no market orders now",
  3621: "fok not fillable",
  3622: "maker only would take",
  3627: "depth too low (spot)",
  3628: "depth too low (margin)",
  3629: "depth too low (futures)",
  3632: "price above the best bid bound (futures)",
  3633: "price below the best ask bound (futures)",
  3634: "estimated fill too far from index (futures buy)",
  3635: "estimated fill too far from index (futures sell)",
  3638: "protection period",
  3639: "invalid parameter",
  3690: "quotes held",
  4001: "service unavailable",
  4002: "service timeout",
  4003: "internal error",
  4004: "request malformed",
  4005: "bad access id",
  4006: "signature mismatch",
  4007: "IP not allowed",
  4008: "bad signature header",
  4009: "bad method",
  4010: "request expired",
  4011: "user barred from access",
  4017: "signature expired",
  4018: "endpoint deprecated",
  4115: "user barred from trading",
  4117: "market closed to trading",
  4130: "futures trading barred",
  4158: "trading barred",
  4159: "no API trading in this market",
  4213: "rate limit",
  4512: "sub-account permission missing",
} as const;

/** Requests per second of one account, by group, as long as no answer says otherwise. */
export const GROUP_RATES: Readonly<Record<string, number>> = {
  "spot:Place and edit orders": 30,
  "spot:Cancel orders": 60,
  "spot:Batch cancel": 40,
  "spot:Query orders": 50,
  "spot:Order history": 10,
  "spot:Modify accounts": 10,
  "spot:Query accounts": 10,
  "spot:Account history": 10,
  "futures:Place, edit, adjust position": 20,
  "futures:Cancel orders": 40,
  "futures:Batch cancel": 20,
  "futures:Query orders": 50,
  "futures:Order history": 10,
  "futures:Account query": 10,
  "ext:Cancel after": 20,
  "ext:Liability proof": 2,
  "ext:Market maker": 20,
  "ext:Mass quote": 200,
};

/** Requests per second of one address. */
export const ADDRESS_RATE = 400;

/** What a call needs: a signature, quota of a group, and how many requests it counts as. */
export interface Needs {
  readonly signed: boolean;
  readonly group?: string;
  /** The parameter whose items are counted. */
  readonly items?: string;
  /** Each row of the answer succeeds or fails alone. */
  readonly batch?: true;
}

export const ENDPOINTS: Readonly<Record<keyof Params, Needs>> = {
  "GET /ping": { signed: false },
  "GET /time": { signed: false },
  "GET /maintain/info": { signed: false },
  "GET /maintain-info": { signed: false },
  "GET /spot/market": { signed: false },
  "GET /spot/ticker": { signed: false },
  "GET /spot/depth": { signed: false },
  "GET /spot/deals": { signed: false },
  "GET /spot/kline": { signed: false },
  "GET /spot/index": { signed: false },
  "POST /spot/order": { signed: true, group: "spot:Place and edit orders" },
  "POST /spot/stop-order": { signed: true, group: "spot:Place and edit orders" },
  "POST /spot/batch-order": { signed: true, group: "spot:Place and edit orders", items: "orders", batch: true },
  "POST /spot/batch-stop-order": { signed: true, group: "spot:Place and edit orders", items: "orders", batch: true },
  "POST /spot/modify-order": { signed: true, group: "spot:Place and edit orders" },
  "POST /spot/modify-stop-order": { signed: true, group: "spot:Place and edit orders" },
  "POST /spot/batch-modify-order": { signed: true, group: "spot:Place and edit orders", items: "orders", batch: true },
  "POST /spot/cancel-order": { signed: true, group: "spot:Cancel orders" },
  "POST /spot/cancel-stop-order": { signed: true, group: "spot:Cancel orders" },
  "POST /spot/cancel-batch-order": { signed: true, group: "spot:Cancel orders", items: "order_ids", batch: true },
  "POST /spot/cancel-batch-stop-order": { signed: true, group: "spot:Cancel orders", items: "stop_ids", batch: true },
  "POST /spot/cancel-all-order": { signed: true, group: "spot:Batch cancel" },
  "POST /spot/cancel-order-by-client-id": { signed: true, group: "spot:Batch cancel", batch: true },
  "POST /spot/cancel-stop-order-by-client-id": { signed: true, group: "spot:Batch cancel", batch: true },
  "GET /spot/order-status": { signed: true, group: "spot:Query orders" },
  "GET /spot/batch-order-status": { signed: true, group: "spot:Query orders", batch: true },
  "GET /spot/pending-order": { signed: true, group: "spot:Query orders" },
  "GET /spot/pending-stop-order": { signed: true, group: "spot:Query orders" },
  "GET /spot/finished-order": { signed: true, group: "spot:Order history" },
  "GET /spot/finished-stop-order": { signed: true, group: "spot:Order history" },
  "GET /spot/user-deals": { signed: true, group: "spot:Order history" },
  "GET /spot/order-deals": { signed: true, group: "spot:Order history" },
  "GET /futures/market": { signed: false },
  "GET /futures/ticker": { signed: false },
  "GET /futures/depth": { signed: false },
  "GET /futures/deals": { signed: false },
  "GET /futures/kline": { signed: false },
  "GET /futures/index": { signed: false },
  "GET /futures/funding-rate": { signed: false },
  "GET /futures/funding-rate-history": { signed: false },
  "GET /futures/premium-index-history": { signed: false },
  "GET /futures/position-level": { signed: false },
  "GET /futures/liquidation-history": { signed: false },
  "GET /futures/basis-history": { signed: false },
  "POST /futures/order": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/stop-order": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/batch-order": {
    signed: true,
    group: "futures:Place, edit, adjust position",
    items: "orders",
    batch: true,
  },
  "POST /futures/batch-stop-order": {
    signed: true,
    group: "futures:Place, edit, adjust position",
    items: "orders",
    batch: true,
  },
  "POST /futures/modify-order": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/modify-stop-order": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/batch-modify-order": {
    signed: true,
    group: "futures:Place, edit, adjust position",
    items: "orders",
    batch: true,
  },
  "POST /futures/cancel-order": { signed: true, group: "futures:Cancel orders" },
  "POST /futures/cancel-stop-order": { signed: true, group: "futures:Cancel orders" },
  "POST /futures/cancel-batch-order": { signed: true, group: "futures:Cancel orders", items: "order_ids", batch: true },
  "POST /futures/cancel-batch-stop-order": {
    signed: true,
    group: "futures:Cancel orders",
    items: "stop_ids",
    batch: true,
  },
  "POST /futures/cancel-all-order": { signed: true, group: "futures:Batch cancel" },
  "POST /futures/cancel-order-by-client-id": { signed: true, group: "futures:Batch cancel", batch: true },
  "POST /futures/cancel-stop-order-by-client-id": { signed: true, group: "futures:Batch cancel", batch: true },
  "POST /futures/close-position": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/adjust-position-margin": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/adjust-position-leverage": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/set-position-stop-loss": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/set-position-take-profit": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/modify-position-stop-loss": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/modify-position-take-profit": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/cancel-position-stop-loss": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /futures/cancel-position-take-profit": { signed: true, group: "futures:Place, edit, adjust position" },
  "GET /futures/order-status": { signed: true, group: "futures:Query orders" },
  "GET /futures/batch-order-status": { signed: true, group: "futures:Query orders", batch: true },
  "GET /futures/pending-order": { signed: true, group: "futures:Query orders" },
  "GET /futures/pending-stop-order": { signed: true, group: "futures:Query orders" },
  "GET /futures/finished-order": { signed: true, group: "futures:Order history" },
  "GET /futures/finished-stop-order": { signed: true, group: "futures:Order history" },
  "GET /futures/finished-position": { signed: true, group: "futures:Order history" },
  "GET /futures/user-deals": { signed: true, group: "futures:Order history" },
  "GET /futures/order-deals": { signed: true, group: "futures:Order history" },
  "GET /futures/pending-position": { signed: true, group: "futures:Account query" },
  "GET /futures/position-margin-history": { signed: true, group: "futures:Account query" },
  "GET /futures/position-funding-history": { signed: true, group: "futures:Account query" },
  "GET /futures/position-adl-history": { signed: true, group: "futures:Account query" },
  "GET /futures/position-settle-history": { signed: true, group: "futures:Account query" },
  "POST /account/subs": { signed: true, group: "spot:Modify accounts" },
  "GET /account/subs": { signed: true, group: "spot:Query accounts" },
  "POST /account/subs/frozen": { signed: true, group: "spot:Modify accounts" },
  "POST /account/subs/unfrozen": { signed: true, group: "spot:Modify accounts" },
  "POST /account/subs/api": { signed: true, group: "spot:Modify accounts" },
  "GET /account/subs/api": { signed: true, group: "spot:Query accounts" },
  "GET /account/subs/api-detail": { signed: true, group: "spot:Query accounts" },
  "POST /account/subs/edit-api": { signed: true, group: "spot:Modify accounts" },
  "POST /account/subs/delete-api": { signed: true, group: "spot:Modify accounts" },
  "POST /account/subs/transfer": { signed: true, group: "spot:Modify accounts" },
  "GET /account/subs/transfer-history": { signed: true, group: "spot:Account history" },
  "GET /account/subs/balance": { signed: true },
  "GET /account/subs/spot-balance": { signed: true, group: "spot:Query accounts" },
  "GET /account/subs/info": { signed: true, group: "spot:Query accounts" },
  "GET /account/info": { signed: true },
  "GET /account/trade-fee-rate": { signed: true, group: "spot:Query accounts" },
  "POST /account/settings": { signed: true, group: "spot:Modify accounts" },
  "GET /account/futures-market-settings": { signed: true },
  "POST /account/futures-market-settings": { signed: true },
  "GET /refer/referee": { signed: true },
  "GET /refer/referee-rebate/record": { signed: true },
  "GET /refer/referee-rebate/detail": { signed: true },
  "GET /refer/agent-referee": { signed: true },
  "GET /refer/agent-rebate/record": { signed: true },
  "GET /refer/agent-rebate/detail": { signed: true },
  "GET /assets/spot/balance": { signed: true, group: "spot:Query accounts" },
  "GET /assets/futures/balance": { signed: true, group: "futures:Account query" },
  "GET /assets/margin/balance": { signed: true, group: "spot:Query accounts" },
  "GET /assets/financial/balance": { signed: true, group: "spot:Query accounts" },
  "GET /assets/credit/info": { signed: true, group: "spot:Query accounts" },
  "GET /assets/credit/balance": { signed: true },
  "GET /assets/amm/liquidity": { signed: true, group: "spot:Query accounts" },
  "POST /assets/amm/add-liquidity": { signed: true, group: "spot:Modify accounts" },
  "POST /assets/amm/remove-liquidity": { signed: true, group: "spot:Modify accounts" },
  "GET /assets/amm/liquidity-pool": { signed: true },
  "GET /assets/amm/income-history": { signed: true, group: "spot:Query accounts" },
  "POST /assets/margin/borrow": { signed: true, group: "spot:Modify accounts" },
  "POST /assets/margin/repay": { signed: true, group: "spot:Modify accounts" },
  "GET /assets/margin/borrow-history": { signed: true, group: "spot:Account history" },
  "GET /assets/margin/interest-limit": { signed: true, group: "spot:Account history" },
  "GET /assets/deposit-address": { signed: true, group: "spot:Query accounts" },
  "POST /assets/renewal-deposit-address": { signed: true, group: "spot:Modify accounts" },
  "GET /assets/deposit-history": { signed: true, group: "spot:Account history" },
  "POST /assets/withdraw": { signed: true, group: "spot:Modify accounts" },
  "GET /assets/withdraw": { signed: true, group: "spot:Account history" },
  "POST /assets/cancel-withdraw": { signed: true, group: "spot:Modify accounts" },
  "GET /assets/deposit-withdraw-config": { signed: false },
  "GET /assets/all-deposit-withdraw-config": { signed: false },
  "GET /assets/info": { signed: false },
  "POST /assets/transfer": { signed: true, group: "spot:Modify accounts" },
  "GET /assets/transfer-history": { signed: true, group: "spot:Account history" },
  "GET /assets/spot/transcation-history": { signed: true },
  "GET /assets/statement": { signed: true, group: "spot:Account history" },
  "POST /ext/cancel-after": { signed: true, group: "ext:Cancel after" },
  "GET /ext/cancel-after": { signed: true, group: "ext:Cancel after" },
  "POST /ext/spot/trailing-stop": { signed: true, group: "spot:Place and edit orders" },
  "POST /ext/spot/oco": { signed: true, group: "spot:Place and edit orders", items: "orders" },
  "POST /ext/spot/bracket": { signed: true, group: "spot:Place and edit orders" },
  "POST /ext/spot/iceberg-order": { signed: true, group: "spot:Place and edit orders" },
  "GET /ext/spot/iceberg-order": { signed: true, group: "spot:Query orders" },
  "POST /ext/spot/cancel-group": { signed: true, group: "spot:Cancel orders" },
  "GET /ext/spot/conditional-order": { signed: true, group: "spot:Query orders" },
  "POST /ext/futures/trailing-stop": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /ext/futures/oco": { signed: true, group: "futures:Place, edit, adjust position", items: "orders" },
  "POST /ext/futures/bracket": { signed: true, group: "futures:Place, edit, adjust position" },
  "POST /ext/futures/iceberg-order": { signed: true, group: "futures:Place, edit, adjust position" },
  "GET /ext/futures/iceberg-order": { signed: true, group: "futures:Query orders" },
  "POST /ext/futures/cancel-group": { signed: true, group: "futures:Cancel orders" },
  "GET /ext/futures/conditional-order": { signed: true, group: "futures:Query orders" },
  "POST /ext/market-maker-protection": { signed: true, group: "ext:Market maker" },
  "GET /ext/market-maker-protection": { signed: true, group: "ext:Market maker" },
  "POST /ext/market-maker-protection/reset": { signed: true, group: "ext:Market maker" },
  "POST /ext/mass-quote": { signed: true, group: "ext:Mass quote", items: "quotes" },
  "GET /ext/liabilities": { signed: false },
  "GET /ext/liability-proof": { signed: true, group: "ext:Liability proof" },
};
