import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../../house/program.ts";
import { repositoryFiles } from "../../house/repository-files.ts";
import { GUARDS, NO_GUARD } from "./guards.ts";
import { ADVERSARY_FAULTS, NOT_PLAYED, PLAYED_RULES } from "./planted-faults.ts";

const ENGINE = "src/engine/";
/** Checks and tellings cite rules, too; they look at what others do. */
const LOOKS_ON = /(?:-|\/)(?:audit|invariants|section|events?|command-schemas|codes)(?:\/.*)?\.ts$|\.test\.ts$/;
/**
 * Rules of trading, margin, futures, pools, accounts and the wallet; 8 to 11 are data, limits, invariants and order.
 */
const CITES = /\bdomain [2-7](?:\.\d+)?\b/;
/** Rules that plays or tests find the lack of. */
const FOUND = new Set([...PLAYED_RULES, ...Object.keys(NOT_PLAYED)]);

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

function asksRule(source: string): boolean {
  return [...source.matchAll(/\bholds\([^)"]*"(\w+)"\)/g)].some(([, rule = ""]) => FOUND.has(rule));
}

test("every module of the engine that cites a rule has a planted fault, a rule that is played, or a reason why it guards nothing", () => {
  const cites = repositoryFiles().filter(
    (path) => path.startsWith(ENGINE) && path.endsWith(".ts") && !LOOKS_ON.test(path) && CITES.test(read(path)),
  );
  assert.ok(cites.length > 100, "the citations are looked for in another form than they have");
  const planted = new Set([...GUARDS, ...ADVERSARY_FAULTS].map(({ file }) => file));
  const excused = Object.values(NO_GUARD).flat();
  const without = cites
    .map((path) => path.slice(ENGINE.length))
    .filter((file) => !planted.has(file) && !excused.includes(file) && !asksRule(read(ENGINE + file)));
  assert.deepEqual(without, []);
  // A reason that is needed no more, or for a module that is gone, is not one.
  const known = new Set(cites.map((path) => path.slice(ENGINE.length)));
  assert.deepEqual(
    excused.filter((file) => !known.has(file) || planted.has(file)),
    [],
  );
  assert.deepEqual(excused, [...new Set(excused)]);
});

test("each guard stands where it is said to, once, and its test is there", () => {
  const lost = GUARDS.filter(
    ({ file, code, test: name }) =>
      read(ENGINE + file).split(code).length !== 2 || !existsSync(join(repositoryRoot, name)),
  );
  assert.deepEqual(
    lost.map(({ file, name }) => `${file}: ${name}`),
    [],
  );
  const names = GUARDS.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
});
