/** The latest deals of everybody. */
import { For, Show } from "solid-js";
import { pickPrice } from "../entry/picked.ts";
import { clockTime } from "../number/show.ts";
import { Figure, Moment } from "../ui/figure.tsx";
import { areDealsRead, deals } from "./deals-store.ts";
import { market } from "./markets.ts";

export function DealsPanel() {
  return (
    <section class="panel deals-panel" aria-label="Latest deals">
      <header class="panel-head">
        <h2>Latest deals</h2>
      </header>
      <div class="book-names" aria-hidden="true">
        <span>Price</span>
        <span>Amount</span>
        <span>Time</span>
      </div>
      <ul class="deals" aria-label="Latest deals">
        <Show when={deals().length === 0}>
          <li class="quiet nobody">{areDealsRead() ? "No deals yet." : "Loading…"}</li>
        </Show>
        <For each={deals()}>
          {(deal) => (
            <li>
              <button type="button" class="book-row" tabIndex={-1} onClick={() => pickPrice(deal.price)}>
                <span
                  class={`price ${deal.side === "buy" ? "up" : "down"}`}
                  title={`The taker ${deal.side === "buy" ? "bought" : "sold"}`}
                >
                  <Figure value={deal.price} decimals={market()?.priceDecimals ?? 2} />
                </span>
                <Figure value={deal.amount} decimals={market()?.amountDecimals ?? 4} />
                <span class="figure quiet">
                  <Moment at={deal.created_at} shown={clockTime(deal.created_at)} />
                </span>
              </button>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}
