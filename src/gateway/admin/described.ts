/**
 * Describes the calls by which an operator may change something. The console makes its forms from this, so that it has
 * every such call.
 */
import type { Asker } from "./backend.ts";
import { type AdminCall, mayCall } from "./call.ts";
import type { Field, Fields, Form } from "./field.ts";

/** Every call that changes something and that the operator may make, with the fields that he may give. */
export function describedFor(asker: Asker, calls: readonly AdminCall[]): object {
  const changing = calls.filter((call) => call.method !== "GET" && call.isOpen !== true && mayCall(asker, call, {}));
  return {
    calls: changing.map((call) => ({
      id: `${call.method} ${call.path}`,
      verbs: Object.entries(call.verbs).map(([verb, says]) => ({ verb, says })),
      takes_two: call.takesTwo === true,
      fields: fieldsOf(call.fields, (name) => mayCall(asker, call, { [name]: true })),
    })),
  };
}

function fieldsOf(fields: Fields, may: (name: string) => boolean): object[] {
  return Object.entries(fields).flatMap(([name, field]) => (field.required || may(name) ? [fieldOf(name, field)] : []));
}

function fieldOf(name: string, { form, meaning, required, clearable }: Field<unknown>): object {
  return { name, meaning, required, clearable, ...formOf(form) };
}

function formOf({ shape, values, expected, choices, item, fields }: Form<unknown>): object {
  return {
    shape,
    values,
    expected,
    ...(choices === undefined ? {} : { choices }),
    ...(item === undefined ? {} : { item: formOf(item) }),
    ...(fields === undefined ? {} : { fields: fieldsOf(fields, () => true) }),
  };
}
