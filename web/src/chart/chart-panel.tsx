/** The chart of the market that is traded in: candles, or the depth of its book. */
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import { gather } from "../api/frame.ts";
import { sockets } from "../api/venue.ts";
import { deals, onDeals } from "../market/deals-store.ts";
import { type Market, market } from "../market/markets.ts";
import { changeRate, directionOf, short, shown, signedPercent } from "../number/show.ts";
import { looks } from "../ui/settings.ts";
import { type Candle, Candles, PERIODS, type Period, type PriceType } from "./candles.ts";
import { type ChartLook, ChartView } from "./chart-view.ts";
import { DepthChart } from "./depth-chart.tsx";
import { PriceLines } from "./price-lines.tsx";

const REREAD_MS = 15_000;
const REREAD_LIMIT = 3;
const AVERAGES = [7, 25, 99];
const PERIOD_KEY = "bourse.period";

const PRICE_TYPES: ReadonlyArray<readonly [PriceType, string]> = [
  ["latest_price", "Last"],
  ["mark_price", "Mark"],
  ["index_price", "Index"],
];

export function ChartPanel() {
  const kept = localStorage.getItem(PERIOD_KEY);
  const [period, setPeriod] = createSignal<Period>(PERIODS.find((each) => each.period === kept) ?? PERIODS[0]);
  const [priceType, setPriceType] = createSignal<PriceType>("latest_price");
  const [isDepth, setIsDepth] = createSignal(false);
  const [hasAverages, setHasAverages] = createSignal(false);
  const [isLogarithmic, setIsLogarithmic] = createSignal(false);
  const [isUtc, setIsUtc] = createSignal(false);
  const choose = (chosen: Period) => {
    localStorage.setItem(PERIOD_KEY, chosen.period);
    setPeriod(chosen);
  };
  const types = () => PRICE_TYPES.filter(([type]) => type !== "mark_price" || market()?.product === "futures");

  return (
    <section class="panel chart-panel" aria-label="Chart">
      <div class="chart-bar">
        <fieldset class="segments" aria-label="Period of the candles" disabled={isDepth()}>
          <For each={PERIODS}>
            {(each) => (
              <button type="button" aria-pressed={period() === each} onClick={() => choose(each)}>
                {each.word}
              </button>
            )}
          </For>
        </fieldset>
        <div class="chart-options">
          <select
            aria-label="Price of the candles"
            value={priceType()}
            onChange={({ currentTarget }) => setPriceType(currentTarget.value as PriceType)}
          >
            <For each={types()}>{([type, word]) => <option value={type}>{word}</option>}</For>
          </select>
          <Toggle
            word="MA"
            title={`Moving averages of ${AVERAGES.join(", ")} candles`}
            is={hasAverages()}
            set={setHasAverages}
          />
          <Toggle word="Log" title="Logarithmic scale" is={isLogarithmic()} set={setIsLogarithmic} />
          <Toggle word="UTC" title="Times in UTC, not local ones" is={isUtc()} set={setIsUtc} />
          <Toggle word="Depth" title="The depth of the book" is={isDepth()} set={setIsDepth} />
        </div>
      </div>
      <Show when={market()}>
        {(now) => (
          <Show when={!isDepth()} fallback={<DepthChart />}>
            <CandleChart
              market={now()}
              period={period()}
              priceType={priceType() === "mark_price" && now().product === "spot" ? "latest_price" : priceType()}
              look={{
                priceDecimals: now().priceDecimals,
                isLogarithmic: isLogarithmic(),
                isUtc: isUtc(),
                averages: hasAverages() ? AVERAGES : [],
              }}
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
}

function CandleChart(props: CandleChartProps) {
  let container!: HTMLDivElement;
  const [view, setView] = createSignal<ChartView>();
  const [hovered, setHovered] = createSignal<number>();
  const [last, setLast] = createSignal<Candle>();
  const [isReading, setIsReading] = createSignal(true);
  const source = createMemo(() => new Candles(props.market, props.period, props.priceType));

  onMount(() => {
    const made = new ChartView(container, props.look, { older: () => void readOlder(), hover: setHovered });
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
  const readOlder = async () => {
    const candles = source();
    if (await candles.readOlder().catch(() => false)) gather(() => show(candles, false));
  };

  createEffect(
    on([source, view], ([candles, made]) => {
      if (made === undefined) return;
      setIsReading(true);
      read(candles, true)
        .catch(() => {})
        .finally(() => setIsReading(false));
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
      () => sockets[props.market.product].state(),
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
  return (
    <div class="chart-place">
      <Show when={told()}>{(candle) => <Legend candle={candle()} market={props.market} />}</Show>
      <div class="chart" ref={container} data-candles={last()?.at} />
      <Show when={view()}>{(made) => <PriceLines view={made()} market={props.market} />}</Show>
      <Show when={!isReading() && last() === undefined}>
        <p class="empty chart-empty">No candles yet. The first deal in this market draws one.</p>
      </Show>
      <a class="attribution" href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        Charts by TradingView
      </a>
    </div>
  );
}

function Legend(props: { candle: Candle; market: Market }) {
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
    </dl>
  );
}
