/** The last price, large, with the way it went. */
import { createMemo, Show } from "solid-js";
import { compare } from "../number/decimal.ts";
import { ARROWS, type Direction, shown, UNKNOWN } from "../number/show.ts";
import { type Market, tickerOf } from "./markets.ts";

export function LastPrice(props: { market: Market; class?: string }) {
  const last = () => tickerOf(props.market.key)?.last;
  const moved = createMemo<{ key: string; price: string | undefined; direction: Direction }>(
    (before) => {
      const [key, price] = [props.market.key, last()];
      if (before.key !== key || before.price === undefined || price === undefined) return { key, price, direction: "" };
      const way = compare(price, before.price);
      return { key, price, direction: way === 0 ? before.direction : way > 0 ? "up" : "down" };
    },
    { key: "", price: undefined, direction: "" },
  );
  return (
    <span class={`last-price ${moved().direction} ${props.class ?? ""}`}>
      <Show when={last()} fallback={UNKNOWN}>
        {(price) => <>{shown(price(), props.market.priceDecimals)}</>}
      </Show>
      <Show when={moved().direction !== ""}>
        <span class="arrow" aria-hidden="true">
          {ARROWS[moved().direction]}
        </span>
      </Show>
    </span>
  );
}
