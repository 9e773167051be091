/**
 * How a record says what its fields count. The type of the record, its rows in history and what every surface shows of
 * it follow from this one table: see docs/background/architecture.md, "Records".
 */

/** The type of a value, by its unit: a number, a whole number of any size, a text, or whether something is so. */
export const UNITS = {
  id: "number",
  ms: "number",
  text: "text",
  /** A decimal number of a currency. */
  decimal: "text",
  count: "number",
  flag: "flag",
  /** A price; 0 where there is none. */
  ticks: "whole",
  lots: "whole",
  /** Lots, or units of the quote asset where the amount of the order counts these. */
  asked: "whole",
  /** Units of the quote asset, of a futures market of its settlement asset. */
  value: "whole",
  /** Units of the base asset. */
  base: "whole",
  /** Units of the asset that fees are deducted in. */
  deduction: "whole",
  /** A rate in units of 10^-8. */
  rateE8: "number",
} as const;

interface KindTypes {
  readonly number: number;
  readonly whole: bigint;
  readonly text: string;
  readonly flag: boolean;
}

export type Unit = keyof typeof UNITS;
export type UnitTypes = { readonly [Of in Unit]: KindTypes[(typeof UNITS)[Of]] };
export type Fields = Readonly<Record<string, Unit>>;

/** A record with these fields. */
export type RecordOf<Of extends Fields> = { readonly [Name in keyof Of]: UnitTypes[Of[Name]] };
