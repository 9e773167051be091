/**
 * Own orders and positions as lines in the chart. The line of an order can be dragged; where it is dropped, a question
 * stands on the line before anything is changed.
 */
import { type Accessor, createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import type { Market } from "../market/markets.ts";
import { type Decimal, decimalsOf, fixed, isNone, onGrid, plus } from "../number/decimal.ts";
import { shown } from "../number/show.ts";
import { changeOrder, changeStop, type OpenOrder, orders, type StopOrder, stops } from "../panels/orders-store.ts";
import { positionsIn } from "../panels/positions-store.ts";
import { amountText } from "../panels/row-parts.tsx";
import { looks } from "../ui/settings.ts";
import { say } from "../ui/toasts.tsx";
import type { ChartView, PriceMark } from "./chart-view.ts";

/** So near to a line the pointer takes hold of it. */
const HOLD_PX = 5;

/** Orders of one kind at one price are drawn as one line; what has no kind stands for itself. */
interface OwnMark extends PriceMark {
  readonly kind?: string;
  readonly amount?: Decimal;
}

/** A line that can be moved, and what moving it does. */
interface Movable {
  readonly mark: OwnMark;
  readonly move: (to: Decimal) => Promise<void>;
}

interface PriceLinesProps {
  readonly view: ChartView;
  readonly market: Market;
  /** Changes with each frame of the chart. */
  readonly frame: Accessor<number>;
  readonly isShown: boolean;
}

export function PriceLines(props: PriceLinesProps) {
  const [dragged, setDragged] = createSignal<{ line: Movable; to: Decimal; isDropped: boolean }>();
  const [askTop, setAskTop] = createSignal(0);

  const movable = createMemo<readonly Movable[]>(() => {
    const { market } = props;
    if (!props.isShown) return [];
    const own = orders[market.product].rows().filter((order) => order.market === market.market);
    const waiting = stops[market.product].rows().filter((stop) => stop.market === market.market);
    return [...own.map((order) => orderLine(order, market)), ...waiting.map((stop) => stopLine(stop, market))];
  });
  const marks = createMemo<readonly PriceMark[]>(() => {
    const now = dragged();
    const lines = movable().map(({ mark }) => (now?.line.mark.id === mark.id ? { ...mark, price: now.to } : mark));
    const held = props.isShown && props.market.product === "futures" ? positionLines(props.market) : [];
    return grouped([...lines, ...held], props.market);
  });
  createEffect(() => {
    looks();
    props.view.mark(marks());
  });

  onMount(() => {
    const { container } = props.view;
    const lineAt = (y: number) =>
      movable().find(({ mark }) => Math.abs((props.view.yOf(mark.price) ?? Number.NEGATIVE_INFINITY) - y) <= HOLD_PX);
    const yOf = (event: PointerEvent) => event.clientY - container.getBoundingClientRect().top;
    const priceAt = (y: number): Decimal | undefined => {
      const price = props.view.priceAt(y);
      if (price === undefined || price <= 0) return undefined;
      const decimals = decimalsOf(props.market.tick);
      return fixed(onGrid(price.toFixed(decimals), props.market.tick), decimals);
    };
    const onDown = (event: PointerEvent) => {
      if (dragged() !== undefined) return;
      const line = lineAt(yOf(event));
      if (line === undefined) return;
      event.stopPropagation();
      props.view.hold(true);
      setDragged({ line, to: line.mark.price, isDropped: false });
    };
    const onMove = (event: PointerEvent) => {
      const now = dragged();
      if (now === undefined || now.isDropped) {
        container.classList.toggle("over-line", lineAt(yOf(event)) !== undefined);
        return;
      }
      const to = priceAt(yOf(event));
      if (to !== undefined) setDragged({ ...now, to });
    };
    const onUp = () => {
      const now = dragged();
      if (now === undefined || now.isDropped) return;
      props.view.hold(false);
      if (now.to === now.line.mark.price) {
        setDragged(undefined);
        return;
      }
      setAskTop(props.view.yOf(now.to) ?? 0);
      setDragged({ ...now, isDropped: true });
    };
    container.addEventListener("pointerdown", onDown, { capture: true });
    container.addEventListener("pointermove", onMove);
    addEventListener("pointerup", onUp);
    onCleanup(() => {
      container.removeEventListener("pointerdown", onDown, { capture: true });
      container.removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", onUp);
    });
  });
  const outside = createMemo<readonly Outside[]>(
    () => {
      props.frame();
      const { view } = props;
      return marks().flatMap((mark) => {
        const y = view.yOf(mark.price);
        if (y === undefined || (y >= 0 && y <= view.height)) return [];
        return [{ mark, edge: y < 0 ? "above" : "below" } as const];
      });
    },
    [],
    { equals: (one, other) => JSON.stringify(one) === JSON.stringify(other) },
  );
  const confirm = async () => {
    const now = dragged();
    if (now === undefined) return;
    try {
      await now.line.move(now.to);
      say("Order changed.", "good");
    } catch (error) {
      say(sentenceOf(error), "bad");
    }
    setDragged(undefined);
  };
  return (
    <>
      <For each={EDGES}>
        {(edge) => (
          <ul class={`edge-marks ${edge}`} aria-label={`Lines ${edge} what is seen`}>
            <For each={outside().filter((each) => each.edge === edge)}>
              {({ mark }) => (
                <li class={mark.colour}>
                  <span aria-hidden="true">{edge === "above" ? "▲" : "▼"}</span> {mark.title}{" "}
                  {shown(mark.price, props.market.priceDecimals, "nearest")}
                </li>
              )}
            </For>
          </ul>
        )}
      </For>
      <Show when={dragged()?.isDropped}>
        <div class="line-question" role="alertdialog" aria-label="Move the order" style={{ top: `${askTop()}px` }}>
          <span>
            {dragged()?.line.mark.title} to {shown(dragged()?.to ?? "0", props.market.priceDecimals)}?
          </span>
          <button type="button" class="button small primary" onClick={() => void confirm()}>
            Move
          </button>
          <button type="button" class="button small" onClick={() => setDragged(undefined)}>
            Leave
          </button>
        </div>
      </Show>
    </>
  );
}

const EDGES = ["above", "below"] as const;

/** A line whose price is not seen. */
interface Outside {
  readonly mark: PriceMark;
  readonly edge: (typeof EDGES)[number];
}

/** Lines of one kind at one price as one, with what they come to and how many they are. */
function grouped(marks: readonly OwnMark[], market: Market): readonly PriceMark[] {
  const places = Map.groupBy(marks, ({ id, price, kind }) => (kind === undefined ? id : `${kind} ${price}`));
  return [...places.values()].map((all) => {
    const [first] = all as [OwnMark];
    if (all.length === 1) return first;
    const amount = all.reduce<Decimal>((sum, each) => plus(sum, each.amount ?? "0"), "0");
    return { ...first, title: `${first.kind} ${amountText(amount, market)} (${all.length})` };
  });
}

function orderLine(order: OpenOrder, market: Market): Movable {
  const kind = order.side === "buy" ? "Buy" : "Sell";
  const title = `${kind} ${amountText(order.unfilled_amount, market)}`;
  return {
    mark: {
      id: `order ${order.order_id}`,
      kind,
      amount: order.unfilled_amount,
      price: order.price,
      title,
      colour: order.side === "buy" ? "up" : "down",
      isDashed: true,
    },
    move: (to) => changeOrder(order, { price: to }),
  };
}

function stopLine(stop: StopOrder, market: Market): Movable {
  const kind = `Stop ${stop.side}`;
  const title = `${kind} ${amountText(stop.amount, market)}`;
  return {
    mark: {
      id: `stop ${stop.stop_id}`,
      kind,
      amount: stop.amount,
      price: stop.trigger_price,
      title,
      colour: "quiet",
      isDashed: true,
    },
    move: (to) => changeStop(stop, { trigger_price: to }),
  };
}

function positionLines(market: Market): readonly PriceMark[] {
  return positionsIn(market.market).flatMap((position): PriceMark[] => {
    const id = `position ${position.position_id}`;
    const side = position.side === "long" ? "Long" : "Short";
    const lines: PriceMark[] = [
      {
        id: `${id} entry`,
        price: position.avg_entry_price,
        title: `${side} ${amountText(position.open_interest, market)}`,
        colour: "accent",
      },
    ];
    if (!isNone(position.liq_price))
      lines.push({ id: `${id} liquidation`, price: position.liq_price, title: "Liquidation", colour: "warning" });
    for (const { id: exit, price } of position.take_profit_list) {
      lines.push({ id: `${id} tp ${exit}`, price, title: "TP", colour: "up", isDashed: true });
    }
    for (const { id: exit, price } of position.stop_loss_list) {
      lines.push({ id: `${id} sl ${exit}`, price, title: "SL", colour: "down", isDashed: true });
    }
    return lines;
  });
}
