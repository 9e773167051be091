import { type Fields, type RecordOf, UNITS, type UnitTypes } from "../engine/record.ts";
import { int, text } from "./table.ts";

/** Columns whose names do not follow from their fields; null of a field that is not kept as it is. */
type Named<Of extends Fields> = { readonly [Name in keyof Of]?: string | null };

type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : "";
type UsualColumn<Name extends string, Unit> = Unit extends "ms"
  ? Name extends `${infer Moment}At`
    ? `${Snake<Moment>}_ms`
    : Snake<Name>
  : Snake<Name>;
type ColumnOf<Of extends Fields, By extends Named<Of>, Name extends keyof Of & string> = Name extends keyof By
  ? By[Name] extends string
    ? By[Name]
    : never
  : UsualColumn<Name, Of[Name]>;

type NameOf<Of extends Fields> = keyof Of & string;
type KeptNames<Of extends Fields, By extends Named<Of>> = {
  [Name in NameOf<Of>]: ColumnOf<Of, By, Name> extends never ? never : Name;
}[NameOf<Of>];
type Columns<Of extends Fields, By extends Named<Of>, Text, Other> = {
  readonly [Name in KeptNames<Of, By> as ColumnOf<Of, By, Name>]: UnitTypes[Of[Name]] extends string ? Text : Other;
};
type KeptFields<Of extends Fields, By extends Named<Of>> = Pick<RecordOf<Of>, KeptNames<Of, By>>;

/** The rows of a table that keeps fields of a record as they are. */
export interface RecordRows<Of extends Fields, By extends Named<Of>> {
  readonly columns: Columns<Of, By, typeof text, typeof int>;
  /** Returns the columns that are written of a record. */
  readonly rowOf: (record: KeptFields<Of, By>) => {
    readonly [Name in KeptNames<Of, By> as ColumnOf<Of, By, Name>]: UnitTypes[Of[Name]] extends boolean
      ? number
      : UnitTypes[Of[Name]];
  };
  /** The fields that a row has kept. */
  readonly fieldsOf: (row: Columns<Of, By, string, bigint>) => KeptFields<Of, By>;
}

/**
 * A column for each field, in their order: `filledLots` stands in `filled_lots`, and the time `createdAt` in
 * `created_ms`. Both ways are compiled once: rows are written and read by the thousand.
 */
export function recordRows<const Of extends Fields, const By extends Named<Of>>(
  fields: Of,
  named: By,
): RecordRows<Of, By> {
  const entries = Object.entries(fields).flatMap(([field, unit]) => {
    const column = Object.hasOwn(named, field) ? named[field] : usualColumn(field, unit);
    return column === null || column === undefined ? [] : [{ column, field, kind: UNITS[unit] }];
  });
  const columns = entries.map(({ column, kind }) => [column, kind === "text" ? text : int] as const);
  const written = entries.map(({ column, field, kind }) => `${column}: ${WRITTEN[kind](`record.${field}`)}`);
  const read = entries.map(({ column, field, kind }) => `${field}: ${READ[kind](`row.${column}`)}`);
  return {
    columns: Object.fromEntries(columns),
    rowOf: new Function("record", `return { ${written.join(", ")} };`),
    fieldsOf: new Function("row", `return { ${read.join(", ")} };`),
  } as unknown as RecordRows<Of, By>;
}

const asItIs = (value: string) => value;
const WRITTEN = { number: asItIs, whole: asItIs, text: asItIs, flag: (value: string) => `${value} ? 1 : 0` };
const READ = {
  number: (value: string) => `Number(${value})`,
  whole: asItIs,
  text: asItIs,
  flag: (value: string) => `${value} !== 0n`,
};

function usualColumn(field: string, unit: string): string {
  const name = unit === "ms" ? field.replace(/At$/, "Ms") : field;
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
