/**
 * How a record says what its fields count. The type of the record, its rows in history and what every surface shows of it follow
 * from this one table: see docs/architecture.md, "Records".
 */

/** What the value of each unit is. */
export interface UnitTypes {
  readonly id: number;
  readonly ms: number;
  readonly text: string;
  /** A price; 0 where there is none. */
  readonly ticks: bigint;
  readonly lots: bigint;
  /** Lots, or units of the quote asset where the amount of the order counts these. */
  readonly asked: bigint;
  /** Units of the quote asset, of a futures market of its settlement asset. */
  readonly value: bigint;
  /** Units of the base asset. */
  readonly base: bigint;
  /** Units of the asset that fees are deducted in. */
  readonly deduction: bigint;
  /** A rate in units of 10^-8. */
  readonly rateE8: number;
}

export type Unit = keyof UnitTypes;
export type Fields = Readonly<Record<string, Unit>>;

/** A record with these fields. */
export type RecordOf<Of extends Fields> = { readonly [Name in keyof Of]: UnitTypes[Of[Name]] };
