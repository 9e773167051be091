import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median } from "../report.ts";
import type { Path } from "./messages.ts";
import type { Runs } from "./runners.ts";

export type Ask =
  | { readonly kind: "open"; readonly runs: Runs; readonly path: Path; readonly count: number; readonly seed: number }
  | { readonly kind: "run"; readonly from: number; readonly count: number; readonly reads: boolean }
  | { readonly kind: "finish" };

export interface Told {
  readonly seconds: number;
  /** Processor time, which another program on the machine changes less than time. */
  readonly userSeconds: number;
  readonly answers?: string;
}

const SLICES = 100;

export interface Lap {
  /** Messages a second, median over the slices. */
  readonly perSecond: readonly number[];
  /** The same of processor time. */
  readonly perCpuSecond: readonly number[];
  /** How many times as fast as the last contender each one is, in time and in processor time. */
  readonly ratios: readonly number[];
  readonly cpuRatios: readonly number[];
  /** Sums of the answers; the engine's are not read while it is timed. */
  readonly answers: readonly string[];
}

/** A process with the engine of one repository. */
export class Contender {
  private readonly child: ChildProcess;

  /** It runs with the flags that its own repository gives a venue. */
  constructor(root: string) {
    this.child = fork(fileURLToPath(new URL("contender.ts", import.meta.url)), [root], { execArgv: flagsOf(root) });
  }

  async ask(ask: Ask): Promise<Told> {
    this.child.send(ask);
    const [told] = await once(this.child, "message");
    return told as Told;
  }

  /** Runs the whole list reading each answer; gives their sum. */
  async answersOf(runs: Runs, path: Path, count: number, seed: number): Promise<string> {
    await this.ask({ kind: "open", runs, path, count, seed });
    await this.ask({ kind: "run", from: 0, count, reads: true });
    return (await this.ask({ kind: "finish" })).answers as string;
  }

  close(): void {
    this.child.disconnect();
  }
}

/** The flags of V8 as the scripts of a repository list them; older commits keep them in another file. */
export function flagsOf(root: string): string[] {
  const file = ["venue-node.js", "bootstrap.js"]
    .map((name) => `${root}/scripts/${name}`)
    .find((path) => existsSync(path));
  const [, list = ""] = /ENGINE_FLAGS = \[([^\]]*)\]/.exec(readFileSync(file as string, "utf8")) ?? [];
  const flags = [...list.matchAll(/"([^"]+)"/g)].map(([, flag]) => flag as string);
  if (flags.length === 0) throw new Error(`There are no ENGINE_FLAGS in ${file}.`);
  return flags;
}

/** All run the same list slice by slice in turns, so that what else the machine does falls on all. */
export async function race(
  contenders: readonly Contender[],
  runs: Runs,
  path: Path,
  count: number,
  seed: number,
): Promise<Lap> {
  for (const contender of contenders) await contender.ask({ kind: "open", runs, path, count, seed });
  const perSlice = Math.floor(count / SLICES);
  const laps: Told[][] = contenders.map(() => []);
  for (let slice = 0; slice < SLICES; slice++) {
    // Who goes first finds the machine as the last slice left it, so they take that in turns too.
    const order = contenders.map((_, place) => (place + slice) % contenders.length);
    for (const place of order) {
      const told = await (contenders[place] as Contender).ask({
        kind: "run",
        from: slice * perSlice,
        count: perSlice,
        reads: false,
      });
      (laps[place] as Told[]).push(told);
    }
  }
  const answers: string[] = [];
  for (const contender of contenders) answers.push((await contender.ask({ kind: "finish" })).answers as string);
  const last = laps.at(-1) as Told[];
  const against = (of: (told: Told) => number) =>
    laps.map((lap) => median(lap.map((told, slice) => of(last[slice] as Told) / of(told))));
  return {
    perSecond: laps.map((lap) => median(lap.map(({ seconds }) => perSlice / seconds))),
    perCpuSecond: laps.map((lap) => median(lap.map(({ userSeconds }) => perSlice / userSeconds))),
    ratios: against(({ seconds }) => seconds),
    cpuRatios: against(({ userSeconds }) => userSeconds),
    answers,
  };
}
