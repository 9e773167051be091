/**
 * The two rings of tests (docs/background/testing.md): no file of tests is in neither, no folder is missing from the
 * fast one, and that one stays short.
 */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { allFiles, fastFiles, lanesOf, readRings, readTimes, restFiles, shardOf } from "../../scripts/testing/plan.ts";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/**
 * Seconds of processor time: two processors do it in the four and a half minutes that the set-up leaves of five, one
 * part in thirteen of which they wait.
 */
const FAST_MAX_S = 500;

/** What a test runs as a program of its own is in both rings with that test. */
const WITHIN_A_TEST = /^examples\//;

describe("the rings of tests", () => {
  const all = allFiles();
  const fast = fastFiles();
  const times = readTimes();

  test("every file of tests belongs to one", () => {
    const known = new Set(all);
    const files = repositoryFiles().filter((file) => file.endsWith(".test.ts") && !file.includes("toy-part/"));
    assert.deepEqual(
      files.filter((file) => !known.has(file) && !WITHIN_A_TEST.test(file)),
      [],
    );
    assert.deepEqual([...new Set([...fast, ...restFiles()])].sort(), all);
  });

  test("every folder of tests has some in the fast one", () => {
    const folders = new Set(fast.map((file) => dirname(file)));
    assert.deepEqual(
      [...new Set(all.map((file) => dirname(file)))].filter((folder) => !folders.has(folder)),
      [],
    );
  });

  test("every pattern of test/rings.json names a file", () => {
    const { fast: takes, notFast } = readRings();
    const lost = [...takes, ...notFast].filter((pattern) => globSync(pattern, { cwd: repositoryRoot }).length === 0);
    assert.deepEqual(lost, []);
  });

  test("the fast one stays short, by the processor time that test/times.json tells of each file", () => {
    const seconds = lanesOf(fast, times).reduce((sum, lane) => sum + lane.seconds, 0);
    assert.ok(seconds <= FAST_MAX_S, `${seconds} s: take a file out of it, or make one shorter, and record the times.`);
    const gone = Object.keys(times).filter((file) => !all.includes(file));
    assert.deepEqual(gone, [], "npm run test:all -- --record forgets them");
  });

  test("shards hold every file once, and lanes too", () => {
    const shards = [1, 2, 3].flatMap((index) => shardOf(all, times, index, 3));
    assert.deepEqual(shards.sort(), all);
    assert.deepEqual(
      lanesOf(all, times)
        .flatMap(({ files }) => files)
        .sort(),
      all,
    );
  });
});
