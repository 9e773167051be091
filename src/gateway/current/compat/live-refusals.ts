/**
 * Refusals that differ under `compat`, and their words: as existing clients know them. docs/reference/compat.md gives
 * the grounds of each.
 */

import type { Texts } from "../../envelope/renderer.ts";
import { Refused } from "../../refused.ts";
import type { Endpoint } from "../contract.ts";

/** F3: texts that clients look at. */
export const LIVE_TEXTS: Texts = {
  order_not_found: "Order not found",
  insufficient_balance: "balance not enough",
};

/** 4004. */
const INVALID_ARGUMENT = new Refused("request_malformed", "invalid argument");

/** F11. */
const CLIENT_ID_CHARS_MAX = 32;
const PLACES_ORDERS = /^\/(?:spot|futures)\/(?:batch-)?(?:stop-)?order$/;

export interface LiveRefusals {
  /** Why the call is refused for its parameters; elements of a batch are replaced in `params`. */
  ofParams(params: Readonly<Record<string, unknown>>): Refused | undefined;
  /** Returns the refusal to answer where the contract refuses `body`; undefined: the contract's own refusal. */
  ofBody(body: unknown): Refused | undefined;
  /** Returns the refusal to answer in the place of `refused`. */
  instead(refused: Refused): Refused;
}

export function liveRefusalsOf({ method, path }: Endpoint): LiveRefusals {
  const placesOrders = method === "POST" && PLACES_ORDERS.test(path);
  const isBook = path.endsWith("/depth");
  return {
    ofParams: (params) => (placesOrders ? refuseNothing(params) : undefined),
    ofBody: (body) => (placesOrders && hasLongClientId(body) ? INVALID_ARGUMENT : undefined),
    // F4: of a book of a market that does not exist.
    instead: (refused) => (isBook && refused.refusal === "market_not_found" ? INVALID_ARGUMENT : refused),
  };
}

/** F2: an order of nothing. */
function refuseNothing(params: Readonly<Record<string, unknown>>): Refused | undefined {
  if (isOfNothing(params)) return INVALID_ARGUMENT;
  const { orders } = params;
  if (Array.isArray(orders)) {
    for (const [at, order] of orders.entries()) if (isOfNothing(order)) orders[at] = INVALID_ARGUMENT;
  }
  return undefined;
}

/** F11: of an order by itself; what is said of an element of a batch was not seen. */
function hasLongClientId(body: unknown): boolean {
  const { client_id } = (body ?? {}) as { readonly client_id?: unknown };
  return typeof client_id === "string" && client_id.length > CLIENT_ID_CHARS_MAX;
}

function isOfNothing(order: unknown): boolean {
  const { amount } = order as { readonly amount?: unknown };
  return typeof amount === "string" && /^[0.]+$/.test(amount);
}
