/**
 * The amount that a user owes to a chain, or would owe should it take back a credited deposit: the deposits that are
 * not settled, and the debts of those that were taken back. So much stays with the user, in spot and savings: the coins
 * themselves, or their worth by index in the currency that they were exchanged for. Money that goes where leverage may
 * lose it to a friend counts as gone. Source: domain 7.1.
 */
import { type Answer, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import { usdPriceOf, usdValueUp } from "../listing/usd-price.ts";
import type { Change, Outflow, Outlet } from "../part.ts";
import type { Refusal } from "../refusal.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { changed, leveragedHoldingsOf, steadyHoldingsOf, worthByIndex } from "../wallet/worth.ts";
import { debtOf } from "./deposit-debt.ts";
import { holdingOf, payments } from "./payments.ts";

/**
 * An order leaves so many percent of it at least: less by what trading costs. More could go to a friend who sells
 * something without a price for it.
 */
const TRADED_PERCENT = 98n;

const UNKNOWN =
  "What was bought for a deposit that its chain could still take back has no price: nothing leaves before it is " +
  "settled.";
const STAYS =
  "What a chain could still take back, or its worth by index, stays in the account until the deposit is settled.";

/** Units that were credited to a user and could still be taken back by their chain. */
export function reversibleOf(state: State, userId: number, assetId: number): bigint {
  return payments.of(state).reversible.get(holdingOf(userId, assetId)) ?? 0n;
}

/** Whether a user owes to a chain, or could. */
export function owesToChain(state: State, userId: number): boolean {
  if (!holds(state, "reversibleStays")) return false;
  const { reversible, debtors } = payments.of(state);
  if (reversible.size === 0 && debtors.size === 0) return false;
  return state.assets.some(({ id }) => reversible.has(holdingOf(userId, id)) || debtors.has(holdingOf(userId, id)));
}

/** Why so much may not leave a user, or go where leverage may lose it. */
export function refuseReversibleOutflow(
  state: State,
  userId: number,
  outflow: readonly Outflow[],
  outlet: Outlet,
): Answer | undefined {
  if (!owesToChain(state, userId)) return undefined;
  const changes: readonly Change[] = outlet === "aside" ? [] : outflow.map(([{ id }, units]) => [id, -units]);
  const { exchanged, rest } = coverOf(state, userId, changes);
  if (exchanged === undefined) return refused("reversible_deposit", UNKNOWN);
  return rest < exchanged ? refused("reversible_deposit", STAYS) : undefined;
}

/**
 * Why an order may not leave the spot account of a user with these changes. One at the index or better costs its fee,
 * which may come back to a friend, by rebates or as a share of a pool: below the bound it is taken only towards what is
 * owed, which cannot go round and round.
 */
export function refuseReversibleResult(
  state: State,
  userId: number,
  changes: readonly Change[],
  isFair: boolean,
): Refusal | undefined {
  if (!owesToChain(state, userId) || (isFair && isTowardsOwed(state, userId, changes))) return undefined;
  const { exchanged, rest } = coverOf(state, userId, changes);
  return exchanged === undefined || rest * 100n < exchanged * TRADED_PERCENT ? "reversible_deposit" : undefined;
}

/** Whether changes bring what is owed, and take nothing of it. */
function isTowardsOwed(state: State, userId: number, changes: readonly Change[]): boolean {
  const owes = (assetId: number) => reversibleOf(state, userId, assetId) + debtOf(state, userId, assetId) > 0n;
  return changes.every(([assetId, units]) => owes(assetId) === units > 0n);
}

/**
 * In USD: what is owed, or could be, and is not there in its own currency, undefined where it has no price; and what
 * the rest of the user's holdings is worth, what leverage has lost counted.
 */
function coverOf(
  state: State,
  userId: number,
  changes: readonly Change[],
): { readonly exchanged: bigint | undefined; readonly rest: bigint } {
  const holdings = changed(steadyHoldingsOf(state, userId), changes);
  let exchanged: bigint | undefined = 0n;
  for (const asset of state.assets) {
    const debt = debtOf(state, userId, asset.id);
    const owed = debt + reversibleOf(state, userId, asset.id);
    if (owed === 0n) continue;
    // Holdings are without the debt.
    const held = (holdings.get(asset.id) ?? 0n) + debt;
    const inKind = held < 0n ? 0n : held < owed ? held : owed;
    holdings.set(asset.id, held - inKind);
    if (inKind < owed && exchanged !== undefined) exchanged = plus(state, exchanged, asset, owed - inKind);
  }
  const leveraged = worthByIndex(state, leveragedHoldingsOf(state, userId));
  return { exchanged, rest: worthByIndex(state, holdings) + (leveraged < 0n ? leveraged : 0n) };
}

function plus(state: State, sum: bigint, asset: Asset, units: bigint): bigint | undefined {
  const price = usdPriceOf(state, asset.id);
  return price === undefined ? undefined : sum + usdValueUp(asset, units, price);
}
