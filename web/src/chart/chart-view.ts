/**
 * Candles, volume and moving averages drawn by Lightweight Charts, which wants binary numbers: what is only drawn may be rounded, and
 * no figure that is shown as text or sent comes back from here, except the price that a line is dropped at, which goes to the grid.
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
  type LogicalRange,
  PriceScaleMode,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Candle } from "./candles.ts";

/** A price that is drawn across the chart. */
export interface PriceMark {
  readonly id: string;
  readonly price: string;
  readonly title: string;
  readonly colour: "up" | "down" | "accent" | "warning" | "quiet";
  readonly isDashed?: boolean;
}

export interface ChartLook {
  readonly priceDecimals: number;
  readonly isLogarithmic: boolean;
  readonly isUtc: boolean;
  readonly averages: readonly number[];
}

const AVERAGE_COLOURS = ["--average-1", "--average-2", "--average-3"];
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
  #averages: ISeriesApi<"Line">[] = [];
  #lines = new Map<string, { readonly line: IPriceLine; readonly drawn: string }>();
  #shown: readonly Candle[] = [];
  #look: ChartLook;

  constructor(
    container: HTMLElement,
    look: ChartLook,
    on: { older: () => void; hover: (at: number | undefined) => void },
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
      .applyOptions({ mode: look.isLogarithmic ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal });
    this.#candles.setData(candles.map((candle) => this.#bar(candle)));
    this.#volume.setData(candles.map((candle) => this.#column(candle)));
    this.#drawAverages();
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
    const grown = all.length - this.#shown.length;
    this.#shown = [...all];
    for (const candle of changed) {
      this.#candles.update(this.#bar(candle));
      this.#volume.update(this.#column(candle));
    }
    for (const [at, length] of this.#look.averages.entries()) {
      for (let index = all.length - 1 - Math.max(grown, 0); index < all.length; index++) {
        const value = this.#average(index, length);
        if (value !== undefined) this.#averages[at]?.update({ time: this.#time(all[index] as Candle), value });
      }
    }
  }

  /** The candle under the crosshair, by where it stands. */
  at(index: number): Candle | undefined {
    return this.#shown[index];
  }

  mark(marks: readonly PriceMark[]): void {
    const wanted = new Set(marks.map(({ id }) => id));
    for (const [id, { line }] of this.#lines) {
      if (wanted.has(id)) continue;
      this.#candles.removePriceLine(line);
      this.#lines.delete(id);
    }
    for (const { id, price, title, colour, isDashed } of marks) {
      const options = {
        price: Number(price),
        title,
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
    this.#drawAverages();
  }

  #drawAverages(): void {
    const { averages } = this.#look;
    while (this.#averages.length > averages.length)
      this.#chart.removeSeries(this.#averages.pop() as ISeriesApi<"Line">);
    while (this.#averages.length < averages.length) {
      const line = this.#chart.addSeries(LineSeries, {
        lineWidth: 1,
        priceLineVisible: false,
        lastValueVisible: false,
        crosshairMarkerVisible: false,
      });
      this.#averages.push(line);
    }
    for (const [at, length] of averages.entries()) {
      const points = this.#shown.flatMap((candle, index) => {
        const value = this.#average(index, length);
        return value === undefined ? [] : [{ time: this.#time(candle), value }];
      });
      this.#averages[at]?.applyOptions({ color: token(AVERAGE_COLOURS[at] ?? "--accent") });
      this.#averages[at]?.setData(points);
    }
  }

  #average(index: number, length: number): number | undefined {
    if (index < length - 1) return undefined;
    let sum = 0;
    for (let at = index - length + 1; at <= index; at++) sum += Number(this.#shown[at]?.close);
    return sum / length;
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

/** A design token's value as it holds since the last recolouring: to ask for it makes the browser work out all styles that wait. */
function token(name: string): string {
  const known = tokens.get(name);
  if (known !== undefined) return known;
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  tokens.set(name, value);
  return value;
}
