import assert from "node:assert/strict";
import { test } from "node:test";
import { impurities } from "./engine-purity.ts";
import { withPlanted } from "./planted.ts";
import { repositoryRoot, withProgram } from "./program.ts";

test("the engine touches no clock, randomness, promise, float or anything else outside itself", () => {
  assert.deepEqual(withProgram(repositoryRoot, impurities), []);
});

/** Code planted into an engine module, and what the guard must say of it. */
const IMPURE: ReadonlyArray<readonly [code: string, finding: string]> = [
  ["export const now = Date.now();", "touches Date."],
  ["export const now = new Date();", "touches Date."],
  ["export const now = { Date };", "touches Date."],
  ["export const odds = Math.random();", "touches Math.random."],
  ['export const odds = Math["random"]();', "picks a function of Math by name."],
  ["export const { random } = Math;", "hands Math around."],
  ["export const root = Math.sqrt(2);", "touches Math.sqrt."],
  ["export const pid = process.pid;", "touches process."],
  ["setTimeout(() => {}, 1);", "touches setTimeout."],
  ["setImmediate(() => {});", "touches setImmediate."],
  ["queueMicrotask(() => {});", "touches queueMicrotask."],
  ["export const t = performance.now();", "touches performance."],
  ["export const id = crypto.randomUUID();", "touches crypto."],
  ["export const g = globalThis;", "touches globalThis."],
  ['console.log("x");', "touches console."],
  ['export const fs = require("node:fs");', "touches require."],
  ['export const fs = import("node:fs");', "imports dynamically."],
  ["export const here = import.meta.url;", "touches import.meta."],
  ['export const f = new Function("return 1");', "touches Function."],
  ["export const done = new Promise(() => {});", "touches Promise."],
  ["export async function later() {}", "waits for a promise."],
  ["export const half = 0.5;", "holds a number that is not whole."],
  ["export const text = (1).toFixed(2);", "touches toFixed."],
  ['export const order = "a".localeCompare("b");', "touches localeCompare."],
  [
    "declare const process: { pid: number };\nexport const pid = process.pid;",
    "declares a name that it does not define.",
  ],
  [
    'declare module "./planted-0.ts" {\n  const process: { pid: number };\n}',
    "declares a name that it does not define.",
  ],
  ['declare module "node:fs" {\n  interface Stats { own: number }\n}', "declares a name that it does not define."],
  ["export class Clock extends Date {}", "touches Date."],
  ["export const undeclared = nowhere;", "touches nowhere."],
];

test("every kind of impurity planted into an engine is found where it is", () => {
  const files = Object.fromEntries(IMPURE.map(([code], row) => [`src/engine/planted-${row}.ts`, code]));
  const found = withPlanted(files, (root) => withProgram(root, impurities));
  for (const [row, [code, finding]] of IMPURE.entries()) {
    const said = found.filter((sentence) => sentence.startsWith(`src/engine/planted-${row}.ts:`));
    const line =
      code.split("\n").findIndex((text) => text.includes(finding.startsWith("declares") ? "declare" : "")) + 1;
    assert.ok(said.includes(`src/engine/planted-${row}.ts:${line} ${finding}`), `${code}\n${said.join("\n")}`);
  }
});

const PURE = `
/** Date.now(), Math.random() and process.exit() in a comment are only words. */
export type Moment = Date | Promise<number>;
declare const unit: unique symbol;
export type Amount = bigint & { readonly [unit]: "amount" };
export const words = "Date.now() Math.random() process.env setTimeout";
export const template = \`globalThis \${words} require("fs")\`;
export const pattern = /Date|Math\\.random/;
export interface Row { readonly Date: number; process(): void }
export const row = { Date: 1, process: 2, crypto: { performance: 3 } };
export function local(performance: number): number {
  const { Date: day, process } = row;
  outer: for (;;) break outer;
  return performance + day + process + row.crypto.performance + Math.max(1, 2, 1_000);
}
export class Fault extends Error {}
export interface List {}
declare module "./pure.ts" { interface List { readonly entered: true } }
export const columns = new BigInt64Array(8);
export const nothing = [undefined, Number.MAX_SAFE_INTEGER, BigInt.asIntN(64, 1n)];
`;

test("words in comments, strings, types, properties and local names are no impurity, and unit tests are free", () => {
  const files = {
    "src/engine/pure.ts": PURE,
    "src/engine/pure.test.ts": "Date.now();",
    "src/venue/clock.ts": "Date.now();",
  };
  assert.deepEqual(
    withPlanted(files, (root) => withProgram(root, impurities)),
    [],
  );
});
