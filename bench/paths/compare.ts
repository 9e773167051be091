/**
 * `npm run bench paths -- --against ROOT [--only ladder|engine|W1|spot|futures|answers]... [--counted]`: this engine
 * beside that of another work tree, in turns within one run. Exit code 1 when the answers to W2 differ. With
 * `--path NAME...` only these paths of W2.
 *
 * With `--counted` it counts machine instructions a message instead of times, by `perf stat` where that can read the
 * processor's counter, else by valgrind: other programs on the machine do not change them.
 */
import { parseArgs } from "node:util";
import { type Figure, report } from "../report.ts";
import { reportCounted } from "./counted.ts";
import { PATHS } from "./messages.ts";
import { compareAnswers, racePaths } from "./paths.ts";

const COUNT = Number(process.env.BENCH_COMMANDS ?? 2_000_000);

const { values } = parseArgs({
  options: {
    against: { type: "string" },
    only: { type: "string", multiple: true },
    path: { type: "string", multiple: true },
    json: { type: "boolean" },
    counted: { type: "boolean" },
  },
});
const wants = (name: string) => values.only === undefined || values.only.includes(name);
const paths = PATHS.filter((path) => values.path?.includes(path) ?? true);
const TIMED = ["ladder", "engine", "W1", "spot", "futures"] as const;
if (values.counted) await reportCounted("paths", TIMED.filter(wants), paths, values.against);
else await reportTimes();

async function reportTimes(): Promise<void> {
  const figures: Figure[] = [];
  if (wants("answers")) figures.push(...(await compareAnswers(paths, COUNT)));
  for (const runs of TIMED.filter(wants)) figures.push(...(await racePaths(runs, paths, COUNT, values.against)));
  report("paths", figures);
}
