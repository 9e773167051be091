// Written by scripts/generate-legacy-types.ts from contract/legacy. Change the contract, not this file.
import type { Refused } from "../refused.ts";

export type LegacySide = "buy" | "sell";
export type LegacyOrderType = "limit" | "market";
export type LegacyOrderOption = "NORMAL" | "IOC" | "FOK" | "MAKER_ONLY";
export type LegacyOrderStatus = "not_deal" | "part_deal" | "done" | "cancel";
export type LegacyStopState = 0 | 1 | 2;
export type LegacyStopStatus = 0 | 1 | 2 | 3;
export type LegacyKlineType =
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
export type LegacyDepthMerge =
  | "0"
  | "0.1"
  | "0.01"
  | "0.001"
  | "0.0001"
  | "0.00001"
  | "0.000001"
  | "0.0000001"
  | "0.00000001";
export type LegacyDepthLimit = 5 | 10 | 20 | 50;
export type LegacyDepositStatus = "processing" | "confirming" | "cancel" | "finish" | "too_small" | "to_hot";
export type LegacyWithdrawStatus =
  | "audit"
  | "pass"
  | "processing"
  | "confirming"
  | "not_pass"
  | "cancel"
  | "finish"
  | "fail";
export type LegacyTransferMethod = "onchain" | "local";
export type LegacyTransferSide = "in" | "out";
export type LegacyContractTransferType = "transfer_in" | "transfer_out";
export type LegacyMarginTransferType = "IN" | "OUT";
export type LegacyInvestmentOp = "IN" | "OUT" | "INTEREST";
export type LegacyTransferStatus = "SUCCESS" | "PROCESSING" | "FAIL";
export type LegacySubTransferStatus = "success" | "processing" | "fail";
export type LegacyBusiness = "trade" | "deposit" | "withdraw" | "maker_cash_back";
export type LegacyFeeBusiness = "SPOT" | "PERPETUAL";
export type LegacyLoanStatus = "pass" | "burst" | "arrears" | "finish";
export type LegacyRole = "maker" | "taker";
export type LegacyMaintainScope = "PERPETUAL" | "SPOT" | "ALL_SITE";
export type PerpetualSideFilter = 0 | 1 | 2;
export type PerpetualSide = 1 | 2;
export type PerpetualOrderType = 1 | 2;
export type PerpetualEffectType = 0 | 1 | 2 | 3;
export type PerpetualOption = 0 | 1 | 2 | 3;
export type PerpetualPositionType = 1 | 2;
export type PerpetualStopType = 1 | 2 | 3;
export type PerpetualMarketType = 1 | 2;
export type PerpetualStopStatus = "not_deal" | "activated" | "fail" | "cancel";
export type PerpetualStopFinish = 1 | 2 | 3;
export type PerpetualStopState = 1 | 2;
export type PerpetualTarget = 0 | 2;
export type PerpetualRole = 0 | 1 | 2;
export type PerpetualDealType = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
export type PerpetualFundingType = 1 | 2;
export type PerpetualMarginAdjust = 1 | 2;
export type PerpetualTpSlType = 0 | 1 | 2 | 3;
export type PerpetualFinishType = 1 | 2 | 3 | 4 | 5;
export type PerpetualDepthMerge =
  | "10"
  | "1"
  | "0"
  | "0.1"
  | "0.01"
  | "0.001"
  | "0.0001"
  | "0.00001"
  | "0.000001"
  | "0.0000001"
  | "0.00000001";
export type PerpetualDepthLimit = 5 | 10 | 20 | 50 | 100;

export interface LegacyMarketInfo {
  /** Market name. */
  readonly name: string;
  /** Taker rate. */
  readonly taker_fee_rate: string;
  /** Maker rate. */
  readonly maker_fee_rate: string;
  /** Smallest order amount. */
  readonly min_amount: string;
  /** Base currency. */
  readonly trading_name: string;
  /** Base decimals. */
  readonly trading_decimal: number;
  /** Quote currency. */
  readonly pricing_name: string;
  /** Quote decimals. */
  readonly pricing_decimal: number;
}

export type LegacyDepthLevel = readonly [
  /** Price. */
  string,
  /** Amount. */
  string,
];

export interface LegacyDepth {
  /** Latest price. */
  readonly last: string;
  /** Time of the book, ms. */
  readonly time: number;
  /** Ascending prices. */
  readonly asks: readonly LegacyDepthLevel[];
  /** Descending prices. */
  readonly bids: readonly LegacyDepthLevel[];
}

export interface LegacyMarketDeal {
  /** Deal id. */
  readonly id: number;
  /** Taker direction. */
  readonly type: LegacySide;
  /** Price. */
  readonly price: string;
  /** Amount. */
  readonly amount: string;
  /** Time, s. */
  readonly date: number;
  /** Time, ms. */
  readonly date_ms: number;
}

export type LegacyKlineRow = readonly [
  /** Start, s. */
  number,
  /** Open. */
  string,
  /** Close. */
  string,
  /** High. */
  string,
  /** Low. */
  string,
  /** Volume in base. */
  string,
  /** Value in quote. */
  string,
];

export interface LegacyTicker {
  /** Best bid price. */
  readonly buy: string;
  /** Best bid amount. */
  readonly buy_amount: string;
  /** Best ask price. */
  readonly sell: string;
  /** Best ask amount. */
  readonly sell_amount: string;
  /** Price 24 h ago. */
  readonly open: string;
  /** 24 h high. */
  readonly high: string;
  /** 24 h low. */
  readonly low: string;
  /** Latest price. */
  readonly last: string;
  /** 24 h volume in base. */
  readonly vol: string;
}

export interface LegacyTickerResult {
  /** Server time, ms. */
  readonly date: number;
  /** The ticker. */
  readonly ticker: LegacyTicker;
}

export interface LegacyTickerAllResult {
  /** Server time, ms. */
  readonly date: number;
  /** Tickers by market name. */
  readonly ticker: Readonly<Record<string, LegacyTicker>>;
}

export interface LegacyAssetConfig {
  /** Currency. */
  readonly asset: string;
  /** Chain. */
  readonly chain: string;
  /** Deposits open. */
  readonly can_deposit: boolean;
  /** Withdrawals open. */
  readonly can_withdraw: boolean;
  /** Smallest deposit. */
  readonly deposit_least_amount: string;
  /** Smallest withdrawal. */
  readonly withdraw_least_amount: string;
  /** Withdrawal fee. */
  readonly withdraw_tx_fee: string;
  /** Decimals of a withdrawal; the seed says string, a client sample shows an int. */
  readonly withdrawal_precision: string;
  /** Link to the token page. */
  readonly explorer_asset_url?: string;
}

export interface LegacyMaintainSite {
  /** Start, s. */
  readonly started_at: number;
  /** End, s. */
  readonly ended_at: number;
  /** The same as started_at, s. */
  readonly start_time: number;
  /** The same as ended_at, s. */
  readonly end_time: number;
  /** Announcement. */
  readonly url: string;
  /** Start of the protection period, s; 0 when unset. */
  readonly protect_duration_start: number;
  /** Its end, s; 0 when unset. */
  readonly protect_duration_end: number;
}

export interface LegacyMaintainPartial {
  /** Start, s. */
  readonly started_at: number;
  /** End, s. */
  readonly ended_at: number;
  /** Parts concerned. */
  readonly scope: readonly LegacyMaintainScope[];
  /** Start of the protection period, s. */
  readonly protect_duration_start: number;
  /** Its end, s. */
  readonly protect_duration_end: number;
}

export interface LegacyBalance {
  /** Free amount. */
  readonly available: string;
  /** Amount held by orders and the like. */
  readonly frozen: string;
  /** Locked amount; always 0, since the venue counts everything it holds as frozen. */
  readonly lock: string;
}

export interface LegacyAmmBalance {
  /** Market. */
  readonly market: string;
  /** Base currency. */
  readonly base_asset: string;
  /** Quote currency. */
  readonly quote_asset: string;
  /** Base holding. */
  readonly base_amount: string;
  /** Quote holding. */
  readonly quote_amount: string;
}

export interface LegacyFinancialBalance {
  /** Currency. */
  readonly asset: string;
  /** Free. */
  readonly available: string;
  /** Held. */
  readonly frozen: string;
  /** Locked amount; always 0. */
  readonly lock: string;
}

export interface LegacyCreditInfo {
  /** Ratio needed to withdraw. */
  readonly withdraw_rate: string;
  /** Ratio needed to trade. */
  readonly trade_rate: string;
  /** Assets. */
  readonly current_balance: string;
  /** Debts. */
  readonly unflat_balance: string;
  /** Withdrawable. */
  readonly can_withdraw_balance: string;
  /** Tradable. */
  readonly can_trade_balance: string;
  /** Present ratio. */
  readonly current_rate: string;
}

export interface LegacyCreditBalance {
  /** Currency. */
  readonly asset: string;
  /** Debt. */
  readonly unflat_amount: string;
  /** Interest. */
  readonly interest_amount: string;
}

export interface LegacyMarginPair {
  /** Amount in the base currency. */
  readonly sell_type: string;
  /** Amount in the quote currency. */
  readonly buy_type: string;
}

