import { type Slope, slopeOf } from "./slope.ts";
import type { Look } from "./subject.ts";

export interface Growth {
  readonly name: string;
  /** At the first look of the stretch, and at the last. */
  readonly first: number;
  readonly last: number;
  /** Per hour. */
  readonly slope: Slope;
}

/** How each figure grew over the looks from `fromH` hours on; none where there were fewer than three of them. */
export function growthOf(looks: readonly Look[], fromH: number): Growth[] {
  const stretch = looks.filter(({ hours }) => (hours as number) >= fromH);
  const names = Object.keys(looks.at(-1) ?? {}).filter((name) => name !== "hours");
  return names.flatMap((name) => {
    const points = stretch.map((look) => ({ x: look["hours"] as number, y: look[name] as number }));
    const slope = slopeOf(points);
    if (slope === undefined) return [];
    return [{ name, first: points[0]?.y as number, last: points.at(-1)?.y as number, slope }];
  });
}
