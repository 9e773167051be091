import { type Fields, type RecordOf, UNITS, type UnitTypes } from "../engine/record.ts";
import { int, text } from "./table.ts";

/** By column, the field that it keeps. */
type Kept<Of extends Fields> = Readonly<Record<string, keyof Of & string>>;

type ColumnsOf<Of extends Fields, By extends Kept<Of>> = {
  readonly [Column in keyof By]: UnitTypes[Of[By[Column]]] extends string ? typeof text : typeof int;
};
type Written<Of extends Fields, By extends Kept<Of>> = { readonly [Column in keyof By]: UnitTypes[Of[By[Column]]] };
type Read<Of extends Fields, By extends Kept<Of>> = {
  readonly [Column in keyof By]: UnitTypes[Of[By[Column]]] extends string ? string : bigint;
};
type KeptFields<Of extends Fields, By extends Kept<Of>> = Pick<RecordOf<Of>, By[keyof By]>;

/** The rows of a table that keeps fields of a record as they are. */
export interface RecordRows<Of extends Fields, By extends Kept<Of>> {
  readonly columns: ColumnsOf<Of, By>;
  /** What is written of a record. */
  readonly rowOf: (record: KeptFields<Of, By>) => Written<Of, By>;
  /** The fields that a row has kept. */
  readonly fieldsOf: (row: Read<Of, By>) => KeptFields<Of, By>;
}

/** Both ways are compiled once: rows are written and read by the thousand. */
export function recordRows<const Of extends Fields, const By extends Kept<Of>>(
  fields: Of,
  kept: By,
): RecordRows<Of, By> {
  const entries = Object.entries(kept);
  const kindOf = (field: string) => UNITS[fields[field] as keyof typeof UNITS];
  const columns = entries.map(([column, field]) => [column, kindOf(field) === "text" ? text : int] as const);
  const written = entries.map(([column, field]) => `${column}: record.${field}`);
  const read = entries.map(([column, field]) =>
    kindOf(field) === "number" ? `${field}: Number(row.${column})` : `${field}: row.${column}`,
  );
  return {
    columns: Object.fromEntries(columns),
    rowOf: new Function("record", `return { ${written.join(", ")} };`),
    fieldsOf: new Function("row", `return { ${read.join(", ")} };`),
  } as unknown as RecordRows<Of, By>;
}
