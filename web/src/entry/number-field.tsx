/** A field for a decimal: arrows step it by its grid, what is no decimal is not taken in. */
import { createUniqueId, type JSX, Show } from "solid-js";
import { compare, type Decimal, decimalsOf, fixed, isDecimal, minus, onGrid, plus } from "../number/decimal.ts";

export interface Fault {
  readonly text: string;
  readonly rule: string | undefined;
}

interface NumberFieldProps {
  readonly name: string;
  readonly value: string;
  readonly set: (text: string) => void;
  readonly unit?: JSX.Element | undefined;
  readonly step: Decimal;
  readonly fault?: Fault | undefined;
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly extra?: JSX.Element | undefined;
  readonly ref?: ((input: HTMLInputElement) => void) | undefined;
}

const TYPED = /^\d*\.?\d*$/;

export function NumberField(props: NumberFieldProps) {
  const id = createUniqueId();
  const onKeyDown = (event: KeyboardEvent) => {
    const isUp = event.key === "ArrowUp";
    if (!isUp && event.key !== "ArrowDown") return;
    event.preventDefault();
    props.set(stepped(props.value, props.step, isUp));
  };
  return (
    <div class="field">
      <div class={`box numeric ${props.fault === undefined ? "" : "wrong"}`}>
        <label class="name" for={id}>
          {props.name}
        </label>
        <input
          id={id}
          ref={props.ref}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          spellcheck={false}
          value={props.value}
          placeholder={props.placeholder}
          disabled={props.disabled}
          aria-invalid={props.fault !== undefined}
          aria-describedby={props.fault === undefined ? undefined : `${id}-fault`}
          onInput={(event) => {
            const { currentTarget } = event;
            const text = currentTarget.value.replace(",", ".").replaceAll(/[\s\u202f]/g, "");
            if (TYPED.test(text)) props.set(text);
            currentTarget.value = TYPED.test(text) ? text : props.value;
          }}
          onKeyDown={onKeyDown}
        />
        <span class="unit">{props.unit}</span>
      </div>
      {props.extra}
      <FaultText id={`${id}-fault`} fault={props.fault} />
    </div>
  );
}

export function FaultText(props: { id?: string; fault: Fault | undefined }) {
  return (
    <Show when={props.fault}>
      {(fault) => (
        <p
          class="fault"
          role="alert"
          id={props.id}
          title={fault().rule === undefined ? undefined : `Rule ${fault().rule}`}
        >
          {fault().text}
        </p>
      )}
    </Show>
  );
}

/** One step up or down, on the grid; never below 0. */
function stepped(text: string, step: Decimal, isUp: boolean): string {
  const from = isDecimal(text) ? text : "0";
  const next = isUp ? plus(onGrid(from, step), step) : minus(onGrid(from, step, "up"), step);
  return compare(next, "0") < 0 ? "0" : fixed(next, decimalsOf(step));
}
