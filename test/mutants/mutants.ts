/**
 * `npm run tool mutants -- [--count N] [--seed S] [--from I] [--ring fast|all] [--seconds M]` measures how strong the
 * tests are: it changes one line of `src` at random, runs the tests of a ring that come to that line, the nearest
 * first, until one fails, and goes on to the next. It prints a table of all changes and whether they were caught. A
 * change that is not caught may be one that changes nothing: somebody must look.
 *
 * `--seconds` bounds the processor time of the tests that are tried for each change, by test/times.json; the table
 * tells how many were left. Works on a copy of the repository, made aside.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { allFiles, fastFiles, readTimes } from "../../scripts/testing/plan.ts";
import { repositoryRoot } from "../house/program.ts";
import { xorshift } from "../support/xorshift.ts";
import { type Mutant, mutantsOf } from "./mutate.ts";
import { ImportGraph, nearestFirst } from "./nearest.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "1" },
    ring: { type: "string", default: "fast" },
    seconds: { type: "string", default: "60" },
  },
});
const [count, seed, from, seconds] = [values.count, values.seed, values.from, values.seconds].map(Number) as [
  number,
  number,
  number,
  number,
];
if (![count, seed, from, seconds].every((each) => each >= 1) || !["fast", "all"].includes(values.ring)) {
  process.stderr.write("--count, --seed, --from and --seconds are numbers from 1, and --ring is fast or all.\n");
  process.exit(2);
}

/** Files that start a process for each case: a few of them at a time are enough to look at before the next few. */
const FILES_AT_ONCE = 6;
/** A change may make a loop endless. Then it is caught, as late as this. */
const HANG_MS = 240_000;

const times = readTimes();
const secondsOf = (test: string) => times[test] ?? 2;
const graph = new ImportGraph(repositoryRoot);
const tests = values.ring === "fast" ? fastFiles() : allFiles();
const folder = mkdtempSync(join(tmpdir(), "bourse-mutants-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const name of readTopLevel()) cpSync(join(repositoryRoot, name), join(folder, name), { recursive: true });
symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));

/** Tests that fail in the copy whether or not something is changed: they need what a copy has not, or luck. */
const unfit = new Set<string>();

let caught = 0;
let tried = 0;
for (const mutant of chosen().slice(from - 1)) {
  tried++;
  const outcome = tryOut(mutant);
  if (outcome.by !== undefined) caught++;
  process.stdout.write(`${from + tried - 1}. ${mutant.file}:${mutant.line}\n   - ${mutant.before.trim()}\n`);
  process.stdout.write(`   + ${mutant.after.trim() || "(nothing)"}\n   ${sentenceOf(outcome)}\n`);
}
if (unfit.size > 0) process.stdout.write(`\nLeft out, since they fail in the copy: ${[...unfit].join(", ")}.\n`);
process.stdout.write(
  `\n${caught} of ${tried} changes were caught by ${values.ring === "fast" ? "npm test" : "npm run test:all"}.\n`,
);

interface Outcome {
  readonly by: string | undefined;
  readonly ran: number;
  readonly left: number;
}

function sentenceOf({ by, ran, left }: Outcome): string {
  if (by !== undefined) return `caught by ${by}, after ${ran} files`;
  return left > 0
    ? `NOT caught by the ${ran} nearest files; ${left} more come to it`
    : `NOT caught by any of ${ran} files`;
}

function readTopLevel(): string[] {
  return globSync("*", { cwd: repositoryRoot, exclude: ["node_modules", "dist", "data", "screenshots"] });
}

/**
 * The same for the same seed and source: a file by the number of changes in it, so that each place of the source is as
 * likely.
 */
function chosen(): Mutant[] {
  const files = globSync("src/**/*.ts", { cwd: repositoryRoot })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/\.test\.ts$|\.generated\.ts$/.test(path))
    .sort();
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(repositoryRoot, file), "utf8")));
  const random = xorshift(seed);
  return Array.from({ length: count }, () => all[Math.floor(random() * all.length)] as Mutant);
}

function tryOut(mutant: Mutant): Outcome {
  const path = join(folder, mutant.file);
  const text = readFileSync(path, "utf8");
  const rows = text.split("\n");
  rows[mutant.line - 1] = mutant.after;
  const changed = rows.join("\n");
  writeFileSync(path, changed);
  try {
    return runNearest(mutant.file, (look) => {
      writeFileSync(path, text);
      const seen = look();
      writeFileSync(path, changed);
      return seen;
    });
  } finally {
    writeFileSync(path, text);
  }
}

/** `unchanged` looks whether something passes when nothing is changed, without which its failure says nothing. */
function runNearest(file: string, unchanged: (look: () => boolean) => boolean): Outcome {
  const ahead = nearestFirst(tests, file, graph, secondsOf).filter((test) => !unfit.has(test));
  let ran = 0;
  let isFirst = true;
  for (let spent = 0; ahead.length > 0 && spent < seconds; ) {
    const group = ahead.splice(0, FILES_AT_ONCE);
    ran += group.length;
    spent += group.reduce((sum, test) => sum + secondsOf(test), 0);
    for (let by = firstFailing(group); by !== undefined; by = firstFailing(group)) {
      const isSound = () => firstFailing([by as string]) === undefined;
      if (!group.includes(by) || unchanged(isSound)) return { by, ran, left: ahead.length };
      unfit.add(by);
      group.splice(group.indexOf(by), 1);
    }
    if (isFirst && !fitsTypes() && unchanged(fitsTypes)) return { by: "the types", ran, left: ahead.length };
    isFirst = false;
  }
  const isCaught = isFirst && !fitsTypes() && unchanged(fitsTypes);
  return { by: isCaught ? "the types" : undefined, ran, left: ahead.length };
}

/** Types are a part of both rings, and tell sooner than the tests that are far away. */
function fitsTypes(): boolean {
  return (
    spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "--project", "."], { cwd: folder }).status === 0
  );
}

/** The first file of the group that fails, or the one during which the process ended or hung. */
function firstFailing(group: readonly string[]): string | undefined {
  if (group.length === 0) return undefined;
  const args = [
    "--test-force-exit",
    "--test-reporter=./scripts/testing/reporter.ts",
    "scripts/testing/lane.ts",
    ...group,
  ];
  const env = { ...process.env, BOURSE_TEST_RING: values.ring };
  const { stdout, status } = spawnSync(process.execPath, args, {
    cwd: folder,
    env,
    encoding: "utf8",
    timeout: HANG_MS,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 28,
  });
  if (status === 0) return undefined;
  const ended = stdout
    .split("\n")
    .filter((row) => row.startsWith('{"name"') && row.includes('"nesting":0'))
    .map((row) => JSON.parse(row) as { name: string; outcome: string });
  const failed = ended.find(({ outcome }) => outcome === "failed")?.name;
  return failed ?? group.find((test) => !ended.some(({ name }) => name === test)) ?? group.join(", ");
}
