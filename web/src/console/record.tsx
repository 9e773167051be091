/** Records as they come from the venue, each field shown by what it is. */
import { For, type JSX, Match, Show, Switch } from "solid-js";
import { isDecimal } from "../number/decimal.ts";
import { dayAndTime, grouped } from "../number/show.ts";
import { deviceOf } from "../ui/device.ts";
import { Copyable, Moment } from "../ui/figure.tsx";
import { READ } from "../ui/read-state.tsx";
import { Table } from "../ui/table.tsx";
import type { Row } from "./area.ts";
import { Scrolling } from "./scrolling.tsx";
import { valueWords, wordsOf } from "./words.ts";

const NOTHING = "–";
const TIME_NAME =
  /(?:_at|At|^time|_ms|_time|_from|_until|protect_duration_(?:start|end)|protectDuration(?:Start|End))$/;
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Shorter numbers are no times in ms. */
const TIME_MS_MIN = 1_000_000_000_000;
/** Names of things, however many digits they have. */
const ID_NAME = /(?:id|Id|_no|seq|height|port|code)$/;
/** From here on nobody reads it, and it is copied. */
const LONG_TEXT = 28;
const SHORT_TEXT = 10;

/** `isShort`: a long text shows its beginning, and is copied whole. */
export function Value(props: { name: string; value: unknown; isShort?: boolean }): JSX.Element {
  const text = () => String(props.value);
  const isTime = () => isTimeName(props.name, props.value);
  const isEmpty = () =>
    props.value === null ||
    props.value === undefined ||
    props.value === "" ||
    (Array.isArray(props.value) && props.value.length === 0) ||
    (TIME_NAME.test(props.name) && props.value === 0);
  return (
    <Switch fallback={valueWords(props.name, text())}>
      <Match when={isEmpty()}>
        <span class="quiet">{NOTHING}</span>
      </Match>
      <Match when={props.name === "agent"}>
        <span title={text()}>{deviceOf(text())}</span>
      </Match>
      <Match when={typeof props.value === "boolean"}>{props.value === true ? "Yes" : "No"}</Match>
      <Match when={isTime()}>
        <Time at={props.value as number} />
      </Match>
      <Match when={typeof props.value === "string" && ISO_TIME.test(props.value)}>
        <Time at={Date.parse(text())} />
      </Match>
      <Match when={recordIn(props.value)}>{(record) => <Record of={record()} />}</Match>
      <Match when={isNumber(props.name, props.value)}>
        <span class="figure">{grouped(text())}</span>
      </Match>
      <Match when={Array.isArray(props.value) && props.value.every((each) => typeof each !== "object")}>
        {(props.value as unknown[]).map((each) => valueWords(props.name, String(each))).join(", ")}
      </Match>
      <Match when={Array.isArray(props.value)}>
        <Rows name={wordsOf(props.name)} rows={props.value as Row[]} />
      </Match>
      <Match when={typeof props.value === "object"}>
        <Record of={props.value as Row} />
      </Match>
      <Match when={text().length > LONG_TEXT && !text().includes(" ")}>
        <code>
          <Copyable value={text()} shown={props.isShort === true ? `${text().slice(0, SHORT_TEXT)}…` : text()} />
        </code>
      </Match>
    </Switch>
  );
}

export function Time(props: { at: number }) {
  return <Moment at={props.at} shown={timeText(props.at)} />;
}

/** With the year where it is another one. */
export function timeText(ms: number): string {
  const year = new Date(ms).getFullYear();
  return year === new Date().getFullYear() ? dayAndTime(ms) : `${year}/${dayAndTime(ms)}`;
}

export function isTimeName(name: string, value: unknown): value is number {
  return TIME_NAME.test(name) && typeof value === "number" && value >= TIME_MS_MIN;
}

/** Returns the record that stands in a text as JSON, such as a command that was proposed; undefined where none does. */
export function recordIn(value: unknown): Row | undefined {
  if (typeof value !== "string" || !value.startsWith("{")) return undefined;
  try {
    return JSON.parse(value) as Row;
  } catch {
    return undefined;
  }
}

/** All fields of a record, one below the other. */
export function Record(props: { of: Row; without?: readonly string[] }) {
  const names = () => Object.keys(props.of).filter((name) => props.without?.includes(name) !== true);
  return (
    <dl class="record">
      <For each={names()}>
        {(name) => (
          <div classList={{ wide: isNested(props.of[name]) }}>
            <dt>{wordsOf(name)}</dt>
            <dd>
              <Value name={name} value={props.of[name]} />
            </dd>
          </div>
        )}
      </For>
    </dl>
  );
}

/** Of more fields than that, rows are not read beside each other, and do not fit a panel. */
const COLUMNS_MAX = 6;

/**
 * A list within a record, with a column for each field of its first row; rows of many fields, and rows that hold
 * records, are records themselves.
 */
function Rows(props: { name: string; rows: readonly Row[] }) {
  const areRecords = () => props.rows.some((row) => Object.keys(row).length > COLUMNS_MAX || hasRecords(row));
  return (
    <Show when={areRecords()} fallback={<Columns {...props} />}>
      <ul class="nested records" aria-label={props.name}>
        <For each={props.rows}>
          {(row) => (
            <li>
              <Record of={row} />
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

function Columns(props: { name: string; rows: readonly Row[] }) {
  const columns = () =>
    Object.keys(props.rows[0] ?? {}).map((name) => ({
      name: wordsOf(name),
      isNumber: isNumber(name, props.rows[0]?.[name]),
      isText: props.rows.some((row) => isSentence(row[name])),
      cell: (row: Row) => <Value name={name} value={row[name]} isShort />,
    }));
  return (
    <Scrolling class="nested" name={props.name}>
      <Show when={props.rows.length > 0} fallback={NOTHING}>
        <Table isCards="lines" label={props.name} state={READ} columns={columns()} rows={props.rows} empty="" />
      </Show>
    </Scrolling>
  );
}

/** Whether it is an amount, a price, a rate or a count, and not the name of something. */
export function isNumber(name: string, value: unknown): boolean {
  if (ID_NAME.test(name)) return false;
  return typeof value === "number" || (typeof value === "string" && isDecimal(value.replace(/^-/, "")));
}

function hasRecords(row: Row): boolean {
  return Object.values(row).some(isNested);
}

function isSentence(value: unknown): boolean {
  return typeof value === "string" && value.length > LONG_TEXT && value.includes(" ");
}

function isNested(value: unknown): boolean {
  if (recordIn(value) !== undefined) return true;
  return typeof value === "object" && value !== null && !(Array.isArray(value) && typeof value[0] !== "object");
}
