/**
 * What each refusal says on the wire: its code in the current generation (`v2`), in the spot envelope of the legacy one
 * (`v1`) and a sentence for people. The engine refuses what the rules of trade forbid, the gateway what is wrong with
 * the request itself. docs/errors.md lists every row; a test compares it with this table and with the contract.
 */
import type { Refusal } from "../engine/refusal.ts";

/** What the gateway itself refuses, in the order of the checks (contract: path, key, signature, account, body, parameters). */
export type GatewayRefusal =
  | "path_not_found"
  | "method_not_allowed"
  | "address_rate_limited"
  | "request_malformed"
  | "access_id_missing"
  | "access_id_unknown"
  | "signature_header_invalid"
  | "timestamp_invalid"
  | "request_expired"
  | "signature_expired"
  | "signature_mismatch"
  | "ip_not_allowed"
  | "key_expired"
  | "permission_missing"
  | "sub_account_not_allowed"
  | "sub_permission_missing"
  | "rate_limited"
  | "invalid_parameter"
  | "busy"
  | "starting"
  | "stopping"
  | "history_unavailable"
  | "internal_error";

export type WireRefusal = Refusal | GatewayRefusal;

export interface WireRow {
  readonly v2: number;
  readonly v1: number;
  /** The sentence sent when the place of refusal has nothing more exact to say. */
  readonly message: string;
}

export const WIRE = {
  path_not_found: { v2: 4004, v1: 2, message: "There is nothing at this path." },
  method_not_allowed: { v2: 4009, v1: 2, message: "This path does not answer to this HTTP method." },
  address_rate_limited: { v2: 4213, v1: 213, message: "There are too many requests from this address." },
  request_malformed: { v2: 4004, v1: 2, message: "The request cannot be read." },
  access_id_missing: { v2: 4005, v1: 24, message: "The header with the access id is missing." },
  access_id_unknown: { v2: 4005, v1: 24, message: "There is no API key with this access id." },
  signature_header_invalid: {
    v2: 4008,
    v1: 25,
    message: "The header with the signature is missing or does not hold 64 hexadecimal characters.",
  },
  timestamp_invalid: {
    v2: 4010,
    v1: 227,
    message: "The header with the timestamp is missing or does not hold the time in whole milliseconds.",
  },
  request_expired: { v2: 4010, v1: 227, message: "The timestamp of the request lies outside its window of time." },
  signature_expired: { v2: 4017, v1: 227, message: "The timestamp of the request is older than any window allows." },
  signature_mismatch: { v2: 4006, v1: 25, message: "The signature does not match the request." },
  ip_not_allowed: { v2: 4007, v1: 23, message: "The API key may not be used from this address." },
  account_frozen: { v2: 4011, v1: 158, message: "The account is frozen." },
  key_expired: { v2: 4011, v1: 34, message: "The API key has expired." },
  permission_missing: { v2: 4158, v1: 158, message: "The API key lacks the permission for this call." },
  sub_account_not_allowed: { v2: 4512, v1: 158, message: "Only the main account may make this call." },
  sub_permission_missing: { v2: 4512, v1: 158, message: "The sub-account lacks the permission for this call." },
  rate_limited: { v2: 4213, v1: 213, message: "There are too many requests of this kind from this account." },
  invalid_parameter: { v2: 3639, v1: 2, message: "Invalid Parameter: a parameter is not as it must be." },
  busy: { v2: 3008, v1: 3008, message: "The venue is busy and did nothing; try again." },
  starting: { v2: 4001, v1: 35, message: "The venue is starting and does not serve yet." },
  stopping: { v2: 4001, v1: 35, message: "The venue is stopping and takes no more requests." },
  history_unavailable: { v2: 4001, v1: 35, message: "What has ended cannot be read at present; trading goes on." },
  internal_error: { v2: 4003, v1: 3, message: "The venue failed unexpectedly." },

  market_not_found: { v2: 3639, v1: 2, message: "Invalid Parameter: market not found" },
  margin_not_available: { v2: 3639, v1: 2, message: "Invalid Parameter: the market offers no margin trading." },
  trade_barred: { v2: 4115, v1: 158, message: "The account is barred from trading." },
  maintenance: { v2: 4001, v1: 35, message: "The service is under maintenance." },
  protection_period: {
    v2: 3638,
    v1: 35,
    message: "During the protection period only maker_only orders, cancels and margin changes are taken.",
  },
  market_not_open: { v2: 4117, v1: 35, message: "The market is not open for this." },
  market_suspended: { v2: 3157, v1: 35, message: "The market is suspended." },
  api_trading_off: { v2: 4159, v1: 158, message: "The market does not take orders over the API." },
  amount_off_grid: { v2: 3639, v1: 2, message: "Invalid Parameter: amount has more decimals than the market allows." },
  amount_too_small: { v2: 3127, v1: 602, message: "The amount is below the minimum of the market." },
  amount_too_large: { v2: 3639, v1: 2, message: "Invalid Parameter: amount is above the maximum of the market." },
  price_off_grid: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: price has more decimals than the market allows or is 0.",
  },
  price_too_high: { v2: 3639, v1: 2, message: "Invalid Parameter: price is above the maximum of the market." },
  price_far_from_latest: { v2: 3606, v1: 606, message: "The price is too far from the latest price." },
  price_far_from_index: { v2: 3615, v1: 606, message: "The price is too far from the index price." },
  no_counter_orders: { v2: 3620, v1: 1, message: "There are no orders on the other side for a market order." },
  too_many_open_orders: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: the account has as many open orders in this market as it may.",
  },
  insufficient_balance: { v2: 3109, v1: 107, message: "The balance is not enough." },
  would_take: { v2: 3622, v1: 1, message: "The maker_only order would have matched at once and was discarded." },
  not_fillable: { v2: 3621, v1: 1, message: "The fok order could not be filled whole at once and was discarded." },
  order_not_found: { v2: 3600, v1: 600, message: "There is no such order." },
  order_not_modifiable: { v2: 3639, v1: 2, message: "Invalid Parameter: an order of this type cannot be modified." },
  nothing_to_modify: { v2: 3639, v1: 2, message: "Invalid Parameter: amount or price must be given." },
  amount_below_filled: { v2: 3639, v1: 2, message: "Invalid Parameter: amount must exceed what is already filled." },
  invalid_listing: { v2: 3639, v1: 2, message: "Invalid Parameter: the listing breaks a rule." },
  already_listed: { v2: 3639, v1: 2, message: "Invalid Parameter: the name is already listed." },
  asset_not_found: { v2: 3639, v1: 2, message: "Invalid Parameter: there is no such asset." },
  user_not_found: { v2: 3639, v1: 2, message: "Invalid Parameter: there is no such user." },
  fee_level_not_found: { v2: 3639, v1: 2, message: "Invalid Parameter: there is no such fee level." },
  key_not_found: { v2: 3639, v1: 2, message: "Invalid Parameter: there is no such API key." },
  name_taken: { v2: 3639, v1: 2, message: "Invalid Parameter: the name is taken." },
  invalid_command: { v2: 3639, v1: 2, message: "Invalid Parameter: the command breaks a rule." },
  custody_limit: { v2: 3639, v1: 2, message: "Invalid Parameter: the venue would hold more of the asset than it may." },
  venue_cancel_only: {
    v2: 4001,
    v1: 35,
    message: "The venue takes only cancels until an operator has looked into a fault.",
  },
  maintenance_not_found: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: no such maintenance is planned or running.",
  },
  trigger_off_grid: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: trigger_price has more decimals than the market allows or is 0.",
  },
  trigger_too_high: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: trigger_price is above the maximum of the market.",
  },
  price_far_from_trigger: { v2: 3619, v1: 606, message: "The price is too far from the trigger price." },
  too_many_stop_orders: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: the account has as many stop orders in this market as it may.",
  },
  market_order_price: { v2: 3639, v1: 2, message: "Invalid Parameter: a market order has no price to change." },
  auction_locked: {
    v2: 3610,
    v1: 1,
    message: "In the second phase of the call auction orders can be neither changed nor cancelled.",
  },
  cell_not_found: { v2: 3639, v1: 2, message: "Invalid Parameter: there is no such system account." },

  position_side_mismatch: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: position_side is given in hedge mode, and there only.",
  },
  no_mark_price: { v2: 4117, v1: 35, message: "The market has no mark price yet." },
  price_outside_index: { v2: 3618, v1: 606, message: "The price is too far from the index price." },
  buy_far_from_mark: { v2: 3634, v1: 606, message: "The best ask is too far from the mark price." },
  sell_far_from_mark: { v2: 3635, v1: 606, message: "The best bid is too far from the mark price." },
  position_limit: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: the position would be larger than the market allows.",
  },
  leverage_above_level: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: the leverage is above that of the position level.",
  },
  exceeds_closable: { v2: 3639, v1: 2, message: "Invalid Parameter: amount is above what can be closed." },
  no_position: { v2: 3639, v1: 2, message: "Invalid Parameter: there is no such position." },
  not_isolated: { v2: 3639, v1: 2, message: "Invalid Parameter: the position is not isolated." },
  leverage_not_offered: { v2: 3639, v1: 2, message: "Invalid Parameter: the market does not offer this leverage." },
  futures_in_use: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: this cannot change with positions or pending orders.",
  },
  transfer_not_possible: { v2: 3639, v1: 2, message: "Invalid Parameter: no such transfer is possible." },
  exit_fires_at_once: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: the price has reached the trigger of the take profit or stop loss already.",
  },
  too_many_exits: {
    v2: 3639,
    v1: 2,
    message: "Invalid Parameter: the position has as many take profits or stop losses as it may.",
  },
} satisfies Record<WireRefusal, WireRow>;

