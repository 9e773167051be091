/** A venue is put together in one place, by functions that fit on a screen or two, and that tests call as well. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

const LINES_MAX = 80;
const ASSEMBLY = "src/venue/assembly/";

/** What only the assembly makes. */
const MADE = /\bnew Sequencer\(|\bcreateGateway\(|\bcreateAdminServer\(|\bopenSockets\(/;
/** Tests of these parts themselves, each alone, and the bench that has a gateway over an engine without a log. */
const PARTS_ALONE: ReadonlySet<string> = new Set([
  "bench/fanout-server.ts",
  "src/gateway/gateway.test.ts",
  "src/venue/epoch.test.ts",
  "src/venue/sequencer.test.ts",
  "src/venue/two-engines.test.ts",
]);
/** Where they are declared, and the gateway that has its sockets. */
const HOMES: ReadonlySet<string> = new Set([
  "src/gateway/gateway.ts",
  "src/gateway/sockets.ts",
  "src/gateway/admin/server.ts",
]);

function read(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}

test("every function of the assembly fits into its lines", () => {
  const files = repositoryFiles().filter(
    (path) => path.startsWith(ASSEMBLY) || path === "src/venue/venue.ts" || path === "test/support/served-venue.ts",
  );
  assert.ok(files.length > 5, "the assembly is found");
  const long = files.flatMap((path) =>
    functionsIn(read(path)).flatMap(({ name, lines }) => (lines > LINES_MAX ? [`${path}: ${name} has ${lines}`] : [])),
  );
  assert.deepEqual(long, []);
});

test("a venue is put together nowhere else", () => {
  const files = repositoryFiles().filter((path) => /^(?:src|test|bench|scripts)\/.*\.ts$/.test(path));
  const found = files.filter((path) => MADE.test(read(path)));
  assert.ok(found.some((path) => path.startsWith(ASSEMBLY)));
  assert.deepEqual(
    found.filter(
      (path) => !path.startsWith(ASSEMBLY) && !PARTS_ALONE.has(path) && !HOMES.has(path) && path !== OWN_PATH,
    ),
    [],
  );
});

const OWN_PATH = "test/house/assembly.test.ts";

/** Functions and methods that end with their own indentation, as the formatter leaves them. */
function functionsIn(text: string): { readonly name: string; readonly lines: number }[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const [, indent = "", name] =
      /^( {0,2})(?:export )?(?:static )?(?:async )?(?:function )?(\w+)\(.*$/.exec(line) ?? [];
    if (name === undefined || line.endsWith(";") || /^ *(?:if|for|while|return|switch)\b/.test(line)) return [];
    const end = lines.findIndex((each, place) => place > at && each === `${indent}}`);
    return end < 0 ? [] : [{ name, lines: end - at + 1 }];
  });
}
