// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* The last hour of a price as a line. */
import { svgElement } from "./elements.js";

const WIDTH = 120;
const HEIGHT = 28;
const SPAN_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Closes by the minute: read from candles once, then grown from what the price does. */
export class LastHour {
  #points = [];

  /**
   * From candles of a minute each, oldest first. The first begins at its opening price, so that the first minute of a
   * market is a line, too.
   */
  read(candles) {
    const closes = candles.map(({ created_at, close }) => ({ timeMs: created_at + MINUTE_MS, price: Number(close) }));
    const [first] = candles;
    this.#points = first === undefined ? [] : [{ timeMs: first.created_at, price: Number(first.open) }, ...closes];
  }

  grow(timeMs, price) {
    const endMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
    const last = this.#points.at(-1);
    if (last?.timeMs === endMs) last.price = price;
    else if (last === undefined || last.timeMs < endMs) this.#points.push({ timeMs: endMs, price });
    while (this.#points.length > 1 && this.#points[1].timeMs < timeMs - SPAN_MS) this.#points.shift();
  }

  /** Empty while there is no line. */
  path(nowMs) {
    const fromMs = nowMs - SPAN_MS;
    const shown = this.#points.map(({ timeMs, price }) => ({
      timeMs: Math.min(Math.max(timeMs, fromMs), nowMs),
      price,
    }));
    if (shown.length === 0) return { path: "", isUp: true };
    shown.push({ timeMs: nowMs, price: shown.at(-1).price });
    const prices = shown.map(({ price }) => price);
    const low = Math.min(...prices);
    const span = Math.max(...prices) - low || 1;
    const points = shown.map(({ timeMs, price }) => {
      const x = ((timeMs - fromMs) / SPAN_MS) * (WIDTH - 2) + 1;
      return `${x.toFixed(1)} ${(HEIGHT - 2 - ((price - low) / span) * (HEIGHT - 4)).toFixed(1)}`;
    });
    return { path: `M${points.join("L")}`, isUp: prices.at(-1) >= prices[0] };
  }
}

/** An element, and how to draw into it. */
export function sparkline() {
  const line = svgElement("path", {});
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const svg = svgElement("svg", { width: WIDTH, height: HEIGHT, viewBox, "aria-hidden": "true" });
  svg.append(line);
  const draw = ({ path, isUp }) => {
    line.setAttribute("d", path);
    svg.setAttribute("class", isUp ? "up" : "down");
  };
  return { svg, draw };
}
