/** The page one trades on: chart, book, deals, form and lists, laid out for desktop, tablet and phone. */
import { createSignal, For, Show } from "solid-js";
import { sockets } from "./api/venue.ts";
import { BookPanel } from "./book/book-panel.tsx";
import { ChartPanel } from "./chart/chart-panel.tsx";
import { EntryPanel } from "./entry/entry-panel.tsx";
import { setWantedSide } from "./entry/picked.ts";
import { DealsPanel } from "./market/deals-panel.tsx";
import { market } from "./market/markets.ts";
import { ListsPanel } from "./panels/lists-panel.tsx";
import { keptSize } from "./ui/settings.ts";
import { Splitter } from "./ui/splitter.tsx";

const TABS = [
  ["chart", "Chart"],
  ["book", "Book"],
  ["deals", "Deals"],
  ["orders", "Orders"],
] as const;
type Tab = (typeof TABS)[number][0];

export function TradePage() {
  const [tab, setTab] = createSignal<Tab>("chart");
  const [isEntryOpen, setIsEntryOpen] = createSignal(false);
  const [listsPx, setListsPx] = keptSize("lists", 240, 120, () => innerHeight - 320);
  const [bookPx, setBookPx] = keptSize("book", 292, 240, () => 420);
  const isStale = () => sockets[market()?.product ?? "spot"].state() === "lost";
  return (
    <main
      class="trade"
      classList={{ stale: isStale() }}
      data-tab={tab()}
      style={{ "--lists": `${listsPx()}px`, "--book": `${bookPx()}px` }}
    >
      <nav class="phone-tabs" aria-label="Parts of the page">
        <For each={TABS}>
          {([value, word]) => (
            <button type="button" aria-current={tab() === value ? "page" : undefined} onClick={() => setTab(value)}>
              {word}
            </button>
          )}
        </For>
      </nav>
      <div class="area-chart">
        <ChartPanel />
      </div>
      <Splitter class="split-book" label="Width of the book" axis="x" size={bookPx} set={setBookPx} />
      <div class="area-book">
        <BookPanel />
        <DealsPanel />
      </div>
      <div class="area-entry" classList={{ open: isEntryOpen() }}>
        <button
          type="button"
          class="icon-button sheet-close"
          aria-label="Close the form"
          onClick={() => setIsEntryOpen(false)}
        >
          ✕
        </button>
        <EntryPanel />
      </div>
      <Splitter class="split-lists" label="Height of the lists" axis="y" size={listsPx} set={setListsPx} />
      <div class="area-lists">
        <ListsPanel />
      </div>
      <div class="phone-bar" classList={{ away: isEntryOpen() }}>
        <For each={["buy", "sell"] as const}>
          {(side) => (
            <button
              type="button"
              class={`button ${side}`}
              onClick={() => {
                setWantedSide(side);
                setIsEntryOpen(true);
              }}
            >
              {market()?.product === "futures" ? (side === "buy" ? "Long" : "Short") : side === "buy" ? "Buy" : "Sell"}
            </button>
          )}
        </For>
      </div>
      <Show when={market() === undefined}>
        <p class="visually-hidden" role="status">
          Reading the markets
        </p>
      </Show>
    </main>
  );
}
