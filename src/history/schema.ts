import type { ColumnType } from "kysely";

/** Raised with every change of a table: a history of another version is rebuilt from the log. */
export const SCHEMA_VERSION = 5;

/**
 * Rows by user are kept in segments of this many bits of the id space. A new row then lands in the newest segment, whose
 * pages are few and in memory, wherever the user's older rows lie: writing stays as fast with a million users as with
 * ten. A query walks the segments from the newest on, about 1 µs each, and stops when its page is full.
 */
export const SEGMENT_SHIFT = 16;

/** Stands for every market in `user_orders.market_id`. */
export const ANY_MARKET = -1;

/**
 * The tables. Those by user and by order are indexes that are filled once per batch, which costs a third of what indexes
 * cost that SQLite keeps row by row: see HistoryWriter.
 */
export const TABLES = `
-- What this file is: one row. Every event up to applied_seq is in the tables, and none after it.
create table meta (schema_version integer not null, venue_id text not null, applied_seq integer not null) strict;

-- Orders that ended with a fill, in the order of their ending. Amounts as in the engine's OrderRecord, flags as in its
-- order event (FLAG, ORDER_FLAG).
create table ended_orders (
  rank integer primary key, order_id integer not null, user_id integer not null, market_id integer not null,
  flags integer not null, price integer not null, amount integer not null, unfilled integer not null,
  filled_lots integer not null, filled_value integer not null, base_fee integer not null, quote_fee integer not null,
  discount_fee integer not null, maker_fee_rate_e8 integer not null, taker_fee_rate_e8 integer not null,
  last_filled_lots integer not null, last_filled_price integer not null, created_ms integer not null,
  updated_ms integer not null, client_id text not null
) strict;
create unique index ended_orders_by_id on ended_orders (order_id);

-- One row per way to ask for an ended order: with its market or any (-1), with its client id or any (empty).
create table user_orders (
  segment integer not null, user_id integer not null, account integer not null, market_id integer not null,
  client_id text not null, side integer not null, order_id integer not null,
  primary key (segment, user_id, account, market_id, client_id, side, order_id)
) strict, without rowid;
create table order_segments (segment integer primary key) strict;

-- Stop orders that fired; flags as in the engine's stop event (FLAG, STOP_FLAG). order_id 0: the order was refused. They
-- are few beside orders, so that SQLite may keep their indexes.
create table fired_stops (
  stop_id integer primary key, user_id integer not null, account integer not null, market_id integer not null,
  side integer not null, flags integer not null, price integer not null, amount integer not null,
  trigger_price integer not null, created_ms integer not null, updated_ms integer not null, order_id integer not null,
  refusal integer not null, client_id text not null
) strict;
create index fired_stops_by_user on fired_stops (user_id, account, stop_id);
create index fired_stops_by_market on fired_stops (user_id, account, market_id, stop_id);

-- Executions with both private sides; flags as in the engine's deal event (DEAL_FLAG). Ids rise with time. For statements
-- also the entry of the first of its six lines, and what the four cells held right after it, fees taken out.
create table deals (
  deal_id integer primary key, market_id integer not null, time_ms integer not null, flags integer not null,
  price integer not null, lots integer not null, value integer not null, taker_user_id integer not null,
  maker_user_id integer not null, taker_order_id integer not null, maker_order_id integer not null,
  taker_fee integer not null, maker_fee integer not null, taker_fee_asset_id integer not null,
  maker_fee_asset_id integer not null, first_entry integer not null, buyer_base integer not null,
  buyer_quote integer not null, seller_base integer not null, seller_quote integer not null
) strict;
create index deals_by_market on deals (market_id);

-- Two rows per deal, the taker's and the maker's; side is the user's own.
create table user_deals (
  segment integer not null, user_id integer not null, market_id integer not null, account integer not null,
  side integer not null, deal_id integer not null,
  primary key (segment, user_id, market_id, account, side, deal_id)
) strict, without rowid;
create table deal_segments (segment integer primary key) strict;

-- Two rows per deal, one for each of its orders.
create table order_deals (
  order_id integer not null, deal_id integer not null, primary key (order_id, deal_id)
) strict, without rowid;

-- Every other change of the total of a user's cell, freezes and releases being none. Entries are counted together with the
-- lines of deals, over all users. kind is one of POSTING, account one of CELL.
create table balance_changes (
  user_id integer not null, entry integer not null, time_ms integer not null, account integer not null,
  market_id integer not null, asset_id integer not null, kind integer not null, change integer not null,
  balance integer not null, primary key (user_id, entry)
) strict, without rowid;
create index balance_changes_by_kind on balance_changes (user_id, kind, entry);
create unique index balance_changes_by_entry on balance_changes (entry);

-- What the deals of a market are in, learnt from its first one.
create table traded_markets (
  market_id integer primary key, base_asset_id integer not null, quote_asset_id integer not null,
  units_per_lot integer not null
) strict;

-- Candles with a trade, or an update of the index, in them; empty ones are filled in when asked for. price_type is a
-- position in PRICE_TYPES. Sums are decimal integers as text, because many amounts can exceed 64 bits.
create table klines (
  market_id integer not null, price_type integer not null, period_s integer not null, start_s integer not null,
  open integer not null, high integer not null, low integer not null, close integer not null,
  volume text not null, value text not null,
  primary key (market_id, price_type, period_s, start_s)
) strict, without rowid;

-- Candles of one second with the part of the volume whose taker bought, over the window of the 24 h ticker.
create table traded_seconds (
  market_id integer not null, second integer not null,
  open integer not null, high integer not null, low integer not null, close integer not null,
  volume text not null, value text not null, volume_buy text not null,
  primary key (market_id, second)
) strict, without rowid;

-- Positions as they stand, or stood before their end; flags as in the engine's position event (POSITION_FLAG). ended_ms 0: it
-- is open.
create table positions (
  position_id integer primary key, user_id integer not null, market_id integer not null, flags integer not null,
  amount integer not null, entry_cost integer not null, settle_cost integer not null, realized integer not null,
  top_amount integer not null, top_cost integer not null, top_margin integer not null, created_ms integer not null,
  ended_ms integer not null
) strict;
create index positions_ended on positions (user_id, ended_ms, position_id) where ended_ms > 0;

-- What a deal changed: of an order that closed one position and opened another in one deal, the one that it opened.
create table deal_positions (
  deal_id integer not null, order_id integer not null, position_id integer not null, primary key (deal_id, order_id)
) strict, without rowid;

-- Changes of positions that were no trades; kind is a position in POSITION_CHANGE_KINDS.
create table position_changes (
  change_id integer primary key, user_id integer not null, market_id integer not null, kind integer not null,
  position_id integer not null, time_ms integer not null, flags integer not null, amount integer not null,
  settle_cost integer not null, margin integer not null, change integer not null, liq_price integer not null,
  bkr_price integer not null, rate_e8 integer not null
) strict;
create index position_changes_by_user on position_changes (user_id, market_id, kind, change_id);

-- Collections of funding and premium samples of futures markets, rates in 10^-8.
create table funding_rates (
  market_id integer not null, time_ms integer not null, rate_e8 integer not null, actual_rate_e8 integer not null,
  primary key (market_id, time_ms)
) strict, without rowid;
create table premiums (
  market_id integer not null, time_ms integer not null, premium_e8 integer not null, primary key (market_id, time_ms)
) strict, without rowid;

-- Positions that the venue took over, and those that were closed against them. Prices in ticks.
create table liquidations (
  liquidation_id integer primary key, market_id integer not null, time_ms integer not null, is_short integer not null,
  lots integer not null, liq_price integer not null, bkr_price integer not null
) strict;
create index liquidations_by_market on liquidations (market_id, liquidation_id);
create table deleveragings (
  deal_id integer not null, position_id integer not null, user_id integer not null, market_id integer not null,
  time_ms integer not null, is_short integer not null, lots integer not null, price integer not null,
  primary key (position_id, deal_id)
) strict, without rowid;

-- Transfers between accounts of a user.
create table transfers (
  transfer_id integer primary key, user_id integer not null, time_ms integer not null, from_account text not null,
  to_account text not null, ccy text not null, amount text not null
) strict;
create index transfers_by_user on transfers (user_id, ccy, transfer_id);
`;

