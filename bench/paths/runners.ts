import { pathToFileURL } from "node:url";
import { MIX_SEED, mixOf } from "../mix.ts";
import type { Workload } from "../workload.ts";
import { BookRunner } from "./book-runner.ts";
import { type Checkout, loadCheckout } from "./checkout.ts";
import { EngineRunner } from "./engine-runner.ts";
import { makeMessages, type Path } from "./messages.ts";

/** Lists of commands for the whole engine that know no path: W1, and the mixes of bench/mix.ts. */
const LISTS = ["W1", "spot", "futures"] as const;
export type List = (typeof LISTS)[number];

/** What a contender runs: a book alone or the whole engine on a path of W2, or the whole engine on a list. */
export type Runs = "ladder" | "plain" | "engine" | List;

export function isList(runs: Runs): runs is List {
  return LISTS.some((list) => list === runs);
}

/** A workload of so many messages, for the engine of the repository at `root`. */
export interface Task {
  readonly root: string;
  readonly runs: Runs;
  readonly path: Path;
  readonly count: number;
  readonly seed: number;
}

/** An engine or a book with its messages. */
export interface Runner {
  run(from: number, count: number): void;
  /** As `run`, reading each answer where `run` does not. */
  runRead?(from: number, count: number): void;
  /** The sum of its answers. */
  finish(): string;
}

/** Prepares the messages of a task. Each call of the result gives a runner that has taken none of them. */
export async function prepare(task: Task): Promise<() => Runner> {
  const { root, runs, path, count, seed } = task;
  if (isList(runs)) return listRunners(root, runs, count, seed);
  const checkout = await loadCheckout(root);
  const messages = makeMessages(path, count, seed);
  return () => (runs === "engine" ? new EngineRunner(checkout, messages) : new BookRunner(checkout, runs, messages));
}

/** W1 or a mix as the repository at ROOT makes it. */
async function listRunners(root: string, runs: List, count: number, seed: number): Promise<() => Runner> {
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
