/** Markets that somebody wants to find first: kept in this browser. */
import { createSignal } from "solid-js";

const KEY = "bourse.favourites";
/** More than a list of favourites is good for. */
const FAVOURITES_MAX = 100;

const [favourites, setFavourites] = createSignal<readonly string[]>(read());

export const isFavourite = (market: string) => favourites().includes(market);

export function toggleFavourite(market: string): void {
  const next = isFavourite(market)
    ? favourites().filter((each) => each !== market)
    : [...favourites(), market].slice(-FAVOURITES_MAX);
  localStorage.setItem(KEY, JSON.stringify(next));
  setFavourites(next);
}

function read(): readonly string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]") as unknown;
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, FAVOURITES_MAX) : [];
  } catch {
    return [];
  }
}
