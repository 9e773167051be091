import { type Contract, type Endpoint, endpointName } from "../../src/gateway/current/contract.ts";
import type { EnumType, Field, RecordType } from "../../src/gateway/request/rules.ts";

/**
 * Whether a successful answer is exactly what the contract promises: the envelope, and of every record neither a field
 * less nor one more, each of its type. Gives sentences that name what is wrong; empty when all is well. `params` are those of
 * the request: where the record depends on one, they say which it is.
 */
export function shapeBreaches(contract: Contract, endpoint: Endpoint, envelope: unknown, params: Json = {}): string[] {
  const judge = new Judge(contract, endpoint, params);
  judge.envelope(envelope);
  return judge.breaches;
}

/** Whether a refusal has the shape of one, with this code. */
export function refusalBreaches(envelope: unknown, code: number): string[] {
  const expected = JSON.stringify({ code, data: {}, message: "" });
  const { message, ...rest } = envelope as { message?: unknown };
  const shown = JSON.stringify({ ...rest, message: "" });
  if (shown !== expected) return [`A refusal with code ${code} was expected, not ${JSON.stringify(envelope)}.`];
  return typeof message === "string" && message !== "" ? [] : ["A refusal says nothing in its message."];
}

type Json = Readonly<Record<string, unknown>>;

class Judge {
  readonly breaches: string[] = [];
  readonly #contract: Contract;
  readonly #endpoint: Endpoint;

  readonly #params: Json;

  constructor(contract: Contract, endpoint: Endpoint, params: Json) {
    this.#contract = contract;
    this.#endpoint = endpoint;
    this.#params = params;
  }

  envelope(envelope: unknown): void {
    const { kind, pagination, record_by } = this.#endpoint.result;
    const record = record_by?.values[String(this.#params[record_by.param])] ?? this.#endpoint.result.record;
    const keys = kind === "page" ? ["code", "data", "pagination", "message"] : ["code", "data", "message"];
    if (!this.#object(envelope, keys, "the envelope")) return;
    const { code, data, message } = envelope;
    this.#expect(code === 0, "code", `is ${code}`);
    this.#expect(message === "OK", "message", `is ${message}`);
    switch (kind) {
      case "empty":
        this.#object(data, [], "data");
        break;
      case "object":
        this.#record(data, record as string, "data");
        break;
      case "batch":
        this.#each(data, "data", (element, where) => this.#element(element, record as string, where));
        break;
      default:
        this.#each(data, "data", (row, where) => this.#record(row, record as string, where));
    }
    if (kind !== "page" || !this.#object(envelope["pagination"], pagination, "pagination")) return;
    const { has_next, total } = envelope["pagination"];
    this.#expect(typeof has_next === "boolean", "pagination.has_next", "is no boolean");
    if (pagination.includes("total")) this.#expect(isCount(total), "pagination.total", "is no count");
  }

  #element(element: unknown, record: string, where: string): void {
    if (!this.#object(element, ["code", "data", "message"], where)) return;
    this.#expect(typeof element["message"] === "string", where, "has no message");
    if (element["code"] === 0) this.#record(element["data"], record, `${where}.data`);
    else this.#expect(element["data"] === null, where, "has failed and yet holds data");
  }

  #record(value: unknown, name: string, where: string): void {
    const record = this.#contract.records.get(name) as RecordType;
    const names = record.fields.map((field) => field.name);
    if (!this.#object(value, names, where)) return;
    for (const field of record.fields) this.#field(value[field.name], field, `${where}.${field.name}`);
  }

  #field(value: unknown, field: Field, where: string): void {
    if (value === null) this.#expect(field.nullable, where, "is null");
    // Where a value may be missing and null is not meant, the contract says that it may be empty.
    else if (value === "" && /\bempty\b/.test(field.meaning)) return;
    else this.#value(value, field.type, field.enum ?? undefined, where, field.form);
  }

  #value(value: unknown, type: string, enumName: string | undefined, where: string, form?: string): void {
    const item = /^array<(.+)>$/.exec(type)?.[1];
    const inner = /^object<(.+)>$/.exec(type)?.[1];
    if (item !== undefined) {
      this.#each(value, where, (each, at) => this.#value(each, item, enumName, at));
    } else if (inner !== undefined || this.#contract.records.has(type)) {
      this.#record(value, inner ?? type, where);
    } else if (enumName !== undefined) {
      const { values } = this.#contract.enums.get(enumName) as EnumType;
      this.#expect(
        values.some((each) => each.value === value),
        where,
        `is ${JSON.stringify(value)}, which is no ${enumName}`,
      );
    } else {
      this.#expect(this.#isScalar(value, type, form), where, `is ${JSON.stringify(value)}, which is no ${type}`);
    }
  }

  /** A decimal has no sign unless its form says so. */
  #isScalar(value: unknown, type: string, form = "decimal"): boolean {
    switch (type) {
      case "string":
        return typeof value === "string";
      case "decimal":
        return typeof value === "string" && new RegExp(this.#contract.forms.get(form)?.pattern ?? "$^").test(value);
      case "int":
        return isCount(value);
      case "bool":
        return typeof value === "boolean";
      default:
        return false;
    }
  }

  #each(value: unknown, where: string, judge: (each: unknown, where: string) => void): void {
    this.#expect(Array.isArray(value), where, "is no list");
    if (!Array.isArray(value)) return;
    for (const [index, each] of value.entries()) judge(each, `${where}[${index}]`);
  }

  /** An object with these keys, in whatever order. */
  #object(value: unknown, keys: readonly string[], where: string): value is Json {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.#expect(false, where, `is ${JSON.stringify(value)} and no object`);
      return false;
    }
    const found = Object.keys(value).sort().join();
    const expected = [...keys].sort().join();
    this.#expect(found === expected, where, `has the fields ${found}, not ${expected}`);
    return found === expected;
  }

  #expect(holds: boolean, where: string, wrong: string): void {
    if (!holds) this.breaches.push(`${endpointName(this.#endpoint)}: ${where} ${wrong}.`);
  }
}

/** Ids, counts and times: whole and exact. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
