/** The book: both sides around the last price, with bars for what stands up to each level. A click fills the price. */
import { createEffect, createMemo, createSignal, For, Index, onCleanup, onMount, Show } from "solid-js";
import type { Level } from "../../../client/sockets.generated.ts";
import { pickPrice } from "../entry/picked.ts";
import { LastPrice } from "../market/last-price.tsx";
import { market, marketsRead, tickerOf } from "../market/markets.ts";
import { type Decimal, decimalsOf, minus, over, plus } from "../number/decimal.ts";
import { percent, shown } from "../number/show.ts";
import { ownPrices } from "../panels/orders-store.ts";
import { Figure } from "../ui/figure.tsx";
import { book, intervalsOf, setWidth, width } from "./book-store.ts";

const ROW_PX = 21;
const ROWS_MIN = 4;
const ROWS_MAX = 50;
/** The head of the list and the last price between the sides. */
const BETWEEN_PX = 24 + 38;
const FLASH_MS = 120;

const VIEWS = [
  ["both", "Both sides"],
  ["bids", "Bids only"],
  ["asks", "Asks only"],
] as const;
type View = (typeof VIEWS)[number][0];

interface Row {
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly total: Decimal;
  /** Of the deepest total that is shown. */
  readonly share: number;
  readonly hasChanged: boolean;
}

export function BookPanel() {
  let list!: HTMLDivElement;
  const [heightPx, setHeightPx] = createSignal(400);
  const [view, setView] = createSignal<View>("both");
  onMount(() => {
    const watch = new ResizeObserver(([entry]) => setHeightPx(entry?.contentRect.height ?? 400));
    watch.observe(list);
    onCleanup(() => watch.disconnect());
  });
  const rowsMax = () => {
    const sides = view() === "both" ? 2 : 1;
    return Math.max(ROWS_MIN, Math.min(ROWS_MAX, Math.floor((heightPx() - BETWEEN_PX) / sides / ROW_PX)));
  };
  const rows = createMemo<Rows | undefined>((before) => {
    const now = book();
    if (now === undefined) return undefined;
    const [bids, asks] = [now.bids, now.asks].map((levels) => totals(levels.slice(0, rowsMax()), now.changed));
    const most = Math.max(...[bids, asks].map((side) => Number(side?.at(-1)?.total ?? 0)));
    const scaled = (side: readonly Row[] | undefined, shown: readonly Row[] = []) =>
      (side ?? []).map((row, at) => {
        const share = most === 0 ? 0 : Math.round((Number(row.total) / most) * 1_000) / 1_000;
        return asBefore({ ...row, share }, shown[at]);
      });
    return { bids: scaled(bids, before?.bids), asks: scaled(asks, before?.asks) };
  });
  const decimals = () => {
    const now = market();
    if (now === undefined) return 2;
    return Math.min(
      now.priceDecimals,
      decimalsOf(intervalsOf(now.tick).find((each) => each.width === width())?.interval ?? now.tick),
    );
  };
  const spread = () => {
    const [bid, ask] = [book()?.bids[0]?.[0], book()?.asks[0]?.[0]];
    if (bid === undefined || ask === undefined) return undefined;
    return { width: minus(ask, bid), rate: over(minus(ask, bid), bid, 6) };
  };

  return (
    <section class="panel book-panel" aria-label="Order book">
      <header class="panel-head">
        <h2>Order book</h2>
        <fieldset class="segments small" aria-label="Sides shown">
          <For each={VIEWS}>
            {([side, word]) => (
              <button
                type="button"
                class={`side-view ${side}`}
                aria-label={word}
                title={word}
                aria-pressed={view() === side}
                onClick={() => setView(side)}
              />
            )}
          </For>
        </fieldset>
        <Show when={market()}>
          {(now) => (
            <select
              aria-label="Merge prices to"
              value={width()}
              onChange={({ currentTarget }) => setWidth(currentTarget.value)}
            >
              <For each={intervalsOf(now().tick)}>{(each) => <option value={each.width}>{each.interval}</option>}</For>
            </select>
          )}
        </Show>
      </header>
      <div class="book" classList={{ [view()]: true }} ref={list}>
        <div class="book-names" aria-hidden="true">
          <span>Price</span>
          <span>Amount</span>
          <span>Total</span>
        </div>
        <Show when={view() !== "bids"}>
          <Side name="Asks" side="asks" rows={rows()?.asks} decimals={decimals()} />
        </Show>
        <div class="book-middle">
          <Show when={market()}>{(now) => <LastPrice market={now()} />}</Show>
          <span class="quiet" title="Spread between the best prices">
            <Show when={spread()} fallback="">
              {(between) => <>{percent(between().rate, 3)}</>}
            </Show>
          </span>
          <Show when={tickerOf(market()?.key ?? "")?.mark_price}>
            {(mark) => (
              <span class="mark-price" title="Mark price: what positions are valued by">
                {shown(mark(), market()?.priceDecimals ?? 2)}
              </span>
            )}
          </Show>
        </div>
        <Show when={view() !== "asks"}>
          <Side name="Bids" side="bids" rows={rows()?.bids} decimals={decimals()} />
        </Show>
      </div>
    </section>
  );
}

