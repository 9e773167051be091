import type { JSX } from "solid-js";

/** Content that may be wider than the page: it scrolls by itself, with keys too. */
export function Scrolling(props: { name: string; class: string; children: JSX.Element }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
    <section class={`scroll ${props.class}`} tabIndex={0} aria-label={props.name}>
      {props.children}
    </section>
  );
}
