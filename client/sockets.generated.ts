// Written by scripts/generate-client.ts from contract/websocket. Change the contract, not this file.

export type WsSide = "buy" | "sell";
export type WsCancelScope = "SPOT" | "MARGIN" | "FUTURES" | "ALL";
export type WsOrderType = "limit" | "market" | "maker_only" | "ioc" | "fok";
export type WsRole = "taker" | "maker";
export type WsOrderEvent = "put" | "update" | "modify" | "finish";
export type WsStopEvent = "put" | "active" | "cancel";
export type WsStopStatus = "put" | "active_success" | "active_fail" | "cancel";
export type WsPositionEvent = "update" | "close" | "sys_close" | "adl" | "liq" | "alert";
export type WsPositionSide = "long" | "short";
export type WsMarginMode = "cross" | "isolated";
export type WsTriggerDirection = "higher" | "lower";
export type WsTriggerPriceType = "latest_price" | "mark_price" | "index_price";
export type WsTpSlType = "latest_price" | "mark_price" | "";
export type WsDepthLimit = 5 | 10 | 20 | 50;
export type WsDepthInterval =
  | "0"
  | "0.00000000001"
  | "0.000000000001"
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
export type WsNoticeChannel = 101 | 102 | 103;
export type WsMaintainScope = "FUTURES" | "SPOT" | "ALL_SITE";

export interface Ack {
  /** Id of the request. */
  readonly id: number;
  /** 0. */
  readonly code: number;
  /** OK. */
  readonly message: string;
}

export interface ErrorReply {
  /** Id of the request; null when it could not be read. */
  readonly id: number | null;
  /** See errors. */
  readonly code: number;
  /** Text, never OK. */
  readonly message: string;
}

export interface Pong {
  /** Pong. */
  readonly result: string;
}

export interface ServerTime {
  /** Server time, ms. */
  readonly timestamp: number;
}

export interface CancelOnDisconnect {
  /** Whether the end of the connection cancels orders. */
  readonly active: boolean;
  /** Whose orders. */
  readonly scope: WsCancelScope;
  /** In which markets; none: in all. */
  readonly market_list: readonly string[];
  /** How long after the end, ms. */
  readonly grace_ms: number;
}

export interface PushSession {
  /** Name of the session, to be kept secret. */
  readonly session: string;
  /** Whether an earlier session goes on. */
  readonly resumed: boolean;
  /** Seq of the last push of the session so far, 0 before the first. */
  readonly last_seq: number;
  /** How long after the end of a connection its session may go on, ms. */
  readonly resume_ms: number;
}

export type DepthSubscription = readonly [
  marketName: string,
  levelsPerSide: WsDepthLimit,
  priceStep: WsDepthInterval,
  fullPushesOnly: boolean,
];

export interface SpotState {
  /** Market. */
  readonly market: string;
  /** Latest price. */
  readonly last: string;
  /** Price 24 h ago. */
  readonly open: string;
  /** Latest price. */
  readonly close: string;
  /** 24 h high. */
  readonly high: string;
  /** 24 h low. */
  readonly low: string;
  /** 24 h volume. */
  readonly volume: string;
  /** 24 h value. */
  readonly value: string;
  /** 24 h amount sold by takers, as in the HTTP ticker. */
  readonly volume_sell: string;
  /** 24 h amount bought by takers, as in the HTTP ticker. */
  readonly volume_buy: string;
  /** 86400. */
  readonly period: number;
}

export interface FuturesState {
  /** Market. */
  readonly market: string;
  /** Latest price. */
  readonly last: string;
  /** Price 24 h ago. */
  readonly open: string;
  /** Latest price. */
  readonly close: string;
  /** 24 h high. */
  readonly high: string;
  /** 24 h low. */
  readonly low: string;
  /** 24 h volume. */
  readonly volume: string;
  /** 24 h value. */
  readonly value: string;
  /** 24 h amount sold by takers, as in the HTTP ticker. */
  readonly volume_sell: string;
  /** 24 h amount bought by takers, as in the HTTP ticker. */
  readonly volume_buy: string;
  /** 86400. */
  readonly period: number;
  /** Open interest. */
  readonly open_interest_size: string;
  /** Insurance fund. */
  readonly insurance_fund_size: string;
  /** Mark price. */
  readonly mark_price: string;
  /** Index price. */
  readonly index_price: string;
  /** Current rate, computed each minute, as in /futures/funding-rate. */
  readonly latest_funding_rate: string;
  /** Predicted next rate, as in /futures/funding-rate. */
  readonly next_funding_rate: string;
  /** Latest collection, ms. */
  readonly latest_funding_time: number;
  /** Next collection, ms. */
  readonly next_funding_time: number;
}

