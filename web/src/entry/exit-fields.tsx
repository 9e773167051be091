/** Take profit and stop loss of the order, each with what it would bring. */
import { For, Show } from "solid-js";
import { moneyOf } from "../market/markets.ts";
import type { Draft, ExitType } from "./draft.ts";
import { EXITS, expectedGain } from "./exits.ts";
import { ExpectedGain } from "./expected-gain.tsx";
import { NumberField } from "./number-field.tsx";
import type { Outlook } from "./outlook.ts";

const TYPES: ReadonlyArray<readonly [ExitType, string]> = [
  ["latest_price", "Last"],
  ["mark_price", "Mark"],
];

export function ExitFields(props: { draft: Draft; outlook: Outlook }) {
  const { market, faults, exits, typeExit, exitType, setExitType, type } = props.draft;
  return (
    <fieldset class="exit-fields" aria-label="Take profit and stop loss">
      <For each={EXITS}>
        {([kind, word]) => (
          <NumberField
            name={word}
            value={exits[kind]()}
            set={(text) => typeExit(kind, text)}
            step={market().tick}
            placeholder="none"
            fault={faults.at[kind]}
            unit={
              <select
                aria-label={`Price that triggers the ${word.toLowerCase()}`}
                value={exitType()}
                onChange={({ currentTarget }) => setExitType(currentTarget.value as ExitType)}
              >
                <For each={TYPES}>{([value, name]) => <option value={value}>{name}</option>}</For>
              </select>
            }
            extra={
              <ExpectedGain
                gain={expectedGain(props.draft, props.outlook, kind)}
                money={moneyOf(market())}
                title="Of the whole position, from what it costs, before fees"
              />
            }
          />
        )}
      </For>
      <p class="note">
        For the whole position, at the market, as soon as the order fills.
        <Show when={type() === "limit" || type() === "maker_only"}>
          {" "}
          If it waits in the book, this browser sets them with the first fill: keep the terminal open.
        </Show>
      </p>
    </fieldset>
  );
}
