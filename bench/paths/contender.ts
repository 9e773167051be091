/**
 * `contender.ts ROOT`: runs a workload with the engine of the repository at ROOT, slice by slice as its parent asks. A
 * process of its own, so that neither contender's types make the other's code slower.
 */
import type { Ask, Told } from "./race.ts";
import { prepare, type Runner } from "./runners.ts";

const root = process.argv[2] as string;
let runner: Runner;
process.on("message", async (ask: Ask) => {
  process.send?.(await answer(ask));
});
process.once("disconnect", () => process.exit(0));

async function answer(ask: Ask): Promise<Told> {
  if (ask.kind === "open") {
    const newRunner = await prepare({ root, ...ask });
    // Once for the compiler alone, which works beside the first million messages and more.
    newRunner().run(0, ask.count);
    runner = newRunner();
    return { seconds: 0, userSeconds: 0 };
  }
  if (ask.kind === "finish") return { seconds: 0, userSeconds: 0, answers: runner.finish() };
  const cpu = process.cpuUsage();
  const started = process.hrtime.bigint();
  if (ask.reads && runner.runRead !== undefined) runner.runRead(ask.from, ask.count);
  else runner.run(ask.from, ask.count);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return { seconds, userSeconds: process.cpuUsage(cpu).user / 1e6 };
}
