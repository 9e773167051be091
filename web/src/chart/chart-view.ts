/**
 * Candles, volume, indicators and drawings drawn by Lightweight Charts, which wants binary numbers: what is only drawn
 * may be rounded, and no figure that is shown as text or sent comes back from here, except the price that a line is
 * dropped at, which goes to the grid.
 */
import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type Logical,
  type LogicalRange,
  PriceScaleMode,
  type UTCTimestamp,
} from "lightweight-charts";
import { shown } from "../number/show.ts";
import type { Candle } from "./candles.ts";
import { type Anchor, type Drawing, distanceTo, levelsOf, type Point } from "./drawings.ts";
import { type Bar, firstChanged, INDICATORS, type Indicator, type Values } from "./indicators.ts";
import { Overlay } from "./overlay.ts";

/** A price that is drawn across the chart. */
export interface PriceMark {
  readonly id: string;
  readonly price: string;
  readonly title: string;
  readonly colour: "up" | "down" | "accent" | "warning" | "quiet";
  readonly isDashed?: boolean;
}

export const SCALES = [
  ["linear", "Linear", PriceScaleMode.Normal],
  ["log", "Log", PriceScaleMode.Logarithmic],
  ["percent", "Percent", PriceScaleMode.Percentage],
] as const;
export type Scale = (typeof SCALES)[number][0];

export interface ChartLook {
  readonly priceDecimals: number;
  readonly scale: Scale;
  readonly isUtc: boolean;
  readonly periodMs: number;
  /** By id. */
  readonly indicators: readonly string[];
}

/** A value of an indicator at a candle, as the legend shows it. */
export interface Reading {
  readonly name: string;
  readonly colour: string;
  readonly value: number;
}

interface DrawnIndicator {
  readonly indicator: Indicator;
  readonly series: readonly ISeriesApi<"Line" | "Histogram">[];
  values: readonly Values[];
}

/** A strip below the candles. */
const STRIP_PX = 90;
/** So near to a drawing a press takes hold of it. */
const REACH_PX = 6;
/** Room for the volume at the bottom, and for the figures above. */
const MARGINS = { top: 0.12, bottom: 0.22 };
const VOLUME_TOP = 0.82;
/** So many candles before the first one that is seen, older ones are asked for. */
const AHEAD = 60;

export class ChartView {
  readonly container: HTMLElement;
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<"Candlestick">;
  readonly #volume: ISeriesApi<"Histogram">;
  readonly #overlay: Overlay;
  #indicators: DrawnIndicator[] = [];
  #lines = new Map<string, { readonly line: IPriceLine; readonly drawn: string }>();
  #shown: readonly Candle[] = [];
  #look: ChartLook;

