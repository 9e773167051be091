/** The page one trades on: chart, book, deals, form and lists, laid out for desktop, tablet and phone. */
import { createSignal, For } from "solid-js";
import { sockets } from "./api/venue.ts";
import { BookPanel } from "./book/book-panel.tsx";
import { ChartPanel } from "./chart/chart-panel.tsx";
import { EntryPanel } from "./entry/entry-panel.tsx";
import { setWantedSide } from "./entry/picked.ts";
import { bookPx, entryPx, isShown, layout, listsPx, setBookPx, setEntryPx, setListsPx } from "./layout/layout.ts";
import { MarketTabBar } from "./layout/market-tab-bar.tsx";
import { DealsPanel } from "./market/deals-panel.tsx";
import { market } from "./market/markets.ts";
import { AccountSummary } from "./panels/account-summary.tsx";
import { ListsPanel } from "./panels/lists-panel.tsx";
import { Splitter } from "./ui/splitter.tsx";

const TABS = [
  ["chart", "Chart"],
  ["book", "Book"],
  ["deals", "Deals"],
  ["orders", "Orders"],
] as const;
type Tab = (typeof TABS)[number][0];

const BOOK_TABS = [
  ["book", "Book", "Order book"],
  ["deals", "Deals", "Latest deals"],
] as const;
type BookTab = (typeof BOOK_TABS)[number][0];

export function TradePage() {
  const [tab, setTab] = createSignal<Tab>("chart");
  const [bookTab, setBookTab] = createSignal<BookTab>("book");
  const [isEntryOpen, setIsEntryOpen] = createSignal(false);
  const isStale = () => sockets[market()?.product ?? "spot"].state() === "lost";
  const hasSide = () => isShown("entry") || isShown("summary");
  return (
    <>
      <MarketTabBar />
      <main
        class="trade"
        classList={{ stale: isStale() }}
        data-tab={tab()}
        data-deals={layout().deals}
        data-book-tab={bookTab()}
        data-hidden={[...layout().hidden, ...(hasSide() ? [] : ["side"])].join(" ")}
        style={{ "--lists": `${listsPx()}px`, "--book": `${bookPx()}px`, "--entry": `${entryPx()}px` }}
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
          <fieldset class="book-tabs" aria-label="Book or deals">
            <For each={BOOK_TABS}>
              {([value, word, name]) => (
                <button
                  type="button"
                  aria-label={name}
                  aria-pressed={bookTab() === value}
                  onClick={() => setBookTab(value)}
                >
                  {word}
                </button>
              )}
            </For>
          </fieldset>
          <BookPanel />
          <DealsPanel />
        </div>
        <Splitter class="split-entry" label="Width of the order entry" axis="x" size={entryPx} set={setEntryPx} />
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
          <AccountSummary />
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
                {market()?.product === "futures"
                  ? side === "buy"
                    ? "Long"
                    : "Short"
                  : side === "buy"
                    ? "Buy"
                    : "Sell"}
              </button>
            )}
          </For>
        </div>
      </main>
    </>
  );
}
