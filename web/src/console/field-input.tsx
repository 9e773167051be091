/** A field of a call's form, by what the venue says that it holds. */
import { createUniqueId, For, Index, Match, Show, Switch } from "solid-js";
import { FaultText } from "../entry/number-field.tsx";
import type { CallField, CallForm } from "./calls.ts";
import { type Draft, emptyDraft, NONE } from "./draft.ts";
import { currencyNames, marketNames } from "./names.ts";
import { timeText } from "./record.tsx";
import { valueWords, wordsOf } from "./words.ts";

interface FieldInputProps {
  readonly field: CallField;
  readonly draft: Draft;
  readonly set: (draft: Draft) => void;
  /** Sentence about what is wrong with it. */
  readonly fault?: string | undefined;
  /** The present value, where it is changed. */
  readonly now?: unknown;
}

export function FieldInput(props: FieldInputProps) {
  const id = createUniqueId();
  const isGroup = () => ["record", "records"].includes(props.field.shape) || props.field.item?.choices !== undefined;
  const name = () => wordsOf(props.field.name);
  /** Nothing where it would say the name again. */
  const hint = () => (props.field.meaning === name().toLowerCase() ? "" : sentence(props.field.meaning));
  return (
    <Show
      when={isGroup()}
      fallback={
        <div class="field" data-field={props.field.name}>
          <label for={id}>
            {name()}
            <Aside field={props.field} now={props.now} />
          </label>
          <Single {...props} id={id} />
          <FaultText id={`${id}-fault`} fault={faultOf(props.fault)} />
          <p class="hint" id={`${id}-hint`}>
            {hint()}
          </p>
        </div>
      }
    >
      <fieldset class="field choice" data-field={props.field.name}>
        <legend>{name()}</legend>
        <Switch>
          <Match when={props.field.item?.choices}>
            {(choices) => <Checks field={props.field.name} choices={choices()} draft={props.draft} set={props.set} />}
          </Match>
          <Match when={props.field.fields}>
            {(fields) => (
              <RecordRows
                of={name()}
                fields={fields()}
                isOne={props.field.shape === "record"}
                mayBeNone={props.field.values.endsWith(`|${NONE}`)}
                draft={props.draft}
                set={props.set}
              />
            )}
          </Match>
        </Switch>
        <FaultText fault={faultOf(props.fault)} />
        <p class="hint">{hint()}</p>
      </fieldset>
    </Show>
  );
}

function faultOf(text: string | undefined) {
  return text === undefined ? undefined : { text, rule: undefined };
}

/** Beside the name: what is there now, or that it may be left out. */
function Aside(props: { field: CallField; now: unknown }) {
  const shown = () => {
    if (["string", "number", "boolean"].includes(typeof props.now) && props.now !== "") return `now ${nowText(props)}`;
    return props.field.required ? "" : "optional";
  };
  return <span class="quiet">{shown()}</span>;
}

function nowText({ field, now }: { field: CallField; now: unknown }): string {
  if (typeof now === "boolean") return now ? "yes" : "no";
  if (isTimeField(field)) return Number(now) === 0 ? "none" : timeText(Number(now));
  return String(now);
}

function Single(props: FieldInputProps & { id: string }) {
  const choices = () => (props.field.shape === "flag" ? ["true", "false"] : props.field.choices);
  const value = () => String(props.draft);
  const describedBy = () => `${props.fault === undefined ? "" : `${props.id}-fault `}${props.id}-hint`;
  const isWrong = () => (props.fault === undefined ? undefined : "true");
  const names = () => namesFor(props.field);
  return (
    <Switch
      fallback={
        <span class="box">
          <input
            id={props.id}
            type="text"
            autocomplete="off"
            spellcheck={false}
            required={props.field.required}
            aria-describedby={describedBy()}
            aria-invalid={isWrong()}
            placeholder={props.field.shape === "list" ? "separated by commas" : undefined}
            list={names() === undefined ? undefined : `${props.id}-names`}
            value={value()}
            onInput={({ currentTarget }) => props.set(currentTarget.value)}
          />
          <Show when={names()}>
            {(all) => (
              <datalist id={`${props.id}-names`}>
                <For each={all()}>{(each) => <option value={each} />}</For>
              </datalist>
            )}
          </Show>
        </span>
      }
    >
      <Match when={choices()}>
        {(all) => (
          <select
            id={props.id}
            required={props.field.required}
            aria-describedby={describedBy()}
            aria-invalid={isWrong()}
            value={value()}
            onChange={({ currentTarget }) => props.set(currentTarget.value)}
          >
            <option value="">{props.field.required ? "Choose" : "Not given"}</option>
            <For each={all()}>
              {(each) => (
                <option value={each} selected={each === value()}>
                  {each === "true" ? "Yes" : each === "false" ? "No" : valueWords(props.field.name, each)}
                </option>
              )}
            </For>
          </select>
        )}
      </Match>
      <Match when={isTimeField(props.field)}>
        <span class="box">
          <input
            id={props.id}
            type="datetime-local"
            min={FIRST_TIME}
            max={LAST_TIME}
            required={props.field.required}
            disabled={value() === ZERO}
            aria-describedby={describedBy()}
            aria-invalid={isWrong()}
            value={value() === ZERO ? "" : value()}
            onInput={({ currentTarget }) => props.set(currentTarget.value)}
          />
          <span class="unit">{zone()}</span>
        </span>
        <Show when={mayBeZero(props.field)}>
          <label class="check">
            <input
              type="checkbox"
              checked={value() === ZERO}
              onChange={({ currentTarget: { checked } }) => props.set(checked ? ZERO : "")}
            />
            none
          </label>
        </Show>
      </Match>
    </Switch>
  );
}

