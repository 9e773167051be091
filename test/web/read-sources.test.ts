/** What the sources of the terminal must not do, so that nothing unread looks like nothing. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../web/src/", import.meta.url));

/**
 * Small lines beside figures, and rates that have a public value until one's own are known: there is nothing to say
 * where they fail.
 */
const WITHOUT_STATES = ["market/sparkline.tsx", "entry/fees.ts"];

/** What a source does wrong, in words. */
function faultsOf(path: string, text: string): string[] {
  const faults: string[] = [];
  if (/createResource\(/.test(text) && !WITHOUT_STATES.includes(path))
    faults.push(`${path}: createResource tells nobody that it failed; use createReading or createPages.`);
  if (
    /\bget(?:Page)?[<(][^;]*?\.catch\(\(\) => \[\]\)/.test(text) &&
    !WITHOUT_STATES.includes(path) &&
    path !== "entry/planned-exits.ts"
  )
    faults.push(`${path}: what could not be read is taken for an empty list.`);
  // The child of <Show> is called once: a text that it returns does not follow what it read.
  for (const [, child] of text.matchAll(/<Show (?![^>]*keyed)[^>]*>\s*\{\(\w*\) =>\s*([^({<\s][^}]*)\}/g))
    faults.push(`${path}: a child of <Show> returns a text that is worked out once: ${child?.slice(0, 40)}.`);
  return faults;
}

test("no part of the terminal takes what it could not read for empty, or works a figure out once for all", () => {
  const paths = globSync("**/*.{ts,tsx}", { cwd: root }).filter((path) => !path.startsWith("console"));
  assert.ok(paths.length > 80);
  assert.deepEqual(
    paths.flatMap((path) => faultsOf(path, readFileSync(root + path, "utf8"))),
    [],
  );
});

test("the guard finds what it looks for", () => {
  const bad = [
    'const [rows] = createResource(() => get<Row[]>("/v2/x"));',
    'const rows = await get<Row[]>("/v2/x").catch(() => []);',
    "<Show when={value()}>{(now) => shown(now(), 2)}</Show>",
    "<Show when={value()}>\n  {(now) => text(now())}\n</Show>",
  ];
  for (const text of bad) assert.equal(faultsOf("x.tsx", text).length, 1, text);
  assert.deepEqual(faultsOf("x.tsx", "<Show when={value()}>{(now) => <>{shown(now(), 2)}</>}</Show>"), []);
});
