/**
 * How a contract says what values must be: the rules of parameters and of the fields of records, which every generation
 * of the API and the sockets have in common, and the words that those rules use.
 */

export type Scalar = string | number | boolean;

/** The rule for a value; shared by parameters and by the fields of request records. */
export interface ValueRule {
  readonly name: string;
  readonly type: string;
  readonly enum?: string | null;
  readonly form?: string;
  /** Of whole numbers: a text that holds one is none. */
  readonly numbers_only?: boolean;
  /** A number, or the name of a limit. */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly min_items?: number | string;
  readonly max_items?: number | string;
  readonly required_unless?: { readonly param: string; readonly value: Scalar };
}

export interface Param extends ValueRule {
  readonly in: "query" | "body";
  readonly required: boolean;
  readonly default: Scalar | null;
  readonly rule: string;
}

export interface Field extends ValueRule {
  readonly nullable: boolean;
  /** The name in the venue's record of the value that it shows; absent: the same name, in camel case. */
  readonly of?: string;
  /** There are answers whose record lacks it. */
  readonly optional?: boolean;
  readonly meaning: string;
}

export interface RecordType {
  /** A tuple is a list whose members are the fields in order. */
  readonly kind?: "tuple";
  readonly fields: readonly Field[];
  readonly notes?: readonly string[];
}

export interface EnumType {
  readonly values: readonly { readonly value: Scalar; readonly meaning: string }[];
  /** The texts are taken in lower case, too; they are told as they stand. */
  readonly or_lower_case?: boolean;
  readonly notes: readonly string[];
}

export interface Form {
  readonly name: string;
  readonly pattern: string;
  readonly expected: string;
}

/** The names that the rules of a contract use. */
export interface Vocabulary {
  /** By name; a record that several areas share is the same in all of them. */
  readonly records: ReadonlyMap<string, RecordType>;
  readonly enums: ReadonlyMap<string, EnumType>;
  readonly forms: ReadonlyMap<string, Form>;
  readonly limits: ReadonlyMap<string, number>;
}

/** A bound of the contract: the number itself, or the limit it names. */
export function boundOf(
  { limits }: Pick<Vocabulary, "limits">,
  bound: number | string | undefined,
): number | undefined {
  if (typeof bound !== "string") return bound;
  const limit = limits.get(bound);
  if (limit === undefined) throw new Error(`The contract names a limit "${bound}" that it does not list.`);
  return limit;
}
