/** All markets, to be searched, sorted and chosen from. */
import { createEffect, createMemo, createSignal, For, onMount, Show } from "solid-js";
import type { Product } from "../api/records.ts";
import { compare } from "../number/decimal.ts";
import { changeRate, short, shown, UNKNOWN } from "../number/show.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Change } from "../ui/figure.tsx";
import { go } from "../ui/place.ts";
import { isFavourite, toggleFavourite } from "./favourites.ts";
import { type Market, market, markets, tickerOf } from "./markets.ts";
import { openInSameTab } from "./opening.ts";
import { Sparkline } from "./sparkline.tsx";

const [isOpen, setIsOpen] = createSignal(false);
export const openMarkets = () => setIsOpen(true);

export function MarketList() {
  return (
    <Show when={isOpen()}>
      <Dialog
        title="Markets"
        class="market-list"
        onClose={() => {
          openInSameTab();
          setIsOpen(false);
        }}
      >
        <Choices onChosen={() => setIsOpen(false)} />
      </Dialog>
    </Show>
  );
}

type Filter = "all" | "favourites" | Product;

const PRODUCTS: ReadonlyArray<readonly [Filter, string]> = [
  ["all", "All"],
  ["favourites", "★"],
  ["spot", "Spot"],
  ["futures", "Futures"],
];

const PRODUCT_ORDER: readonly Product[] = ["spot", "futures"];

function Choices(props: { onChosen: () => void }) {
  let search!: HTMLInputElement;
  const [text, setText] = createSignal("");
  const [product, setProduct] = createSignal<Filter>("all");
  const [at, setAt] = createSignal(0);
  /** Whether Enter was pressed before the markets were there: the list then chooses once they are. */
  const [isAwaited, setIsAwaited] = createSignal(false);
  onMount(() => search.focus());
  const found = createMemo(() => {
    const words = text().trim().toUpperCase().split(/\s+/);
    const isNamed = (each: Market) => (each.market === words[0] ? 1 : 0);
    return markets()
      .filter((each) => {
        if (product() === "favourites") return isFavourite(each.key);
        return product() === "all" || each.product === product();
      })
      .filter((each) => {
        const names = `${each.market} ${each.baseCcy}/${each.quoteCcy} ${each.product.toUpperCase()}`;
        return words.every((word) => names.includes(word));
      })
      .toSorted(
        (one, other) =>
          isNamed(other) - isNamed(one) ||
          Number(isFavourite(other.key)) - Number(isFavourite(one.key)) ||
          PRODUCT_ORDER.indexOf(one.product) - PRODUCT_ORDER.indexOf(other.product) ||
          turnover(other, one),
      );
  });
  const choose = (chosen: Market | undefined) => {
    if (chosen === undefined) return;
    go({ kind: "trade", product: chosen.product, market: chosen.market });
    props.onChosen();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((before) => Math.max(0, Math.min(found().length - 1, before + step)));
    } else if (event.key === "Enter") {
      // The list closes: the key must not press the button that the focus goes back to.
      event.preventDefault();
      setIsAwaited(true);
    }
  };
  createEffect(() => {
    if (!isAwaited() || markets().length === 0) return;
    setIsAwaited(false);
    choose(found()[at()]);
  });
  return (
    <>
      <div class="list-tools">
        <input
          ref={search}
          type="search"
          aria-label="Search markets"
          placeholder="Search"
          value={text()}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
            setIsAwaited(false);
          }}
          onKeyDown={onKey}
        />
        <fieldset class="segments" aria-label="Product">
          <For each={PRODUCTS}>
            {([value, word]) => (
              <button
                type="button"
                aria-label={value === "favourites" ? "Favourites" : undefined}
                aria-pressed={product() === value}
                onClick={() => setProduct(value)}
              >
                {word}
              </button>
            )}
          </For>
        </fieldset>
      </div>
      <div class="scroll">
        <table class="table hoverable">
          <thead>
            <tr>
              <th scope="col">Market</th>
              <th scope="col" class="number">
                Last
              </th>
              <th scope="col" class="number">
                24 h
              </th>
              <th scope="col" class="number wide-only">
                24 h turnover
              </th>
              <th scope="col" class="wide-only">
                <span class="visually-hidden">Last 24 hours</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <For each={found()} fallback={<NothingFound />}>
              {(each, index) => (
                <tr
                  aria-current={each.key === market()?.key ? "true" : undefined}
                  classList={{ pointed: at() === index() }}
                  onClick={() => choose(each)}
                >
                  <td>
                    <button
                      type="button"
                      class="star"
                      aria-label={`Favourite ${each.market} ${each.product}`}
                      aria-pressed={isFavourite(each.key)}
                      onClick={(event) => {
                        event.stopPropagation();
                        toggleFavourite(each.key);
                      }}
                    >
                      {isFavourite(each.key) ? "★" : "☆"}
                    </button>
                    <button type="button" class="market-name">
                      <b>{each.baseCcy}</b>
                      <span class="quiet">/{each.quoteCcy}</span>
                      <Show when={each.product === "futures"}>
                        <span class="tag">{each.isInverse ? "Inverse perp" : "Perp"}</span>
                      </Show>
                      <Show when={each.status !== "online"}>
                        <span class="tag warning">{each.status.replaceAll("_", " ")}</span>
                      </Show>
                    </button>
                  </td>
                  <td class="number">
                    <Show when={tickerOf(each.key)?.last} fallback={UNKNOWN}>
                      {(last) => <>{shown(last(), each.priceDecimals)}</>}
                    </Show>
                  </td>
                  <td class="number">
                    <Change rate={dayChange(each)} />
                  </td>
                  <td class="number wide-only">
                    <Show when={tickerOf(each.key)?.value} fallback={UNKNOWN}>
                      {(value) => <>{short(value())}</>}
                    </Show>{" "}
                    <span class="quiet">{each.isInverse ? each.baseCcy : each.quoteCcy}</span>
                  </td>
                  <td class="wide-only">
                    <Sparkline market={each} />
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
    </>
  );
}

function NothingFound() {
  return (
    <tr>
      <td colSpan={5} class="empty">
        {markets().length === 0 ? "No market is listed yet." : "No market is found."}
      </td>
    </tr>
  );
}

export function dayChange(of: Market) {
  const ticker = tickerOf(of.key);
  return ticker === undefined ? "0" : changeRate(ticker.open, ticker.last);
}

function turnover(one: Market, other: Market): number {
  return compare(tickerOf(one.key)?.value ?? "0", tickerOf(other.key)?.value ?? "0");
}
