/** Seeds that once failed, shrunk to what it took, in seeds.json: the tests go through them for ever. */
import { readFileSync, writeFileSync } from "node:fs";
import { stepsFromJson, stepsToJson } from "./steps-json.ts";

export interface KeptSeed {
  readonly world: string;
  readonly seed: number;
  /** Commands that the run had before it was shrunk. */
  readonly commands: number;
  /** What showed when it was found. */
  readonly showed: string;
  readonly steps: readonly unknown[];
}

const FILE = new URL("seeds.json", import.meta.url);

export function keptSeeds(): KeptSeed[] {
  const entries = JSON.parse(readFileSync(FILE, "utf8")) as (Omit<KeptSeed, "steps"> & { readonly steps: unknown })[];
  return entries.map(({ steps, ...entry }) => ({ ...entry, steps: stepsFromJson(steps) }));
}

/** Adds a seed; one that is kept already stays as it was. One line for each step, so that people can read it. */
export function keepSeed(found: KeptSeed): void {
  const seeds = keptSeeds();
  if (seeds.some(({ world, seed, showed }) => world === found.world && seed === found.seed && showed === found.showed))
    return;
  const entries = [...seeds, found].map(({ steps, ...entry }) => {
    const lines = (stepsToJson(steps) as unknown[]).map((step) => `      ${JSON.stringify(step)}`);
    const head = Object.entries(entry).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
    return `  {\n${head.join("\n")}\n    "steps": [\n${lines.join(",\n")}\n    ]\n  }`;
  });
  writeFileSync(FILE, `[\n${entries.join(",\n")}\n]\n`);
}
