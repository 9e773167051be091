/** What stays with a user as long as a chain could take deposits back, or has. Domain 7.1. */
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { lentAndHeld } from "../margin/loans.ts";
import { divideUp, least, tenTo } from "../model/numbers.ts";
import type { ModelAsset } from "../model/records.ts";
import { type Brought, sumOf, usdFor, usdPriceOf } from "../model/usd.ts";
import type { ModelVenue } from "../model/venue.ts";
import { savedBy } from "../savings/part.ts";
import { debtIn, reversibleOf, spokenFor } from "./model.ts";

export function mayOweChain(venue: ModelVenue, userId: number): boolean {
  return venue.assets.some((asset) => owedIn(venue, userId, asset) > 0n);
}

/** Why these may not leave a user. */
export function refuseExchanged(venue: ModelVenue, userId: number, leaving: readonly Brought[]): Refusal | undefined {
  if (!mayOweChain(venue, userId)) return undefined;
  const { exchanged, rest } = cover(
    venue,
    userId,
    leaving.map(([asset, units]) => [asset, -units]),
  );
  return exchanged === undefined || rest < exchanged ? "reversible_deposit" : undefined;
}

/**
 * Why an order may not come to these changes: at the indexes or better, it may always bring what is owed for what is
 * not.
 */
export function refuseExchange(
  venue: ModelVenue,
  userId: number,
  changes: readonly Brought[],
  areFair: boolean,
): Refusal | undefined {
  if (!mayOweChain(venue, userId)) return undefined;
  const isBack = changes.every(([asset, units]) => units > 0n === owedIn(venue, userId, asset) > 0n);
  if (areFair && isBack) return undefined;
  const { exchanged, rest } = cover(venue, userId, changes);
  return exchanged === undefined || rest * 100n < exchanged * 98n ? "reversible_deposit" : undefined;
}

/**
 * The worth of what is owed and is not there, up; of all else that is there, down. Margin accounts count by what they
 * lack.
 */
function cover(venue: ModelVenue, userId: number, changes: readonly Brought[]) {
  let exchanged: bigint | undefined = 0n;
  let [rest, lent] = [0n, 0n];
  for (const asset of venue.assets) {
    const { available, frozen } = venue.balances[userId]?.[asset.id] ?? { available: 0n, frozen: 0n };
    const has =
      available +
      frozen +
      savedBy(venue, userId, asset.id) -
      spokenFor(venue, userId, asset) +
      debtIn(venue, userId, asset) +
      sumOf(changes, asset);
    const owed = owedIn(venue, userId, asset);
    const inKind = has < 0n ? 0n : least(has, owed);
    // A debt that is not of this kind is in what is owed.
    rest += usdFor(venue, asset, has - inKind);
    lent += usdFor(venue, asset, lentAndHeld(venue, userId, asset));
    if (inKind === owed || exchanged === undefined) continue;
    const price = usdPriceOf(venue, asset);
    exchanged =
      price && exchanged + divideUp((owed - inKind) * price.above * tenTo(8), price.below * tenTo(asset.scale));
  }
  return { exchanged, rest: lent < 0n ? rest + lent : rest };
}

function owedIn(venue: ModelVenue, userId: number, asset: ModelAsset): bigint {
  return debtIn(venue, userId, asset) + reversibleOf(venue, userId, asset);
}
