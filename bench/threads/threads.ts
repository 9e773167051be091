/**
 * `npm run bench threads`: what an order costs behind the engine, in processor time: in the thread of the log, in that
 * of history, and in the main thread for handing it over to both. The orders are those of bench/http.ts, without HTTP,
 * so that its noise is not in it. With `--against ROOT` another work tree takes turns. `--case '{"perSecond":1000}'`
 * tries another rate or size of groups.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Figure, median, report } from "../report.ts";
import type { Case, Costs } from "./case.ts";

/** What a venue under load of 64 connections comes to, roughly. */
const USUAL: Omit<Case, "withViews"> = { perSecond: 8_000, perGroup: 16, seconds: 8 };
const CASE = fileURLToPath(new URL("case.ts", import.meta.url));
const HERE = fileURLToPath(new URL("../..", import.meta.url));

const {
  against,
  case: asked,
  rounds,
} = parseArgs({
  options: {
    ...{ against: { type: "string" }, case: { type: "string", default: "{}" }, json: { type: "boolean" } },
    rounds: { type: "string", default: "3" },
  },
}).values;
const usual = { ...USUAL, ...(JSON.parse(asked) as Partial<Case>) };
const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
try {
  const roots = against === undefined ? [HERE] : [HERE, against];
  const laps: { readonly with: Costs; readonly without: Costs }[][] = roots.map(() => []);
  for (let round = 0; round < Number(rounds); round++) {
    roots.forEach((root, at) => {
      const run = (withViews: boolean) => costsOf(root, `${round}-${at}-${withViews}`, { ...usual, withViews });
      laps[at]?.push({ without: run(false), with: run(true) });
    });
  }
  report("threads", laps.flatMap(figuresOf));
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function costsOf(root: string, name: string, of: Case): Costs {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, CASE, root, join(dir, name), JSON.stringify(of)],
    { encoding: "utf8", cwd: root },
  );
  if (!stdout.startsWith("{")) throw new Error(`The orders of ${root} came to nothing: ${stderr}`);
  return JSON.parse(stdout) as Costs;
}

function figuresOf(laps: { readonly with: Costs; readonly without: Costs }[], at: number): Figure[] {
  const whose = at === 0 ? "" : "_theirs";
  const of = (name: keyof Costs) => median(laps.map((lap) => lap.with[name]));
  return [
    { name: `log${whose}`, value: of("log"), unit: "µs" },
    { name: `history${whose}`, value: of("history"), unit: "µs" },
    { name: `handing_over${whose}`, value: median(laps.map((lap) => lap.with.main - lap.without.main)), unit: "µs" },
    { name: `others${whose}`, value: of("others"), unit: "µs" },
    { name: `log_bytes${whose}`, value: of("logBytes"), unit: "B" },
    { name: `history_bytes${whose}`, value: of("historyBytes"), unit: "B" },
  ];
}
