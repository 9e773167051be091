/** The parts that pages of the account and of the console are put together from. */
import { type JSX, Show } from "solid-js";

/** A page's head and what it is about. */
export function SectionHead(props: { title: string; children?: JSX.Element }) {
  return (
    <header class="section-head">
      <h1>{props.title}</h1>
      <Show when={props.children}>
        <p class="note">{props.children}</p>
      </Show>
    </header>
  );
}

export function Labelled(props: { name: string; children: JSX.Element }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      <span class="label">{props.name}</span>
      {props.children}
    </label>
  );
}
