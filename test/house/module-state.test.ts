/** Engines of one process share nothing: what a command writes stands in the state, or in the scratch of the engine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleState } from "./module-state.ts";
import { withPlanted } from "./planted.ts";
import { repositoryRoot, withProgram } from "./program.ts";

const REGISTRY =
  "filled while the modules are loaded, by the parts that are listed, and refuses to be filled later or twice";
const WORDS =
  "written and read within one call, which hands no turn to another engine; memory of its own makes no garbage";

/** What may be written into, and why no engine sees anything of another one in it. */
const ALLOWED: Readonly<Record<string, string>> = {
  "src/engine/due.ts DUE_RANKS": REGISTRY,
  "src/engine/hooks.ts parts": "filled by parts.ts with the list of parts, when it is loaded",
  "src/engine/ledger/cell.ts CELLS": REGISTRY,
  "src/engine/ledger/ledger.ts added": WORDS,
  "src/engine/ledger/ledger.ts addedHalves": WORDS,
  "src/engine/ledger/posting.ts POSTINGS": REGISTRY,
  "src/engine/money/product.ts halves": WORDS,
  "src/engine/money/product.ts words": WORDS,
  "src/engine/refusal.ts REFUSALS": REGISTRY,
  "src/engine/spot/account.ts accounts": "filled while the modules are loaded, a place for each kind of account",
};

test("the engine keeps nothing in its modules that a command could write, but for what is listed with its reason", () => {
  assert.deepEqual(withProgram(repositoryRoot, moduleState).sort(), Object.keys(ALLOWED).sort());
});

/** Declarations of modules of an engine, and the names that the guard must find in each. */
const OPEN: ReadonlyArray<readonly [code: string, ...names: string[]]> = [
  ["let count = 0;\nexport const next = () => count++;", "count"],
  ["export const seen = new Map<number, string>();", "seen"],
  ["export const seen: Set<number> = new Set();", "seen"],
  ["export const words = new BigInt64Array(4);", "words"],
  ["export const rows: number[] = [];", "rows"],
  ["export const rows = [1, 2];", "rows"],
  ["export const pair: [number, number] = [1, 2];", "pair"],
  ["type Rows = readonly number[][];\nexport const rows: Rows = [[1]];", "rows"],
  ["export const last = { price: 0n };\nexport const note = (price: bigint) => { last.price = price; };", "last"],
  [
    "export const last = { price: 0n };\nexport const note = (price: bigint) => { Object.assign(last, { price }); };",
    "last",
  ],
  [
    "export const last: Record<string, number> = {};\nexport function forget(name: string) { delete last[name]; }",
    "last",
  ],
  ["export const tally = { deals: 0 };\nexport function count() { tally.deals++; }", "tally"],
  ["export const table = { rows: new Map<string, number>() };", "table"],
  ["interface Last { price: bigint }\nexport const last: Last = { price: 0n };", "last"],
  ["interface Last { readonly at: { price: bigint }; }\nexport const last: Last = { at: { price: 0n } };", "last"],
  [
    "class Counter { private count = 0; next() { return this.count++; } }\nexport const counter = new Counter();",
    "counter",
  ],
  ["export class Ids { static next = 1; }", "next"],
  ["export const pattern = /a/g;", "pattern"],
];

const CLOSED = `
interface Row { readonly name: string; readonly sizes: readonly number[]; fits(value: number): boolean }
export const rows: readonly Row[] = [{ name: "a", sizes: [1], fits: (value) => value > 0 }];
export const names = ["a", "b"] as const;
export const byName: ReadonlyMap<string, Row> = new Map();
export const known: ReadonlySet<string> = new Set(["a"]);
export const CODES = { buy: 0, sell: 1 };
export const sizes: ArrayLike<number> = new Uint8Array(4);
export const pattern = /^a+$/i;
export const double = (value: number) => value * 2;
type Sizes = readonly (readonly [number, number])[];
export const pairs: Sizes = [[1, 2]];
class Rounding { half(value: number) { return value; } }
export const rounding = new Rounding();
export function local(names: string[]) { const CODES = { buy: 1 }; CODES.buy = 2; let at = CODES.buy; at++; names.push("c"); return at; }
`;

test("every way to keep something in a module is found, and tables that nobody writes are not", () => {
  const files = Object.fromEntries(OPEN.map(([code], row) => [`src/engine/open-${row}.ts`, code]));
  const others = {
    "src/engine/closed.ts": CLOSED,
    "src/engine/open.test.ts": "let a = 1;",
    "src/venue/a.ts": "let a = 1;",
  };
  const found = withPlanted({ ...files, ...others }, (root) => withProgram(root, moduleState));
  const expected = OPEN.flatMap(([, ...names], row) => names.map((name) => `src/engine/open-${row}.ts ${name}`));
  assert.deepEqual(found.sort(), expected.sort());
});
