/**
 * The value of a user's holdings by index, before an action or after it; it is computed here only. No deal and no book
 * values anything. A currency without a fresh index counts nothing when it is held and its full last value when it is
 * owed, so that no silence makes anybody richer. Source: domain 6.6.
 */
import { hooks } from "../hooks.ts";
import type { Asset } from "../listing/asset.ts";
import { usdPriceOf, usdValue } from "../listing/usd-price.ts";
import type { Change } from "../part.ts";
import type { State } from "../state.ts";

/** Units by asset id; below 0: owed. */
export type Holdings = Map<number, bigint>;

/**
 * Returns the holdings of a user of each asset over all accounts, units, less what it owes there. Linear in the assets
 * of the venue.
 */
export function holdingsOf(state: State, userId: number): Holdings {
  return gathered(state, userId, () => true);
}

/**
 * The same of accounts in which nothing is lost by leverage: spot and savings, less what is as good as gone from them.
 */
export function steadyHoldingsOf(state: State, userId: number): Holdings {
  return gathered(state, userId, (isLeveraged) => !isLeveraged);
}

/** And of those in which it may be: margin and futures. */
export function leveragedHoldingsOf(state: State, userId: number): Holdings {
  return gathered(state, userId, (isLeveraged) => isLeveraged);
}

function gathered(state: State, userId: number, wants: (isLeveraged: boolean) => boolean): Holdings {
  const holdings: Holdings = new Map();
  for (const part of hooks()) {
    if (!wants(part.isLeveraged === true)) continue;
    part.holdings?.(state, userId, (assetId, units) => {
      holdings.set(assetId, (holdings.get(assetId) ?? 0n) + units);
    });
  }
  return holdings;
}

/** Holdings after these changes; those that are given change. */
export function changed(holdings: Holdings, changes: readonly Change[]): Holdings {
  for (const [assetId, units] of changes) holdings.set(assetId, (holdings.get(assetId) ?? 0n) + units);
  return holdings;
}

/** In USD, units of 10^-8, each currency rounded down. */
export function worthByIndex(state: State, holdings: Holdings): bigint {
  let worth = 0n;
  for (const [assetId, units] of holdings) {
    const price = usdPriceOf(state, assetId);
    if (price === undefined || (!price.isFresh && units > 0n)) continue;
    worth += usdValue(state.assets[assetId] as Asset, units, price);
  }
  return worth;
}
