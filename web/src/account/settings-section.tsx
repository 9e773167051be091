/** How the terminal looks and what it asks, kept in this browser. */
import { For, type JSX } from "solid-js";
import { SectionHead } from "../ui/section.tsx";
import {
  COLOURS,
  CONFIRMATIONS,
  type Colours,
  type Confirmation,
  colours,
  confirmation,
  DENSITIES,
  type Density,
  density,
  setColours,
  setConfirmation,
  setDensity,
  setTheme,
  THEMES,
  type Theme,
  theme,
} from "../ui/settings.ts";

const THEME_WORDS: Readonly<Record<Theme, string>> = { system: "As the system has it", light: "Light", dark: "Dark" };
const COLOUR_WORDS: Readonly<Record<Colours, string>> = {
  "green-up": "Green is up",
  "red-up": "Red is up",
  "blue-orange": "Blue is up, orange is down",
};
const CONFIRMATION_WORDS: Readonly<Record<Confirmation, string>> = {
  slips: "Only when something looks wrong",
  market: "Every order at the market, too",
  all: "Every order",
};
const DENSITY_WORDS: Readonly<Record<Density, string>> = { comfortable: "Comfortable", compact: "Compact" };

export function SettingsSection() {
  return (
    <>
      <SectionHead title="Settings">They stay in this browser.</SectionHead>
      <div class="card padded form narrow">
        <Choice name="Theme" values={THEMES} words={THEME_WORDS} chosen={theme()} choose={setTheme} />
        <Choice name="Colours of prices" values={COLOURS} words={COLOUR_WORDS} chosen={colours()} choose={setColours}>
          <span class="up">▲ up</span> <span class="down">▼ down</span>
        </Choice>
        <Choice name="Density" values={DENSITIES} words={DENSITY_WORDS} chosen={density()} choose={setDensity} />
        <Choice
          name="Ask before an order is sent"
          values={CONFIRMATIONS}
          words={CONFIRMATION_WORDS}
          chosen={confirmation()}
          choose={setConfirmation}
        />
      </div>
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly values: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
  readonly children?: JSX.Element;
}

function Choice<Value extends string>(props: ChoiceProps<Value>) {
  return (
    <fieldset class="choice">
      <legend>{props.name}</legend>
      <For each={props.values}>
        {(value) => (
          <label class="check">
            <input
              type="radio"
              name={props.name}
              checked={props.chosen === value}
              onChange={() => props.choose(value)}
            />
            {props.words[value]}
          </label>
        )}
      </For>
      {props.children}
    </fieldset>
  );
}
