/** Columns that lists have in common. */
import { Show } from "solid-js";
import type { Column } from "../ui/table.tsx";
import type { Row } from "./area.ts";
import { Time, Value } from "./record.tsx";
import { UserName } from "./user-name.tsx";

export function text(name: string, field: string, terms: Partial<Column<Row>> = {}): Column<Row> {
  return { name, cell: (row) => <Value name={field} value={row[field]} isShort />, ...terms };
}

export function number(name: string, field: string, terms: Partial<Column<Row>> = {}): Column<Row> {
  return text(name, field, { isNumber: true, ...terms });
}

/** A user by name and number; a dash where there is none. */
export function user(name = "User", field = "user_id", terms: Partial<Column<Row>> = {}): Column<Row> {
  return {
    name,
    cell: (row) => (
      <Show when={row[field]} fallback={<span class="quiet">–</span>}>
        {(id) => <UserName id={id()} />}
      </Show>
    ),
    ...terms,
  };
}

/** An amount with its currency behind it. */
export function amount(name: string, field: string, ccy = "ccy"): Column<Row> {
  return {
    name,
    isNumber: true,
    cell: (row) => (
      <>
        <Value name={field} value={row[field]} /> {row[ccy]}
      </>
    ),
  };
}

export function time(name: string, field: string, terms: Partial<Column<Row>> = {}): Column<Row> {
  return {
    name,
    cell: (row) => (
      <Show when={row[field]} fallback={<span class="quiet">–</span>}>
        <Time at={typeof row[field] === "string" ? Date.parse(row[field]) : row[field]} />
      </Show>
    ),
    ...terms,
  };
}

/** A long text on one line, whole where the pointer rests. */
export function brief(name: string, of: (row: Row) => string): Column<Row> {
  return {
    name,
    isMinor: true,
    cell: (row) => (
      <span class="brief" title={of(row)}>
        {of(row)}
      </span>
    ),
  };
}

/** A word that stands out: `tones` say how, by the word. */
export function tag(
  name: string,
  field: string,
  tones: Readonly<Record<string, "up" | "down" | "warning" | "plain">>,
): Column<Row> {
  return {
    name,
    cell: (row) => {
      const word = String(row[field]);
      return <span class={`state ${tones[word] ?? "plain"}`}>{word.replaceAll("_", " ")}</span>;
    },
  };
}
