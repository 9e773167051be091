import { fileURLToPath } from "node:url";
import type { Figure } from "../report.ts";
import { isWide, type Path } from "./messages.ts";
import { Contender, type Lap, race } from "./race.ts";
import { isList, type Runs } from "./runners.ts";

export const SEED = 20_262;
/**
 * How many times as fast as commit efcae72 the book and the engine should be where they are slowest: on the paths that
 * stay within some thousand prices, and on those that are wider.
 */
const GOALS: Readonly<Partial<Record<Runs, readonly [near: number, wide: number]>>> = {
  ladder: [2, 1.5],
  engine: [1.5, 1.3],
  W1: [1, 1],
};

/** The work trees that race: this one, and the other if one is named. */
export function rootsWith(against: string | undefined): string[] {
  const here = fileURLToPath(new URL("../..", import.meta.url));
  return against === undefined ? [here] : [here, against];
}

/** Whether the quick book, the plain one and the whole engine answer every message of W2 alike. */
export async function compareAnswers(paths: readonly Path[], count: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const path of paths) {
    const contender = new Contender(rootsWith(undefined)[0] as string);
    const sums = new Set<string>();
    for (const runs of ["plain", "ladder", "engine"] as const) {
      sums.add(await contender.answersOf(runs, path, count, SEED));
    }
    contender.close();
    console.log(`Answers on the path "${path}": ${[...sums].join(", ")}.`);
    figures.push({ name: `same answers: ${path}`, value: sums.size === 1 ? 1 : 0, gate: 1 });
  }
  return figures;
}

/**
 * Messages a second on these paths of W2, with the book alone or with the whole engine, or commands a second of a list.
 * Beside the work tree `against`, if there is one: then also how many times as fast this one is.
 */
export async function racePaths(
  runs: Runs,
  paths: readonly Path[],
  count: number,
  against?: string,
): Promise<Figure[]> {
  const roots = rootsWith(against);
  const figures: Figure[] = [];
  const laps = new Map<Path, Lap>();
  for (const path of isList(runs) ? paths.slice(0, 1) : paths) {
    // Fresh processes for each list: what the machine learned from one would colour the next.
    const contenders = roots.map((root) => new Contender(root));
    const lap = await race(contenders, runs, path, count, SEED);
    for (const contender of contenders) contender.close();
    if (new Set(lap.answers).size > 1) throw new Error(`The work trees differ on ${path}: ${lap.answers.join(", ")}.`);
    laps.set(path, lap);
    figures.push(...figuresOf(isList(runs) ? runs : `${runs}, ${path}`, lap));
  }
  if (against === undefined) return figures;
  for (const wide of [false, true]) {
    const its = [...laps].filter(([path]) => isWide(path) === wide).map(([, lap]) => lap);
    if (its.length === 0) continue;
    const slowest = (place: number) => Math.min(...its.map((lap) => lap.perCpuSecond[place] as number));
    const name = wide ? `${runs}, wide` : runs;
    const goal = GOALS[runs]?.[wide ? 1 : 0] ?? 1;
    figures.push({ name: `${name}: worst path over worst path`, value: slowest(0) / slowest(1), goal });
    figures.push({ name: `${name}: least gain`, value: Math.min(...its.map((lap) => lap.cpuRatios[0] as number)) });
  }
  return figures;
}

function figuresOf(name: string, lap: Lap): Figure[] {
  const [ours, theirs] = lap.perSecond as [number, number | undefined];
  if (theirs === undefined) return [{ name, value: ours, unit: "/s" }];
  return [
    { name, value: ours, unit: "/s" },
    { name: `${name}: the other`, value: theirs, unit: "/s" },
    { name: `${name}: times as fast`, value: lap.ratios[0] as number },
    { name: `${name}: by processor time`, value: lap.cpuRatios[0] as number },
  ];
}
