import type { AccountWords } from "../accounts/accounts-section.ts";
import type { AlertedWords } from "../futures/snapshot.ts";
import type { ListingWords } from "../listing/listing-section.ts";
import { jsonChunk, jsonOf } from "./section.ts";
import type { VenueWords } from "./venue-section.ts";

/**
 * The form of snapshots before there were sections: fourteen chunks in a fixed order, the first of them JSON of all
 * that is rare.
 */
export const FORM_9 = 9;

interface Form9Words extends ListingWords, AccountWords {
  readonly version: number;
  readonly counters: Omit<VenueWords, "rulesVersion">;
  readonly maintenance: readonly unknown[];
  readonly alerted: AlertedWords;
}

/**
 * Returns the chunks that each section's first version would have written, by name, from chunks of form 9; undefined
 * when they are of another form.
 */
export function sectionsOfForm9(chunks: readonly Uint8Array[]): ReadonlyMap<string, readonly Uint8Array[]> | undefined {
  const [json, cells, users, seats, orders, fills, clientIds, stops, stopClientIds, ...ofFutures] = chunks as [
    Uint8Array,
    ...Uint8Array[],
  ];
  const words = jsonOf(json) as Form9Words;
  if (words.version !== FORM_9) return undefined;
  const { counters, assets, markets, deduction, maintenance, alerted } = words;
  const { keys, feeLevels, onFeeLevel, userNames, userCreatedAt } = words;
  const chunksOf: Readonly<Record<string, readonly (Uint8Array | undefined)[]>> = {
    venue: [jsonChunk({ ...counters, rulesVersion: 1 })],
    listing: [jsonChunk({ assets, markets, deduction })],
    ledger: [cells],
    accounts: [users, jsonChunk({ keys, feeLevels, onFeeLevel, userNames, userCreatedAt })],
    orders: [seats, orders, fills, clientIds],
    maintenance: [jsonChunk(maintenance)],
    stops: [stops, stopClientIds],
    futures: [...ofFutures, jsonChunk(alerted)],
  };
  return new Map(Object.entries(chunksOf) as [string, Uint8Array[]][]);
}
