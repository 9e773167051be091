/** Whether there is an index that may be leaned on. Source: domain 4.11. */
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import type { Market } from "./market.ts";

/** A source that has been silent for longer does not count. */
export const STALE_AFTER_MS = 60_000;

/** Whether a market has an index and its sources speak. */
export function isIndexFresh({ index }: Market): boolean {
  return index.price > 0n && !index.isStale;
}

/** Whether what depends on the index of a futures market has to wait for it. */
export function waitsForIndex(state: State, market: Market): boolean {
  return holds(state, "staleIndexWaits") && !isIndexFresh(market);
}

/**
 * Keeps what orders ask first: which listed futures markets have no index to lean on. To be called whenever that may
 * have changed.
 */
export function noteSilence({ futures }: Pick<State, "futures">, market: Market): void {
  if (market.futures === undefined) return;
  if (market.delisted || isIndexFresh(market)) futures.silent.delete(market.id);
  else futures.silent.add(market.id);
}

/**
 * Notes for the hot path what prices of a spot market are held to: its index, before rules version 3 only while that is
 * fresh.
 */
export function noteBandIndex(state: State, market: Market): void {
  const bands = market.futures === undefined && holds(state, "bandsByIndex");
  const isTold = holds(state, "silentBands") || isIndexFresh(market);
  state.terms.noteBandIndex(market.id, bands && isTold ? market.index.price : 0n);
}

/** When the last of its sources has been silent for too long, ms; Infinity of an index that has nothing to lose. */
export function losesIndexAt(state: State, { index }: Market): number {
  const isKnown = index.price > 0n && (!index.isStale || index.returnedAt > 0);
  if (!isKnown || !holds(state, "staleIndexWaits")) return Number.POSITIVE_INFINITY;
  const spokeAt = index.sources.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), 0);
  return spokeAt + STALE_AFTER_MS + 1;
}
