/**
 * Answers a call of an operator, however it came in: checks its fields and the operator's role, then serves the call.
 */
import { Refused } from "../refused.ts";
import { readPairs } from "../request/pairs.ts";
import type { AdminBackend } from "./backend.ts";
import { type AdminAnswer, type AdminCall, mayCall } from "./call.ts";
import { type Names, readValues, unknownField } from "./field.ts";

/** `body` holds the values by the names of the fields, as JSON has them. */
export function answerOf(
  backend: AdminBackend,
  call: AdminCall,
  body: Readonly<Record<string, unknown>>,
): AdminAnswer | Promise<AdminAnswer> {
  const { operator, state } = backend;
  const names: Names = { userIdOf: (name) => state.users.byName.get(name) };
  const values = readValues(call.fields, body, names);
  if (values instanceof Refused) return values;
  if (!mayCall(operator, call, values)) {
    return new Refused("permission_missing", `The role ${operator.role} of ${operator.name} does not allow this.`);
  }
  return call.serve(backend, values as never);
}

/** A query has only texts. */
export function queryOf({ fields }: AdminCall, query: string): Record<string, unknown> | Refused {
  const values: Record<string, unknown> = {};
  let unknown: string | undefined;
  const malformed = readPairs(query, (name, value) => {
    // Only own names, so that none of them can reach a prototype.
    if (!Object.hasOwn(fields, name)) {
      unknown ??= name;
      return;
    }
    const isFlag = fields[name]?.form.shape === "flag" && (value === "true" || value === "false");
    values[name] = isFlag ? value === "true" : value;
  });
  if (malformed !== undefined) return malformed;
  return unknown === undefined ? values : unknownField(unknown, fields);
}
