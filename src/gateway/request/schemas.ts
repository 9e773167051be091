/** Writes the rules of a contract as JSON schemas, for the descriptions of every generation. */
import { boundOf, type Field, type RecordType, type ValueRule, type Vocabulary } from "./rules.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** The records of these names, with the records that those name. */
export function recordSchemas(contract: Vocabulary, names: readonly string[]): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  const add = (name: string): void => {
    const record = contract.records.get(name);
    if (record === undefined || schemas[name] !== undefined) return;
    schemas[name] = recordSchema(contract, record, name.endsWith("Request"));
    for (const field of record.fields) for (const named of recordsIn(field.type)) add(named);
  };
  for (const name of names) add(name);
  return schemas;
}

/** A field that need not be there, as the legacy contract has them. */
type AnyField = Field & { readonly optional?: boolean };

function recordSchema(contract: Vocabulary, record: RecordType, isRequest: boolean): Schema {
  const fields = record.fields as readonly AnyField[];
  const schemaOf = (field: Field) => fieldSchema(contract, field, isRequest);
  if (record.kind === "tuple") {
    return { type: "array", prefixItems: fields.map(schemaOf), minItems: fields.length, maxItems: fields.length };
  }
  const named = fields.filter(({ name }) => !name.startsWith("<"));
  const other = fields.find(({ name }) => name.startsWith("<"));
  return {
    type: "object",
    required: named.filter((field) => !(isRequest && field.nullable) && !field.optional).map(({ name }) => name),
    properties: Object.fromEntries(named.map((field) => [field.name, schemaOf(field)])),
    ...(other === undefined ? {} : { additionalProperties: schemaOf(other) }),
  };
}

/** The names of records in a type. */
export function recordsIn(type: string): string[] {
  return type.match(/[A-Z]\w*/g) ?? [];
}

function fieldSchema(contract: Vocabulary, field: Field, isRequest: boolean): Schema {
  const schema = isRequest ? valueSchema(contract, field) : typeSchema(contract, field);
  const described = { ...schema, description: field.meaning };
  if (!field.nullable || isRequest) return described;
  return { anyOf: [schema, { type: "null" }], description: field.meaning };
}

const TYPES: Readonly<Record<string, string>> = {
  string: "string",
  int: "integer",
  float: "number",
  bool: "boolean",
  object: "object",
};

/** The shape of a value in an answer. */
export function typeSchema(contract: Vocabulary, rule: ValueRule): Schema {
  const member = /^map<(.+)>$/.exec(rule.type)?.[1];
  if (member !== undefined) {
    return { type: "object", additionalProperties: typeSchema(contract, { ...rule, type: member }) };
  }
  const inner = /^(?:array|object)<(.+)>$/.exec(rule.type)?.[1];
  if (inner !== undefined) {
    const schema = typeSchema(contract, { ...rule, type: inner });
    return rule.type.startsWith("array") ? { type: "array", items: schema } : schema;
  }
  if (rule.enum) return { enum: contract.enums.get(rule.enum)?.values.map(({ value }) => value) };
  if (rule.type === "decimal") return { type: "string", format: "decimal" };
  const type = TYPES[rule.type];
  return type === undefined ? ref(rule.type) : { type };
}

/** The shape of a value in a request, with its bounds. */
export function valueSchema(contract: Vocabulary, rule: ValueRule): Schema {
  const schema: Record<string, unknown> = { ...typeSchema(contract, rule) };
  const form = contract.forms.get(rule.form ?? (rule.type === "decimal" ? "decimal" : ""));
  if (form !== undefined) schema["pattern"] = form.pattern;
  if (rule.type === "int" && !rule.enum) {
    schema["minimum"] = boundOf(contract, rule.min) ?? 0;
    if (rule.max !== undefined) schema["maximum"] = boundOf(contract, rule.max);
  }
  if (rule.type.startsWith("array")) {
    schema["minItems"] = boundOf(contract, rule.min_items) ?? 0;
    schema["maxItems"] = boundOf(contract, rule.max_items);
  }
  return schema;
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