/** Read as bigint, so that no amount loses a digit; written as either. */
type Int = ColumnType<bigint, number | bigint, number | bigint>;

export interface MetaTable {
  schema_version: Int;
  venue_id: string;
  applied_seq: Int;
}

export interface EndedOrdersTable {
  rank: Int;
  order_id: Int;
  user_id: Int;
  market_id: Int;
  flags: Int;
  price: Int;
  amount: Int;
  unfilled: Int;
  filled_lots: Int;
  filled_value: Int;
  base_fee: Int;
  quote_fee: Int;
  discount_fee: Int;
  maker_fee_rate_e8: Int;
  taker_fee_rate_e8: Int;
  last_filled_lots: Int;
  last_filled_price: Int;
  created_ms: Int;
  updated_ms: Int;
  client_id: string;
}

export interface UserOrdersTable {
  segment: Int;
  user_id: Int;
  account: Int;
  market_id: Int;
  client_id: string;
  side: Int;
  order_id: Int;
}

export interface FiredStopsTable {
  stop_id: Int;
  user_id: Int;
  account: Int;
  market_id: Int;
  side: Int;
  flags: Int;
  price: Int;
  amount: Int;
  trigger_price: Int;
  created_ms: Int;
  updated_ms: Int;
  order_id: Int;
  refusal: Int;
  client_id: string;
}

