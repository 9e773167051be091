/**
 * Everything the engine can refuse. A refusal is a value: it is decided before any write, logged with
 * its command and printed by the gateway with the code of each API generation (a row in src/gateway/parts).
 * Its code travels in records and never changes; 0 means accepted. A part declares its own in its folder, and enters
 * their names in `Refusals`.
 */
import { Codes } from "./codes.ts";

/** The highest code that a refusal may have. */
export const REFUSAL_MAX = 255;
export const REFUSALS = new Codes<object>("refusal", REFUSAL_MAX);

const OWN = declareRefusals({
  // Orders, in the order of the acceptance checks.
  market_not_found: 1,
  margin_not_available: 2,
  trade_barred: 3,
  maintenance: 4,
  protection_period: 5,
  market_not_open: 6,
  market_suspended: 7,
  api_trading_off: 8,
  amount_off_grid: 9,
  amount_too_small: 10,
  amount_too_large: 11,
  price_off_grid: 12,
  price_too_high: 13,
  price_far_from_latest: 14,
  price_far_from_index: 15,
  no_counter_orders: 16,
  too_many_open_orders: 17,
  insufficient_balance: 18,
  would_take: 19,
  not_fillable: 20,
  order_not_found: 21,
  order_not_modifiable: 22,
  nothing_to_modify: 23,
  amount_below_filled: 24,
  // Operator and account commands; `Outcome.detail` says what exactly is wrong.
  invalid_listing: 25,
  already_listed: 26,
  asset_not_found: 27,
  user_not_found: 28,
  key_not_found: 29,
  name_taken: 30,
  invalid_command: 31,
  custody_limit: 32,
  venue_cancel_only: 33,
  cell_not_found: 34,
  maintenance_not_found: 35,
  // Stop orders.
  trigger_off_grid: 36,
  trigger_too_high: 37,
  price_far_from_trigger: 38,
  too_many_stop_orders: 39,
  market_order_price: 40,
  // The account itself, before anything of the order is looked at.
  account_frozen: 41,
  fee_level_not_found: 42,
  // Auctions.
  auction_locked: 43,
  // Futures.
  position_side_mismatch: 44,
  no_mark_price: 45,
  price_outside_index: 46,
  buy_far_from_mark: 47,
  sell_far_from_mark: 48,
  position_limit: 49,
  leverage_above_level: 50,
  exceeds_closable: 51,
  no_position: 52,
  not_isolated: 53,
  leverage_not_offered: 54,
  futures_in_use: 55,
  transfer_not_possible: 56,
  exit_fires_at_once: 57,
  too_many_exits: 58,
  index_stale: 59,
  // Orders again: the account's market-maker protection has reached a limit.
  quotes_held: 80,
  // Orders again: too little of an order would be displayed at a time.
  display_too_small: 81,
});

type Own = typeof OWN;

/** The names of all refusals. */
export interface Refusals extends Own {}

export type Refusal = keyof Refusals;

/** Declares refusals of a part with their numbers, which it enters in `Refusals`. */
export function declareRefusals<const Codes extends Readonly<Record<string, number>>>(codes: Codes): Codes {
  REFUSALS.declare(Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, { code }])));
  return codes;
}

/** The number of a refusal, as records carry it. */
export function refusalNumber(refusal: Refusal): number {
  return REFUSALS.codeOf(refusal);
}

/** The refusal behind a number; undefined for 0, accepted. */
export function refusalOf(code: number): Refusal | undefined {
  return code === 0 ? undefined : (REFUSALS.nameOf(code) as Refusal);
}
