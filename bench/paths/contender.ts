/**
 * `contender.ts ROOT`: runs a workload with the engine of the repository at ROOT, slice by slice as its parent asks. A
 * process of its own, so that neither contender's types make the other's code slower.
 */
import { pathToFileURL } from "node:url";
import { MIX_SEED, mixOf } from "../mix.ts";
import type { Workload } from "../workload.ts";
import { BookRunner } from "./book-runner.ts";
import { type Checkout, loadCheckout } from "./checkout.ts";
import { EngineRunner } from "./engine-runner.ts";
import { makeMessages } from "./messages.ts";
import { type Ask, isList, type List, type Told } from "./race.ts";

interface Runner {
  run(from: number, count: number): void;
  finish(): string;
}

const root = process.argv[2] as string;
const checkout = await loadCheckout(root);
let runner: Runner;
process.on("message", async (ask: Ask) => {
  process.send?.(await answer(ask));
});
process.once("disconnect", () => process.exit(0));

async function answer(ask: Ask): Promise<Told> {
  if (ask.kind === "open") {
    const newRunner = isList(ask.runs) ? await listRunners(ask.runs, ask.count, ask.seed) : pathRunners(ask);
    // Once for the compiler alone, which works beside the first million messages and more.
    newRunner().run(0, ask.count);
    runner = newRunner();
    return { seconds: 0, userSeconds: 0 };
  }
  if (ask.kind === "finish") return { seconds: 0, userSeconds: 0, answers: runner.finish() };
  const cpu = process.cpuUsage();
  const started = process.hrtime.bigint();
  if (ask.reads && runner instanceof EngineRunner) runner.runRead(ask.from, ask.count);
  else runner.run(ask.from, ask.count);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return { seconds, userSeconds: process.cpuUsage(cpu).user / 1e6 };
}

function pathRunners({ runs, path, count, seed }: Extract<Ask, { kind: "open" }>): () => Runner {
  if (isList(runs)) throw new Error(`${runs} has no path.`);
  const messages = makeMessages(path, count, seed);
  return () => (runs === "engine" ? new EngineRunner(checkout, messages) : new BookRunner(checkout, runs, messages));
}

/** W1 or a mix as the repository at ROOT makes it. */
async function listRunners(runs: List, count: number, seed: number): Promise<() => Runner> {
  const bench: typeof import("../workload.ts") = await import(pathToFileURL(`${root}/bench/workload.ts`).href);
  const shape = runs === "W1" ? undefined : mixOf(runs);
  const { records, starts }: Workload = bench.makeWorkload(count, shape === undefined ? seed : MIX_SEED, shape);
  return () => {
    const engine: InstanceType<Checkout["Engine"]> = bench.newVenue(shape?.setup);
    let seq = engine.state.seq;
    const apply = (index: number) => engine.apply(records, starts[index] as number, ++seq, 1);
    for (let index = 0; index < bench.PRELOADED; index++) apply(index);
    return {
      run(from, commands) {
        for (let index = from; index < from + commands; index++) {
          if ((index & 63) === 0) engine.events.clear();
          apply(bench.PRELOADED + index);
        }
      },
      finish: () => String(engine.state.nextDealId),
    };
  };
}