export interface DealsTable {
  deal_id: Int;
  market_id: Int;
  time_ms: Int;
  flags: Int;
  price: Int;
  lots: Int;
  value: Int;
  taker_user_id: Int;
  maker_user_id: Int;
  taker_order_id: Int;
  maker_order_id: Int;
  taker_fee: Int;
  maker_fee: Int;
  taker_fee_asset_id: Int;
  maker_fee_asset_id: Int;
  first_entry: Int;
  buyer_base: Int;
  buyer_quote: Int;
  seller_base: Int;
  seller_quote: Int;
}

export interface BalanceChangesTable {
  user_id: Int;
  entry: Int;
  time_ms: Int;
  account: Int;
  market_id: Int;
  asset_id: Int;
  kind: Int;
  change: Int;
  balance: Int;
}

export interface TradedMarketsTable {
  market_id: Int;
  base_asset_id: Int;
  quote_asset_id: Int;
  units_per_lot: Int;
}

export interface UserDealsTable {
  segment: Int;
  user_id: Int;
  market_id: Int;
  account: Int;
  side: Int;
  deal_id: Int;
}

export interface OrderDealsTable {
  order_id: Int;
  deal_id: Int;
}

export interface SegmentsTable {
  segment: Int;
}

export interface KlinesTable {
  market_id: Int;
  price_type: Int;
  period_s: Int;
  start_s: Int;
  open: Int;
  high: Int;
  low: Int;
  close: Int;
  volume: string;
  value: string;
}

export interface TradedSecondsTable {
  market_id: Int;
  second: Int;
  open: Int;
  high: Int;
  low: Int;
  close: Int;
  volume: string;
  value: string;
  volume_buy: string;
}

export interface PositionsTable {
  position_id: Int;
  user_id: Int;
  market_id: Int;
  flags: Int;
  amount: Int;
  entry_cost: Int;
  settle_cost: Int;
  realized: Int;
  top_amount: Int;
  top_cost: Int;
  top_margin: Int;
  created_ms: Int;
  ended_ms: Int;
}

export interface DealPositionsTable {
  deal_id: Int;
  order_id: Int;
  position_id: Int;
}

export interface PositionChangesTable {
  change_id: ColumnType<bigint, number | bigint | null, never>;
  user_id: Int;
  market_id: Int;
  kind: Int;
  position_id: Int;
  time_ms: Int;
  flags: Int;
  amount: Int;
  settle_cost: Int;
  margin: Int;
  change: Int;
  liq_price: Int;
  bkr_price: Int;
  rate_e8: Int;
}

export interface FundingRatesTable {
  market_id: Int;
  time_ms: Int;
  rate_e8: Int;
  actual_rate_e8: Int;
}

export interface PremiumsTable {
  market_id: Int;
  time_ms: Int;
  premium_e8: Int;
}

export interface LiquidationsTable {
  liquidation_id: ColumnType<bigint, number | bigint | null, never>;
  market_id: Int;
  time_ms: Int;
  is_short: Int;
  lots: Int;
  liq_price: Int;
  bkr_price: Int;
}

export interface DeleveragingsTable {
  deal_id: Int;
  position_id: Int;
  user_id: Int;
  market_id: Int;
  time_ms: Int;
  is_short: Int;
  lots: Int;
  price: Int;
}

export interface TransfersTable {
  transfer_id: Int;
  user_id: Int;
  time_ms: Int;
  from_account: string;
  to_account: string;
  ccy: string;
  amount: string;
}

export interface HistoryTables {
  meta: MetaTable;
  ended_orders: EndedOrdersTable;
  user_orders: UserOrdersTable;
  order_segments: SegmentsTable;
  fired_stops: FiredStopsTable;
  deals: DealsTable;
  user_deals: UserDealsTable;
  deal_segments: SegmentsTable;
  order_deals: OrderDealsTable;
  balance_changes: BalanceChangesTable;
  traded_markets: TradedMarketsTable;
  klines: KlinesTable;
  traded_seconds: TradedSecondsTable;
  positions: PositionsTable;
  deal_positions: DealPositionsTable;
  position_changes: PositionChangesTable;
  funding_rates: FundingRatesTable;
  premiums: PremiumsTable;
  liquidations: LiquidationsTable;
  deleveragings: DeleveragingsTable;
  transfers: TransfersTable;
}
