/** Checks that every command about a margin account makes first, in this order; none of them writes. */
import { type Answer, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import type { Market } from "../listing/market.ts";
import { PHASE } from "../maintenance/maintenance.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { leftInDebt } from "./debt.ts";
import type { MarginSpec } from "./margin-state.ts";

/** Who asks, for which currency of which margin market, and how much. */
export interface Asked {
  readonly market: Market;
  readonly terms: MarginSpec;
  readonly asset: Asset;
  readonly isQuote: boolean;
  /** Units, above 0. */
  readonly amount: bigint;
  /** Row of the account, NONE where there is none yet. */
  readonly row: number;
}

interface Asking {
  readonly userId: number;
  readonly market: string;
  readonly ccy: string;
  readonly amount: string;
}

/**
 * Reads what the fields name, or says why there is no such thing. With `pays` a market counts that has left the user
 * with a debt.
 */
export function askedOf(
  state: State,
  { userId, market: name, ccy, amount: text }: Asking,
  pays = false,
): Asked | Answer {
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  const market = state.marketNamed(name, false) ?? (pays ? leftInDebt(state, userId, name) : undefined);
  const terms = market === undefined ? undefined : state.margin.terms.get(market.id);
  if (market === undefined) return refused("market_not_found", `The market ${name} is not listed.`);
  if (terms === undefined) return refused("margin_not_available", `${name} is not traded on margin.`);
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  const isQuote = asset.id === market.quoteAssetId;
  if (!isQuote && asset.id !== market.baseAssetId) {
    return refused("transfer_not_possible", `A margin account of ${name} has no ${ccy}.`);
  }
  const amount = parseDecimal(text, asset.scale);
  if (amount === undefined || amount <= 0n) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  const closed = refuseWrites(state);
  if (closed !== undefined) return closed;
  return { market, terms, asset, isQuote, amount, row: state.margin.accounts.find(userId, market.id) };
}

export function isRefused(asked: Asked | Answer): asked is Answer {
  return "refusal" in asked;
}

/** Whether nothing of spot accounts is written now. */
function refuseWrites(state: State): Answer | undefined {
  if (state.spotPhase === PHASE.maintenance) return refused("maintenance", "The service is under maintenance.");
  if (state.spotPhase === PHASE.protection) {
    return refused("protection_period", "During the protection period margin accounts do not change.");
  }
  if (state.cancelOnly) return refused("venue_cancel_only", "The venue takes cancels only at present.");
  return undefined;
}
