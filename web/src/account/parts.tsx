/** The select of a currency in the forms of the account pages. */
import { For } from "solid-js";
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
