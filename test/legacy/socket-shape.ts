import type { LegacySocketContract } from "../../src/gateway/legacy/sockets/contract.ts";
import type { Field } from "../../src/gateway/request/rules.ts";

/** What is wrong with a value that is to be of a type of the contract, in sentences; empty when nothing is. */
export function typeBreaches({ values }: LegacySocketContract, type: string, value: unknown, where: string): string[] {
  const list = /^array<(\w+)>$/.exec(type)?.[1];
  const map = /^map<(\w+)>$/.exec(type)?.[1];
  const inner = (each: string, one: unknown, at: string) =>
    typeBreaches({ values } as LegacySocketContract, each, one, at);
  if (list !== undefined) {
    if (!Array.isArray(value)) return [`${where} is no list: ${JSON.stringify(value)}`];
    return value.flatMap((each, at) => inner(list, each, `${where}[${at}]`));
  }
  if (map !== undefined) {
    if (!isObject(value)) return [`${where} is no object: ${JSON.stringify(value)}`];
    return Object.entries(value).flatMap(([key, each]) => inner(map, each, `${where}.${key}`));
  }
  const record = values.records.get(type);
  if (record === undefined) return isScalar(type, value) ? [] : [`${where} is no ${type}: ${JSON.stringify(value)}`];
  if (typeof value !== "object" || value === null) return [`${where} is no ${type}: ${JSON.stringify(value)}`];
  const given = value as Record<string, unknown>;
  const known = new Set(record.fields.map(({ name }) => name));
  const more = Object.keys(given).filter((name) => !known.has(name));
  const breaches = more.map((name) => `${where} has ${name}, which is none of ${type}`);
  for (const field of record.fields as readonly (Field & { optional?: boolean })[]) {
    const each = given[field.name];
    if (each === undefined) {
      if (field.optional !== true) breaches.push(`${where} lacks ${field.name}`);
    } else if (each !== null || !field.nullable) {
      breaches.push(...inner(field.type, each, `${where}.${field.name}`));
      const choice = field.enum ? values.enums.get(field.enum) : undefined;
      for (const one of choice === undefined ? [] : [each].flat()) {
        if (!choice?.values.some((allowed) => allowed.value === one)) {
          breaches.push(`${where}.${field.name} is none of ${field.enum}: ${JSON.stringify(one)}`);
        }
      }
    }
  }
  return breaches;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isScalar(type: string, value: unknown): boolean {
  switch (type) {
    case "int":
      return Number.isSafeInteger(value);
    case "float":
      return typeof value === "number";
    case "decimal":
      return typeof value === "string" && /^-?[0-9]+(\.[0-9]+)?$/.test(value);
    case "bool":
      return typeof value === "boolean";
    default:
      return typeof value === type;
  }
}
