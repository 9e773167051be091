/**
 * Enumerations whose numbers travel in records, snapshots and the log: declared once, and never changed.
 */

/** The names of numbers from 0 without a gap, by number: `namesOf({ buy: 0, sell: 1 })` is `["buy", "sell"]`. */
export function namesOf<const Numbers extends Readonly<Record<string, number>>>(
  numbers: Numbers,
): readonly (keyof Numbers & string)[] {
  const names = Object.keys(numbers);
  for (const [at, name] of names.entries()) {
    if (numbers[name] !== at) throw new Error(`${name} should have number ${at}, and has ${numbers[name]}.`);
  }
  return names;
}

/** The numbers that a part has declared, by name. */
export type NumbersOf<Rows> = { readonly [Name in keyof Rows]: Rows[Name] extends { number: infer Own } ? Own : never };

/** The numbers of rows, by name; no two have the same. */
export function numbersOf<const Rows extends Readonly<Record<string, { readonly number: number }>>>(
  rows: Rows,
): NumbersOf<Rows> {
  const numbers = Object.fromEntries(Object.entries(rows).map(([name, { number }]) => [name, number]));
  const names = Object.keys(numbers);
  if (new Set(Object.values(numbers)).size < names.length)
    throw new Error(`Two of ${names.join(", ")} share a number.`);
  return numbers as NumbersOf<Rows>;
}

/**
 * An enumeration that parts add to: each declares names of its own with their numbers and what is to be known of them.
 * Declaring is the only way to get a number, so that none is forgotten; a name or number that is taken ends the program
 * where it starts. So does a declaration after the first look at all of them, which would have missed it.
 */
export class Numbered<Traits extends object> {
  private readonly what: string;
  private readonly numberMax: number;
  private readonly numbers = new Map<string, number>();
  private readonly names: (string | undefined)[] = [];
  /** By number. */
  private readonly traits: (Traits | undefined)[] = [];
  private isRead = false;

  /** `what` one of them is, for sentences; `numberMax` is what its place in records can hold. */
  constructor(what: string, numberMax: number) {
    this.what = what;
    this.numberMax = numberMax;
  }

  declare<const Rows extends Readonly<Record<string, Traits & { readonly number: number }>>>(
    rows: Rows,
  ): NumbersOf<Rows> {
    for (const [name, row] of Object.entries(rows)) {
      const { number } = row;
      const fault = this.faultOf(name, number);
      if (fault !== undefined) throw new Error(`The ${this.what} ${name} cannot have number ${number}: ${fault}.`);
      this.numbers.set(name, number);
      this.names[number] = name;
      this.traits[number] = row;
    }
    return numbersOf(rows);
  }

  /** All names, in the order of their numbers. */
  all(): string[] {
    this.isRead = true;
    return this.names.filter((name) => name !== undefined);
  }

  /** Those of which `fits` holds, in the order of their numbers. */
  those(fits: (traits: Traits) => boolean): string[] {
    return this.all().filter((name) => fits(this.traitsOf(this.numberOf(name))));
  }

  has(number: number): boolean {
    return this.names[number] !== undefined;
  }

  nameOf(number: number): string {
    return this.names[number] ?? this.missing(number);
  }

  numberOf(name: string): number {
    const number = this.numbers.get(name);
    if (number === undefined) throw new Error(`There is no ${this.what} ${name}.`);
    return number;
  }

  traitsOf(number: number): Traits {
    return this.traits[number] ?? this.missing(number);
  }

  private missing(number: number): never {
    throw new Error(`There is no ${this.what} of number ${number}; a newer version may know it.`);
  }

  private faultOf(name: string, number: number): string | undefined {
    if (this.isRead) return "all of them have been read already, before its part was";
    if (this.numbers.has(name)) return "the name is taken";
    if (this.names[number] !== undefined) return `it is that of ${this.names[number]}`;
    return number >= 0 && number <= this.numberMax ? undefined : `they go from 0 to ${this.numberMax}`;
  }
}
