/**
 * Checks every change of a user's part of a pool, in this order, before anything else. Source: domain 2.12 and 2.13.
 */
import { isTradeBarred } from "../accounts/freeze.ts";
import { type Answer, refused } from "../answer.ts";
import type { Market } from "../listing/market.ts";
import { PHASE, phaseFor } from "../maintenance/maintenance.ts";
import type { State } from "../state.ts";
import type { Pool } from "./pool.ts";

/** A listed market with its pool, or why the user may not change what he has in it. */
export function poolFor(
  state: State,
  userId: number,
  marketName: string,
  isAddition: boolean,
): { readonly market: Market; readonly pool: Pool } | { readonly refusal: Answer } {
  const no = (...why: Parameters<typeof refused>) => ({ refusal: refused(...why) });
  if (!state.users.has(userId)) return no("user_not_found", "There is no user with that id.");
  const market = state.marketNamed(marketName, false);
  if (market === undefined || market.delisted) return no("market_not_found", `The market ${marketName} is not listed.`);
  const { pool } = market;
  if (pool === undefined) return no("pool_not_found", `The market ${marketName} has no pool.`);
  // Who is barred from trading may still take out what is his.
  if (isAddition && isTradeBarred(state, userId)) {
    return no("trade_barred", "The account is barred from trading.");
  }
  if (state.cancelOnly) return no("venue_cancel_only", "The venue takes cancels only at present.");
  const phase = phaseFor(state, "SPOT");
  if (phase === PHASE.maintenance) return no("maintenance", "The service is under maintenance.");
  if (phase === PHASE.protection)
    return no("protection_period", "During the protection period pools stay as they are.");
  if (market.status === "counting_down") return no("market_not_open", `The market ${marketName} is not open yet.`);
  if (market.suspended) return no("market_suspended", `The market ${marketName} is suspended.`);
  return { market, pool };
}
