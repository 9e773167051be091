/** What an exit would bring, below its field. */
import { Show } from "solid-js";
import type { Decimal } from "../number/decimal.ts";
import { directionOf, signed } from "../number/show.ts";
import { moneyDecimals } from "./sums.tsx";

export function ExpectedGain(props: { gain: Decimal | undefined; money: string; title: string }) {
  return (
    <Show when={props.gain}>
      {(gain) => (
        <p class="expected" title={props.title}>
          <span class="quiet">Expected PnL</span>
          <span class={`figure ${directionOf(gain())}`}>
            {signed(gain(), moneyDecimals(props.money))} {props.money}
          </span>
        </p>
      )}
    </Show>
  );
}
