/** The chart of the market that is traded in: candles, or the depth of its book. */
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import { gather } from "../api/frame.ts";
import { sockets } from "../api/venue.ts";
import { deals, onDeals } from "../market/deals-store.ts";
import { MarketAwaited } from "../market/market-awaited.tsx";
import { type Market, market } from "../market/markets.ts";
import { changeRate, directionOf, short, shown, signedPercent } from "../number/show.ts";
import { NoRows } from "../ui/read-state.tsx";
import { kept, looks } from "../ui/settings.ts";
import { type Candle, Candles, PERIODS, type Period, type PriceType } from "./candles.ts";
import { type ChartLook, ChartView, type Reading, SCALES, type Scale } from "./chart-view.ts";
import { DepthChart } from "./depth-chart.tsx";
import { DrawingTools } from "./drawing-tools.tsx";
import { type Drawing, type KeptChart, keepChart, readChart } from "./drawings.ts";
import { INDICATORS } from "./indicators.ts";
import { PriceLines } from "./price-lines.tsx";

const REREAD_MS = 15_000;
const REREAD_LIMIT = 3;
const PERIOD_KEY = "bourse.period";

/** Those that are chosen from a list where there is no room for a button each. */
const RARE = PERIODS.filter(({ word }) => ["3m", "30m", "2h", "6h", "12h", "3D"].includes(word));

const PRICE_TYPES: ReadonlyArray<readonly [PriceType, string]> = [
  ["latest_price", "Last"],
  ["mark_price", "Mark"],
  ["index_price", "Index"],
];

export function ChartPanel() {
  const before = localStorage.getItem(PERIOD_KEY);
  const [period, setPeriod] = createSignal<Period>(PERIODS.find((each) => each.period === before) ?? PERIODS[0]);
  const [priceType, setPriceType] = createSignal<PriceType>("latest_price");
  const [isDepth, setIsDepth] = createSignal(false);
  const [keptChart, setKeptChart] = createSignal<KeptChart>(readChart(market()?.key ?? ""));
  const [isUtc, setIsUtc] = createSignal(false);
  const choose = (chosen: Period) => {
    localStorage.setItem(PERIOD_KEY, chosen.period);
    setPeriod(chosen);
  };
  createEffect(
    on(
      createMemo(() => market()?.key),
      (key) => setKeptChart(readChart(key ?? "")),
    ),
  );
  const keep = (chart: KeptChart) => {
    const key = market()?.key;
    if (key !== undefined) keepChart(key, chart);
    setKeptChart(chart);
  };
  const toggleIndicator = (id: string) => {
    const { indicators, drawings } = keptChart();
    const next = indicators.includes(id) ? indicators.filter((each) => each !== id) : [...indicators, id];
    keep({ drawings, indicators: next });
  };
  const types = () => PRICE_TYPES.filter(([type]) => type !== "mark_price" || market()?.product === "futures");

  return (
    <section class="panel chart-panel" aria-label="Chart">
      <div class="chart-bar">
        <fieldset class="segments" aria-label="Period of the candles" disabled={isDepth()}>
          <For each={PERIODS}>
            {(each) => (
              <button
                type="button"
                classList={{ rare: RARE.includes(each) }}
                aria-pressed={period() === each}
                onClick={() => choose(each)}
              >
                {each.word}
              </button>
            )}
          </For>
          <select
            class="rare-periods"
            aria-label="More periods"
            value={RARE.includes(period()) ? period().period : ""}
            onChange={({ currentTarget }) => {
              const chosen = PERIODS.find((each) => each.period === currentTarget.value);
              if (chosen !== undefined) choose(chosen);
            }}
          >
            <option value="" hidden>
              More
            </option>
            <For each={RARE}>{(each) => <option value={each.period}>{each.word}</option>}</For>
          </select>
        </fieldset>
        <div class="chart-options">
          <select
            aria-label="Price of the candles"
            value={priceType()}
            onChange={({ currentTarget }) => setPriceType(currentTarget.value as PriceType)}
          >
            <For each={types()}>{([type, word]) => <option value={type}>{word}</option>}</For>
          </select>
          <button type="button" class="quiet-button" popovertarget="indicators-menu" aria-haspopup="true">
            Indicators
            <Show when={keptChart().indicators.length > 0}>
              <span class="count">{keptChart().indicators.length}</span>
            </Show>
          </button>
          <div id="indicators-menu" popover="auto" class="menu indicators-menu">
            <For each={INDICATORS}>
              {({ id, word, title }) => (
                <label class="check" title={title}>
                  <input
                    type="checkbox"
                    checked={keptChart().indicators.includes(id)}
                    onChange={() => toggleIndicator(id)}
                  />
                  {word}
                </label>
              )}
            </For>
          </div>
          <select
            aria-label="Scale of prices"
            value={scale()}
            onChange={({ currentTarget }) => setScale(currentTarget.value as Scale)}
          >
            <For each={SCALES}>{([value, word]) => <option value={value}>{word}</option>}</For>
          </select>
          <Toggle
            word="Lines"
            title="Own orders and positions as lines"
            is={lines() === "shown"}
            set={(is) => setLines(is ? "shown" : "hidden")}
          />
          <Toggle word="UTC" title="Times in UTC, not local ones" is={isUtc()} set={setIsUtc} />
          <Toggle word="Depth" title="The depth of the book" is={isDepth()} set={setIsDepth} />
        </div>
      </div>
      <Show when={market()} fallback={<MarketAwaited />}>
        {(now) => (
          <Show when={!isDepth()} fallback={<DepthChart />}>
            <CandleChart
              market={now()}
              period={period()}
              priceType={priceType() === "mark_price" && now().product === "spot" ? "latest_price" : priceType()}
              look={{
                priceDecimals: now().priceDecimals,
                scale: scale(),
                isUtc: isUtc(),
                periodMs: period().ms,
                indicators: keptChart().indicators,
              }}
              drawings={keptChart().drawings}
              setDrawings={(drawings) => keep({ indicators: keptChart().indicators, drawings })}
              hasLines={lines() === "shown"}
            />
          </Show>
        )}
      </Show>
    </section>
  );
}