interface Rows {
  readonly bids: readonly Row[];
  readonly asks: readonly Row[];
}

/** The row that stands there already where it says the same: then nothing of it is worked out again. */
function asBefore(row: Row, before: Row | undefined): Row {
  const isSame =
    before !== undefined &&
    before.price === row.price &&
    before.amount === row.amount &&
    before.total === row.total &&
    before.share === row.share &&
    before.hasChanged === row.hasChanged;
  return isSame ? before : row;
}

function totals(levels: readonly Level[], changed: ReadonlySet<Decimal>): readonly Row[] {
  let total = "0";
  return levels.map(([price, amount]) => {
    total = plus(total, amount);
    return { price, amount, total, share: 0, hasChanged: changed.has(price) };
  });
}

function Side(props: { name: string; side: "bids" | "asks"; rows: readonly Row[] | undefined; decimals: number }) {
  // Asks stand upside down: the best of both sides are neighbours.
  const rows = () => (props.side === "asks" ? props.rows?.toReversed() : props.rows) ?? [];
  return (
    <ul class={`book-side ${props.side}`} aria-label={props.name}>
      <Show when={rows().length === 0}>
        <li class="quiet nobody">{nobodyWord(props.side, props.rows !== undefined)}</li>
      </Show>
      <Index each={rows()}>{(row) => <BookRow row={row()} decimals={props.decimals} side={props.side} />}</Index>
    </ul>
  );
}

/** A book that has not come yet is not an empty one. */
function nobodyWord(side: "bids" | "asks", isRead: boolean): string {
  // What failed is said in the chart and in the form, with a button.
  if (!isRead) return marketsRead.fault() === "" ? "Loading…" : "–";
  return side === "bids" ? "No bids." : "No asks.";
}

function BookRow(props: { row: Row; decimals: number; side: "bids" | "asks" }) {
  const amountDecimals = () => market()?.amountDecimals ?? 6;
  const isOwn = () => ownPrices().has(props.row.price);
  return (
    <li>
      <button
        type="button"
        class="book-row"
        tabIndex={-1}
        onClick={() => pickPrice(props.row.price)}
        onDblClick={() =>
          pickPrice(props.row.price, { side: props.side === "asks" ? "buy" : "sell", amount: props.row.total })
        }
        title={
          `Up to here: ${shown(props.row.total, amountDecimals())}. A click ` +
          "takes the price into the form, a double click this amount as well."
        }
      >
        <span class="depth-bar" style={{ transform: `scaleX(${props.row.share})` }} />
        <Flash when={props.row.hasChanged} of={props.row} />
        <span class={`price ${props.side === "bids" ? "up" : "down"}`}>
          <Show when={isOwn()}>
            <i class="own" title="Your order stands here" />
          </Show>
          <Figure value={props.row.price} decimals={props.decimals} />
        </span>
        <Figure value={props.row.amount} decimals={amountDecimals()} />
        <span class="figure total">{shown(props.row.total, amountDecimals())}</span>
      </button>
    </li>
  );
}

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

/** A short, faint light on what has just changed. */
function Flash(props: { when: boolean; of: Row }) {
  let light!: HTMLSpanElement;
  createEffect(() => {
    // Read so that every new row of the place asks again.
    const { when, of } = props;
    if (when && of !== undefined && !isCalm.matches) light.animate([{ opacity: 0.18 }, { opacity: 0 }], FLASH_MS);
  });
  return <span class="flash" ref={light} />;
}
