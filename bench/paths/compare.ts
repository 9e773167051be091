/**
 * `npm run bench paths -- --against ROOT [--only ladder|engine|W1|spot|futures|answers]...`: this engine beside that of
 * another work tree, in turns within one run. Exit code 1 when the answers to W2 differ.
 */
import { parseArgs } from "node:util";
import { type Figure, report } from "../report.ts";
import { compareAnswers, racePaths } from "./paths.ts";

const COUNT = Number(process.env.BENCH_COMMANDS ?? 2_000_000);

const { values } = parseArgs({
  options: {
    against: { type: "string" },
    only: { type: "string", multiple: true },
    json: { type: "boolean" },
  },
});
const wants = (name: string) => values.only === undefined || values.only.includes(name);
const figures: Figure[] = [];
if (wants("answers")) figures.push(...(await compareAnswers(COUNT)));
for (const runs of ["ladder", "engine", "W1", "spot", "futures"] as const) {
  if (wants(runs)) figures.push(...(await racePaths(runs, COUNT, values.against)));
}
report("paths", figures);