export interface LegacyMarginAccount {
  /** Margin account id. */
  readonly account_id: number;
  /** Leverage. */
  readonly leverage: number;
  /** Market name. */
  readonly market_type: string;
  /** Base currency. */
  readonly sell_asset_type: string;
  /** Quote currency. */
  readonly buy_asset_type: string;
  /** Free amounts. */
  readonly balance: LegacyMarginPair;
  /** Held amounts. */
  readonly frozen: LegacyMarginPair;
  /** Borrowed. */
  readonly loan: LegacyMarginPair;
  /** Interest owed. */
  readonly interest: LegacyMarginPair;
  /** Movable to spot. */
  readonly can_transfer: LegacyMarginPair;
  /** Risk rate; empty without a loan. */
  readonly warn_rate: string;
  /** Liquidation price; empty without a loan. */
  readonly liquidation_price: string;
}

export interface LegacyMarginAssetLimit {
  /** Smallest loan. */
  readonly min_amount: string;
  /** Largest loan. */
  readonly max_amount: string;
  /** Daily rate of this currency. */
  readonly day_rate: string;
}

export interface LegacyMarginConfig {
  /** Market name. */
  readonly market: string;
  /** Leverage. */
  readonly leverage: number;
  /** Daily interest rate. */
  readonly day_rate: string;
  /** One member per currency of the market, named by the currency. */
  readonly [other: string]: LegacyMarginAssetLimit | string | number;
}

export interface LegacyDeposit {
  /** Deposit id. */
  readonly coin_deposit_id: number;
  /** Time, s. */
  readonly create_time: number;
  /** Amount seen. */
  readonly amount: string;
  /** Amount for display, no trailing zeros. */
  readonly amount_display: string;
  /** Amount minus credited amount. */
  readonly diff_amount: string;
  /** Smallest deposit. */
  readonly min_amount: string;
  /** Credited amount. */
  readonly actual_amount: string;
  /** Credited amount for display. */
  readonly actual_amount_display: string;
  /** Confirmations. */
  readonly confirmations: number;
  /** Transaction id, empty for local transfers. */
  readonly tx_id: string;
  /** Transaction id for display. */
  readonly tx_id_display: string;
  /** Address. */
  readonly coin_address: string;
  /** Address shortened for display. */
  readonly coin_address_display: string;
  /** Address link. */
  readonly add_explorer: string;
  /** Currency. */
  readonly coin_type: string;
  /** Chain. */
  readonly smart_contract_name: string | null;
  /** Way. */
  readonly transfer_method: LegacyTransferMethod;
  /** State. */
  readonly status: LegacyDepositStatus;
  /** State for display. */
  readonly status_display: string;
  /** Remark. */
  readonly remark: string;
  /** Transaction link. */
  readonly explorer: string;
}

export interface LegacyOrder {
  /** Order id. */
  readonly id: number;
  /** Market. */
  readonly market: string;
  /** Account. */
  readonly account_id?: number;
  /** Direction. */
  readonly type: LegacySide;
  /** Kind. */
  readonly order_type: LegacyOrderType;
  /** Order amount. */
  readonly amount: string;
  /** Price; 0 for market orders. */
  readonly price: string;
  /** Average fill price; 0 without fills. */
  readonly avg_price: string;
  /** Filled base amount. */
  readonly deal_amount: string;
  /** Filled quote amount. */
  readonly deal_money: string;
  /** Unfilled amount. */
  readonly left: string;
  /** Fee in the currency received. */
  readonly deal_fee: string;
  /** Fee paid in base. */
  readonly stock_fee: string;
  /** Fee paid in quote. */
  readonly money_fee: string;
  /** Fee paid in fee_asset. */
  readonly asset_fee: string;
  /** Deduction currency. */
  readonly fee_asset: string | null;
  /** Discount factor, 1 without deduction. */
  readonly fee_discount: string;
  /** Maker rate. */
  readonly maker_fee_rate: string;
  /** Taker rate. */
  readonly taker_fee_rate: string;
  /** State. */
  readonly status: LegacyOrderStatus;
  /** Time, s. */
  readonly create_time: number;
  /** End, s; null or 0 while open. */
  readonly finished_time: number | null;
  /** Client id or empty. */
  readonly client_id: string;
  /** Source id or empty. */
  readonly source_id?: string;
}

export interface LegacyStopOrder {
  /** Stop order id. */
  readonly order_id: number;
  /** Market. */
  readonly market: string;
  /** Account. */
  readonly account_id: number;
  /** Direction. */
  readonly type: LegacySide;
  /** Kind of the order to place. */
  readonly order_type: LegacyOrderType;
  /** Amount. */
  readonly amount: string;
  /** Price; 0 for market orders. */
  readonly price: string;
  /** Trigger price. */
  readonly stop_price: string;
  /** Trigger direction. */
  readonly state: LegacyStopState;
  /** Maker rate. */
  readonly maker_fee: string;
  /** Taker rate. */
  readonly taker_fee: string;
  /** Deduction currency. */
  readonly fee_asset: string | null;
  /** Discount factor. */
  readonly fee_discount: string;
  /** Time, s. */
  readonly create_time: number;
  /** Client id or empty. */
  readonly client_id: string;
  /** Life-cycle state, finished rows only. */
  readonly status?: LegacyStopStatus;
}

export interface LegacyStopAccepted {
  /** Always `success`. */
  readonly status: string;
  /** Stop order id. */
  readonly order_id: number;
}

export interface LegacyOrderDeal {
  /** Deal id. */
  readonly id: number;
  /** Order id. */
  readonly order_id: number;
  /** Time, s. */
  readonly create_time: number;
  /** Direction of the caller. */
  readonly type: LegacySide;
  /** Role of the caller. */
  readonly role: LegacyRole;
  /** Price. */
  readonly price: string;
  /** Amount. */
  readonly amount: string;
  /** Price times amount. */
  readonly deal_money: string;
  /** Fee. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_asset: string;
}

export interface LegacyUserDeal {
  /** Deal id. */
  readonly id: number;
  /** Order id. */
  readonly order_id: number;
  /** Account. */
  readonly account_id: number;
  /** Market. */
  readonly market: string;
  /** Time, s. */
  readonly create_time: number;
  /** Direction of the caller. */
  readonly type: LegacySide;
  /** Role of the caller. */
  readonly role: LegacyRole;
  /** Price. */
  readonly price: string;
  /** Amount. */
  readonly amount: string;
  /** Price times amount. */
  readonly deal_money: string;
  /** Fee. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_asset: string;
}

export interface LegacyFeeRate {
  /** Maker rate. */
  readonly maker: string;
  /** Taker rate. */
  readonly taker: string;
}

export interface LegacySubApiKey {
  /** Key id. */
  readonly user_auth_id: number;
  /** Time, s. */
  readonly create_time: number;
  /** Free text. */
  readonly remark: string;
  /** Access id. */
  readonly access_id: string;
  /** Bound addresses. */
  readonly allowed_ips: readonly string[];
  /** Withdraw permission, always false for sub-accounts. */
  readonly allow_withdraw: boolean;
  /** Trade permission. */
  readonly allow_trade: boolean;
  /** True once run out. */
  readonly is_expires: boolean;
  /** End, s; 0 never: keys without bound addresses run three months. */
  readonly expired_time: number;
}

export interface LegacySubApiKeySecret {
  /** Key id. */
  readonly user_auth_id: number;
  /** Time, s. */
  readonly create_time: number;
  /** Free text. */
  readonly remark: string;
  /** Access id. */
  readonly access_id: string;
  /** Bound addresses. */
  readonly allowed_ips: readonly string[];
  /** Withdraw permission, always false for sub-accounts. */
  readonly allow_withdraw: boolean;
  /** Trade permission. */
  readonly allow_trade: boolean;
  /** True once run out. */
  readonly is_expires: boolean;
  /** End, s; 0 never: keys without bound addresses run three months. */
  readonly expired_time: number;
  /** Signing key, shown once. */
  readonly secret_key: string;
}

export interface LegacyLoanCreated {
  /** Loan id. */
  readonly loan_id: number;
}

export interface LegacyLoan {
  /** Loan id. */
  readonly loan_id: number;
  /** Time, s. */
  readonly create_time: number;
  /** Market. */
  readonly market_type: string;
  /** Currency. */
  readonly coin_type: string;
  /** Daily rate. */
  readonly day_rate: string;
  /** Borrowed. */
  readonly loan_amount: string;
  /** Interest owed. */
  readonly interest_amount: string;
  /** Principal and interest still owed. */
  readonly unflat_amount: string;
  /** End, s. */
  readonly expire_time: number;
  /** Renews by itself. */
  readonly is_renew: boolean;
  /** State. */
  readonly status: LegacyLoanStatus;
}

export interface LegacyMarginTransfer {
  /** Id. */
  readonly id: number;
  /** Time, s. */
  readonly created_at: number;
  /** Time, s. */
  readonly updated_at: number;
  /** Account owner. */
  readonly user_id: number;
  /** 0 spot or margin account id. */
  readonly from_account_id: number;
  /** 0 spot or margin account id. */
  readonly to_account_id: number;
  /** Currency. */
  readonly asset: string;
  /** Amount. */
  readonly amount: string;
  /** Balance afterwards. */
  readonly balance: string;
  /** Direction. */
  readonly transfer_type: LegacyMarginTransferType;
  /** State. */
  readonly status: LegacyTransferStatus;
}

