/**
 * Everything the engine can refuse, as a closed list. A refusal is a value: it is decided before any write, logged with
 * its command and printed by the gateway with the code of each API generation (a row in src/gateway/parts).
 * The position in the list is the number that travels in records; 0 means accepted. New ones are appended.
 */
export const REFUSALS = [
  "none",
  // Orders, in the order of the acceptance checks.
  "market_not_found",
  "margin_not_available",
  "trade_barred",
  "maintenance",
  "protection_period",
  "market_not_open",
  "market_suspended",
  "api_trading_off",
  "amount_off_grid",
  "amount_too_small",
  "amount_too_large",
  "price_off_grid",
  "price_too_high",
  "price_far_from_latest",
  "price_far_from_index",
  "no_counter_orders",
  "too_many_open_orders",
  "insufficient_balance",
  "would_take",
  "not_fillable",
  "order_not_found",
  "order_not_modifiable",
  "nothing_to_modify",
  "amount_below_filled",
  // Operator and account commands; `Outcome.detail` says what exactly is wrong.
  "invalid_listing",
  "already_listed",
  "asset_not_found",
  "user_not_found",
  "key_not_found",
  "name_taken",
  "invalid_command",
  "custody_limit",
  "venue_cancel_only",
  "cell_not_found",
  "maintenance_not_found",
  // Stop orders.
  "trigger_off_grid",
  "trigger_too_high",
  "price_far_from_trigger",
  "too_many_stop_orders",
  "market_order_price",
  // The account itself, before anything of the order is looked at.
  "account_frozen",
  "fee_level_not_found",
  // Auctions.
  "auction_locked",
  // Futures.
  "position_side_mismatch",
  "no_mark_price",
  "price_outside_index",
  "buy_far_from_mark",
  "sell_far_from_mark",
  "position_limit",
  "leverage_above_level",
  "exceeds_closable",
  "no_position",
  "not_isolated",
  "leverage_not_offered",
  "futures_in_use",
  "transfer_not_possible",
  "exit_fires_at_once",
  "too_many_exits",
] as const;

export type Refusal = Exclude<(typeof REFUSALS)[number], "none">;

const numbers = new Map(REFUSALS.map((name, index) => [name, index]));

/** The number of a refusal, as records carry it. */
export function refusalNumber(refusal: Refusal): number {
  return numbers.get(refusal) as number;
}

/** The refusal behind a number; undefined for 0, accepted. */
export function refusalOf(number: number): Refusal | undefined {
  return number === 0 ? undefined : (REFUSALS[number] as Refusal);
}
