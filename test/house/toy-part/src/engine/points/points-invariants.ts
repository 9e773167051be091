import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { POINTS_MAX, points } from "./points.ts";

/**
 * What must hold of points between two commands: they are all that were issued, and nobody has none, too many or parts
 * of one.
 */
export function checkPoints(state: State, { expect }: Census): void {
  const { of, issued } = points.of(state);
  let sum = 0;
  for (const [userId, held] of of) {
    sum += held;
    const isSound = Number.isSafeInteger(held) && held > 0 && held <= POINTS_MAX && state.users.has(userId);
    expect(isSound, () => `User ${userId} has ${held} points.`);
  }
  expect(sum === issued, () => `Users have ${sum} points, and ${issued} were issued.`);
}
