/**
 * Printers of records. The contract lists the fields of a record in the order in which they are told, with the JSON
 * type of each; a shape says where each comes from. Both are put together once, into a function that joins the texts of
 * the fields: it takes less time than a template would, because all that is the same in every record is one text
 * already.
 */
import type { Fields, Unit, UnitTypes } from "../../engine/record.ts";
import type { RecordType } from "../request/rules.ts";
import type { JsonText } from "./json-text.ts";
import { type MarketPrinter, rateText } from "./market-printer.ts";

/**
 * A value in a record: a number, or a text without its quotes, in which nothing is left to escape; null where the
 * contract has it.
 */
type Shown = string | number | null;

/** How values of each unit are shown. A unit that no record of the surface has may be missing. */
export type UnitTexts<Row> = {
  readonly [Of in Unit]?: (value: UnitTypes[Of], printer: MarketPrinter, row: Row) => Shown;
};

/** Where the fields of a record come from. */
export interface Shape<Row, More> {
  /** Fields of the row that are shown by their unit. */
  readonly fields: Fields;
  readonly units: UnitTexts<Row>;
  /** All else that is shown, by name; it goes before a field of the same name. A text is the same in every record. */
  readonly others: Readonly<
    Record<string, string | number | ((row: Row, printer: MarketPrinter, more: More) => Shown)>
  >;
}

/** `more` is what is known beside the row. */
export type RecordPrinter<Row, More> = (
  row: Row,
  printer: MarketPrinter,
  ...more: unknown extends More ? [] : [more: More]
) => JsonText;

/** Units as most surfaces show them. */
export const UNIT_TEXTS = {
  id: (value) => value,
  ms: (value) => value,
  text: (value) => value,
  ticks: (value, printer) => printer.priceOrNothing(value),
  lots: (value, printer) => printer.amount(value),
  value: (value, printer) => printer.value(value),
  base: (value, printer) => printer.baseFee(value),
  deduction: (value, printer) => printer.discountFee(value),
  rateE8: (value) => rateText(value),
} as const satisfies UnitTexts<unknown>;

/** The printer of a record. Throws when the shape does not say where one of its fields comes from. */
export function recordPrinter<Row, More = unknown>(
  { fields }: Pick<RecordType, "fields">,
  shape: Shape<Row, More>,
): RecordPrinter<Row, More> {
  const called: unknown[] = [];
  const sums: string[] = [];
  let text = "";
  for (const field of fields) {
    const { name, type, nullable } = field;
    const of = sourceOf(field);
    const isQuoted = type === "decimal" || type === "string";
    const quote = isQuoted && !nullable ? '"' : "";
    text += `${text === "" && sums.length === 0 ? "{" : ","}"${name}":${quote}`;
    const other = own(shape.others, of);
    if (typeof other === "string" || typeof other === "number") {
      text += `${other}${quote}`;
      continue;
    }
    const unit = own(shape.fields, of);
    const show = other ?? (unit && shape.units[unit]);
    if (show === undefined) throw new Error(`Nothing says what "${of}" is, which the contract shows as ${name}.`);
    const call = `f${called.push(show) - 1}(${other === undefined ? `row.${of}, printer, row` : "row, printer, more"})`;
    sums.push(JSON.stringify(text), isQuoted && nullable ? `quoted(${call})` : call);
    text = quote;
  }
  sums.push(JSON.stringify(`${text}}`));
  const names = called.map((_, at) => `f${at}`);
  const compiled = new Function("quoted", ...names, `return (row, printer, more) => ${sums.join(" + ")};`);
  return compiled(quotedOrNull, ...called) as RecordPrinter<Row, More>;
}

function quotedOrNull(text: Shown): string {
  return text === null ? "null" : `"${text}"`;
}

function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The name of what a field of the contract shows. */
export function sourceOf({ name, of }: RecordType["fields"][number]): string {
  return of ?? camelCase(name);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
