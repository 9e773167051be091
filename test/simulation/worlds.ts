import { adversary } from "./adversary/world.ts";
import { futures } from "./futures/world.ts";
import { spot } from "./spot/world.ts";
import type { World } from "./world.ts";

/**
 * What a seed stands for: a venue of spot trading beside the model of it, or one of spot and futures together beside
 * futures accounts that are kept by hand. The model counts orders and deals of one product, so it cannot look at both.
 */
export const WORLDS: readonly World[] = [spot, futures, adversary];

/** A world, or with a colon a part of one: "adversary:sweep". */
export function worldNamed(name: string): World {
  const [whole, part] = name.split(":");
  const world = WORLDS.find((one) => one.name === whole);
  const named = part === undefined ? world : world?.variant?.(part);
  if (named === undefined) throw new Error(`There is no world ${name}.`);
  return { ...named, name };
}
