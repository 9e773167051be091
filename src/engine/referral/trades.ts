import { providersPart } from "../amm/fill.ts";
import { type DealEvent, type DealParty, isMadeByPool } from "../event.ts";
import type { Market } from "../listing/market.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { KIND, keyOf, referralOf, type Traded } from "./referral-state.ts";

/** Counts a deal of which a party was invited. */
export function countDeal(state: State, market: Market, deal: DealEvent): void {
  for (const party of [deal.taker, deal.maker]) count(state, market, deal, party);
}

/**
 * The part of a party's fee that bears rebates: what reached the fee cell. A user who trades and provides with one
 * funds pay a quarter of it at least.
 */
export function feeKept(state: State, { pool }: Market, deal: DealEvent, { fee }: DealParty): bigint {
  if (holds(state, "rebatesOnFeesKept")) return pool === undefined ? fee : fee - providersPart(pool, fee);
  return isMadeByPool(deal) ? 0n : fee;
}

function count(state: State, market: Market, deal: DealEvent, party: DealParty): void {
  const own = referralOf(state);
  const referee = own.referees.get(party.userId);
  if (referee === undefined) return;
  const traded = tradedBy(own.today, party.userId);
  const isFutures = party.account === "futures";
  const valueAssetId = market.futures?.settleAssetId ?? market.quoteAssetId;
  if (referee.firstDealAt === 0) {
    referee.firstDealAt = state.timeMs;
    traded.firstDeal = { atMs: state.timeMs, assetId: valueAssetId, units: deal.value };
  }
  const add = (assetId: number, kind: number, units: bigint) => {
    const key = keyOf(assetId, kind);
    if (units > 0n) traded.units.set(key, (traded.units.get(key) ?? 0n) + units);
  };
  add(valueAssetId, isFutures ? KIND.futuresValue : KIND.spotValue, deal.value);
  add(party.feeAssetId, isFutures ? KIND.futuresFee : KIND.spotFee, party.fee);
  add(party.feeAssetId, isFutures ? KIND.futuresDue : KIND.spotDue, feeKept(state, market, deal, party));
}

export function tradedBy(day: Map<number, Traded>, userId: number): Traded {
  const known = day.get(userId);
  if (known !== undefined) return known;
  const made: Traded = { units: new Map(), firstDeal: undefined };
  day.set(userId, made);
  return made;
}