export interface SpotStateUpdate {
  /** Changed markets. */
  readonly state_list: readonly SpotState[];
}

export interface FuturesStateUpdate {
  /** Changed markets. */
  readonly state_list: readonly FuturesState[];
}

export type Level = readonly [price: string, size: string];

export interface Depth {
  /** Ascending prices. */
  readonly asks: readonly Level[];
  /** Descending prices. */
  readonly bids: readonly Level[];
  /** Latest price. */
  readonly last: string;
  /** Time of the book, ms. */
  readonly updated_at: number;
  /** Unsigned 32-bit, see checksum. */
  readonly checksum: number;
}

export interface DepthUpdate {
  /** Market. */
  readonly market: string;
  /** True: the whole book; false: changed levels. */
  readonly is_full: boolean;
  /** The levels. */
  readonly depth: Depth;
}

export interface Deal {
  /** Deal id. */
  readonly deal_id: number;
  /** Time, ms. */
  readonly created_at: number;
  /** Taker side. */
  readonly side: WsSide;
  /** Price. */
  readonly price: string;
  /** Amount. */
  readonly amount: string;
}

export interface DealsUpdate {
  /** Market. */
  readonly market: string;
  /** Newest first. */
  readonly deal_list: readonly Deal[];
}

export interface SpotUserDeal {
  /** Deal id. */
  readonly deal_id: number;
  /** Time, ms. */
  readonly created_at: number;
  /** Market. */
  readonly market: string;
  /** Side of the caller. */
  readonly side: WsSide;
  /** Order id. */
  readonly order_id: number;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** Price. */
  readonly price: string;
  /** Amount. */
  readonly amount: string;
  /** Role of the caller. */
  readonly role: WsRole;
  /** Fee. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_ccy: string;
  /** Margin market, empty text for spot deals; never left out. */
  readonly margin_market: string;
}

export interface FuturesUserDeal {
  /** Deal id. */
  readonly deal_id: number;
  /** Time, ms. */
  readonly created_at: number;
  /** Market. */
  readonly market: string;
  /** Side of the caller. */
  readonly side: WsSide;
  /** Order id. */
  readonly order_id: number;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** Price. */
  readonly price: string;
  /** Amount. */
  readonly amount: string;
  /** Role of the caller. */
  readonly role: WsRole;
  /** Fee. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_ccy: string;
  /** Position id. */
  readonly position_id: number;
}

export interface SpotOrder {
  /** Order id. */
  readonly order_id: number;
  /** Market. */
  readonly market: string;
  /** Margin market, empty text for spot orders; never left out. */
  readonly margin_market: string;
  /** Kind. */
  readonly type: WsOrderType;
  /** Side. */
  readonly side: WsSide;
  /** Order amount. */
  readonly amount: string;
  /** Price; 0 for market orders. */
  readonly price: string;
  /** Remaining. */
  readonly unfilled_amount: string;
  /** Filled base amount. */
  readonly filled_amount: string;
  /** Filled quote amount. */
  readonly filled_value: string;
  /** Fee paid in base. */
  readonly base_ccy_fee: string;
  /** Fee paid in quote. */
  readonly quote_ccy_fee: string;
  /** Fee paid in the deduction currency. */
  readonly discount_ccy_fee: string;
  /** Taker rate. */
  readonly taker_fee_rate: string;
  /** Maker rate. */
  readonly maker_fee_rate: string;
  /** Amount of the last fill; 0 for none. */
  readonly last_filled_amount: string;
  /** Price of the last fill; 0 for none. */
  readonly last_filled_price: string;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** Creation, ms. */
  readonly created_at: number;
  /** Last change, ms. */
  readonly updated_at: number;
}

