/** Parameters that the queries of the legacy sockets about an account have in common. */
import type { Account, Side } from "../../../engine/command.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { State } from "../../../engine/state.ts";
import { invalidArgument } from "../../ws/refused.ts";
import { marketOfAccount, SPOT_ACCOUNT } from "../accounts.ts";

/** LegacyWsSideFilter: both sides, sells, buys. */
const SIDES: readonly (Side | undefined)[] = [undefined, "sell", "buy"];

/** A page of what an account has in a market, as it is asked for. */
export interface PageAsked {
  readonly side: number;
  readonly offset: number;
  readonly limit: number;
}

export function sideAsked({ side }: PageAsked): Side | undefined {
  return SIDES[side];
}

/**
 * The account that an id stands for in a market; undefined where it is none of it. On the futures socket there is one.
 */
export function accountAsked(state: State, market: Market, accountId = SPOT_ACCOUNT): Account | undefined {
  if (market.futures !== undefined) return "futures";
  if (accountId === SPOT_ACCOUNT) return "spot";
  return marketOfAccount(state, accountId) === market ? "margin" : undefined;
}

export const NOT_OF_MARKET = invalidArgument("account_id must be 0 or that of the margin account in the market.");
