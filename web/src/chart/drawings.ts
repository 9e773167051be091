/**
 * The drawings and the indicators that somebody has put into the chart of a market: kept in this browser, for each
 * market.
 */

/** A place in the chart. It is drawn, not sent: a binary price serves. */
export interface Anchor {
  /** ms. */
  readonly at: number;
  readonly price: number;
}

export const TOOLS = [
  ["trend", "Trend line", "M2 13 14 3"],
  ["horizontal", "Horizontal line", "M1 8h14"],
  ["fibonacci", "Fibonacci retracement", "M1 3h14M1 7h14M1 10h14M1 13h14"],
  ["measure", "Measure", "M3 13V3h10v10zM8 3v10M3 8h10"],
] as const;
export type Tool = (typeof TOOLS)[number][0];

export interface Drawing {
  readonly id: string;
  readonly tool: Tool;
  readonly from: Anchor;
  /** The same as `from` for what one place makes. */
  readonly to: Anchor;
}

/** More lines than anybody can tell apart. */
export const DRAWINGS_MAX = 50;

/** Parts of the way back that a retracement marks. */
export const RETRACEMENTS = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1];

export function needsTwo(tool: Tool): boolean {
  return tool !== "horizontal";
}

export function wordOf(tool: Tool): string {
  return TOOLS.find(([each]) => each === tool)?.[1] ?? tool;
}

/** The prices at which a drawing has a level line. */
export function levelsOf({ tool, from, to }: Drawing): readonly number[] {
  if (tool === "horizontal") return [from.price];
  if (tool !== "fibonacci") return [];
  return RETRACEMENTS.map((part) => to.price + (from.price - to.price) * part);
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How far a point is from the stretch between two others. */
export function distanceTo(point: Point, one: Point, other: Point): number {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point.x - one.x) * dx + (point.y - one.y) * dy) / length;
  const part = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - one.x - part * dx, point.y - one.y - part * dy);
}

/** Chart of a market as it is kept. */
export interface KeptChart {
  readonly indicators: readonly string[];
  readonly drawings: readonly Drawing[];
}

const EMPTY: KeptChart = { indicators: [], drawings: [] };
const keyOf = (market: string) => `bourse.chart.${market}`;

export function readChart(market: string): KeptChart {
  try {
    const { indicators, drawings } = JSON.parse(localStorage.getItem(keyOf(market)) ?? "") as KeptChart;
    return { indicators: [...indicators], drawings: drawings.filter(isDrawing).slice(-DRAWINGS_MAX) };
  } catch {
    return EMPTY;
  }
}

export function keepChart(market: string, chart: KeptChart): void {
  if (chart.indicators.length === 0 && chart.drawings.length === 0) localStorage.removeItem(keyOf(market));
  else localStorage.setItem(keyOf(market), JSON.stringify(chart));
}

function isDrawing({ id, tool, from, to }: Drawing): boolean {
  const isAnchor = (anchor: Anchor) => Number.isFinite(anchor?.at) && Number.isFinite(anchor?.price);
  return typeof id === "string" && TOOLS.some(([each]) => each === tool) && isAnchor(from) && isAnchor(to);
}
