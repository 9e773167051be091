/** A row of the markets that are open. */
import { For, Show } from "solid-js";
import { dayChange, openMarkets } from "../market/market-list.tsx";
import { market } from "../market/markets.ts";
import { openInNewTab } from "../market/opening.ts";
import { Change } from "../ui/figure.tsx";
import { go } from "../ui/place.ts";
import { canOpenMore, closeTab, openMarketsList } from "./market-tabs.ts";

export function MarketTabBar() {
  return (
    <nav class="market-tabs" aria-label="Open markets">
      <For each={openMarketsList()}>
        {(each) => (
          <span class="market-tab" classList={{ chosen: each.key === market()?.key }}>
            <button
              type="button"
              aria-current={each.key === market()?.key ? "page" : undefined}
              onClick={() => go({ kind: "trade", product: each.product, market: each.market })}
            >
              {each.market}
              <Show when={each.product === "futures"}>
                <span class="quiet"> Perp</span>
              </Show>{" "}
              <Change rate={dayChange(each)} />
            </button>
            <Show when={openMarketsList().length > 1}>
              <button
                type="button"
                class="tab-close"
                aria-label={`Close ${each.market}${each.product === "futures" ? " Perp" : ""}`}
                onClick={() => closeTab(each)}
              >
                ✕
              </button>
            </Show>
          </span>
        )}
      </For>
      <Show when={canOpenMore()}>
        <button
          type="button"
          class="icon-button"
          aria-label="Open another market"
          title="Open another market"
          onClick={() => {
            openInNewTab();
            openMarkets();
          }}
        >
          +
        </button>
      </Show>
    </nav>
  );
}
