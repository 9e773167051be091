/**
 * Checks the permission that a sub-account needs for the kind of market that it names: known only once the parameters
 * are. Source: domain 6.3.
 */
import { Refused } from "../refused.ts";

const LACKING = new Refused("sub_permission_missing");

/**
 * Refuses what names the market type MARGIN: the whole call, or those elements of a batch, which are replaced in
 * `params`. For writes of sub-accounts that may not trade with margin.
 */
export function withoutMargin(params: Readonly<Record<string, unknown>>): Refused | undefined {
  if (isMargin(params)) return LACKING;
  const { orders } = params;
  if (Array.isArray(orders)) for (const [at, order] of orders.entries()) if (isMargin(order)) orders[at] = LACKING;
  return undefined;
}

function isMargin(named: unknown): boolean {
  return (named as { readonly market_type?: unknown }).market_type === "MARGIN";
}
