import type { EnumType, Field, RecordType, Vocabulary } from "../../src/gateway/request/rules.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A field that need not be there, or that stands for every member without a field of its own, as `<asset>` does. */
type AnyField = Field & { readonly optional?: boolean };

/** From here on a time is one in ms, below it is one in seconds. */
const MS_FROM = 100_000_000_000;

/**
 * Looks whether values are exactly what a contract says of them: of every record neither a field less nor one more,
 * each of its type. Collects sentences that name what is wrong.
 */
export class RecordJudge {
  readonly breaches: string[] = [];
  readonly #vocabulary: Vocabulary;
  readonly #about: string;

  /** `about` begins each sentence. */
  constructor(vocabulary: Vocabulary, about: string) {
    this.#vocabulary = vocabulary;
    this.#about = about;
  }

  record(value: unknown, name: string, where: string): void {
    const record = this.#vocabulary.records.get(name) as RecordType;
    const fields = record.fields as readonly AnyField[];
    if (record.kind === "tuple") {
      const isTuple = Array.isArray(value) && value.length === fields.length;
      this.expect(isTuple, where, `is ${JSON.stringify(value)} and no list of ${fields.length}`);
      if (isTuple) for (const [at, field] of fields.entries()) this.#field(value[at], field, `${where}[${at}]`);
      return;
    }
    const named = fields.filter((field) => !field.name.startsWith("<"));
    const other = fields.find((field) => field.name.startsWith("<"));
    const needed = named.filter((field) => field.optional !== true).map((field) => field.name);
    const possible = new Set(named.map((field) => field.name));
    if (!this.object(value, needed, where, (key) => other !== undefined || possible.has(key))) return;
    for (const field of named) {
      if (Object.hasOwn(value, field.name)) this.#field(value[field.name], field, `${where}.${field.name}`);
    }
    if (other === undefined) return;
    for (const key of Object.keys(value).filter((each) => !possible.has(each))) {
      this.#field(value[key], other, `${where}.${key}`);
    }
  }

  #field(value: unknown, field: Field, where: string): void {
    if (value === null) this.expect(field.nullable, where, "is null");
    // Where a value may be missing and null is not meant, the contract says that it may be empty.
    else if (value === "" && /\bempty\b/.test(field.meaning)) return;
    else {
      this.value(value, field.type, field.enum ?? undefined, where, field.form);
      const unit = /, (ms|s)\b/.exec(field.meaning)?.[1];
      if (unit === undefined || typeof value !== "number" || value === 0) return;
      this.expect(value >= MS_FROM === (unit === "ms"), where, `is ${value}, which is no time in ${unit}`);
    }
  }

  value(value: unknown, type: string, enumName: string | undefined, where: string, form?: string): void {
    const item = /^array<(.+)>$/.exec(type)?.[1];
    const member = /^map<(.+)>$/.exec(type)?.[1];
    const inner = /^object<(.+)>$/.exec(type)?.[1];
    if (item !== undefined) {
      this.each(value, where, (each, at) => this.value(each, item, enumName, at));
    } else if (member !== undefined) {
      this.map(value, where, (each, at) => this.value(each, member, enumName, at));
    } else if (inner !== undefined || this.#vocabulary.records.has(type)) {
      this.record(value, inner ?? type, where);
    } else if (enumName !== undefined) {
      const { values } = this.#vocabulary.enums.get(enumName) as EnumType;
      this.expect(
        values.some((each) => each.value === value),
        where,
        `is ${JSON.stringify(value)}, which is no ${enumName}`,
      );
    } else {
      this.expect(this.#isScalar(value, type, form), where, `is ${JSON.stringify(value)}, which is no ${type}`);
    }
  }

  /** A decimal has no sign unless its form says so. */
  #isScalar(value: unknown, type: string, form = "decimal"): boolean {
    switch (type) {
      case "string":
        return typeof value === "string";
      case "decimal":
        return typeof value === "string" && new RegExp(this.#vocabulary.forms.get(form)?.pattern ?? "$^").test(value);
      case "int":
        return isCount(value);
      case "float":
        return Number.isFinite(value) && (value as number) >= 0;
      case "bool":
        return typeof value === "boolean";
      default:
        return false;
    }
  }

  each(value: unknown, where: string, judge: (each: unknown, where: string) => void): void {
    this.expect(Array.isArray(value), where, "is no list");
    if (!Array.isArray(value)) return;
    for (const [index, each] of value.entries()) judge(each, `${where}[${index}]`);
  }

  /** An object whatever its keys. */
  map(value: unknown, where: string, judge: (each: unknown, where: string) => void): void {
    if (!this.object(value, [], where, () => true)) return;
    for (const [key, each] of Object.entries(value)) judge(each, `${where}.${key}`);
  }

  /** An object with these keys, in whatever order, and with no more but those that `may` be there. */
  object(value: unknown, keys: readonly string[], where: string, may = (_key: string) => false): value is Json {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.expect(false, where, `is ${JSON.stringify(value)} and no object`);
      return false;
    }
    const found = Object.keys(value)
      .filter((key) => keys.includes(key) || !may(key))
      .sort()
      .join();
    const expected = [...keys].sort().join();
    this.expect(found === expected, where, `has the fields ${found}, not ${expected}`);
    return found === expected;
  }

  expect(holds: boolean, where: string, wrong: string): void {
    if (!holds) this.breaches.push(`${this.#about}: ${where} ${wrong}.`);
  }
}

/** Ids, counts and times: whole and exact. */
export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