function Checks(props: { field: string; choices: readonly string[]; draft: Draft; set: (draft: Draft) => void }) {
  const chosen = () => (Array.isArray(props.draft) ? (props.draft as string[]) : []);
  return (
    <div class="form-row">
      <For each={props.choices}>
        {(each) => (
          <label class="check">
            <input
              type="checkbox"
              checked={chosen().includes(each)}
              onChange={({ currentTarget: { checked } }) =>
                props.set(checked ? [...chosen(), each] : chosen().filter((one) => one !== each))
              }
            />
            {valueWords(props.field, each)}
          </label>
        )}
      </For>
    </div>
  );
}

interface RecordRowsProps {
  readonly of: string;
  readonly fields: readonly CallField[];
  readonly isOne: boolean;
  /** Whether a word can take back what is set. */
  readonly mayBeNone: boolean;
  readonly draft: Draft;
  readonly set: (draft: Draft) => void;
}

/** Rows of several fields each, which can be added and taken away. */
function RecordRows(props: RecordRowsProps) {
  const rows = () => (Array.isArray(props.draft) ? (props.draft as Record<string, Draft>[]) : []);
  const empty = () => Object.fromEntries(props.fields.map((field) => [field.name, emptyDraft(field)]));
  return (
    <>
      <Index each={rows()}>
        {(row, at) => (
          <div class="record-row">
            <For each={props.fields}>
              {(field) => (
                <FieldInput
                  field={field}
                  draft={row()[field.name] ?? ""}
                  set={(draft) => props.set(rows().with(at, { ...row(), [field.name]: draft }))}
                />
              )}
            </For>
            <button
              type="button"
              class="text-button bad"
              onClick={() => props.set(rows().filter((_, index) => index !== at))}
            >
              Remove
            </button>
          </div>
        )}
      </Index>
      <Show when={props.mayBeNone}>
        <label class="check">
          <input
            type="checkbox"
            checked={props.draft === NONE}
            onChange={({ currentTarget: { checked } }) => props.set(checked ? NONE : [])}
          />
          none
        </label>
      </Show>
      <Show when={props.draft !== NONE && (!props.isOne || rows().length === 0)}>
        <button type="button" class="button small" onClick={() => props.set([...rows(), empty()])}>
          {props.isOne ? `Set ${props.of.toLowerCase()}` : `Add a row to ${props.of.toLowerCase()}`}
        </button>
      </Show>
    </>
  );
}

/** The text that stands for no time at all, where the venue takes it. */
const ZERO = "0";
/** Years of four digits: others are slips, which a calendar offers all the same. */
const FIRST_TIME = "1970-01-02T00:00";
const LAST_TIME = "9999-12-31T23:59";

function isTimeField(form: Pick<CallForm, "values">): boolean {
  return form.values === "TIME" || mayBeZero(form);
}

function mayBeZero({ values }: Pick<CallForm, "values">): boolean {
  return values === "TIME|0";
}

/** Names to complete by. */
function namesFor({ values }: CallForm): readonly string[] | undefined {
  if (values === "CCY") return currencyNames();
  if (values === "MARKET") return marketNames();
  return undefined;
}

/** How far the clock of this browser is from UTC, by which times are given. */
function zone(): string {
  const minutes = -new Date().getTimezoneOffset();
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? "−" : "+"}${Math.floor(size / 60)}${size % 60 === 0 ? "" : `:${size % 60}`}`;
}

/** Returns the meaning as a sentence. A value is taken back by null in JSON, and by a word here. */
function sentence(meaning: string): string {
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1).replaceAll("null", NONE)}.`;
}
