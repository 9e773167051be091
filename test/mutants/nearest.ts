/**
 * Which files of tests are nearest to a file of the source: those that stand beside it, then those that import it over
 * the fewest steps.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export class ImportGraph {
  /** By file: who imports it. */
  readonly #importers = new Map<string, Set<string>>();

  constructor(root: string) {
    for (const path of globSync(["src/**/*.ts", "test/**/*.ts", "scripts/**/*.ts", "client/**/*.ts"], { cwd: root })) {
      const file = path.replaceAll("\\", "/");
      const text = readFileSync(join(root, file), "utf8");
      // Also the files of threads and of processes, which are named and not imported.
      for (const [, target = ""] of text.matchAll(/["'](\.{1,2}\/[^"'\n]+\.(?:ts|js))["']/g)) {
        const to = posix.join(posix.dirname(file), target);
        if (!existsSync(join(root, to))) continue;
        this.#importers.set(to, (this.#importers.get(to) ?? new Set()).add(file));
      }
    }
  }

  /** Steps from `file` to each file that imports it, whether or not through others. */
  distancesTo(file: string): Map<string, number> {
    const steps = new Map([[file, 0]]);
    for (const each of steps.keys()) {
      for (const importer of this.#importers.get(each) ?? [])
        if (!steps.has(importer)) steps.set(importer, (steps.get(each) as number) + 1);
    }
    return steps;
  }
}

/**
 * `tests`, the nearest to `file` first and the shortest first among those that are equally near; those that never come
 * to it are left out.
 */
export function nearestFirst(
  tests: readonly string[],
  file: string,
  graph: ImportGraph,
  secondsOf: (test: string) => number,
): string[] {
  const steps = graph.distancesTo(file);
  const own = file.replace(/\.ts$/, ".test.ts");
  const folder = posix.dirname(file);
  const rank = (test: string) =>
    test === own ? -2 : posix.dirname(test) === folder ? -1 : (steps.get(test) as number);
  return tests
    .filter((test) => test === own || steps.has(test) || posix.dirname(test) === folder)
    .sort((one, other) => rank(one) - rank(other) || secondsOf(one) - secondsOf(other));
}