export interface SpotOrderUpdate {
  /** What happened. */
  readonly event: WsOrderEvent;
  /** The order after the event. */
  readonly order: SpotOrder;
}

export interface FuturesOrder {
  /** Order id. */
  readonly order_id: number;
  /** Stop order it came from; 0 for none. */
  readonly stop_id: number;
  /** Market. */
  readonly market: string;
  /** Side. */
  readonly side: WsSide;
  /** Kind. */
  readonly type: WsOrderType;
  /** Order size. */
  readonly amount: string;
  /** Price; 0 for market orders. */
  readonly price: string;
  /** Remaining. */
  readonly unfilled_amount: string;
  /** Filled size. */
  readonly filled_amount: string;
  /** Filled value. */
  readonly filled_value: string;
  /** Fee charged. */
  readonly fee: string;
  /** Fee currency. */
  readonly fee_ccy: string;
  /** Taker rate. */
  readonly taker_fee_rate: string;
  /** Maker rate. */
  readonly maker_fee_rate: string;
  /** Amount of the last fill; 0 for none. */
  readonly last_filled_amount: string;
  /** Price of the last fill; 0 for none. */
  readonly last_filled_price: string;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** Creation, ms. */
  readonly created_at: number;
  /** Last change, ms. */
  readonly updated_at: number;
}

export interface FuturesOrderUpdate {
  /** What happened. */
  readonly event: WsOrderEvent;
  /** The order after the event. */
  readonly order: FuturesOrder;
}

export interface SpotStop {
  /** Stop order id. */
  readonly stop_id: number;
  /** Market. */
  readonly market: string;
  /** Margin market, empty text for spot; never left out. */
  readonly margin_market: string;
  /** Kind of the order to place. */
  readonly type: WsOrderType;
  /** Side. */
  readonly side: WsSide;
  /** Amount. */
  readonly amount: string;
  /** Order price; 0 for market orders. */
  readonly price: string;
  /** Trigger price. */
  readonly trigger_price: string;
  /** Direction. */
  readonly trigger_direction: WsTriggerDirection;
  /** Taker rate. */
  readonly taker_fee_rate: string;
  /** Maker rate. */
  readonly maker_fee_rate: string;
  /** State. */
  readonly status: WsStopStatus;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** Creation, ms. */
  readonly created_at: number;
  /** Last change, ms. */
  readonly updated_at: number;
}

export interface SpotStopUpdate {
  /** What happened. */
  readonly event: WsStopEvent;
  /** The stop order after the event. */
  readonly stop: SpotStop;
}

export interface FuturesStop {
  /** Stop order id. */
  readonly stop_id: number;
  /** Market. */
  readonly market: string;
  /** Kind of the order to place. */
  readonly type: WsOrderType;
  /** Side. */
  readonly side: WsSide;
  /** Amount. */
  readonly amount: string;
  /** Order price; 0 for market orders. */
  readonly price: string;
  /** Trigger price. */
  readonly trigger_price: string;
  /** Direction. */
  readonly trigger_direction: WsTriggerDirection;
  /** Taker rate. */
  readonly taker_fee_rate: string;
  /** Maker rate. */
  readonly maker_fee_rate: string;
  /** State. */
  readonly status: WsStopStatus;
  /** Client id, may be empty. */
  readonly client_id: string;
  /** Creation, ms. */
  readonly created_at: number;
  /** Last change, ms. */
  readonly updated_at: number;
  /** Reference price. */
  readonly trigger_price_type: WsTriggerPriceType;
}

export interface FuturesStopUpdate {
  /** What happened. */
  readonly event: WsStopEvent;
  /** The stop order after the event. */
  readonly stop: FuturesStop;
}

