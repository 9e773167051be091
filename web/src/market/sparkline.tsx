/** The closes of the last 24 hours as a small line. */
import { createResource, Show } from "solid-js";
import { get } from "../api/client.ts";
import type { Kline } from "../api/records.ts";
import type { Market } from "./markets.ts";

const [WIDTH, HEIGHT] = [72, 22];
const KEPT_MS = 60_000;
const read = new Map<string, { readonly at: number; readonly closes: Promise<readonly number[]> }>();

export function Sparkline(props: { market: Market }) {
  const [closes] = createResource(() => props.market, closesOf);
  const path = () => {
    const values = closes() ?? [];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const span = high - low || 1;
    return values
      .map((value, at) => {
        const x = 1 + (at / Math.max(values.length - 1, 1)) * (WIDTH - 2);
        return (
          `${at === 0 ? "M" : "L"}${x.toFixed(1)} ` +
          `${(HEIGHT - 2 - ((value - low) / span) * (HEIGHT - 4)).toFixed(1)}`
        );
      })
      .join("");
  };
  const direction = () => ((closes()?.at(-1) ?? 0) >= (closes()?.[0] ?? 0) ? "up" : "down");
  return (
    <svg
      class={`sparkline ${direction()}`}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <Show when={(closes()?.length ?? 0) > 1}>
        <path d={path()} />
      </Show>
    </svg>
  );
}

function closesOf({ key, product, market }: Market): Promise<readonly number[]> {
  const kept = read.get(key);
  if (kept !== undefined && Date.now() - kept.at < KEPT_MS) return kept.closes;
  const closes = get<Kline[]>(`/v2/${product}/kline`, { market, period: "30min", limit: 48 }).then(
    (rows) => [...rows.slice(0, 1).map(({ open }) => Number(open)), ...rows.map(({ close }) => Number(close))],
    () => [],
  );
  read.set(key, { at: Date.now(), closes });
  return closes;
}