export interface LegacyContractTransfer {
  /** Time, s. */
  readonly created_at: number;
  /** Currency. */
  readonly asset: string;
  /** Amount. */
  readonly amount: string;
  /** Direction. */
  readonly transfer_type: LegacyContractTransferType;
}

export interface LegacyInvestmentTransfer {
  /** Id. */
  readonly id: number;
  /** Time, s. */
  readonly created_at: number;
  /** Time, s. */
  readonly updated_at: number;
  /** Completion, s. */
  readonly success_at: number;
  /** Interest day, s. */
  readonly report_date: number | null;
  /** Account owner. */
  readonly user_id: number;
  /** Financial account id. */
  readonly investment_account_id: number;
  /** Currency. */
  readonly asset: string;
  /** Amount. */
  readonly amount: string;
  /** Direction. */
  readonly opt_type: LegacyInvestmentOp;
  /** Daily rate. */
  readonly day_rate: string;
  /** State. */
  readonly status: LegacyTransferStatus;
}

export interface LegacySubTransfer {
  /** Time, s. */
  readonly time: number;
  /** Sender; empty stands for the main account. */
  readonly transfer_from: string;
  /** Receiver; empty stands for the main account. */
  readonly transfer_to: string;
  /** Currency. */
  readonly coin_type: string;
  /** Amount. */
  readonly amount: string;
  /** State. */
  readonly status: LegacySubTransferStatus;
}

export interface LegacyBalanceChange {
  /** Time, s. */
  readonly time: number;
  /** 0 spot or margin account id. */
  readonly account: number;
  /** Kind: a LegacyBusiness, or where that has no word the current type of transaction. */
  readonly business: string;
  /** Id of the cause. */
  readonly business_id: number;
  /** Currency. */
  readonly asset: string;
  /** Signed change. */
  readonly change: string;
  /** Balance afterwards. */
  readonly balance: string;
}

export interface LegacyWithdraw {
  /** Withdrawal id. */
  readonly coin_withdraw_id: number;
  /** Time, s. */
  readonly create_time: number;
  /** Currency. */
  readonly coin_type: string;
  /** Chain, may be empty. */
  readonly smart_contract_name?: string;
  /** Address. */
  readonly coin_address: string;
  /** Way. */
  readonly transfer_method?: LegacyTransferMethod;
  /** Amount taken from the balance. */
  readonly amount: string;
  /** Amount to arrive. */
  readonly actual_amount: string;
  /** Fee. */
  readonly tx_fee: string;
  /** Fee currency; the 2024-01-25 change adds such a field, the name is inferred. */
  readonly fee_asset?: string;
  /** Transaction id or empty. */
  readonly tx_id: string;
  /** Confirmations. */
  readonly confirmations: number;
  /** State. */
  readonly status: LegacyWithdrawStatus;
  /** Remark. */
  readonly remark?: string;
  /** For display, lists only. */
  readonly amount_display?: string;
  /** For display, lists only. */
  readonly actual_amount_display?: string;
  /** For display, lists only. */
  readonly coin_address_display?: string;
  /** For display, lists only. */
  readonly app_coin_address_display?: string;
  /** Address link, lists only. */
  readonly add_explorer?: string;
  /** Transaction link, lists only. */
  readonly explorer?: string;
  /** For display, lists only. */
  readonly status_display?: string;
  /** 0 in samples, lists only. */
  readonly fee?: string;
}

export interface LegacyDepositAddress {
  /** Address; memo or tag after a colon. */
  readonly coin_address: string;
  /** True for addresses of that chain. */
  readonly is_bitcoin_cash: boolean;
}

export interface LegacyBatchOrderRequest {
  /** Order direction. */
  readonly type: LegacySide;
  /** Base amount; at least the market min_amount; at most trading_decimal decimals. */
  readonly amount: string;
  /** At most pricing_decimal decimals. */
  readonly price: string;
  /** Time-in-force of a limit order. */
  readonly option: LegacyOrderOption | undefined;
  /** True keeps the order out of the public book; accept true/false as JSON booleans or as the strings true/false. */
  readonly hide: boolean | undefined;
  /** Letters, digits, hyphen, underscore; at most 32 bytes; echoed in the order. */
  readonly client_id: string | undefined;
  /** Free user number, echoed in the order. */
  readonly source_id: string | undefined;
}

export interface PerpetualStatusResult {
  /** Always `success`. */
  readonly status: string;
}

export interface PerpetualBatchItem {
  /** 0 when this item succeeded. */
  readonly code: number;
  /** Text of the item result, may be empty. */
  readonly message: string;
  /** The cancelled order. */
  readonly order: PerpetualOrder | null;
}

export interface PerpetualStopBatchItem {
  /** 0 when this item succeeded. */
  readonly code: number;
  /** Text of the item result, may be empty. */
  readonly message: string;
  /** The cancelled stop order. */
  readonly order: PerpetualStopOrder | null;
}

export interface PerpetualMarket {
  /** Market name. */
  readonly name: string;
  /** Contract kind. */
  readonly type: PerpetualMarketType;
  /** Leverages that can be chosen. */
  readonly leverages: readonly string[];
  /** Base currency. */
  readonly stock: string;
  /** Quote currency. */
  readonly money: string;
  /** Decimals of fee rates. */
  readonly fee_prec: number;
  /** Decimals of base amounts. */
  readonly stock_prec: number;
  /** Decimals of quote amounts. */
  readonly money_prec: number;
  /** Decimals of an order size. */
  readonly amount_prec: number;
  /** Smallest order size. */
  readonly amount_min: string;
  /** Contract multiplier; a number or a string, clients read both. */
  readonly multiplier: string;
  /** Price step. */
  readonly tick_size: string;
  /** Open for trading. */
  readonly available: boolean;
}

export type PerpetualLimitTier = readonly [
  /** Largest position size of the tier. */
  string,
  /** Largest leverage. */
  string,
  /** Maintenance margin rate. */
  string,
];

export interface PerpetualTicker {
  /** Seconds covered, 86400. */
  readonly period: number;
  /** Latest price. */
  readonly last: string;
  /** Price 24 h ago. */
  readonly open: string;
  /** 24 h high. */
  readonly high: string;
  /** 24 h low. */
  readonly low: string;
  /** 24 h volume in the size unit. */
  readonly vol: string;
  /** Best bid price. */
  readonly buy: string;
  /** Best bid size. */
  readonly buy_amount: string;
  /** Best ask price. */
  readonly sell: string;
  /** Best ask size. */
  readonly sell_amount: string;
  /** Sold size among the last 1000 deals. */
  readonly sell_total: string;
  /** Bought size among the last 1000 deals. */
  readonly buy_total: string;
  /** Mark price. */
  readonly sign_price: string;
  /** Index price. */
  readonly index_price: string;
  /** Minutes to the next funding. */
  readonly funding_time: number;
  /** Open interest. */
  readonly position_amount: string;
  /** Rate of the last settlement. */
  readonly funding_rate_last: string;
  /** Rate of the coming settlement. */
  readonly funding_rate_next: string;
  /** Running estimate of the one after. */
  readonly funding_rate_predict: string;
  /** Insurance fund of the settlement currency. */
  readonly insurance: string;
}

export interface PerpetualTickerResult {
  /** Server time, ms. */
  readonly date: number;
  /** The ticker. */
  readonly ticker: PerpetualTicker;
}

export interface PerpetualTickerAllResult {
  /** Server time, ms. */
  readonly date: number;
  /** Tickers by market name. */
  readonly ticker: Readonly<Record<string, PerpetualTicker>>;
}

export type PerpetualDepthLevel = readonly [
  /** Price. */
  string,
  /** Size. */
  string,
];

export interface PerpetualDepth {
  /** Ascending prices. */
  readonly asks: readonly PerpetualDepthLevel[];
  /** Descending prices. */
  readonly bids: readonly PerpetualDepthLevel[];
  /** Latest price. */
  readonly last: string;
  /** Time of the book, ms. */
  readonly time: number;
  /** Mark price. */
  readonly sign_price: string;
  /** Index price. */
  readonly index_price: string;
}

export interface PerpetualDeal {
  /** Deal id. */
  readonly id: number;
  /** Taker direction. */
  readonly type: LegacySide;
  /** Price. */
  readonly price: string;
  /** Size. */
  readonly amount: string;
  /** Time, s. */
  readonly date: number;
  /** Time, ms. */
  readonly date_ms: number;
}

export type PerpetualKlineRow = readonly [
  /** Start, s. */
  number,
  /** Open. */
  string,
  /** Close. */
  string,
  /** High. */
  string,
  /** Low. */
  string,
  /** Volume. */
  string,
  /** Value. */
  string,
];

export interface PerpetualFundingRate {
  /** Settlement time, s. */
  readonly time: number;
  /** Market. */
  readonly market: string;
  /** Settlement currency. */
  readonly asset: string;
  /** Computed rate. */
  readonly funding_rate: string;
  /** Rate applied. */
  readonly funding_rate_real: string;
}

export interface PerpetualLeverage {
  /** Margin mode. */
  readonly position_type: PerpetualPositionType;
  /** Leverage. */
  readonly leverage: string;
}