function Toggle(props: { word: string; title: string; is: boolean; set: (is: boolean) => void }) {
  return (
    <button
      type="button"
      class="quiet-button"
      title={props.title}
      aria-pressed={props.is}
      onClick={() => props.set(!props.is)}
    >
      {props.word}
    </button>
  );
}

interface CandleChartProps {
  readonly market: Market;
  readonly period: Period;
  readonly priceType: PriceType;
  readonly look: ChartLook;
  readonly drawings: readonly Drawing[];
  readonly setDrawings: (drawings: readonly Drawing[]) => void;
  readonly hasLines: boolean;
}

/** Kept for all markets. */
const [scale, setScale] = kept<Scale>(
  "scale",
  SCALES.map(([value]) => value),
);
const [lines, setLines] = kept("lines", ["shown", "hidden"] as const);

function CandleChart(props: CandleChartProps) {
  let container!: HTMLDivElement;
  const [view, setView] = createSignal<ChartView>();
  const [hovered, setHovered] = createSignal<number>();
  const [last, setLast] = createSignal<Candle>();
  const [isReading, setIsReading] = createSignal(true);
  const [fault, setFault] = createSignal("");
  /** Counts the frames of the chart: what stands over it follows. */
  const [frame, setFrame] = createSignal(0);
  const source = createMemo(() => new Candles(props.market, props.period, props.priceType));

  onMount(() => {
    const made = new ChartView(container, props.look, {
      older: () => void readOlder(),
      hover: setHovered,
      frame: () => gather(() => setFrame((before) => before + 1)),
    });
    setView(made);
    onCleanup(() => {
      // Candles that were asked for may still come.
      setView(undefined);
      made.close();
    });
  });

  const show = (candles: Candles, isFresh: boolean) => {
    if (source() !== candles) return;
    view()?.show(candles.all, props.look, isFresh);
    setLast(candles.all.at(-1));
  };
  const read = async (candles: Candles, isFresh: boolean) => {
    await candles.readNewest(deals()[0]?.deal_id ?? 0, isFresh ? undefined : REREAD_LIMIT);
    gather(() => show(candles, isFresh));
  };
  const readFirst = (candles: Candles) => {
    setIsReading(true);
    setFault("");
    read(candles, true)
      .catch((error: unknown) => setFault(sentenceOf(error)))
      .finally(() => setIsReading(false));
  };
  const readOlder = async () => {
    const candles = source();
    if (await candles.readOlder().catch(() => false)) gather(() => show(candles, false));
  };

  createEffect(
    on([source, view], ([candles, made]) => {
      if (made === undefined) return;
      readFirst(candles);
      // Deals keep the open candle up; what they leave out, such as prices without deals, is read now and then.
      const again = setInterval(() => void (document.hidden || read(candles, false).catch(() => {})), REREAD_MS);
      const leave = onDeals((key, fresh) => {
        if (key !== candles.market.key || candles.all.length === 0) return;
        const changed = candles.take(fresh);
        if (changed.length === 0) return;
        made.update(changed, candles.all);
        setLast(candles.all.at(-1));
      });
      onCleanup(() => {
        clearInterval(again);
        leave();
      });
    }),
  );
  // Behind a gap the candles that were missed are read.
  createEffect(
    on(
      createMemo(() => sockets[props.market.product].state()),
      (state, before) => {
        if (state === "open" && before === "lost") void read(source(), true).catch(() => {});
      },
    ),
  );
  createEffect(on([() => props.look], () => show(source(), false), { defer: true }));
  createEffect(on(looks, () => view()?.recolour(), { defer: true }));

  const told = () => {
    const index = hovered();
    return (index === undefined ? undefined : view()?.at(index)) ?? last();
  };
  const readings = () => {
    // What is read changes with the candle that is told of, and with the indicators.
    told();
    void props.look.indicators;
    const made = view();
    return made === undefined ? [] : made.readingsAt(hovered() ?? made.length - 1);
  };
  return (
    <div class="chart-place">
      <Show when={told()}>{(candle) => <Legend candle={candle()} market={props.market} readings={readings()} />}</Show>
      <div class="chart" ref={container} data-candles={last()?.at} />
      <Show when={view()}>
        {(made) => (
          <>
            <DrawingTools view={made()} drawings={props.drawings} set={props.setDrawings} />
            <PriceLines view={made()} market={props.market} frame={frame} isShown={props.hasLines} />
            <button
              type="button"
              class="quiet-button chart-fit"
              title="Fit the prices to what is seen"
              onClick={() => made().fit()}
            >
              Auto
            </button>
          </>
        )}
      </Show>
      <Show when={last() === undefined}>
        <p class="empty chart-empty">
          <NoRows
            state={{ isRead: () => !isReading(), fault, again: () => readFirst(source()) }}
            empty="No candles yet. The first deal in this market draws one."
          />
        </p>
      </Show>
      <a class="attribution" href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        Charts by TradingView
      </a>
    </div>
  );
}

function Legend(props: { candle: Candle; market: Market; readings: readonly Reading[] }) {
  const price = (text: string) => shown(text, props.market.priceDecimals);
  const change = () => changeRate(props.candle.open, props.candle.close);
  return (
    <dl class="legend">
      <div>
        <dt>O</dt>
        <dd>{price(props.candle.open)}</dd>
      </div>
      <div>
        <dt>H</dt>
        <dd>{price(props.candle.high)}</dd>
      </div>
      <div>
        <dt>L</dt>
        <dd>{price(props.candle.low)}</dd>
      </div>
      <div>
        <dt>C</dt>
        <dd>{price(props.candle.close)}</dd>
      </div>
      <div>
        <dt class="visually-hidden">Change</dt>
        <dd class={directionOf(change())}>{signedPercent(change())}</dd>
      </div>
      <div>
        <dt>Vol</dt>
        <dd>{short(props.candle.volume)}</dd>
      </div>
      <For each={props.readings}>
        {({ name, colour, value }) => (
          <div class="reading" style={{ color: `var(${colour})` }}>
            <dt>{name}</dt>
            <dd>{price(value.toFixed(props.market.priceDecimals))}</dd>
          </div>
        )}
      </For>
    </dl>
  );
}
