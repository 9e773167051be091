/** Open positions: what they are worth, what ends them, and closing them. */
import { createSignal, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import type { Position } from "../api/records.ts";
import { amountCcyOf, moneyOf, tickerOf } from "../market/markets.ts";
import { isNone, over } from "../number/decimal.ts";
import { ARROWS, directionOf, percent, signed, signedPercent, UNKNOWN } from "../number/show.ts";
import { type Column, Table } from "../ui/table.tsx";
import { say } from "../ui/toasts.tsx";
import { ReduceDialog, ReverseDialog } from "./close-dialogs.tsx";
import { ExitsDialog, MarginDialog } from "./position-dialogs.tsx";
import { closePosition, pnlOf, positions } from "./positions-store.ts";
import { amountText, MarketLink, marketAt, priceText, SideWord } from "./row-parts.tsx";

export function Positions(props: { rows: readonly Position[] }) {
  const [closing, setClosing] = createSignal<ReadonlySet<number>>(new Set());
  const [exits, setExits] = createSignal<number>();
  const [margin, setMargin] = createSignal<number>();
  const [reduced, setReduced] = createSignal<number>();
  const [reversed, setReversed] = createSignal<number>();
  const byId = (id: number | undefined) => positions.rows().find((each) => each.position_id === id);
  const close = async (row: Position) => {
    setClosing((before) => new Set(before).add(row.position_id));
    try {
      await closePosition(row);
      say("Position closed at the market.", "good");
    } catch (error) {
      say(sentenceOf(error), "bad");
    }
    positions.reread();
    setClosing((before) => new Set([...before].filter((each) => each !== row.position_id)));
  };
  const market = (row: Position) => marketAt(row.market, "FUTURES");
  const moneyDecimals = (row: Position) => (market(row)?.isInverse ? 8 : 2);
  const money = (row: Position) => {
    const of = market(row);
    return of === undefined ? "" : moneyOf(of);
  };
  const columns: readonly Column<Position>[] = [
    {
      name: "Market",
      isLead: true,
      cell: (row) => (
        <>
          <MarketLink market={row.market} marketType="FUTURES" />
          <span class={`tag ${row.side === "long" ? "up" : "down"}`}>
            <SideWord side={row.side} /> {row.leverage}x
          </span>
          <span class="tag">{row.margin_mode}</span>
        </>
      ),
    },
    {
      name: "Amount",
      isNumber: true,
      cell: (row) => {
        const of = market(row);
        return `${amountText(row.open_interest, of)} ${of === undefined ? "" : amountCcyOf(of)}`;
      },
    },
    {
      name: "PnL",
      isNumber: true,
      title: "Unrealized, at the mark; below it realized so far",
      cell: (row) => <Pnl row={row} decimals={moneyDecimals(row)} money={money(row)} />,
    },
    { name: "Entry", isNumber: true, cell: (row) => priceText(row.avg_entry_price, market(row)) },
    {
      name: "Mark",
      isNumber: true,
      isMinor: true,
      cell: (row) => {
        const mark = tickerOf(`futures/${row.market}`)?.mark_price;
        return mark === undefined ? UNKNOWN : priceText(mark, market(row));
      },
    },
    {
      name: "Liquidation",
      isNumber: true,
      title: "The mark price at which the venue takes the position over",
      cell: (row) => <span class="warning">{isNone(row.liq_price) ? "–" : priceText(row.liq_price, market(row))}</span>,
    },
    {
      name: "Margin",
      isNumber: true,
      isMinor: true,
      title: "What stands aside for the position; behind it its rate to the value",
      cell: (row) => (
        <Show when={row.margin_mode === "isolated"} fallback={<Margin row={row} decimals={moneyDecimals(row)} />}>
          <button
            type="button"
            class="text-button"
            title="Add or take margin"
            onClick={() => setMargin(row.position_id)}
          >
            <Margin row={row} decimals={moneyDecimals(row)} /> ±
          </button>
        </Show>
      ),
    },
    {
      name: "Risk",
      isNumber: true,
      isMinor: true,
      title: "At 100 % the position is liquidated",
      cell: (row) => percent(row.risk_rate, 1),
    },
    {
      name: "TP / SL",
      isNumber: true,
      isMinor: true,
      cell: (row) => (
        <button
          type="button"
          class="text-button"
          title="Take profit and stop loss"
          onClick={() => setExits(row.position_id)}
        >
          {isNone(row.take_profit_price) ? "–" : priceText(row.take_profit_price, market(row))} /{" "}
          {isNone(row.stop_loss_price) ? "–" : priceText(row.stop_loss_price, market(row))}
        </button>
      ),
    },
    {
      name: "",
      cell: (row) => (
        <>
          <button
            type="button"
            class="text-button"
            title="Close a part of it, or at a price"
            onClick={() => setReduced(row.position_id)}
          >
            Reduce
          </button>
          <button
            type="button"
            class="text-button"
            title="Turn it to the other side"
            onClick={() => setReversed(row.position_id)}
          >
            Reverse
          </button>
          <button
            type="button"
            class="text-button"
            title="Close all of it at the market, at once"
            disabled={closing().has(row.position_id)}
            onClick={() => void close(row)}
          >
            {closing().has(row.position_id) ? "…" : "Close"}
          </button>
        </>
      ),
    },
  ];
  return (
    <>
      <Table
        label="Positions"
        isCards
        columns={columns}
        state={positions}
        rows={props.rows}
        empty="No positions. Long or short from the form."
      />
      <Show when={byId(exits())} keyed={false}>
        {(position) => <ExitsDialog position={position()} onClose={() => setExits(undefined)} />}
      </Show>
      <Show when={byId(margin())} keyed={false}>
        {(position) => <MarginDialog position={position()} onClose={() => setMargin(undefined)} />}
      </Show>
      <Show when={byId(reduced())} keyed={false}>
        {(position) => <ReduceDialog position={position()} onClose={() => setReduced(undefined)} />}
      </Show>
      <Show when={byId(reversed())} keyed={false}>
        {(position) => <ReverseDialog position={position()} onClose={() => setReversed(undefined)} />}
      </Show>
    </>
  );
}

function Margin(props: { row: Position; decimals: number }) {
  return <>{signed(props.row.margin_avbl, props.decimals).replace("+", "")}</>;
}

function Pnl(props: { row: Position; decimals: number; money: string }) {
  const pnl = () => pnlOf(props.row);
  const direction = () => directionOf(pnl());
  const rate = () => over(pnl(), props.row.margin_avbl, 6);
  return (
    <span
      class={`figure ${direction()}`}
      title={`Realized so far: ${signed(props.row.realized_pnl, props.decimals)} ${props.money}`}
    >
      <span class="arrow" aria-hidden="true">
        {ARROWS[direction()]}
      </span>
      {signed(pnl(), props.decimals)} {props.money}
      <Show when={!isNone(props.row.margin_avbl)}>
        <span class="share-of"> {signedPercent(rate(), 1)}</span>
      </Show>
    </span>
  );
}