export interface PerpetualPositionExpect {
  /** Largest size that can be opened. */
  readonly position_expect: string;
}

export interface PerpetualAsset {
  /** Free balance. */
  readonly available: string;
  /** Held by open orders. */
  readonly frozen: string;
  /** Can be moved to spot. */
  readonly transfer: string;
  /** Total without unrealized profit. */
  readonly balance_total: string;
  /** Held by positions. */
  readonly margin: string;
  /** Unrealized profit. */
  readonly profit_unreal: string;
}

export interface PerpetualOrder {
  /** Order id. */
  readonly order_id: number;
  /** Position to be closed, 0 for normal orders. */
  readonly position_id: number;
  /** Stop order it came from, 0 for none. */
  readonly stop_id: number;
  /** Market. */
  readonly market: string;
  /** Kind. */
  readonly type: PerpetualOrderType;
  /** Direction. */
  readonly side: PerpetualSide;
  /** Account owner. */
  readonly user_id: number;
  /** Creation, s. */
  readonly create_time: number;
  /** Last change, s. */
  readonly update_time: number;
  /** Origin, e.g. api.v1. */
  readonly source: string;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** What the order aims at. */
  readonly target: PerpetualTarget;
  /** Time in force. */
  readonly effect_type: PerpetualEffectType;
  /** Bit set. */
  readonly option?: PerpetualOption;
  /** Price; 0 for market orders. */
  readonly price: string;
  /** Size. */
  readonly amount: string;
  /** Unfilled size. */
  readonly left: string;
  /** Filled value (linear: quote; inverse: base). */
  readonly deal_stock: string;
  /** Fee paid in the settlement currency. */
  readonly deal_fee: string;
  /** Fee paid in the deduction currency. */
  readonly deal_asset_fee: string;
  /** Realized profit. */
  readonly deal_profit: string;
  /** Taker rate. */
  readonly taker_fee: string;
  /** Maker rate. */
  readonly maker_fee: string;
  /** Deduction currency, may be empty. */
  readonly fee_asset: string;
  /** Discount factor of the deduction currency. */
  readonly fee_discount: string;
  /** Leverage. */
  readonly leverage: string;
  /** Margin mode. */
  readonly position_type: PerpetualPositionType;
  /** Size of the last fill. */
  readonly last_deal_amount: string;
  /** Price of the last fill. */
  readonly last_deal_price: string;
  /** Time of the last fill, s; 0 for none. */
  readonly last_deal_time: number;
  /** Deal id of the last fill; 0 for none. */
  readonly last_deal_id: number;
  /** Effect of the last fill. */
  readonly last_deal_type: PerpetualDealType;
  /** Role in the last fill. */
  readonly last_deal_role: PerpetualRole;
  /** 0 when unset. */
  readonly take_profit_price?: string;
  /** 0 when unset. */
  readonly take_profit_type?: PerpetualTpSlType;
  /** 0 when unset. */
  readonly stop_loss_price?: string;
  /** 0 when unset. */
  readonly stop_loss_type?: PerpetualTpSlType;
}

export interface PerpetualOrderStatus {
  /** Order id. */
  readonly order_id: number;
  /** Position to be closed, 0 for normal orders. */
  readonly position_id: number;
  /** Stop order it came from, 0 for none. */
  readonly stop_id: number;
  /** Market. */
  readonly market: string;
  /** Kind. */
  readonly type: PerpetualOrderType;
  /** Direction. */
  readonly side: PerpetualSide;
  /** Account owner. */
  readonly user_id: number;
  /** Creation, s. */
  readonly create_time: number;
  /** Last change, s. */
  readonly update_time: number;
  /** Origin, e.g. api.v1. */
  readonly source: string;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** What the order aims at. */
  readonly target: PerpetualTarget;
  /** Time in force. */
  readonly effect_type: PerpetualEffectType;
  /** Bit set. */
  readonly option?: PerpetualOption;
  /** Price; 0 for market orders. */
  readonly price: string;
  /** Size. */
  readonly amount: string;
  /** Unfilled size. */
  readonly left: string;
  /** Filled value (linear: quote; inverse: base). */
  readonly deal_stock: string;
  /** Fee paid in the settlement currency. */
  readonly deal_fee: string;
  /** Fee paid in the deduction currency. */
  readonly deal_asset_fee: string;
  /** Realized profit. */
  readonly deal_profit: string;
  /** Taker rate. */
  readonly taker_fee: string;
  /** Maker rate. */
  readonly maker_fee: string;
  /** Deduction currency, may be empty. */
  readonly fee_asset: string;
  /** Discount factor of the deduction currency. */
  readonly fee_discount: string;
  /** Leverage. */
  readonly leverage: string;
  /** Margin mode. */
  readonly position_type: PerpetualPositionType;
  /** Size of the last fill. */
  readonly last_deal_amount: string;
  /** Price of the last fill. */
  readonly last_deal_price: string;
  /** Time of the last fill, s; 0 for none. */
  readonly last_deal_time: number;
  /** Deal id of the last fill; 0 for none. */
  readonly last_deal_id: number;
  /** Effect of the last fill. */
  readonly last_deal_type: PerpetualDealType;
  /** Role in the last fill. */
  readonly last_deal_role: PerpetualRole;
  /** 0 when unset. */
  readonly take_profit_price?: string;
  /** 0 when unset. */
  readonly take_profit_type?: PerpetualTpSlType;
  /** 0 when unset. */
  readonly stop_loss_price?: string;
  /** 0 when unset. */
  readonly stop_loss_type?: PerpetualTpSlType;
  /** State. */
  readonly status: LegacyOrderStatus;
}

export interface PerpetualStopOrder {
  /** Stop order id. */
  readonly order_id: number;
  /** Market. */
  readonly market: string;
  /** Kind of the order to place. */
  readonly type: PerpetualOrderType;
  /** Direction. */
  readonly side: PerpetualSide;
  /** Account owner. */
  readonly user_id: number;
  /** Creation, s. */
  readonly create_time: number;
  /** Last change, s. */
  readonly update_time: number;
  /** Origin. */
  readonly source: string;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** What the order aims at. */
  readonly target: PerpetualTarget;
  /** Time in force of the order to place. */
  readonly effect_type: PerpetualEffectType;
  /** Bit set. */
  readonly option?: PerpetualOption;
  /** Reference price. */
  readonly stop_type: PerpetualStopType;
  /** Trigger direction. */
  readonly state: PerpetualStopState;
  /** Trigger price. */
  readonly stop_price: string;
  /** Order price; 0 for market orders. */
  readonly price: string;
  /** Size. */
  readonly amount: string;
  /** Taker rate. */
  readonly taker_fee: string;
  /** Maker rate. */
  readonly maker_fee: string;
  /** Deduction currency, may be empty. */
  readonly fee_asset: string;
  /** Discount factor. */
  readonly fee_discount: string;
}

export interface PerpetualStopOrderFinished {
  /** Stop order id. */
  readonly order_id: number;
  /** Market. */
  readonly market: string;
  /** Kind of the order to place. */
  readonly type: PerpetualOrderType;
  /** Direction. */
  readonly side: PerpetualSide;
  /** Account owner. */
  readonly user_id: number;
  /** Creation, s. */
  readonly create_time: number;
  /** Last change, s. */
  readonly update_time: number;
  /** Origin. */
  readonly source: string;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** What the order aims at. */
  readonly target: PerpetualTarget;
  /** Time in force of the order to place. */
  readonly effect_type: PerpetualEffectType;
  /** Bit set. */
  readonly option?: PerpetualOption;
  /** Reference price. */
  readonly stop_type: PerpetualStopType;
  /** Trigger direction. */
  readonly state: PerpetualStopState;
  /** Trigger price. */
  readonly stop_price: string;
  /** Order price; 0 for market orders. */
  readonly price: string;
  /** Size. */
  readonly amount: string;
  /** Taker rate. */
  readonly taker_fee: string;
  /** Maker rate. */
  readonly maker_fee: string;
  /** Deduction currency, may be empty. */
  readonly fee_asset: string;
  /** Discount factor. */
  readonly fee_discount: string;
  /** How it ended. */
  readonly status: PerpetualStopFinish;
}

export interface PerpetualStopOrderStatus {
  /** Stop order id. */
  readonly order_id: number;
  /** Market. */
  readonly market: string;
  /** Kind of the order to place. */
  readonly type: PerpetualOrderType;
  /** Direction. */
  readonly side: PerpetualSide;
  /** Account owner. */
  readonly user_id: number;
  /** Creation, s. */
  readonly create_time: number;
  /** Last change, s. */
  readonly update_time: number;
  /** Origin. */
  readonly source: string;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** What the order aims at. */
  readonly target: PerpetualTarget;
  /** Time in force of the order to place. */
  readonly effect_type: PerpetualEffectType;
  /** Bit set. */
  readonly option?: PerpetualOption;
  /** Reference price. */
  readonly stop_type: PerpetualStopType;
  /** Trigger direction. */
  readonly state: PerpetualStopState;
  /** Trigger price. */
  readonly stop_price: string;
  /** Order price; 0 for market orders. */
  readonly price: string;
  /** Size. */
  readonly amount: string;
  /** Taker rate. */
  readonly taker_fee: string;
  /** Maker rate. */
  readonly maker_fee: string;
  /** Deduction currency, may be empty. */
  readonly fee_asset: string;
  /** Discount factor. */
  readonly fee_discount: string;
  /** State. */
  readonly status: PerpetualStopStatus;
}