/** A refusal with what there is to say beyond its row. A class, so that nothing a client sends can look like one. */
export class Refused {
  readonly refusal: WireRefusal;
  readonly message: string | undefined;

  constructor(refusal: WireRefusal, message?: string) {
    this.refusal = refusal;
    this.message = message;
  }
}

/** The row of a refusal. */
export function wireRow(refusal: WireRefusal): WireRow {
  return WIRE[refusal];
}

/** The refusal of a market that is not listed; clients match the start and the end of its message, so it has no full stop. */
export function marketNotFound(market: string): Refused {
  return new Refused("market_not_found", `Invalid Parameter: market ${market} not found`);
}

/**
 * What the engine refused. Where the code says no more than that a parameter is wrong, the sentence is the engine's own, which
 * names the parameter; all other codes have one sentence each.
 */
export function engineRefused(refusal: Refusal, detail: string | undefined): Refused {
  if (detail === undefined || WIRE[refusal].v2 !== WIRE.invalid_parameter.v2) return new Refused(refusal);
  return new Refused(refusal, `Invalid Parameter: ${detail.charAt(0).toLowerCase()}${detail.slice(1)}`);
}

/** A refusal with code 3639. `what` names the parameter and what was expected, and ends the sentence. */
export function invalidParameter(what: string): Refused {
  return new Refused("invalid_parameter", `Invalid Parameter: ${what}`);
}
