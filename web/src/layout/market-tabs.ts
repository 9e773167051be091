/** The markets that somebody has open, as tabs: kept in this browser. */
import { createEffect, createRoot, createSignal } from "solid-js";
import { areMarketsRead, type Market, market, markets } from "../market/markets.ts";
import { takesNewTab } from "../market/opening.ts";
import { go } from "../ui/place.ts";

/** As many as have room in a row. */
const TABS_MAX = 10;
const KEY = "bourse.tabs";

const [keys, setKeys] = createSignal<readonly string[]>(readKeys());
/** Those that are listed, in the order in which they were opened. */
export const openMarketsList = (): readonly Market[] =>
  keys().flatMap((key) => markets().find((each) => each.key === key) ?? []);

export const canOpenMore = () => keys().length < TABS_MAX;

export function closeTab(of: Market): void {
  const at = keys().indexOf(of.key);
  const left = keys().filter((key) => key !== of.key);
  keep(left);
  if (market()?.key !== of.key) return;
  const next = markets().find(({ key }) => key === (left[at] ?? left.at(-1)));
  if (next !== undefined) go({ kind: "trade", product: next.product, market: next.market });
}

function keep(next: readonly string[]): void {
  localStorage.setItem(KEY, JSON.stringify(next));
  setKeys(next);
}

createRoot(() => {
  createEffect<string | undefined>((before) => {
    const now = market()?.key;
    if (now === undefined || now === before || !areMarketsRead()) return before;
    const all = keys();
    const isNew = takesNewTab();
    if (!all.includes(now)) {
      const at = before === undefined ? -1 : all.indexOf(before);
      // A market that is gone to takes the place of the one that was left, unless it is to have a tab of its own.
      if (isNew || at < 0) keep([...all, now].slice(-TABS_MAX));
      else keep(all.with(at, now));
    }
    return now;
  });
});

function readKeys(): readonly string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]") as unknown;
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, TABS_MAX) : [];
  } catch {
    return [];
  }
}