export interface PerpetualPosition {
  /** Position id. */
  readonly position_id: number;
  /** Account owner. */
  readonly user_id: number;
  /** Market. */
  readonly market: string;
  /** Margin mode. */
  readonly type: PerpetualPositionType;
  /** 1 short, 2 long. */
  readonly side: PerpetualSide;
  /** 1 while the venue is closing the position, else 0 (inferred). */
  readonly sys: number;
  /** How it ended. */
  readonly finish_type: PerpetualFinishType;
  /** Opened, s. */
  readonly create_time: number;
  /** Last change, s. */
  readonly update_time: number;
  /** Size. */
  readonly amount: string;
  /** Largest size reached. */
  readonly amount_max: string;
  /** Margin at that size. */
  readonly amount_max_margin: string;
  /** Size not yet covered by closing orders. */
  readonly close_left: string;
  /** Value of all its deals. */
  readonly deal_all: string;
  /** Fees paid in the deduction currency. */
  readonly deal_asset_fee: string;
  /** Deduction currency, may be empty. */
  readonly fee_asset: string;
  /** Average entry price. */
  readonly open_price: string;
  /** Entry value of the present size. */
  readonly open_val: string;
  /** Largest entry value. */
  readonly open_val_max: string;
  /** Price of the first fill. */
  readonly first_price: string;
  /** Price of the latest fill. */
  readonly latest_price: string;
  /** Initial margin rate. */
  readonly open_margin: string;
  /** Implied initial margin rate of a cross position, else 0. */
  readonly open_margin_imply: string;
  /** Maintenance margin rate. */
  readonly mainten_margin: string;
  /** Maintenance margin. */
  readonly mainten_margin_amount: string;
  /** Margin held: initial plus added minus taken out. */
  readonly margin_amount: string;
  /** Realized profit. */
  readonly profit_real: string;
  /** Unrealized profit. */
  readonly profit_unreal: string;
  /** Profit not yet settled. */
  readonly profit_clearing: string;
  /** Leverage. */
  readonly leverage: string;
  /** Liquidation price; the word Infinity above 10^12. */
  readonly liq_price: string;
  /** Implied liquidation price of a cross position, else 0. */
  readonly liq_price_imply: string;
  /** Bankruptcy price; the word Infinity above 10^12. */
  readonly bkr_price: string;
  /** Implied bankruptcy price of a cross position, else 0. */
  readonly bkr_price_imply: string;
  /** Liquidated size. */
  readonly liq_amount: string;
  /** Price of the liquidation order. */
  readonly liq_order_price: string;
  /** Time of the liquidation order, s; 0 for none. */
  readonly liq_order_time: number;
  /** Result of the liquidation. */
  readonly liq_profit: string;
  /** Liquidation, s; 0 for none. */
  readonly liq_time: number;
  /** Insurance fund used or fed. */
  readonly insurance: string;
  /** Rank in the deleveraging queue. */
  readonly adl_sort: number;
  /** Value the rank is built from. */
  readonly adl_sort_val: string;
  /** Positions in that queue. */
  readonly total: number;
  /** Maker rate. */
  readonly maker_fee: string;
  /** Taker rate. */
  readonly taker_fee: string;
  /** 0 when unset. */
  readonly stop_loss_price: string;
  /** Reference price, 0 when unset. */
  readonly stop_loss_type: PerpetualTpSlType;
  /** 0 when unset. */
  readonly take_profit_price: string;
  /** Reference price, 0 when unset. */
  readonly take_profit_type: PerpetualTpSlType;
}

export interface PerpetualUserDeal {
  /** Deal id. */
  readonly id: number;
  /** Time, s. */
  readonly time: number;
  /** Effect. */
  readonly deal_type: PerpetualDealType;
  /** Market. */
  readonly market: string;
  /** Account owner. */
  readonly user_id: number;
  /** Counterparty account; send 0 (our choice, keeps the other side private). */
  readonly deal_user_id: number;
  /** Order id. */
  readonly order_id: number;
  /** Counterparty order; send 0. */
  readonly deal_order_id: number;
  /** Position id. */
  readonly position_id: number;
  /** Direction of the caller. */
  readonly side: PerpetualSide;
  /** Role of the caller. */
  readonly role: PerpetualRole;
  /** Margin mode. */
  readonly position_type: PerpetualPositionType;
  /** Price. */
  readonly price: string;
  /** Average entry price after the deal. */
  readonly open_price: string;
  /** Size. */
  readonly amount: string;
  /** Position size after the deal. */
  readonly position_amount: string;
  /** Margin after the deal. */
  readonly margin_amount: string;
  /** Leverage. */
  readonly leverage: string;
  /** Deal value. */
  readonly deal_stock: string;
  /** Fee. */
  readonly deal_fee: string;
  /** Margin moved by the deal. */
  readonly deal_margin: string;
  /** Realized profit. */
  readonly deal_profit: string;
  /** Insurance fund used or fed. */
  readonly deal_insurance: string;
  /** Rate before discounts. */
  readonly fee_rate: string;
  /** Rate applied. */
  readonly fee_real_rate: string;
  /** Fee currency. */
  readonly fee_asset: string;
  /** Discount factor. */
  readonly fee_discount: string;
  /** Price used to convert the fee. */
  readonly fee_price: string;
}

export interface PerpetualFundingRecord {
  /** Account owner. */
  readonly user_id: number;
  /** Settlement, s. */
  readonly time: number;
  /** Market. */
  readonly market: string;
  /** Settlement currency. */
  readonly asset: string;
  /** Direction. */
  readonly type: PerpetualFundingType;
  /** Position id. */
  readonly position_id: number;
  /** 1 short, 2 long. */
  readonly side: PerpetualSide;
  /** Position size. */
  readonly amount: string;
  /** Price used. */
  readonly price: string;
  /** Computed rate. */
  readonly funding_rate: string;
  /** Rate applied. */
  readonly real_funding_rate: string;
  /** Signed amount, negative when paid. */
  readonly funding: string;
  /** Position value. */
  readonly value: string;
}

