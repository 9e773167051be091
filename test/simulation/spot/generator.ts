/**
 * Makes up what happens in a simulated venue. Each step hangs on its own number alone, so that any of them can be left
 * out.
 */

import { SPOT_PARTS } from "../parts.ts";
import { Random } from "../random.ts";
import { Draw } from "./draw.ts";
import type { Action } from "./part.ts";
import type { Settings } from "./settings.ts";
import type { Step } from "./step.ts";

const ACTIONS = new Map<string, Action>(SPOT_PARTS.flatMap(({ actions }) => Object.entries(actions)));

/** The steps of a seed: those that make the venue, then `count` that happen in it. */
export function stepsOf(settings: Settings, count: number): Step[] {
  const random = new Random(settings.seed);
  const steps = setup(settings);
  for (let at = 0; at < count; at++) steps.push(stepOf(settings, random.next(), at / count));
  return steps;
}

/** The steps that list and fund. */
export function setup(settings: Settings): Step[] {
  const commands = SPOT_PARTS.flatMap((part) => part.setup?.(settings) ?? []);
  return commands.map((command) => ({ waitMs: 0, command }));
}

/**
 * A step from its number; `progress` says how far the run is, from 0 to 1: the middle of the prices wanders with it.
 */
export function stepOf(settings: Settings, number: number, progress: number): Step {
  const random = new Random(number);
  const waitMs = random.chance(settings.waitPercent) ? random.pick(settings.waits) : 0;
  const action = ACTIONS.get(random.weighted(settings.mix)) as Action;
  return { waitMs, ...action.make(new Draw(settings, random, progress)) };
}