export interface Position {
  /** Position id. */
  readonly position_id: number;
  /** Market. */
  readonly market: string;
  /** Side. */
  readonly side: WsPositionSide;
  /** Margin mode. */
  readonly margin_mode: WsMarginMode;
  /** Size; 0 once closed. */
  readonly open_interest: string;
  /** Size still free to close. */
  readonly close_avbl: string;
  /** Largest size reached. */
  readonly ath_position_amount: string;
  /** Unrealized profit. */
  readonly unrealized_pnl: string;
  /** Realized profit. */
  readonly realized_pnl: string;
  /** Average entry price. */
  readonly avg_entry_price: string;
  /** Entry value. */
  readonly cml_position_value: string;
  /** Largest entry value. */
  readonly max_position_value: string;
  /** 0 when unset. */
  readonly take_profit_price: string;
  /** 0 when unset. */
  readonly stop_loss_price: string;
  /** Reference price. */
  readonly take_profit_type: WsTpSlType;
  /** Reference price. */
  readonly stop_loss_type: WsTpSlType;
  /** Leverage. */
  readonly leverage: string;
  /** Allocated margin. */
  readonly margin_avbl: string;
  /** Largest margin reached. */
  readonly ath_margin_size: string;
  /** Position margin rate. */
  readonly position_margin_rate: string;
  /** Maintenance margin rate. */
  readonly maintenance_margin_rate: string;
  /** Maintenance margin. */
  readonly maintenance_margin_value: string;
  /** Liquidation price. */
  readonly liq_price: string;
  /** Bankruptcy price. */
  readonly bkr_price: string;
  /** 1 to 5. */
  readonly adl_level: number;
  /** Settlement price. */
  readonly settle_price: string;
  /** Settlement value; the HTTP record of the seed calls it settle_value. */
  readonly settle_val: string;
  /** Price of the first fill. */
  readonly first_filled_price: string;
  /** Price of the latest fill. */
  readonly latest_filled_price: string;
  /** Opened, ms. */
  readonly created_at: number;
  /** Last change, ms. */
  readonly updated_at: number;
}

export interface PositionUpdate {
  /** What happened. */
  readonly event: WsPositionEvent;
  /** The position after the event. */
  readonly position: Position;
}

export interface SpotBalance {
  /** Margin market, empty text for the spot account. */
  readonly margin_market: string;
  /** Currency. */
  readonly ccy: string;
  /** Free. */
  readonly available: string;
  /** Held. */
  readonly frozen: string;
  /** Time of the change, ms. */
  readonly updated_at: number;
}

export interface SpotBalanceUpdate {
  /** Alert: the risk rate of the margin account has come down to its warning; else left out. */
  readonly event?: string | undefined;
  /** Of an alert, the risk rate. */
  readonly risk_rate?: string | undefined;
  /** Changed currencies. */
  readonly balance_list: readonly SpotBalance[];
}

export interface FuturesBalance {
  /** Currency. */
  readonly ccy: string;
  /** Free. */
  readonly available: string;
  /** Held by open orders. */
  readonly frozen: string;
  /** Position margin, isolated allocations only. */
  readonly margin: string;
  /** Can be moved to spot. */
  readonly transferrable: string;
  /** Unrealized profit. */
  readonly unrealized_pnl: string;
  /** Balance with unrealized profit. */
  readonly equity: string;
}

export interface FuturesBalanceUpdate {
  /** Changed currencies. */
  readonly balance_list: readonly FuturesBalance[];
}

export interface BboUpdate {
  /** Market. */
  readonly market: string;
  /** Time, ms; one sample shows seconds. */
  readonly updated_at: number;
  /** Best bid price. */
  readonly best_bid_price: string;
  /** Best bid size. */
  readonly best_bid_size: string;
  /** Best ask price. */
  readonly best_ask_price: string;
  /** Best ask size. */
  readonly best_ask_size: string;
}

export interface SpotIndexUpdate {
  /** Market. */
  readonly market: string;
  /** Index price. */
  readonly index_price: string;
  /** The index is an old one, as in the index entries over HTTP. */
  readonly is_stale: boolean;
}

export interface FuturesIndexUpdate {
  /** Market. */
  readonly market: string;
  /** Index price. */
  readonly index_price: string;
  /** Mark price. */
  readonly mark_price: string;
  /** The index is an old one, as in the index entries over HTTP. */
  readonly is_stale: boolean;
}

export interface PremiumUpdate {
  /** Market. */
  readonly market: string;
  /** Time, ms. */
  readonly updated_at: number;
  /** Premium index. */
  readonly premium_index: string;
}

export interface PriceUpdate {
  /** Market. */
  readonly market: string;
  /** Latest price. */
  readonly price: string;
  /** Mark price. */
  readonly mark_price: string;
  /** Index price. */
  readonly index_price: string;
  /** Time, ms. */
  readonly updated_at: number;
}