/** The checked parameters of each endpoint. */
export interface LegacyParamsOf {
  "GET /v1/market/list": Readonly<Record<string, never>>;
  "GET /v1/market/info": Readonly<Record<string, never>>;
  "GET /v1/market/detail": {
    readonly market: string;
  };
  "GET /v1/market/depth": {
    readonly market: string;
    readonly merge: LegacyDepthMerge;
    readonly limit: LegacyDepthLimit;
  };
  "GET /v1/market/deals": {
    readonly market: string;
    readonly last_id: number;
    readonly limit: number;
  };
  "GET /v1/market/kline": {
    readonly market: string;
    readonly type: LegacyKlineType;
    readonly limit: number;
  };
  "GET /v1/market/ticker": {
    readonly market: string;
  };
  "GET /v1/market/ticker/all": Readonly<Record<string, never>>;
  "GET /v1/common/currency/rate": Readonly<Record<string, never>>;
  "GET /v1/common/asset/config": {
    readonly coin_type: string | undefined;
  };
  "GET /v1/amm/market": Readonly<Record<string, never>>;
  "GET /v1/margin/market": Readonly<Record<string, never>>;
  "GET /v1/common/maintain/info": Readonly<Record<string, never>>;
  "GET /v1/common/temp-maintain/info": Readonly<Record<string, never>>;
  "POST /v1/order/limit": {
    readonly market: string;
    readonly type: LegacySide;
    readonly amount: string;
    readonly price: string;
    readonly option: LegacyOrderOption;
    readonly hide: boolean;
    readonly account_id: number;
    readonly client_id: string | undefined;
    readonly source_id: string | undefined;
  };
  "POST /v1/order/market": {
    readonly market: string;
    readonly type: LegacySide;
    readonly amount: string;
    readonly amount_asset: string | undefined;
    readonly account_id: number;
    readonly client_id: string | undefined;
    readonly source_id: string | undefined;
  };
  "POST /v1/order/ioc": {
    readonly market: string;
    readonly type: LegacySide;
    readonly amount: string;
    readonly price: string;
    readonly account_id: number;
    readonly client_id: string | undefined;
    readonly source_id: string | undefined;
  };
  "POST /v1/order/stop/limit": {
    readonly market: string;
    readonly type: LegacySide;
    readonly amount: string;
    readonly price: string;
    readonly stop_price: string;
    readonly option: LegacyOrderOption;
    readonly hide: boolean;
    readonly account_id: number;
    readonly client_id: string | undefined;
    readonly source_id: string | undefined;
  };
  "POST /v1/order/stop/market": {
    readonly market: string;
    readonly type: LegacySide;
    readonly amount: string;
    readonly stop_price: string;
    readonly option: LegacyOrderOption | undefined;
    readonly hide: boolean | undefined;
    readonly account_id: number;
    readonly client_id: string | undefined;
    readonly source_id: string | undefined;
  };
  "POST /v1/order/modify": {
    readonly market: string;
    readonly id: number;
    readonly amount: string | undefined;
    readonly price: string | undefined;
  };
  "POST /v1/order/stop/modify": {
    readonly market: string;
    readonly id: number;
    readonly amount: string | undefined;
    readonly price: string | undefined;
    readonly stop_price: string | undefined;
  };
  "DELETE /v1/order/pending": {
    readonly market: string;
    readonly id: number | undefined;
    readonly account_id: number;
    readonly type: LegacySide | undefined;
  };
  "DELETE /v1/order/stop/pending/{order_id}": {
    readonly order_id: number;
    readonly market: string;
    readonly account_id: number;
    readonly type: LegacySide | undefined;
  };
  "POST /v1/order/limit/batch": {
    readonly market: string;
    readonly batch_orders: readonly (LegacyBatchOrderRequest | Refused)[];
    readonly account_id: number;
  };
  "DELETE /v1/order/pending/batch": {
    readonly market: string;
    readonly batch_ids: readonly number[];
    readonly account_id: number;
  };
  "DELETE /v1/order/stop/pending": {
    readonly market: string;
    readonly account_id: number;
  };
  "GET /v1/order/status": {
    readonly id: number;
    readonly market: string;
  };
  "GET /v1/order/status/batch": {
    readonly market: string;
    readonly batch_ids: readonly number[];
  };
  "GET /v1/order/pending": {
    readonly market: string | undefined;
    readonly type: LegacySide | undefined;
    readonly account_id: number;
    readonly client_id: string | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/order/stop/pending": {
    readonly market: string | undefined;
    readonly type: LegacySide | undefined;
    readonly account_id: number;
    readonly client_id: string | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/order/deals": {
    readonly id: number;
    readonly account_id: number;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/order/user/deals": {
    readonly market: string | undefined;
    readonly type: LegacySide | undefined;
    readonly account_id: number;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/order/finished": {
    readonly market: string | undefined;
    readonly type: LegacySide | undefined;
    readonly account_id: number;
    readonly client_id: string | undefined;
    readonly stop_order_id: number | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/order/stop/finished": {
    readonly market: string | undefined;
    readonly type: LegacySide | undefined;
    readonly account_id: number;
    readonly page: number;
    readonly limit: number;
  };
  "PUT /v1/account/settings": {
    readonly cet_discount: boolean | undefined;
  };
  "POST /v1/sub_account/register": {
    readonly sub_user_name: string;
    readonly password: string;
  };
  "PUT /v1/sub_account/frozen": {
    readonly sub_user_name: string;
  };
  "PUT /v1/sub_account/unfrozen": {
    readonly sub_user_name: string;
  };
  "POST /v1/sub_account/transfer": {
    readonly coin_type: string;
    readonly amount: string;
    readonly transfer_side: LegacyTransferSide;
    readonly transfer_account: string;
  };
  "POST /v1/sub_account/auth/api": {
    readonly sub_user_name: string;
    readonly allow_trade: boolean;
    readonly allowed_ips: readonly string[];
    readonly remark: string | undefined;
  };
  "PUT /v1/sub_account/auth/api/{user_auth_id}": {
    readonly user_auth_id: number;
    readonly sub_user_name: string | undefined;
    readonly allow_trade: boolean | undefined;
    readonly allowed_ips: readonly string[] | undefined;
    readonly remark: string | undefined;
  };
  "DELETE /v1/sub_account/auth/api/{user_auth_id}": {
    readonly user_auth_id: number;
  };
  "POST /v1/margin/loan": {
    readonly market: string;
    readonly coin_type: string;
    readonly amount: string;
    readonly renew: number;
  };
  "POST /v1/margin/flat": {
    readonly market: string;
    readonly coin_type: string;
    readonly amount: string;
    readonly loan_id: number | undefined;
  };
  "POST /v1/margin/transfer": {
    readonly from_account: number;
    readonly to_account: number;
    readonly coin_type: string;
    readonly amount: string;
  };
  "POST /v1/contract/balance/transfer": {
    readonly coin_type: string;
    readonly amount: string;
    readonly transfer_side: LegacyTransferSide;
  };
  "POST /v1/balance/coin/withdraw": {
    readonly coin_type: string;
    readonly coin_address: string;
    readonly actual_amount: string;
    readonly transfer_method: LegacyTransferMethod;
    readonly smart_contract_name: string | undefined;
    readonly fee_asset: string | undefined;
  };
  "DELETE /v1/balance/coin/withdraw": {
    readonly coin_withdraw_id: number;
  };
  "PUT /v1/balance/deposit/address/{coin_type}": {
    readonly coin_type: string;
    readonly smart_contract_name: string | undefined;
  };
  "GET /v1/balance/info": Readonly<Record<string, never>>;
  "GET /v1/account/market/fee": {
    readonly market: string;
    readonly business_type: LegacyFeeBusiness;
  };
  "GET /v1/account/amm/balance": Readonly<Record<string, never>>;
  "GET /v1/account/investment/balance": Readonly<Record<string, never>>;
  "GET /v1/credit/info": Readonly<Record<string, never>>;
  "GET /v1/credit/balance": Readonly<Record<string, never>>;
  "GET /v1/sub_account/auth/api": {
    readonly sub_user_name: string;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/sub_account/auth/api/{user_auth_id}": {
    readonly user_auth_id: number;
  };
  "GET /v1/balance/deposit/address/{coin_type}": {
    readonly coin_type: string;
    readonly smart_contract_name: string | undefined;
  };
  "GET /v1/sub_account/balance": {
    readonly sub_user_name: string | undefined;
    readonly coin_type: string | undefined;
  };
  "GET /v1/margin/account": {
    readonly market: string;
  };
  "GET /v1/margin/config": {
    readonly market: string | undefined;
  };
  "GET /v1/balance/coin/withdraw": {
    readonly coin_type: string | undefined;
    readonly coin_withdraw_id: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/balance/coin/deposit": {
    readonly coin_type: string | undefined;
    readonly status: LegacyDepositStatus | undefined;
    readonly page: number;
    readonly limit: number;
    readonly tx_id: string | undefined;
  };
  "GET /v1/account/balance/history": {
    readonly asset: string | undefined;
    readonly account_id: number;
    readonly business: LegacyBusiness | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/investment/transfer/history": {
    readonly asset: string | undefined;
    readonly op_type: LegacyInvestmentOp | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/margin/transfer/history": {
    readonly asset: string | undefined;
    readonly market: string | undefined;
    readonly transfer_type: LegacyMarginTransferType | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/margin/loan/history": {
    readonly market: string | undefined;
    readonly status: LegacyLoanStatus | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/contract/transfer/history": {
    readonly asset: string | undefined;
    readonly transfer_type: LegacyContractTransferType | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "GET /v1/sub_account/transfer/history": {
    readonly sub_user_name: string | undefined;
    readonly coin_type: string | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  "DELETE /v1/order/pending/by_client_id": {
    readonly market: string | undefined;
    readonly client_id: string;
    readonly account_id: number;
  };
  "DELETE /v1/order/stop/pending/by_client_id": {
    readonly market: string | undefined;
    readonly client_id: string;
    readonly account_id: number;
  };
  "GET /perpetual/v1/ping": Readonly<Record<string, never>>;
  "GET /perpetual/v1/time": Readonly<Record<string, never>>;
  "GET /perpetual/v1/market/list": Readonly<Record<string, never>>;
  "GET /perpetual/v1/market/limit_config": Readonly<Record<string, never>>;
  "GET /perpetual/v1/market/ticker": {
    readonly market: string;
  };
  "GET /perpetual/v1/market/ticker/all": Readonly<Record<string, never>>;
  "GET /perpetual/v1/market/depth": {
    readonly market: string;
    readonly merge: PerpetualDepthMerge;
    readonly limit: PerpetualDepthLimit;
  };
  "GET /perpetual/v1/market/deals": {
    readonly market: string;
    readonly last_id: number;
    readonly limit: number;
  };
  "GET /perpetual/v1/market/kline": {
    readonly market: string;
    readonly type: LegacyKlineType;
    readonly limit: number;
  };
  "GET /perpetual/v1/market/funding_history": {
    readonly market: string;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly offset: number;
    readonly limit: number;
  };
  "GET /perpetual/v1/market/user_deals": {
    readonly market: string;
    readonly side: PerpetualSideFilter;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly offset: number;
    readonly limit: number;
  };
  "POST /perpetual/v1/market/adjust_leverage": {
    readonly market: string;
    readonly leverage: string;
    readonly position_type: PerpetualPositionType;
  };
  "POST /perpetual/v1/market/position_expect": {
    readonly market: string;
    readonly price: string;
    readonly side: PerpetualSide;
  };
  "POST /perpetual/v1/order/put_limit": {
    readonly market: string;
    readonly side: PerpetualSide;
    readonly amount: string;
    readonly price: string;
    readonly effect_type: PerpetualEffectType;
    readonly option: PerpetualOption;
    readonly client_id: string | undefined;
  };
  "POST /perpetual/v1/order/put_market": {
    readonly market: string;
    readonly side: PerpetualSide;
    readonly amount: string;
    readonly client_id: string | undefined;
  };
  "POST /perpetual/v1/order/put_stop_limit": {
    readonly market: string;
    readonly side: PerpetualSide;
    readonly stop_type: PerpetualStopType;
    readonly amount: string;
    readonly stop_price: string;
    readonly price: string;
    readonly effect_type: PerpetualEffectType;
    readonly option: PerpetualOption;
    readonly client_id: string | undefined;
  };
  "POST /perpetual/v1/order/put_stop_market": {
    readonly market: string;
    readonly side: PerpetualSide;
    readonly stop_type: PerpetualStopType;
    readonly amount: string;
    readonly stop_price: string;
    readonly effect_type: PerpetualEffectType | undefined;
    readonly option: PerpetualOption | undefined;
    readonly client_id: string | undefined;
  };
  "POST /perpetual/v1/order/cancel": {
    readonly market: string;
    readonly order_id: number;
  };
  "POST /perpetual/v1/order/cancel_stop": {
    readonly market: string;
    readonly order_id: number;
  };
  "POST /perpetual/v1/order/close_limit": {
    readonly market: string;
    readonly position_id: number;
    readonly amount: string;
    readonly price: string;
    readonly effect_type: PerpetualEffectType;
    readonly option: PerpetualOption;
    readonly client_id: string | undefined;
  };
  "POST /perpetual/v1/order/close_market": {
    readonly market: string;
    readonly position_id: number;
    readonly amount: string | undefined;
    readonly client_id: string | undefined;
  };
  "POST /perpetual/v1/position/adjust_margin": {
    readonly market: string;
    readonly amount: string;
    readonly type: PerpetualMarginAdjust;
  };
  "POST /perpetual/v1/position/stop_loss": {
    readonly market: string;
    readonly position_id: number;
    readonly stop_type: PerpetualStopType;
    readonly stop_loss_price: string;
  };
  "POST /perpetual/v1/position/take_profit": {
    readonly market: string;
    readonly position_id: number;
    readonly stop_type: PerpetualStopType;
    readonly take_profit_price: string;
  };
  "POST /perpetual/v1/position/market_close": {
    readonly market: string;
    readonly position_id: number;
  };
  "POST /perpetual/v1/order/modify": {
    readonly market: string;
    readonly order_id: number;
    readonly amount: string | undefined;
    readonly price: string | undefined;
  };
  "POST /perpetual/v1/order/modify_stop": {
    readonly market: string;
    readonly order_id: number;
    readonly amount: string | undefined;
    readonly price: string | undefined;
    readonly stop_price: string | undefined;
  };
  "POST /perpetual/v1/order/cancel_all": {
    readonly market: string;
    readonly side: PerpetualSideFilter;
  };
  "POST /perpetual/v1/order/cancel_batch": {
    readonly market: string;
    readonly order_ids: readonly number[];
  };
  "POST /perpetual/v1/order/cancel_stop_all": {
    readonly market: string;
    readonly side: PerpetualSideFilter;
  };
  "GET /perpetual/v1/order/pending": {
    readonly market: string | undefined;
    readonly side: PerpetualSideFilter;
    readonly offset: number;
    readonly limit: number;
  };
  "GET /perpetual/v1/order/stop_pending": {
    readonly market: string | undefined;
    readonly side: PerpetualSideFilter;
    readonly offset: number;
    readonly limit: number;
  };
  "GET /perpetual/v1/order/status": {
    readonly market: string;
    readonly order_id: number;
  };
  "GET /perpetual/v1/order/stop_status": {
    readonly market: string;
    readonly order_id: number;
  };
  "GET /perpetual/v1/order/finished": {
    readonly market: string | undefined;
    readonly side: PerpetualSideFilter;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly offset: number;
    readonly limit: number;
  };
  "GET /perpetual/v1/order/stop_finished": {
    readonly market: string | undefined;
    readonly side: PerpetualSideFilter;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly offset: number;
    readonly limit: number;
  };
  "GET /perpetual/v1/asset/query": Readonly<Record<string, never>>;
  "GET /perpetual/v1/position/funding": {
    readonly market: string | undefined;
    readonly start_time: number | undefined;
    readonly end_time: number | undefined;
    readonly offset: number;
    readonly limit: number;
  };
  "GET /perpetual/v1/position/pending": {
    readonly market: string | undefined;
  };
  "POST /perpetual/v1/order/cancel/by_client_id": {
    readonly market: string | undefined;
    readonly client_id: string;
  };
  "POST /perpetual/v1/order/cancel_stop/by_client_id": {
    readonly market: string | undefined;
    readonly client_id: string;
  };
}

/** What `data` holds: the record itself, or one row of it. */
export interface LegacyRecord {
  "GET /v1/market/list": string;
  "GET /v1/market/info": LegacyMarketInfo;
  "GET /v1/market/detail": LegacyMarketInfo;
  "GET /v1/market/depth": LegacyDepth;
  "GET /v1/market/deals": LegacyMarketDeal;
  "GET /v1/market/kline": LegacyKlineRow;
  "GET /v1/market/ticker": LegacyTickerResult;
  "GET /v1/market/ticker/all": LegacyTickerAllResult;
  "GET /v1/common/currency/rate": string;
  "GET /v1/common/asset/config": LegacyAssetConfig;
  "GET /v1/amm/market": string;
  "GET /v1/margin/market": number;
  "GET /v1/common/maintain/info": LegacyMaintainSite;
  "GET /v1/common/temp-maintain/info": LegacyMaintainPartial;
  "POST /v1/order/limit": LegacyOrder;
  "POST /v1/order/market": LegacyOrder;
  "POST /v1/order/ioc": LegacyOrder;
  "POST /v1/order/stop/limit": LegacyStopAccepted;
  "POST /v1/order/stop/market": LegacyStopAccepted;
  "POST /v1/order/modify": LegacyOrder;
  "POST /v1/order/stop/modify": LegacyStopOrder;
  "DELETE /v1/order/pending": LegacyOrder;
  "DELETE /v1/order/stop/pending/{order_id}": never;
  "POST /v1/order/limit/batch": { code: number; message: string; data: LegacyOrder | null };
  "DELETE /v1/order/pending/batch": { code: number; message: string; data: LegacyOrder | null };
  "DELETE /v1/order/stop/pending": never;
  "GET /v1/order/status": LegacyOrder;
  "GET /v1/order/status/batch": { code: number; message: string; data: LegacyOrder | null };
  "GET /v1/order/pending": LegacyOrder;
  "GET /v1/order/stop/pending": LegacyStopOrder;
  "GET /v1/order/deals": LegacyOrderDeal;
  "GET /v1/order/user/deals": LegacyUserDeal;
  "GET /v1/order/finished": LegacyOrder;
  "GET /v1/order/stop/finished": LegacyStopOrder;
  "PUT /v1/account/settings": never;
  "POST /v1/sub_account/register": never;
  "PUT /v1/sub_account/frozen": never;
  "PUT /v1/sub_account/unfrozen": never;
  "POST /v1/sub_account/transfer": never;
  "POST /v1/sub_account/auth/api": LegacySubApiKeySecret;
  "PUT /v1/sub_account/auth/api/{user_auth_id}": LegacySubApiKey;
  "DELETE /v1/sub_account/auth/api/{user_auth_id}": never;
  "POST /v1/margin/loan": LegacyLoanCreated;
  "POST /v1/margin/flat": never;
  "POST /v1/margin/transfer": never;
  "POST /v1/contract/balance/transfer": never;
  "POST /v1/balance/coin/withdraw": LegacyWithdraw;
  "DELETE /v1/balance/coin/withdraw": never;
  "PUT /v1/balance/deposit/address/{coin_type}": LegacyDepositAddress;
  "GET /v1/balance/info": LegacyBalance;
  "GET /v1/account/market/fee": LegacyFeeRate;
  "GET /v1/account/amm/balance": LegacyAmmBalance;
  "GET /v1/account/investment/balance": LegacyFinancialBalance;
  "GET /v1/credit/info": LegacyCreditInfo;
  "GET /v1/credit/balance": LegacyCreditBalance;
  "GET /v1/sub_account/auth/api": LegacySubApiKey;
  "GET /v1/sub_account/auth/api/{user_auth_id}": LegacySubApiKey;
  "GET /v1/balance/deposit/address/{coin_type}": LegacyDepositAddress;
  "GET /v1/sub_account/balance": Readonly<Record<string, LegacyBalance>>;
  "GET /v1/margin/account": LegacyMarginAccount;
  "GET /v1/margin/config": LegacyMarginConfig;
  "GET /v1/balance/coin/withdraw": LegacyWithdraw;
  "GET /v1/balance/coin/deposit": LegacyDeposit;
  "GET /v1/account/balance/history": LegacyBalanceChange;
  "GET /v1/investment/transfer/history": LegacyInvestmentTransfer;
  "GET /v1/margin/transfer/history": LegacyMarginTransfer;
  "GET /v1/margin/loan/history": LegacyLoan;
  "GET /v1/contract/transfer/history": LegacyContractTransfer;
  "GET /v1/sub_account/transfer/history": LegacySubTransfer;
  "DELETE /v1/order/pending/by_client_id": { code: number; message: string; data: LegacyOrder | null };
  "DELETE /v1/order/stop/pending/by_client_id": { code: number; message: string; data: LegacyStopOrder | null };
  "GET /perpetual/v1/ping": string;
  "GET /perpetual/v1/time": number;
  "GET /perpetual/v1/market/list": PerpetualMarket;
  "GET /perpetual/v1/market/limit_config": readonly PerpetualLimitTier[];
  "GET /perpetual/v1/market/ticker": PerpetualTickerResult;
  "GET /perpetual/v1/market/ticker/all": PerpetualTickerAllResult;
  "GET /perpetual/v1/market/depth": PerpetualDepth;
  "GET /perpetual/v1/market/deals": PerpetualDeal;
  "GET /perpetual/v1/market/kline": PerpetualKlineRow;
  "GET /perpetual/v1/market/funding_history": PerpetualFundingRate;
  "GET /perpetual/v1/market/user_deals": PerpetualUserDeal;
  "POST /perpetual/v1/market/adjust_leverage": PerpetualLeverage;
  "POST /perpetual/v1/market/position_expect": PerpetualPositionExpect;
  "POST /perpetual/v1/order/put_limit": PerpetualOrder;
  "POST /perpetual/v1/order/put_market": PerpetualOrder;
  "POST /perpetual/v1/order/put_stop_limit": PerpetualStatusResult;
  "POST /perpetual/v1/order/put_stop_market": PerpetualStatusResult;
  "POST /perpetual/v1/order/cancel": PerpetualOrder;
  "POST /perpetual/v1/order/cancel_stop": PerpetualStopOrder;
  "POST /perpetual/v1/order/close_limit": PerpetualOrder;
  "POST /perpetual/v1/order/close_market": PerpetualOrder;
  "POST /perpetual/v1/position/adjust_margin": PerpetualPosition;
  "POST /perpetual/v1/position/stop_loss": PerpetualPosition;
  "POST /perpetual/v1/position/take_profit": PerpetualPosition;
  "POST /perpetual/v1/position/market_close": PerpetualOrder;
  "POST /perpetual/v1/order/modify": PerpetualOrder;
  "POST /perpetual/v1/order/modify_stop": PerpetualStopOrder;
  "POST /perpetual/v1/order/cancel_all": PerpetualStatusResult;
  "POST /perpetual/v1/order/cancel_batch": PerpetualBatchItem;
  "POST /perpetual/v1/order/cancel_stop_all": PerpetualStatusResult;
  "GET /perpetual/v1/order/pending": PerpetualOrder;
  "GET /perpetual/v1/order/stop_pending": PerpetualStopOrder;
  "GET /perpetual/v1/order/status": PerpetualOrderStatus;
  "GET /perpetual/v1/order/stop_status": PerpetualStopOrderStatus;
  "GET /perpetual/v1/order/finished": PerpetualOrder;
  "GET /perpetual/v1/order/stop_finished": PerpetualStopOrderFinished;
  "GET /perpetual/v1/asset/query": PerpetualAsset;
  "GET /perpetual/v1/position/funding": PerpetualFundingRecord;
  "GET /perpetual/v1/position/pending": PerpetualPosition;
  "POST /perpetual/v1/order/cancel/by_client_id": PerpetualBatchItem;
  "POST /perpetual/v1/order/cancel_stop/by_client_id": PerpetualStopBatchItem;
}

export interface LegacyKind {
  "GET /v1/market/list": "array";
  "GET /v1/market/info": "map";
  "GET /v1/market/detail": "object";
  "GET /v1/market/depth": "object";
  "GET /v1/market/deals": "array";
  "GET /v1/market/kline": "array";
  "GET /v1/market/ticker": "object";
  "GET /v1/market/ticker/all": "object";
  "GET /v1/common/currency/rate": "map";
  "GET /v1/common/asset/config": "map";
  "GET /v1/amm/market": "array";
  "GET /v1/margin/market": "map";
  "GET /v1/common/maintain/info": "object";
  "GET /v1/common/temp-maintain/info": "array";
  "POST /v1/order/limit": "object";
  "POST /v1/order/market": "object";
  "POST /v1/order/ioc": "object";
  "POST /v1/order/stop/limit": "object";
  "POST /v1/order/stop/market": "object";
  "POST /v1/order/modify": "object";
  "POST /v1/order/stop/modify": "object";
  "DELETE /v1/order/pending": "object";
  "DELETE /v1/order/stop/pending/{order_id}": "empty";
  "POST /v1/order/limit/batch": "array";
  "DELETE /v1/order/pending/batch": "array";
  "DELETE /v1/order/stop/pending": "empty";
  "GET /v1/order/status": "object";
  "GET /v1/order/status/batch": "array";
  "GET /v1/order/pending": "page";
  "GET /v1/order/stop/pending": "page";
  "GET /v1/order/deals": "page";
  "GET /v1/order/user/deals": "page";
  "GET /v1/order/finished": "page";
  "GET /v1/order/stop/finished": "page";
  "PUT /v1/account/settings": "empty";
  "POST /v1/sub_account/register": "empty";
  "PUT /v1/sub_account/frozen": "empty";
  "PUT /v1/sub_account/unfrozen": "empty";
  "POST /v1/sub_account/transfer": "empty";
  "POST /v1/sub_account/auth/api": "object";
  "PUT /v1/sub_account/auth/api/{user_auth_id}": "object";
  "DELETE /v1/sub_account/auth/api/{user_auth_id}": "empty";
  "POST /v1/margin/loan": "object";
  "POST /v1/margin/flat": "empty";
  "POST /v1/margin/transfer": "empty";
  "POST /v1/contract/balance/transfer": "empty";
  "POST /v1/balance/coin/withdraw": "object";
  "DELETE /v1/balance/coin/withdraw": "empty";
  "PUT /v1/balance/deposit/address/{coin_type}": "object";
  "GET /v1/balance/info": "map";
  "GET /v1/account/market/fee": "object";
  "GET /v1/account/amm/balance": "array";
  "GET /v1/account/investment/balance": "array";
  "GET /v1/credit/info": "object";
  "GET /v1/credit/balance": "array";
  "GET /v1/sub_account/auth/api": "page";
  "GET /v1/sub_account/auth/api/{user_auth_id}": "object";
  "GET /v1/balance/deposit/address/{coin_type}": "object";
  "GET /v1/sub_account/balance": "map";
  "GET /v1/margin/account": "object";
  "GET /v1/margin/config": "object";
  "GET /v1/balance/coin/withdraw": "page";
  "GET /v1/balance/coin/deposit": "page";
  "GET /v1/account/balance/history": "page";
  "GET /v1/investment/transfer/history": "page";
  "GET /v1/margin/transfer/history": "page";
  "GET /v1/margin/loan/history": "page";
  "GET /v1/contract/transfer/history": "page";
  "GET /v1/sub_account/transfer/history": "page";
  "DELETE /v1/order/pending/by_client_id": "array";
  "DELETE /v1/order/stop/pending/by_client_id": "array";
  "GET /perpetual/v1/ping": "scalar";
  "GET /perpetual/v1/time": "scalar";
  "GET /perpetual/v1/market/list": "array";
  "GET /perpetual/v1/market/limit_config": "map";
  "GET /perpetual/v1/market/ticker": "object";
  "GET /perpetual/v1/market/ticker/all": "object";
  "GET /perpetual/v1/market/depth": "object";
  "GET /perpetual/v1/market/deals": "array";
  "GET /perpetual/v1/market/kline": "array";
  "GET /perpetual/v1/market/funding_history": "page";
  "GET /perpetual/v1/market/user_deals": "page";
  "POST /perpetual/v1/market/adjust_leverage": "object";
  "POST /perpetual/v1/market/position_expect": "object";
  "POST /perpetual/v1/order/put_limit": "object";
  "POST /perpetual/v1/order/put_market": "object";
  "POST /perpetual/v1/order/put_stop_limit": "object";
  "POST /perpetual/v1/order/put_stop_market": "object";
  "POST /perpetual/v1/order/cancel": "object";
  "POST /perpetual/v1/order/cancel_stop": "object";
  "POST /perpetual/v1/order/close_limit": "object";
  "POST /perpetual/v1/order/close_market": "object";
  "POST /perpetual/v1/position/adjust_margin": "object";
  "POST /perpetual/v1/position/stop_loss": "object";
  "POST /perpetual/v1/position/take_profit": "object";
  "POST /perpetual/v1/position/market_close": "object";
  "POST /perpetual/v1/order/modify": "object";
  "POST /perpetual/v1/order/modify_stop": "object";
  "POST /perpetual/v1/order/cancel_all": "object";
  "POST /perpetual/v1/order/cancel_batch": "array";
  "POST /perpetual/v1/order/cancel_stop_all": "object";
  "GET /perpetual/v1/order/pending": "page";
  "GET /perpetual/v1/order/stop_pending": "page";
  "GET /perpetual/v1/order/status": "object";
  "GET /perpetual/v1/order/stop_status": "object";
  "GET /perpetual/v1/order/finished": "page";
  "GET /perpetual/v1/order/stop_finished": "page";
  "GET /perpetual/v1/asset/query": "map";
  "GET /perpetual/v1/position/funding": "page";
  "GET /perpetual/v1/position/pending": "array";
  "POST /perpetual/v1/order/cancel/by_client_id": "array";
  "POST /perpetual/v1/order/cancel_stop/by_client_id": "array";
}

export type LegacyName = keyof LegacyParamsOf;
