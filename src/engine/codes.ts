/**
 * Enumerations whose codes travel in records, snapshots and the log: declared once, and never changed.
 */

/** The names of codes from 0 without a gap, by code: `namesOf({ buy: 0, sell: 1 })` is `["buy", "sell"]`. */
export function namesOf<const Codes extends Readonly<Record<string, number>>>(
  codes: Codes,
): readonly (keyof Codes & string)[] {
  const names = Object.keys(codes);
  for (const [at, name] of names.entries()) {
    if (codes[name] !== at) throw new Error(`${name} should have code ${at}, and has ${codes[name]}.`);
  }
  return names;
}

/** The codes that a part has declared, by name. */
export type CodesOf<Rows> = { readonly [Name in keyof Rows]: Rows[Name] extends { code: infer Own } ? Own : never };

/** The codes of rows, by name; no two have the same. */
export function codesOf<const Rows extends Readonly<Record<string, { readonly code: number }>>>(
  rows: Rows,
): CodesOf<Rows> {
  const codes = Object.fromEntries(Object.entries(rows).map(([name, { code }]) => [name, code]));
  const names = Object.keys(codes);
  if (new Set(Object.values(codes)).size < names.length) throw new Error(`Two of ${names.join(", ")} share a code.`);
  return codes as CodesOf<Rows>;
}

/**
 * An enumeration that parts add to: each declares names of its own with their codes and what is to be known of them.
 * Declaring is the only way to get a code, so that none is forgotten; a name or code that is taken ends the program
 * where it starts. So does a declaration after the first look at all of them, which would have missed it.
 */
export class Codes<Traits extends object> {
  private readonly what: string;
  private readonly codeMax: number;
  private readonly codes = new Map<string, number>();
  private readonly names: (string | undefined)[] = [];
  /** By code. */
  private readonly traits: (Traits | undefined)[] = [];
  private isRead = false;

  /** `what` one of them is, for sentences; `codeMax` is what its place in records can hold. */
  constructor(what: string, codeMax: number) {
    this.what = what;
    this.codeMax = codeMax;
  }

  declare<const Rows extends Readonly<Record<string, Traits & { readonly code: number }>>>(rows: Rows): CodesOf<Rows> {
    for (const [name, row] of Object.entries(rows)) {
      const { code } = row;
      const fault = this.faultOf(name, code);
      if (fault !== undefined) throw new Error(`The ${this.what} ${name} cannot have code ${code}: ${fault}.`);
      this.codes.set(name, code);
      this.names[code] = name;
      this.traits[code] = row;
    }
    return codesOf(rows);
  }

  /** All names, in the order of their codes. */
  all(): string[] {
    this.isRead = true;
    return this.names.filter((name) => name !== undefined);
  }

  /** Those of which `fits` holds, in the order of their codes. */
  those(fits: (traits: Traits) => boolean): string[] {
    return this.all().filter((name) => fits(this.traitsOf(this.codeOf(name))));
  }

  has(code: number): boolean {
    return this.names[code] !== undefined;
  }

  nameOf(code: number): string {
    return this.names[code] ?? this.missing(code);
  }

  codeOf(name: string): number {
    const code = this.codes.get(name);
    if (code === undefined) throw new Error(`There is no ${this.what} ${name}.`);
    return code;
  }

  traitsOf(code: number): Traits {
    return this.traits[code] ?? this.missing(code);
  }

  private missing(code: number): never {
    throw new Error(`There is no ${this.what} of code ${code}; a newer version may know it.`);
  }

  private faultOf(name: string, code: number): string | undefined {
    if (this.isRead) return "all of them have been read already, before its part was";
    if (this.codes.has(name)) return "the name is taken";
    if (this.names[code] !== undefined) return `it is that of ${this.names[code]}`;
    return code >= 0 && code <= this.codeMax ? undefined : `they go from 0 to ${this.codeMax}`;
  }
}
