import { futures } from "./futures/world.ts";
import { spot } from "./spot/world.ts";
import type { World } from "./world.ts";

/**
 * What a seed stands for: a venue of spot trading beside the model of it, or one of spot and futures together beside futures
 * accounts that are kept by hand. The model counts orders and deals of one product, so it cannot look at both.
 */
export const WORLDS: readonly World[] = [spot, futures];

export function worldNamed(name: string): World {
  const world = WORLDS.find((one) => one.name === name);
  if (world === undefined) throw new Error(`There is no world ${name}.`);
  return world;
}
