/** Leverage and margin mode: what holds, and the dialog that changes them. */
import { createSignal, For, Show, untrack } from "solid-js";
import { user } from "../account/session.ts";
import { openSignIn } from "../account/sign-in.tsx";
import { sentenceOf } from "../api/client.ts";
import type { Market } from "../market/markets.ts";
import { Dialog } from "../ui/dialog.tsx";
import { say } from "../ui/toasts.tsx";
import { type Leverage, leverageIn, setLeverage } from "./leverage.ts";
import { NumberField } from "./number-field.tsx";
import { isHedged, setHedged } from "./position-mode.ts";

const MODES = [
  ["cross", "Cross", "Your whole futures balance of the currency backs the position."],
  ["isolated", "Isolated", "Only the margin of the position backs it."],
] as const;

export function LeverageButton(props: { market: Market }) {
  /** The market, and its leverage when the dialog was opened; an answer that fails later does not close it. */
  const [held, setHeld] = createSignal<{ market: Market; before: Leverage }>();
  const now = () => leverageIn(props.market);
  const open = () => {
    const before = now();
    if (user() === undefined) openSignIn();
    else if (before !== undefined) setHeld({ market: props.market, before });
  };
  return (
    <>
      <button
        type="button"
        class="button small leverage"
        title="Margin mode and leverage"
        disabled={user() !== undefined && now() === undefined}
        onClick={open}
      >
        <span>{modeWord(now())}</span>
        <b>{now() === undefined ? "" : `${now()?.leverage}x`}</b>
        <Show when={isHedged()}>
          <span class="quiet">hedge</span>
        </Show>
      </button>
      <Show when={held()}>
        {(opened) => (
          <Dialog title={`Margin and leverage of ${opened().market.market}`} onClose={() => setHeld()}>
            <LeverageForm market={opened().market} before={opened().before} onDone={() => setHeld()} />
          </Dialog>
        )}
      </Show>
    </>
  );
}

function modeWord(now: Leverage | undefined): string {
  if (now === undefined) return "–";
  return now.mode === "cross" ? "Cross" : "Isolated";
}

/** `before` is what held when the dialog was opened: what the form begins with. */
function LeverageForm(props: { market: Market; before: Leverage; onDone: () => void }) {
  const before = untrack(() => props.before);
  const [mode, setMode] = createSignal(before.mode);
  const [at, setAt] = createSignal(Math.max(0, props.market.leverages.indexOf(before.leverage)));
  const [hedged, setHedgedHere] = createSignal(isHedged());
  const [fault, setFault] = createSignal("");
  /** The text that was typed in place of the slider's leverage. */
  const [typed, setTyped] = createSignal<string>();
  const chosen = () => props.market.leverages[at()] ?? 1;
  const typeLeverage = (text: string) => {
    setTyped(text);
    setFault("");
    const place = props.market.leverages.indexOf(Number(text));
    if (place >= 0) setAt(place);
  };
  const isOffered = () => typed() === undefined || props.market.leverages.includes(Number(typed()));
  const save = async () => {
    if (!isOffered()) {
      setFault(`The market allows a leverage of ${props.market.leverages.join(", ")}.`);
      return;
    }
    setFault("");
    try {
      const { mode: heldMode, leverage: heldLeverage } = leverageIn(props.market) ?? before;
      if (mode() !== heldMode || chosen() !== heldLeverage)
        await setLeverage(props.market, { mode: mode(), leverage: chosen() });
      if (hedged() !== isHedged()) await setHedged(hedged());
      say(`${props.market.market}: ${mode() === "cross" ? "cross" : "isolated"} margin at ${chosen()}x.`, "good");
      props.onDone();
    } catch (error) {
      setFault(sentenceOf(error));
    }
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <fieldset class="options" aria-label="Margin mode">
        <For each={MODES}>
          {([value, word, hint]) => (
            <label class="option" classList={{ chosen: mode() === value }}>
              <input type="radio" name="mode" checked={mode() === value} onChange={() => setMode(value)} />
              <b>{word}</b>
              <span class="note">{hint}</span>
            </label>
          )}
        </For>
      </fieldset>
      <label class="field">
        <span class="label">
          Leverage <b class="leverage-shown">{chosen()}x</b>
        </span>
        <input
          type="range"
          min="0"
          max={props.market.leverages.length - 1}
          value={at()}
          aria-valuetext={`${chosen()}x`}
          onInput={({ currentTarget }) => {
            setTyped(undefined);
            setAt(Number(currentTarget.value));
          }}
        />
        <span class="share-marks">
          <span>{props.market.leverages[0]}x</span>
          <span>{props.market.leverages.at(-1)}x</span>
        </span>
      </label>
      <NumberField name="Typed" value={typed() ?? `${chosen()}`} set={typeLeverage} step="1" unit="x" />
      <label class="check">
        <input
          type="checkbox"
          checked={hedged()}
          onChange={({ currentTarget }) => setHedgedHere(currentTarget.checked)}
        />
        Hedge mode: a long and a short position side by side, in all markets
      </label>
      <p class="note">
        More leverage ties up less margin and brings the liquidation price nearer. Large positions allow less of it.
      </p>
      <Show when={fault()}>
        <p class="fault" role="alert">
          {fault()}
        </p>
      </Show>
      <button type="submit" class="button primary wide">
        Set
      </button>
    </form>
  );
}
