/**
 * Checks the permission that a sub-account needs for the kind of market that it names: known only once the parameters
 * are. Source: domain 6.3.
 */
import { Refused } from "../refused.ts";

const LACKING = new Refused("sub_permission_missing");
/** Kinds of markets that need a permission of the same name. */
const GRANTED = ["MARGIN", "FUTURES"] as const;

/**
 * Refuses what names a market type of which the caller `lacks` the permission: the whole call, or those elements of a
 * batch, which are replaced in `params`. Quotes are one command: one of them refuses them all.
 */
export function withoutLacking(
  params: Readonly<Record<string, unknown>>,
  lacks: (permission: string) => boolean,
): Refused | undefined {
  const { orders, quotes } = params;
  const isRefused = (named: unknown) =>
    GRANTED.some((type) => (named as { readonly market_type?: unknown }).market_type === type && lacks(type));
  if (isRefused(params) || (Array.isArray(quotes) && quotes.some(isRefused))) return LACKING;
  if (Array.isArray(orders)) for (const [at, order] of orders.entries()) if (isRefused(order)) orders[at] = LACKING;
  return undefined;
}
