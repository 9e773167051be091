import assert from "node:assert/strict";
import { test } from "node:test";
import { commandSchema, ownerOf, schemaFault, wordsOf } from "./command-schema.ts";
import { flag, listOf, optional, recordOf, sealed, text, whole } from "./field.ts";

const teller = { time: (timeMs: number) => `${timeMs} ms` };

test("the first field that is not what its schema wants is named, and fields that it does not know may stand", () => {
  const of = commandSchema({
    by: "operator",
    fields: { name: text, count: optional(whole), rows: listOf("rows", recordOf({ on: flag })) },
  });
  const sound = { kind: "x", name: "n", rows: [{ on: true }], more: 1 };
  assert.equal(schemaFault(of, sound), undefined);
  for (const [change, fault] of [
    [{ name: 1 }, "name must be a string of at most 4096 characters."],
    [{ count: 1.5 }, "count must be a whole number."],
    [{ rows: [{}] }, "rows must be a list of at most 256 rows."],
    [{ rows: Array.from({ length: 257 }, () => ({ on: true })) }, "rows must be a list of at most 256 rows."],
    [{ actor: 5 }, "actor must be a string of at most 4096 characters."],
  ] as const) {
    assert.equal(schemaFault(of, { ...sound, ...change }), fault);
  }
});

test("a user's command has an owner by its schema; one of both has it when the user asks himself", () => {
  const own = commandSchema({ by: "user", fields: { userId: whole } });
  const both = commandSchema({ by: "user_or_operator", fields: { userId: whole, byUser: optional(flag) } });
  const operators = commandSchema({ by: "operator", fields: { userId: whole } });
  assert.equal(ownerOf(own, { userId: 7 }), 7);
  assert.equal(ownerOf(both, { userId: 7, byUser: true }), 7);
  assert.equal(ownerOf(both, { userId: 7 }), undefined);
  assert.equal(ownerOf(operators, { userId: 7 }), undefined);
  // @ts-expect-error: whose wish would it be?
  commandSchema({ by: "user", fields: { user: whole } });
  // @ts-expect-error: a user must be named.
  commandSchema({ by: "user", fields: { userId: optional(whole) } });
});

test("the log's words are those of the schema, leave out what is sealed, and tell also of what does not fit", () => {
  const told = commandSchema({
    by: "operator",
    fields: { at: whole },
    words: ({ at }, { time }) => `ring at ${time(at)}`,
  });
  assert.equal(wordsOf(told, { kind: "ring", at: 5 } as never, teller), "ring at 5 ms");
  assert.equal(wordsOf(told, { kind: "ring", at: "soon enough" } as never, teller), 'ring at="soon enough"');
  const secret = commandSchema({ by: "operator", fields: { name: text, key: sealed } });
  const command = { kind: "keep", name: "a", key: "opaque", actor: "operator" };
  assert.equal(wordsOf(secret, command, teller), "keep name=a key=(sealed)");
  assert.equal(wordsOf(undefined, { kind: "unknown" }, teller), "unknown");
});