  constructor(
    container: HTMLElement,
    look: ChartLook,
    on: { older: () => void; hover: (at: number | undefined) => void; frame: () => void },
  ) {
    this.container = container;
    this.#look = look;
    this.#chart = createChart(container, {
      autoSize: true,
      layout: { attributionLogo: false, fontSize: 11 },
      crosshair: { mode: CrosshairMode.Normal },
      timeScale: { timeVisible: true, rightOffset: 6, minBarSpacing: 1 },
      handleScale: { axisPressedMouseMove: true },
    });
    this.#candles = this.#chart.addSeries(CandlestickSeries, { priceLineVisible: true });
    this.#overlay = new Overlay(
      {
        pointOf: (anchor) => this.pointOf(anchor),
        yOf: (price) => this.#candles.priceToCoordinate(price) ?? undefined,
        colour: token,
        priceText: (price) => this.priceText(price),
        periodMs: () => this.#look.periodMs,
      },
      on.frame,
    );
    this.#candles.attachPrimitive(this.#overlay);
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: "volume",
      priceFormat: { type: "volume" },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#candles.priceScale().applyOptions({ scaleMargins: MARGINS });
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } });
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range: LogicalRange | null) => {
      if (range !== null && range.from < AHEAD) on.older();
    });
    this.#chart.subscribeCrosshairMove(({ time, logical }) => {
      on.hover(time === undefined || logical === undefined ? undefined : Math.round(logical));
    });
    this.recolour();
  }

  close(): void {
    this.#chart.remove();
  }

  get look(): ChartLook {
    return this.#look;
  }

  /** Shows these candles; where one looked stays where it was. */
  show(candles: readonly Candle[], look: ChartLook, isFresh: boolean): void {
    const added = isFresh ? 0 : candles.length - this.#shown.length;
    const isPrepended = added > 0 && candles[0]?.at !== this.#shown[0]?.at;
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    this.#look = look;
    this.#shown = [...candles];
    this.#candles.applyOptions({
      priceFormat: { type: "price", precision: look.priceDecimals, minMove: 10 ** -look.priceDecimals },
    });
    this.#candles
      .priceScale()
      .applyOptions({ mode: SCALES.find(([scale]) => scale === look.scale)?.[2] ?? PriceScaleMode.Normal });
    this.#candles.setData(candles.map((candle) => this.#bar(candle)));
    this.#volume.setData(candles.map((candle) => this.#column(candle)));
    this.#drawIndicators();
    if (isFresh) {
      const barsSeen = 120;
      this.#chart
        .timeScale()
        .setVisibleLogicalRange({ from: Math.max(candles.length - barsSeen, -40), to: candles.length + 6 });
    } else if (range !== null && isPrepended) {
      this.#chart.timeScale().setVisibleLogicalRange({ from: range.from + added, to: range.to + added });
    }
  }

  /** Shows changes of the last candles, without drawing the others anew. */
  update(changed: readonly Candle[], all: readonly Candle[]): void {
    const from = firstChanged(this.#shown.length, all.length);
    this.#shown = [...all];
    for (const candle of changed) {
      this.#candles.update(this.#bar(candle));
      this.#volume.update(this.#column(candle));
    }
    if (this.#indicators.length === 0) return;
    const bars = this.#bars();
    for (const drawn of this.#indicators) {
      drawn.values = drawn.indicator.of(bars);
      for (const [line, series] of drawn.series.entries()) {
        for (let index = from; index < all.length; index++) {
          const value = drawn.values[line]?.[index];
          const time = this.#time(all[index] as Candle);
          if (value !== undefined) series.update({ time, value });
        }
      }
    }
  }

  /** The candle under the crosshair, by where it stands. */
  at(index: number): Candle | undefined {
    return this.#shown[index];
  }

  /** Returns the values of the indicators at a candle; an indicator without a value there is left out. */
  readingsAt(index: number): readonly Reading[] {
    return this.#indicators.flatMap(({ indicator, values }) =>
      indicator.lines.flatMap(({ name, colour }, line) => {
        const value = values[line]?.[index];
        return value === undefined ? [] : [{ name, colour, value }];
      }),
    );
  }

  get length(): number {
    return this.#shown.length;
  }

  /** How high the strip of the candles is, px. */
  get height(): number {
    return this.#chart.paneSize(0).height;
  }

  priceText(price: number): string {
    return shown(price.toFixed(this.#look.priceDecimals), this.#look.priceDecimals);
  }

  /** Fits the price scale to what is seen, and keeps it so. */
  fit(): void {
    this.#candles.priceScale().setAutoScale(true);
  }

  draw(drawings: readonly Drawing[], selected: string | undefined): void {
    this.#overlay.drawings = drawings;
    this.#overlay.selected = selected;
    this.#overlay.redraw();
  }

  /** The drawing at a place; the one that was drawn last where several are. */
  drawingAt(point: Point): Drawing | undefined {
    return this.#overlay.drawings.findLast((drawing) => {
      const [from, to] = [this.pointOf(drawing.from), this.pointOf(drawing.to)];
      if (from === undefined || to === undefined) return false;
      if (drawing.tool === "measure") {
        const isBetween = (at: number, one: number, other: number) =>
          at >= Math.min(one, other) && at <= Math.max(one, other);
        return isBetween(point.x, from.x, to.x) && isBetween(point.y, from.y, to.y);
      }
      if (drawing.tool === "trend") return distanceTo(point, from, to) <= REACH_PX;
      return levelsOf(drawing).some((price) => {
        const y = this.#candles.priceToCoordinate(price);
        return y !== null && Math.abs(y - point.y) <= REACH_PX;
      });
    });
  }

  pointOf({ at, price }: Anchor): Point | undefined {
    const x = this.#chart.timeScale().logicalToCoordinate(this.#placeOf(at) as Logical);
    const y = this.#candles.priceToCoordinate(price);
    return x === null || y === null ? undefined : { x, y };
  }

  anchorAt({ x, y }: Point): Anchor | undefined {
    const logical = this.#chart.timeScale().coordinateToLogical(x);
    const price = this.#candles.coordinateToPrice(y);
    if (logical === null || price === null) return undefined;
    return { at: this.#timeAt(logical), price: Number(price.toFixed(this.#look.priceDecimals)) };
  }

  /** Where a time stands among the candles; times without one are counted on in periods. */
  #placeOf(at: number): number {
    const candles = this.#shown;
    const [first, last] = [candles[0]?.at ?? 0, candles.at(-1)?.at ?? 0];
    const { periodMs } = this.#look;
    if (at <= first) return (at - first) / periodMs;
    if (at >= last) return candles.length - 1 + (at - last) / periodMs;
    let [low, high] = [0, candles.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((candles[middle]?.at ?? 0) <= at) low = middle;
      else high = middle;
    }
    const [from, to] = [candles[low]?.at ?? 0, candles[high]?.at ?? 0];
    return low + (at - from) / Math.max(1, to - from);
  }

  /** The start of the candle that is nearest, or that would be there. */
  #timeAt(place: number): number {
    const index = Math.round(place);
    const candles = this.#shown;
    const known = candles[index]?.at;
    if (known !== undefined) return known;
    const { periodMs } = this.#look;
    return index < 0
      ? (candles[0]?.at ?? 0) + index * periodMs
      : (candles.at(-1)?.at ?? 0) + (index - candles.length + 1) * periodMs;
  }

  mark(marks: readonly PriceMark[]): void {
    const wanted = new Set(marks.map(({ id }) => id));
    for (const [id, { line }] of this.#lines) {
      if (wanted.has(id)) continue;
      this.#candles.removePriceLine(line);
      this.#lines.delete(id);
    }
    this.#overlay.labels = marks.map(({ price, title, colour }) => ({
      price: Number(price),
      text: title,
      colour: `--${colour}`,
    }));
    this.#overlay.redraw();
    for (const { id, price, colour, isDashed } of marks) {
      const options = {
        price: Number(price),
        title: "",
        color: token(`--${colour}`),
        axisLabelColor: token(`--${colour}`),
        axisLabelTextColor: token("--on-strong"),
        lineWidth: 1 as const,
        lineStyle: isDashed ? LineStyle.Dashed : LineStyle.Solid,
        axisLabelVisible: true,
      };
      const [before, drawn] = [this.#lines.get(id), JSON.stringify(options)];
      if (before?.drawn === drawn) continue;
      before?.line.applyOptions(options);
      this.#lines.set(id, { line: before?.line ?? this.#candles.createPriceLine(options), drawn });
    }
  }

  yOf(price: string): number | undefined {
    return this.#candles.priceToCoordinate(Number(price)) ?? undefined;
  }

  priceAt(y: number): number | undefined {
    return this.#candles.coordinateToPrice(y) ?? undefined;
  }

  /** While a line is dragged the chart must not be. */
  hold(isHeld: boolean): void {
    this.#chart.applyOptions({ handleScroll: !isHeld, handleScale: !isHeld });
  }

  /** Takes the colours of the page as they are now. */
  recolour(): void {
    tokens.clear();
    const [up, down, line] = [token("--up"), token("--down"), token("--chart-grid")];
    this.#chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: token("--surface") },
        textColor: token("--quiet"),
        fontFamily: getComputedStyle(document.body).fontFamily,
        panes: { separatorColor: line, separatorHoverColor: token("--raised") },
      },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      rightPriceScale: { borderColor: token("--line") },
      timeScale: { borderColor: token("--line") },
      crosshair: {
        vertLine: { color: token("--quiet"), labelBackgroundColor: token("--raised-strong") },
        horzLine: { color: token("--quiet"), labelBackgroundColor: token("--raised-strong") },
      },
    });
    this.#candles.applyOptions({
      upColor: up,
      wickUpColor: up,
      borderUpColor: up,
      downColor: down,
      wickDownColor: down,
      borderDownColor: down,
    });
    this.#volume.setData(this.#shown.map((candle) => this.#column(candle)));
    this.#drawIndicators();
    this.#overlay.redraw();
  }

  #drawIndicators(): void {
    const wanted = INDICATORS.filter(({ id }) => this.#look.indicators.includes(id));
    const isSame = wanted.map(({ id }) => id).join() === this.#indicators.map(({ indicator }) => indicator.id).join();
    if (!isSame) this.#placeIndicators(wanted);
    const bars = this.#bars();
    for (const drawn of this.#indicators) {
      drawn.values = drawn.indicator.of(bars);
      for (const [line, series] of drawn.series.entries()) {
        series.applyOptions({ color: token(drawn.indicator.lines[line]?.colour ?? "--accent") });
        const values = drawn.values[line] ?? [];
        series.setData(
          this.#shown.flatMap((candle, index) => {
            const value = values[index];
            return value === undefined ? [] : [{ time: this.#time(candle), value }];
          }),
        );
      }
    }
  }

  /**
   * Takes all lines of indicators away and makes those that are wanted, each that stands apart in a strip of its own.
   */
  #placeIndicators(wanted: readonly Indicator[]): void {
    for (const { series } of this.#indicators) for (const each of series) this.#chart.removeSeries(each);
    let strip = 0;
    this.#indicators = wanted.map((indicator) => {
      const pane = indicator.isApart ? ++strip : 0;
      const series = indicator.lines.map(({ isHistogram }) => {
        const options = { priceLineVisible: false, lastValueVisible: indicator.isApart };
        return isHistogram
          ? this.#chart.addSeries(HistogramSeries, options, pane)
          : this.#chart.addSeries(LineSeries, { ...options, lineWidth: 1, crosshairMarkerVisible: false }, pane);
      });
      return { indicator, series, values: [] };
    });
    for (const pane of this.#chart.panes().slice(1)) pane.setHeight(STRIP_PX);
  }

  #bars(): readonly Bar[] {
    return this.#shown.map(({ at, open, high, low, close, volume }) => ({
      at,
      open: Number(open),
      high: Number(high),
      low: Number(low),
      close: Number(close),
      volume: Number(volume),
    }));
  }

  #bar(candle: Candle) {
    const { open, high, low, close } = candle;
    return { time: this.#time(candle), open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
  }

  #column(candle: Candle) {
    const isUp = Number(candle.close) >= Number(candle.open);
    return {
      time: this.#time(candle),
      value: Number(candle.volume),
      color: token(isUp ? "--up-faint" : "--down-faint"),
    };
  }

  /** The chart knows no time zones: local time is told it as if it were UTC. */
  #time({ at }: Candle): UTCTimestamp {
    const shiftMs = this.#look.isUtc ? 0 : -new Date(at).getTimezoneOffset() * 60_000;
    return ((at + shiftMs) / 1_000) as UTCTimestamp;
  }
}

const tokens = new Map<string, string>();

/**
 * A design token's value as it holds since the last recolouring: to ask for it makes the browser work out all styles
 * that wait.
 */
function token(name: string): string {
  const known = tokens.get(name);
  if (known !== undefined) return known;
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  tokens.set(name, value);
  return value;
}
