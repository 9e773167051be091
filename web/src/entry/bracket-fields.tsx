/** Take profit and stop loss of a bracket, each with what it would bring. */
import { For, Show } from "solid-js";
import { moneyOf } from "../market/markets.ts";
import { bracketGain, trails } from "./bracket.ts";
import type { Draft, ExitKind, LossBy, TriggerType } from "./draft.ts";
import { ExpectedGain } from "./expected-gain.tsx";
import { NumberField } from "./number-field.tsx";
import { TRIGGERS } from "./order-types.ts";

export function BracketFields(props: { draft: Draft }) {
  const { market, faults, exits, typeExit, trail, typeTrail, lossBy, setLossBy, isFutures } = props.draft;
  const { triggerType, setTriggerType } = props.draft;
  const lossTrails = () => trails(props.draft, "stop_loss");
  const quote = () => market().quoteCcy;
  return (
    <fieldset class="exit-fields" aria-label="Exits of the bracket">
      <NumberField
        name="Take profit"
        value={exits.take_profit()}
        set={(text) => typeExit("take_profit", text)}
        step={market().tick}
        fault={faults.at.take_profit}
        unit={
          <Show when={isFutures()} fallback={quote()}>
            <select
              aria-label="Price that triggers the exits"
              value={triggerType()}
              onChange={({ currentTarget }) => setTriggerType(currentTarget.value as TriggerType)}
            >
              <For each={TRIGGERS}>{([type, word]) => <option value={type}>{word}</option>}</For>
            </select>
          </Show>
        }
        extra={<Gain draft={props.draft} kind="take_profit" />}
      />
      <NumberField
        name="Stop loss"
        value={lossTrails() ? trail() : exits.stop_loss()}
        set={(text) => (lossTrails() ? typeTrail(text) : typeExit("stop_loss", text))}
        step={lossBy() === "percent" ? "0.1" : market().tick}
        fault={faults.at.stop_loss ?? faults.at.trail}
        unit={
          <select
            aria-label="Stop loss by"
            value={lossBy()}
            onChange={({ currentTarget }) => setLossBy(currentTarget.value as LossBy)}
          >
            <option value="trigger">{quote()}</option>
            <option value="percent">% trail</option>
            <option value="price">{quote()} trail</option>
          </select>
        }
        extra={<Gain draft={props.draft} kind="stop_loss" />}
      />
      <p class="note">
        At the market, for what is filled of the order. The venue keeps them; the first that is triggered cancels the
        other.
      </p>
    </fieldset>
  );
}

function Gain(props: { draft: Draft; kind: ExitKind }) {
  return (
    <ExpectedGain
      gain={bracketGain(props.draft, props.kind)}
      money={moneyOf(props.draft.market())}
      title={
        trails(props.draft, props.kind)
          ? "Of the whole order, before fees, if the price turns at once"
          : "Of the whole order, before fees"
      }
    />
  );
}
