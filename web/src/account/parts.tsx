/** What the forms of the account pages are put together from. */
import { For, type JSX, Show } from "solid-js";
import { ccys } from "./currencies.ts";

export function CcySelect(props: { label: string; value: string; set: (ccy: string) => void; of?: readonly string[] }) {
  return (
    <select
      aria-label={props.label}
      value={props.value}
      onChange={({ currentTarget }) => props.set(currentTarget.value)}
    >
      <For each={props.of ?? ccys()}>
        {(ccy) => (
          <option value={ccy} selected={ccy === props.value}>
            {ccy}
          </option>
        )}
      </For>
    </select>
  );
}

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