export interface NoticeInfo {
  /** Start, ms. */
  readonly start_time: number;
  /** End, ms. */
  readonly end_time: number;
  /** Parts concerned. */
  readonly scope: readonly WsMaintainScope[];
  /** Start of the protection period, ms; 0 when unset. */
  readonly protect_duration_start: number;
  /** Its end, ms; 0 when unset. */
  readonly protect_duration_end: number;
  /** Same as start_time. */
  readonly started_at: number;
  /** Same as end_time. */
  readonly ended_at: number;
  /** The market concerned; empty of maintenance. */
  readonly market: string;
  /** Maintenance; index_stale or index_back; price_moved, of an interruption. */
  readonly reason: string;
}

export interface NoticeUpdate {
  /** Channel number. */
  readonly channel: WsNoticeChannel;
  /** The notice. */
  readonly info: NoticeInfo;
}

/** By socket and channel: what is followed, and what each push holds. */
export interface Channels {
  spot: {
    state: { item: string; push: SpotStateUpdate };
    depth: { item: DepthSubscription; push: DepthUpdate };
    deals: { item: string; push: DealsUpdate };
    user_deals: { item: string; push: SpotUserDeal };
    order: { item: string; push: SpotOrderUpdate };
    stop: { item: string; push: SpotStopUpdate };
    balance: { item: string; push: SpotBalanceUpdate };
    bbo: { item: string; push: BboUpdate };
    index: { item: string; push: SpotIndexUpdate };
    notice: { item: number; push: NoticeUpdate };
  };
  futures: {
    state: { item: string; push: FuturesStateUpdate };
    depth: { item: DepthSubscription; push: DepthUpdate };
    deals: { item: string; push: DealsUpdate };
    user_deals: { item: string; push: FuturesUserDeal };
    order: { item: string; push: FuturesOrderUpdate };
    stop: { item: string; push: FuturesStopUpdate };
    position: { item: string; push: PositionUpdate };
    balance: { item: string; push: FuturesBalanceUpdate };
    bbo: { item: string; push: BboUpdate };
    index: { item: string; push: FuturesIndexUpdate };
    premium: { item: string; push: PremiumUpdate };
    price: { item: string; push: PriceUpdate };
    notice: { item: number; push: NoticeUpdate };
  };
}

/** By socket: methods that are calls of HTTP, and which. */
export interface Methods {
  spot: {
    "order.place": "POST /spot/order";
    "order.place_trailing_stop": "POST /ext/spot/trailing-stop";
    "order.place_oco": "POST /ext/spot/oco";
    "order.place_bracket": "POST /ext/spot/bracket";
    "order.place_iceberg": "POST /ext/spot/iceberg-order";
    "order.cancel_group": "POST /ext/spot/cancel-group";
    "order.modify": "POST /spot/modify-order";
    "order.cancel": "POST /spot/cancel-order";
    "order.cancel_by_client_id": "POST /spot/cancel-order-by-client-id";
    "order.cancel_all": "POST /spot/cancel-all-order";
    "order.batch_place": "POST /spot/batch-order";
    "order.batch_modify": "POST /spot/batch-modify-order";
    "order.batch_cancel": "POST /spot/cancel-batch-order";
    "order.mass_quote": "POST /ext/mass-quote";
    "market_maker.protect": "POST /ext/market-maker-protection";
    "market_maker.reset": "POST /ext/market-maker-protection/reset";
    "market_maker.protections": "GET /ext/market-maker-protection";
  };
  futures: {
    "order.place": "POST /futures/order";
    "order.place_trailing_stop": "POST /ext/futures/trailing-stop";
    "order.place_oco": "POST /ext/futures/oco";
    "order.place_bracket": "POST /ext/futures/bracket";
    "order.place_iceberg": "POST /ext/futures/iceberg-order";
    "order.cancel_group": "POST /ext/futures/cancel-group";
    "order.modify": "POST /futures/modify-order";
    "order.cancel": "POST /futures/cancel-order";
    "order.cancel_by_client_id": "POST /futures/cancel-order-by-client-id";
    "order.cancel_all": "POST /futures/cancel-all-order";
    "order.batch_place": "POST /futures/batch-order";
    "order.batch_modify": "POST /futures/batch-modify-order";
    "order.batch_cancel": "POST /futures/cancel-batch-order";
    "order.mass_quote": "POST /ext/mass-quote";
    "market_maker.protect": "POST /ext/market-maker-protection";
    "market_maker.reset": "POST /ext/market-maker-protection/reset";
    "market_maker.protections": "GET /ext/market-maker-protection";
  };
}

