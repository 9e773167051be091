import assert from "node:assert/strict";
import { test } from "node:test";
import { Codes, codesOf, namesOf } from "./codes.ts";

test("names come in the order of their codes, which leave no gap", () => {
  assert.deepEqual(namesOf({ limit: 0, market: 1 }), ["limit", "market"]);
  assert.throws(() => namesOf({ limit: 0, market: 2 }), /market should have code 1, and has 2/);
  assert.throws(() => codesOf({ one: { code: 3 }, two: { code: 3 } }), /share a code/);
});

test("two parts cannot give one code, or one name, twice, nor a code that records cannot hold", () => {
  const postings = new Codes<{ readonly shown?: boolean }>("posting", 31);
  assert.deepEqual(postings.declare({ trade: { code: 2, shown: true }, fee: { code: 3 } }), { trade: 2, fee: 3 });
  for (const [name, code, why] of [
    ["grant", 2, /The posting grant cannot have code 2: it is that of trade\./],
    ["trade", 9, /The posting trade cannot have code 9: the name is taken\./],
    ["grant", 32, /The posting grant cannot have code 32: they go from 0 to 31\./],
    ["grant", -1, /they go from 0 to 31/],
  ] as const) {
    assert.throws(() => postings.declare({ [name]: { code } }), why);
  }
  postings.declare({ grant: { code: 31 } });
  assert.deepEqual([postings.nameOf(31), postings.codeOf("fee")], ["grant", 3]);
  assert.throws(() => postings.nameOf(7), /There is no posting of code 7/);
  assert.throws(() => postings.codeOf("gift"), /There is no posting gift/);
});

test("who looks at all of them before a part has declared its own is told", () => {
  const cells = new Codes<{ readonly owner: string }>("cell", 31);
  cells.declare({ spot: { code: 4, owner: "user" }, fee: { code: 1, owner: "venue" } });
  assert.deepEqual(cells.all(), ["fee", "spot"]);
  assert.deepEqual(
    cells.those(({ owner }) => owner === "user"),
    ["spot"],
  );
  assert.throws(() => cells.declare({ late: { code: 5, owner: "user" } }), /all of them have been read already/);
});
