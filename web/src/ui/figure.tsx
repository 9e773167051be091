/** Numbers on the page. */
import { Show } from "solid-js";
import type { Decimal } from "../number/decimal.ts";
import { ARROWS, directionOf, pieces, signedPercent, venueTime } from "../number/show.ts";
import { say } from "./toasts.tsx";

/** A number of fixed decimals; the zeros at its end stand back. */
export function Figure(props: { value: Decimal; decimals: number }) {
  const parts = () => pieces(props.value, props.decimals);
  return (
    <span class="figure">
      {parts()[0]}
      <span class="dim">{parts()[1]}</span>
    </span>
  );
}

/** A change with colour, arrow and sign. */
export function Change(props: { rate: Decimal }) {
  const direction = () => directionOf(props.rate);
  return (
    <span class={`figure ${direction()}`}>
      <Show when={direction() !== ""}>
        <span class="arrow" aria-hidden="true">
          {ARROWS[direction()]}
        </span>
      </Show>
      {signedPercent(props.rate)}
    </span>
  );
}

/** An amount that a click copies, without the spaces in it. */
export function Copyable(props: { value: string; shown?: string; label?: string }) {
  const copy = () =>
    navigator.clipboard.writeText(props.value).then(
      () => say(`Copied: ${props.label ?? props.value}`),
      () => say("The browser did not let it be copied."),
    );
  return (
    <button type="button" class="copyable" title="Copy" onClick={() => void copy()}>
      {props.shown ?? props.value}
    </button>
  );
}

/** A time in local words, the venue's own on hover. */
export function Moment(props: { at: number; shown: string }) {
  return (
    <time dateTime={new Date(props.at).toISOString()} title={venueTime(props.at)}>
      {props.shown}
    </time>
  );
}
