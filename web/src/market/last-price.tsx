/** The last price, large, with the way it went. */
import { createMemo, Show } from "solid-js";
import { compare } from "../number/decimal.ts";
import { ARROWS, type Direction, shown } from "../number/show.ts";
import { type Market, tickerOf } from "./markets.ts";

export function LastPrice(props: { market: Market; class?: string }) {
  const last = () => tickerOf(props.market.key)?.last ?? "0";
  const moved = createMemo<{ key: string; price: string; direction: Direction }>(
    (before) => {
      const [key, price] = [props.market.key, last()];
      if (before.key !== key) return { key, price, direction: "" };
      const way = compare(price, before.price);
      return { key, price, direction: way === 0 ? before.direction : way > 0 ? "up" : "down" };
    },
    { key: "", price: "0", direction: "" },
  );
  return (
    <span class={`last-price ${moved().direction} ${props.class ?? ""}`}>
      {shown(last(), props.market.priceDecimals)}
      <Show when={moved().direction !== ""}>
        <span class="arrow" aria-hidden="true">
          {ARROWS[moved().direction]}
        </span>
      </Show>
    </span>
  );
}
