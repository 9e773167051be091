/**
 * `node scripts/test.ts [all|check|unit] [FILES and flags for node --test]` runs a part of the tests with Node's runner.
 *
 * Everything is a test, types, lint and format included (test/house), so one summary at the end speaks for all of it.
 */
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { become } from "./become.js";

const HOUSE = "test/house/**/*.test.ts";
const UNIT = "src/**/*.test.ts";
const VENUE = "test/**/*.test.ts";

const SUITES: Readonly<Record<string, readonly string[]>> = {
  /** Everything. */
  all: [UNIT, VENUE],
  /** What needs no running venue: types, lint, format, guards, unit tests. */
  check: [HOUSE, UNIT],
  unit: [UNIT],
};

/**
 * Files run side by side. The tests of a whole venue start processes with threads of their own and wait for the disk:
 * two at once fill two cores, and more would make them late on a small machine.
 */
const FILES_AT_ONCE = 2;

/** No single test may take longer: a test that hangs must fail rather than stop the run; see also leak-watch.ts. */
const TEST_TIMEOUT_MS = 240_000;

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
// Each file of tests and each venue that it starts is a process that loads hundreds of modules: they are compiled once for all.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
const [first = "all", ...rest] = process.argv.slice(2);
const named = SUITES[first];
const given = named === undefined ? process.argv.slice(2) : rest;
const flags = given.filter((argument) => argument.startsWith("-"));
const asked = given.filter((argument) => !argument.startsWith("-"));
const files = globSync(asked.length > 0 ? asked : [...(named ?? SUITES.all ?? [])]).sort();

if (files.length === 0) {
  process.stderr.write("No test file was found.\n");
  process.exit(1);
}
become(process.execPath, [
  "--test",
  "--test-reporter=spec",
  `--import=${new URL("leak-watch.ts", import.meta.url).href}`,
  `--test-concurrency=${FILES_AT_ONCE}`,
  `--test-timeout=${TEST_TIMEOUT_MS}`,
  ...flags,
  ...files,
]);