export const METHODS: Methods = {
  spot: {
    "order.place": "POST /spot/order",
    "order.place_trailing_stop": "POST /ext/spot/trailing-stop",
    "order.place_oco": "POST /ext/spot/oco",
    "order.place_bracket": "POST /ext/spot/bracket",
    "order.place_iceberg": "POST /ext/spot/iceberg-order",
    "order.cancel_group": "POST /ext/spot/cancel-group",
    "order.modify": "POST /spot/modify-order",
    "order.cancel": "POST /spot/cancel-order",
    "order.cancel_by_client_id": "POST /spot/cancel-order-by-client-id",
    "order.cancel_all": "POST /spot/cancel-all-order",
    "order.batch_place": "POST /spot/batch-order",
    "order.batch_modify": "POST /spot/batch-modify-order",
    "order.batch_cancel": "POST /spot/cancel-batch-order",
    "order.mass_quote": "POST /ext/mass-quote",
    "market_maker.protect": "POST /ext/market-maker-protection",
    "market_maker.reset": "POST /ext/market-maker-protection/reset",
    "market_maker.protections": "GET /ext/market-maker-protection",
  },
  futures: {
    "order.place": "POST /futures/order",
    "order.place_trailing_stop": "POST /ext/futures/trailing-stop",
    "order.place_oco": "POST /ext/futures/oco",
    "order.place_bracket": "POST /ext/futures/bracket",
    "order.place_iceberg": "POST /ext/futures/iceberg-order",
    "order.cancel_group": "POST /ext/futures/cancel-group",
    "order.modify": "POST /futures/modify-order",
    "order.cancel": "POST /futures/cancel-order",
    "order.cancel_by_client_id": "POST /futures/cancel-order-by-client-id",
    "order.cancel_all": "POST /futures/cancel-all-order",
    "order.batch_place": "POST /futures/batch-order",
    "order.batch_modify": "POST /futures/batch-modify-order",
    "order.batch_cancel": "POST /futures/cancel-batch-order",
    "order.mass_quote": "POST /ext/mass-quote",
    "market_maker.protect": "POST /ext/market-maker-protection",
    "market_maker.reset": "POST /ext/market-maker-protection/reset",
    "market_maker.protections": "GET /ext/market-maker-protection",
  },
};

export const CHANNELS: Readonly<Record<keyof Channels, Readonly<Record<string, ChannelNeeds>>>> = {
  spot: {
    state: { signed: false, list: "market_list" },
    depth: { signed: false, list: "market_list" },
    deals: { signed: false, list: "market_list" },
    user_deals: { signed: true, list: "market_list" },
    order: { signed: true, list: "market_list" },
    stop: { signed: true, list: "market_list" },
    balance: { signed: true, list: "ccy_list" },
    bbo: { signed: false, list: "market_list" },
    index: { signed: false, list: "market_list" },
    notice: { signed: true, list: "channels" },
  },
  futures: {
    state: { signed: false, list: "market_list" },
    depth: { signed: false, list: "market_list" },
    deals: { signed: false, list: "market_list" },
    user_deals: { signed: true, list: "market_list" },
    order: { signed: true, list: "market_list" },
    stop: { signed: true, list: "market_list" },
    position: { signed: true, list: "market_list" },
    balance: { signed: true, list: "ccy_list" },
    bbo: { signed: false, list: "market_list" },
    index: { signed: false, list: "market_list" },
    premium: { signed: false, list: "market_list" },
    price: { signed: false, list: "market_list" },
    notice: { signed: true, list: "channels" },
  },
};

/** What a channel needs: a login, and the name of the list that says what is followed. */
export interface ChannelNeeds {
  readonly signed: boolean;
  readonly list: string;
}
