import assert from "node:assert/strict";
import { test } from "node:test";
import { Numbered, namesOf, numbersOf } from "./numbered.ts";

test("names come in the order of their numbers, which leave no gap", () => {
  assert.deepEqual(namesOf({ limit: 0, market: 1 }), ["limit", "market"]);
  assert.throws(() => namesOf({ limit: 0, market: 2 }), /market should have number 1, and has 2/);
  assert.throws(() => numbersOf({ one: { number: 3 }, two: { number: 3 } }), /share a number/);
});

test("two parts cannot give one number, or one name, twice, nor a number that records cannot hold", () => {
  const postings = new Numbered<{ readonly shown?: boolean }>("posting", 31);
  assert.deepEqual(postings.declare({ trade: { number: 2, shown: true }, fee: { number: 3 } }), { trade: 2, fee: 3 });
  for (const [name, number, why] of [
    ["grant", 2, /The posting grant cannot have number 2: it is that of trade\./],
    ["trade", 9, /The posting trade cannot have number 9: the name is taken\./],
    ["grant", 32, /The posting grant cannot have number 32: they go from 0 to 31\./],
    ["grant", -1, /they go from 0 to 31/],
  ] as const) {
    assert.throws(() => postings.declare({ [name]: { number } }), why);
  }
  postings.declare({ grant: { number: 31 } });
  assert.deepEqual([postings.nameOf(31), postings.numberOf("fee")], ["grant", 3]);
  assert.throws(() => postings.nameOf(7), /There is no posting of number 7/);
  assert.throws(() => postings.numberOf("gift"), /There is no posting gift/);
});

test("who looks at all of them before a part has declared its own is told", () => {
  const cells = new Numbered<{ readonly owner: string }>("cell", 31);
  cells.declare({ spot: { number: 4, owner: "user" }, fee: { number: 1, owner: "venue" } });
  assert.deepEqual(cells.all(), ["fee", "spot"]);
  assert.deepEqual(
    cells.those(({ owner }) => owner === "user"),
    ["spot"],
  );
  assert.throws(() => cells.declare({ late: { number: 5, owner: "user" } }), /all of them have been read already/);
});
