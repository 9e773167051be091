/** A figure with its line over the last minutes. */
import { For, type JSX } from "solid-js";

const [WIDTH, HEIGHT] = [240, 48];

interface SmallChartProps {
  readonly name: string;
  readonly title?: string;
  /** The last value, in words. */
  readonly value: JSX.Element;
  /** By step; null where nobody knows. */
  readonly line: readonly (number | null)[];
  readonly tone?: "bad" | "warning" | undefined;
}

export function SmallChart(props: SmallChartProps) {
  return (
    <div class="card tile" title={props.title}>
      <p class="tile-name">{props.name}</p>
      <p class={`tile-value ${props.tone ?? ""}`}>{props.value}</p>
      <svg class="tile-line" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <For each={stretchesOf(props.line)}>
          {({ from, to, path }) => (
            <>
              <path class="tile-area" d={`${path}L${to} ${HEIGHT}H${from}Z`} />
              <path class="tile-stroke" d={path} />
            </>
          )}
        </For>
      </svg>
    </div>
  );
}

interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}

/**
 * The line in pieces without gaps; from 0, or from the least where all is far above it. A step between two gaps is as
 * wide as it lasts.
 */
function stretchesOf(line: readonly (number | null)[]): readonly Stretch[] {
  const values = line.filter((value) => value !== null);
  if (values.length === 0) return [];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const from = least > (most - least) * 4 ? least - (most - least) * 0.2 : Math.min(0, least);
  const span = most - from || 1;
  const y = (value: number) => (HEIGHT - 2 - ((value - from) / span) * (HEIGHT - 6)).toFixed(1);
  const step = WIDTH / Math.max(1, line.length - 1);
  const stretches: Stretch[] = [];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === null || line[at] === undefined) continue;
    const begin = at;
    while (at + 1 < line.length && line[at + 1] !== null) at++;
    const points = line.slice(begin, at + 1).map((value, index) => [(begin + index) * step, y(value ?? 0)] as const);
    const [[first, height] = [0, "0"]] = points;
    if (points.length === 1) points.push([Math.min(WIDTH, first + step), height]);
    const path = points.map(([x, each], index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${each}`).join("");
    stretches.push({ from: first.toFixed(1), to: (points.at(-1)?.[0] ?? first).toFixed(1), path });
  }
  return stretches;
}
