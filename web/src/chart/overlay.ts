/** Draws over the candles: names of price lines, and drawings. The chart calls it with each of its own frames. */
import type { IPrimitivePaneView, ISeriesPrimitive, Time } from "lightweight-charts";
import { type Anchor, type Drawing, levelsOf, type Point, RETRACEMENTS } from "./drawings.ts";

/** The questions that the overlay asks the chart. */
export interface Projection {
  readonly pointOf: (anchor: Anchor) => Point | undefined;
  readonly yOf: (price: number) => number | undefined;
  readonly colour: (token: string) => string;
  readonly priceText: (price: number) => string;
  readonly periodMs: () => number;
}

export interface Label {
  readonly price: number;
  readonly text: string;
  readonly colour: string;
}

const FONT_PX = 10;
const LABEL_PX = 15;
const PAD_PX = 5;

type Context = CanvasRenderingContext2D;

export class Overlay implements ISeriesPrimitive<Time> {
  labels: readonly Label[] = [];
  drawings: readonly Drawing[] = [];
  selected: string | undefined;
  readonly #projection: Projection;
  readonly #onFrame: () => void;
  readonly #views: readonly IPrimitivePaneView[];
  #redraw: (() => void) | undefined;

  constructor(projection: Projection, onFrame: () => void) {
    this.#projection = projection;
    this.#onFrame = onFrame;
    this.#views = [
      {
        zOrder: () => "top",
        renderer: () => ({
          draw: (target) =>
            target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
              context.font = `${FONT_PX}px ${getComputedStyle(document.body).fontFamily}`;
              context.textBaseline = "middle";
              for (const drawing of this.drawings) this.#draw(context, drawing, width, height);
              this.#drawLabels(context, width, height);
            }),
        }),
      },
    ];
  }

  attached({ requestUpdate }: { readonly requestUpdate: () => void }): void {
    this.#redraw = requestUpdate;
  }

  detached(): void {
    this.#redraw = undefined;
  }

  redraw(): void {
    this.#redraw?.();
  }

  updateAllViews(): void {
    this.#onFrame();
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  #draw(context: Context, drawing: Drawing, width: number, height: number): void {
    const { pointOf, yOf, colour, priceText, periodMs } = this.#projection;
    const [from, to] = [pointOf(drawing.from), pointOf(drawing.to)];
    if (from === undefined || to === undefined) return;
    const isSelected = this.selected === drawing.id;
    context.strokeStyle = context.fillStyle = colour("--accent");
    context.lineWidth = isSelected ? 2 : 1;
    if (drawing.tool === "trend") stroke(context, from, to);
    for (const [at, price] of levelsOf(drawing).entries()) {
      const y = yOf(price);
      if (y === undefined || y < 0 || y > height) continue;
      const left = drawing.tool === "fibonacci" ? Math.min(from.x, to.x) : 0;
      stroke(context, { x: left, y }, { x: width, y });
      const part = drawing.tool === "fibonacci" ? `${RETRACEMENTS[at]} · ` : "";
      context.textAlign = "left";
      context.fillText(`${part}${priceText(price)}`, left + PAD_PX, y - FONT_PX / 2 - 2);
    }
    if (drawing.tool === "measure") {
      const isRise = drawing.to.price >= drawing.from.price;
      context.strokeStyle = context.fillStyle = colour(isRise ? "--up" : "--down");
      context.globalAlpha = 0.12;
      context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
      context.globalAlpha = 1;
      context.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
      context.textAlign = "center";
      const middle = (from.x + to.x) / 2;
      const edge = isRise ? Math.min(from.y, to.y) - FONT_PX : Math.max(from.y, to.y) + FONT_PX;
      context.fillText(measured(drawing, priceText, periodMs()), middle, edge);
    }
    if (!isSelected) return;
    for (const { x, y } of [from, to]) {
      context.beginPath();
      context.arc(x, y, 4, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /** Slim names at the right end of lines: those that would cover one another stand side by side. */
  #drawLabels(context: Context, width: number, height: number): void {
    const { yOf, colour } = this.#projection;
    const taken: { readonly y: number; left: number }[] = [];
    context.textAlign = "left";
    context.lineWidth = 1;
    for (const { price, text, colour: token } of this.labels) {
      const y = yOf(price);
      if (y === undefined || y < 0 || y > height) continue;
      const size = context.measureText(text).width + 2 * PAD_PX;
      const row = taken.find((each) => Math.abs(each.y - y) < LABEL_PX);
      const left = (row?.left ?? width) - PAD_PX - size;
      if (row === undefined) taken.push({ y, left });
      else row.left = left;
      context.fillStyle = colour("--surface");
      context.strokeStyle = colour(token);
      context.fillRect(left, y - LABEL_PX / 2, size, LABEL_PX);
      context.strokeRect(left + 0.5, Math.round(y - LABEL_PX / 2) + 0.5, size - 1, LABEL_PX - 1);
      context.fillStyle = colour(token);
      context.fillText(text, left + PAD_PX, y + 0.5);
    }
  }
}

function stroke(context: Context, from: Point, to: Point): void {
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
}

/** Returns the text of a measure: the way of the price, its share, and how many candles it took. */
export function measured({ from, to }: Drawing, priceText: (price: number) => string, periodMs: number): string {
  const way = to.price - from.price;
  const sign = way < 0 ? "−" : "+";
  const share = from.price === 0 ? 0 : (100 * Math.abs(way)) / from.price;
  const candles = Math.round(Math.abs(to.at - from.at) / periodMs);
  return (
    `${sign}${priceText(Math.abs(way))} (${sign}${share.toFixed(2)} ` +
    `%) · ${candles} candle${candles === 1 ? "" : "s"}`
  );
}
