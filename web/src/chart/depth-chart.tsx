/** The depth chart: the totals of the book up to each price, both sides. */
import { createMemo, createSignal, Show } from "solid-js";
import type { Level } from "../../../client/sockets.generated.ts";
import { book } from "../book/book-store.ts";
import { amountCcyOf, market } from "../market/markets.ts";
import { type Decimal, plus, times } from "../number/decimal.ts";
import { short, shown, signedPercent } from "../number/show.ts";

const WIDTH = 1_000;
const HEIGHT = 400;

interface Point {
  readonly price: number;
  readonly total: number;
}

export function DepthChart() {
  const sides = createMemo(() => {
    const now = book();
    return now === undefined ? undefined : { bids: totals(now.bids), asks: totals(now.asks) };
  });
  const drawn = createMemo(() => {
    const now = sides();
    if (now === undefined || now.bids.length === 0 || now.asks.length === 0) return undefined;
    const low = now.bids.at(-1)?.price ?? 0;
    const high = now.asks.at(-1)?.price ?? 0;
    const most = Math.max(now.bids.at(-1)?.total ?? 0, now.asks.at(-1)?.total ?? 0);
    const x = (price: number) => ((price - low) / (high - low)) * WIDTH;
    const y = (total: number) => HEIGHT - (total / most) * HEIGHT * 0.92;
    const middle = ((now.bids[0]?.price ?? 0) + (now.asks[0]?.price ?? 0)) / 2;
    return { bids: area(now.bids, x, y), asks: area(now.asks, x, y), low, high, middle };
  });
  /** Where the pointer is, as a part of the width; undefined while it is elsewhere. */
  const [pointed, setPointed] = createSignal<number>();
  const readout = () => {
    const [part, shape, now] = [pointed(), drawn(), book()];
    if (part === undefined || shape === undefined || now === undefined) return undefined;
    const at = shape.low + part * (shape.high - shape.low);
    const isBid = at < shape.middle;
    const reached = (isBid ? now.bids : now.asks).filter(([each]) => (isBid ? Number(each) >= at : Number(each) <= at));
    const amount = reached.reduce<Decimal>((sum, [, each]) => plus(sum, each), "0");
    const value = reached.reduce<Decimal>((sum, [each, of]) => plus(sum, times(each, of)), "0");
    return { at, isBid, amount, value, off: (at - shape.middle) / shape.middle };
  };
  const amountCcy = () => {
    const now = market();
    return now === undefined ? "" : amountCcyOf(now);
  };
  const price = (value: number) => shown(value.toFixed(market()?.priceDecimals ?? 2), market()?.priceDecimals ?? 2);
  const total = (levels: readonly Level[] | undefined) =>
    short((levels ?? []).reduce((sum, [, each]) => plus(sum, each), "0"));
  return (
    <div class="chart-place depth-chart">
      <Show when={drawn()} fallback={<p class="empty chart-empty">The book has no two sides to draw.</p>}>
        {(shape) => (
          <>
            <svg
              onPointerMove={(event) => {
                const { left, width } = event.currentTarget.getBoundingClientRect();
                setPointed(Math.max(0, Math.min(1, (event.clientX - left) / width)));
              }}
              onPointerLeave={() => setPointed(undefined)}
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label="Depth of the book"
            >
              <path class="depth-bids" d={shape().bids} />
              <path class="depth-asks" d={shape().asks} />
              <Show when={pointed()}>
                {(part) => <path class="depth-pointer" d={`M${(part() * WIDTH).toFixed(1)} 0V${HEIGHT}`} />}
              </Show>
            </svg>
            <p class="depth-readout" role="status">
              <Show when={readout()} fallback={<span class="quiet">Point at a price to read the depth up to it.</span>}>
                {(read) => (
                  <>
                    <b>{price(read().at)}</b>{" "}
                    <span class={read().isBid ? "up" : "down"}>
                      {read().isBid ? "Bids" : "Asks"} {shown(read().amount, market()?.amountDecimals ?? 4)}{" "}
                      {amountCcy()}
                    </span>{" "}
                    <span class="quiet">
                      {market()?.isInverse ? "" : `${short(read().value)} ${market()?.quoteCcy ?? ""}, `}
                      {signedPercent(read().off.toFixed(6))} from the middle
                    </span>
                  </>
                )}
              </Show>
            </p>
            <div class="depth-scale">
              <span>{price(shape().low)}</span>
              <span class="up">Bids {total(book()?.bids)}</span>
              <span class="down">Asks {total(book()?.asks)}</span>
              <span>{price(shape().high)}</span>
            </div>
          </>
        )}
      </Show>
    </div>
  );
}

function totals(levels: readonly Level[]): readonly Point[] {
  let total = 0;
  return levels.map(([price, amount]) => {
    total += Number(amount);
    return { price: Number(price), total };
  });
}

function area(points: readonly Point[], x: (price: number) => number, y: (total: number) => number): string {
  const first = points[0] as Point;
  const last = points.at(-1) as Point;
  const steps = points.map(({ price, total }) => `H${x(price).toFixed(1)}V${y(total).toFixed(1)}`).join("");
  return `M${x(first.price).toFixed(1)} ${HEIGHT}${steps}H${x(last.price).toFixed(1)}V${HEIGHT}Z`;
}
