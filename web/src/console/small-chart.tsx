/** A figure with its line over the last minutes. */
import { type JSX, Show } from "solid-js";

const [WIDTH, HEIGHT] = [240, 48];

interface SmallChartProps {
  readonly name: string;
  readonly title?: string;
  /** The last value, in words. */
  readonly value: JSX.Element;
  readonly line: readonly number[];
  readonly tone?: "bad" | "warning" | undefined;
}

export function SmallChart(props: SmallChartProps) {
  return (
    <div class="card tile" title={props.title}>
      <p class="tile-name">{props.name}</p>
      <p class={`tile-value ${props.tone ?? ""}`}>{props.value}</p>
      <svg class="tile-line" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <Show when={props.line.length > 1}>
          <path class="tile-area" d={`${pathOf(props.line)}V${HEIGHT}H0Z`} />
          <path class="tile-stroke" d={pathOf(props.line)} />
        </Show>
      </svg>
    </div>
  );
}

/** From 0, or from the least where all is far above it. */
function pathOf(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const from = least > (most - least) * 4 ? least - (most - least) * 0.2 : Math.min(0, least);
  const span = most - from || 1;
  return values
    .map((value, at) => {
      const x = (at / (values.length - 1)) * WIDTH;
      const y = HEIGHT - 2 - ((value - from) / span) * (HEIGHT - 6);
      return `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}
