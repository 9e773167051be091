/** Lists of what is over: ended orders, one's own deals, closed positions. Read in pages, and again after each deal. */
import { type Accessor, createEffect, createMemo, createSignal, type JSX, on, onCleanup } from "solid-js";
import { user } from "../account/session.ts";
import type {
  FinishedPosition,
  FuturesOrder,
  FuturesStopOrder,
  FuturesUserDeal,
  Product,
  SpotOrder,
  SpotStopOrder,
  SpotUserDeal,
} from "../api/records.ts";
import { sockets } from "../api/venue.ts";
import { averageOf } from "../entry/estimate.ts";
import { amountCcyOf, type Market, moneyOf } from "../market/markets.ts";
import { isZero } from "../number/decimal.ts";
import { grouped, signed } from "../number/show.ts";
import { CsvButton } from "../ui/csv-button.tsx";
import { createPages, mergedPages, type Pages } from "../ui/pages.ts";
import { noneFits, rowsWith } from "../ui/search.ts";
import { soon } from "../ui/soon.ts";
import { type Column, MoreButton, Table } from "../ui/table.tsx";
import { marginBalances } from "./balances-store.ts";
import type { MarketType } from "./orders-store.ts";
import { amountText, MarketLink, marketAt, priceText, SideWord, Time, triggerWord, typeWord } from "./row-parts.tsx";

interface PastProps {
  readonly product: Product;
  /** Of this market only; undefined for all. */
  readonly market: string | undefined;
}

/** Deals come in bunches. */
const AGAIN_MS = 400;

/** Of spot with what was done on margin: each is a list of its own, and they are shown as one. */
function pagesOf<Row>(
  props: PastProps,
  name: string,
  timeOf: (row: Row) => number,
  side: Accessor<string> = () => "",
  channel: "order" | "stop" = "order",
): Pages<Row> {
  const of = (market_type: MarketType) => ({
    path: `/v2/${props.product}/${name}`,
    query: { market: props.market, market_type, side: side() },
  });
  const own = createPages<Row>(() =>
    user() === undefined ? undefined : of(props.product === "spot" ? "SPOT" : "FUTURES"),
  );
  const onMargin = createPages<Row>(() =>
    user() === undefined || props.product !== "spot" || marginBalances.rows().length === 0 ? undefined : of("MARGIN"),
  );
  const pages = mergedPages([own, onMargin], timeOf);
  createEffect(
    on(
      createMemo(() => props.product),
      (product) => {
        const reading = soon(pages.again);
        const leave = sockets[product].follow({
          channel,
          items: [],
          hear: ({ event }: { event: string }) => {
            if (event !== "put") reading.plan(AGAIN_MS);
          },
        });
        onCleanup(() => {
          reading.cancel();
          leave();
        });
      },
    ),
  );
  return pages;
}

interface PagedProps<Row extends object> {
  readonly pages: Pages<Row>;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly empty: string;
  /** The inputs that filter the list. */
  readonly filters?: JSX.Element;
}

function Paged<Row extends object>(props: PagedProps<Row>) {
  const [text, setText] = createSignal("");
  const found = () => rowsWith(props.pages.rows(), text());
  return (
    <>
      <div class="list-filters">
        {props.filters}
        <input
          type="search"
          class="input"
          aria-label={`Search ${props.label.toLowerCase()}`}
          placeholder="Search"
          value={text()}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <CsvButton name={props.label.toLowerCase().replaceAll(" ", "-")} sources={props.pages.sources()} />
      </div>
      <Table
        label={props.label}
        columns={props.columns}
        rows={found()}
        state={props.pages}
        empty={text() === "" ? props.empty : noneFits(props.pages.hasNext())}
        isCards
      />
      <MoreButton hasNext={props.pages.hasNext()} isReading={props.pages.isReading()} onMore={props.pages.more} />
    </>
  );
}

function SideFilter(props: { side: string; set: (side: string) => void }) {
  return (
    <select aria-label="Side" value={props.side} onChange={({ currentTarget }) => props.set(currentTarget.value)}>
      <option value="">Both sides</option>
      <option value="buy">Buy</option>
      <option value="sell">Sell</option>
    </select>
  );
}

/** The amount of an order at the market, in its currency: one in quote has other decimals than the market's amounts. */
function budgetText(row: SpotOrder | FuturesOrder | SpotStopOrder | FuturesStopOrder): string | undefined {
  return "ccy" in row && row.ccy !== "" && row.type === "market" ? `${grouped(row.amount)} ${row.ccy}` : undefined;
}

function amountCcyText(of: Market | undefined): string {
  return of === undefined ? "" : amountCcyOf(of);
}

/** Returns the text of the fees that have been paid for an order, in each currency. */
function feeOf(row: SpotOrder | FuturesOrder): string {
  const of = marketAt(row.market, row.market_type as MarketType);
  const paid: readonly (readonly [amount: string, ccy: string])[] =
    "fee" in row
      ? [[row.fee, row.fee_ccy]]
      : [
          [row.base_fee, of?.baseCcy ?? ""],
          [row.quote_fee, of?.quoteCcy ?? ""],
          [row.discount_fee, "deducted"],
        ];
  const parts = paid.filter(([amount]) => !isZero(amount)).map(([amount, ccy]) => `${grouped(amount)} ${ccy}`);
  return parts.length === 0 ? "0" : parts.join(" + ");
}

export function OrderHistory(props: PastProps) {
  const [side, setSide] = createSignal("");
  const pages = pagesOf<SpotOrder | FuturesOrder>(props, "finished-order", (row) => row.updated_at, side);
  const type = (row: SpotOrder | FuturesOrder) => row.market_type as MarketType;
  const average = (row: SpotOrder | FuturesOrder) => {
    const of = marketAt(row.market, type(row));
    if (of === undefined || isZero(row.filled_amount)) return "–";
    return priceText(averageOf(of, row.filled_amount, row.filled_value), of);
  };
  const columns: readonly Column<SpotOrder | FuturesOrder>[] = [
    { name: "Time", cell: (row) => <Time at={row.updated_at} /> },
    { name: "Market", isLead: true, cell: (row) => <MarketLink market={row.market} marketType={type(row)} /> },
    { name: "Side", cell: (row) => <SideWord side={row.side} /> },
    { name: "Type", isMinor: true, cell: (row) => typeWord(row.type) },
    {
      name: "Price",
      isNumber: true,
      isMinor: true,
      cell: (row) => priceText(row.price, marketAt(row.market, type(row))),
    },
    { name: "Average", isNumber: true, cell: average },
    { name: "Filled", isNumber: true, cell: (row) => amountText(row.filled_amount, marketAt(row.market, type(row))) },
    {
      name: "Of",
      isNumber: true,
      isMinor: true,
      title: "Of what was ordered",
      cell: (row) => budgetText(row) ?? amountText(row.amount, marketAt(row.market, type(row))),
    },
    { name: "Fee", isNumber: true, cell: (row) => feeOf(row) },
    {
      name: "Status",
      cell: (row) => (isZero(row.unfilled_amount) || row.type === "market" ? "filled" : "part cancelled"),
    },
  ];
  return (
    <Paged
      pages={pages}
      label="Order history"
      columns={columns}
      empty={
        side() === ""
          ? "No orders have ended yet. What fills, or is cancelled after it filled in part, stands here."
          : "No orders of this side have ended yet."
      }
      filters={<SideFilter side={side()} set={setSide} />}
    />
  );
}

export function StopHistory(props: PastProps) {
  const [side, setSide] = createSignal("");
  const pages = pagesOf<SpotStopOrder | FuturesStopOrder>(
    props,
    "finished-stop-order",
    (row) => row.updated_at,
    side,
    "stop",
  );
  const of = (row: SpotStopOrder | FuturesStopOrder) => marketAt(row.market, row.market_type as MarketType);
  const columns: readonly Column<SpotStopOrder | FuturesStopOrder>[] = [
    { name: "Triggered", cell: (row) => <Time at={row.updated_at} /> },
    {
      name: "Market",
      isLead: true,
      cell: (row) => <MarketLink market={row.market} marketType={row.market_type as MarketType} />,
    },
    { name: "Side", cell: (row) => <SideWord side={row.side} /> },
    { name: "Type", cell: (row) => typeWord(row.type) },
    {
      name: "Trigger",
      isNumber: true,
      cell: (row) => `${triggerWord(row.trigger_price_type)} ${priceText(row.trigger_price, of(row))}`,
    },
    { name: "Price", isNumber: true, cell: (row) => priceText(row.price, of(row)) },
    {
      name: "Amount",
      isNumber: true,
      cell: (row) => budgetText(row) ?? `${amountText(row.amount, of(row))} ${amountCcyText(of(row))}`,
    },
    { name: "Placed", isMinor: true, cell: (row) => <Time at={row.created_at} /> },
  ];
  return (
    <Paged
      pages={pages}
      label="Stop history"
      columns={columns}
      empty={
        side() === "" ? "No stop order has been triggered yet." : "No stop order of this side has been triggered yet."
      }
      filters={<SideFilter side={side()} set={setSide} />}
    />
  );
}

export function OwnDeals(props: PastProps & { market: string }) {
  const [side, setSide] = createSignal("");
  const pages = pagesOf<SpotUserDeal | FuturesUserDeal>(props, "user-deals", (row) => row.created_at, side);
  const type = (row: SpotUserDeal | FuturesUserDeal): MarketType => {
    if (props.product === "futures") return "FUTURES";
    return "margin_market" in row && row.margin_market ? "MARGIN" : "SPOT";
  };
  const columns: readonly Column<SpotUserDeal | FuturesUserDeal>[] = [
    { name: "Time", cell: (row) => <Time at={row.created_at} /> },
    { name: "Market", isLead: true, cell: (row) => <MarketLink market={row.market} marketType={type(row)} /> },
    { name: "Side", cell: (row) => <SideWord side={row.side} /> },
    { name: "Price", isNumber: true, cell: (row) => priceText(row.price, marketAt(row.market, type(row))) },
    {
      name: "Amount",
      isNumber: true,
      cell: (row) => {
        const of = marketAt(row.market, type(row));
        return `${amountText(row.amount, of)} ${amountCcyText(of)}`;
      },
    },
    { name: "Fee", isNumber: true, cell: (row) => `${grouped(row.fee)} ${row.fee_ccy}` },
    { name: "Role", isMinor: true, cell: (row) => row.role },
  ];
  return (
    <Paged
      pages={pages}
      label="Your deals"
      columns={columns}
      empty={side() === "" ? "No deals of yours in this market yet." : "No deals of this side in this market yet."}
      filters={<SideFilter side={side()} set={setSide} />}
    />
  );
}

const FINISHED: Readonly<Record<string, string>> = {
  liq: "liquidated",
  adl: "deleveraged",
  sys: "by the venue",
  limit: "limit order",
  market: "market order",
  market_close_all: "closed",
  take_profit: "take profit",
  stop_loss: "stop loss",
};

export function PositionHistory(props: PastProps) {
  const pages = pagesOf<FinishedPosition>(props, "finished-position", (row) => row.updated_at);
  const columns: readonly Column<FinishedPosition>[] = [
    { name: "Closed", cell: (row) => <Time at={row.updated_at} /> },
    { name: "Market", isLead: true, cell: (row) => <MarketLink market={row.market} marketType="FUTURES" /> },
    { name: "Side", cell: (row) => <SideWord side={row.side} /> },
    {
      name: "Largest",
      isNumber: true,
      isMinor: true,
      cell: (row) => amountText(row.ath_position_amount, marketAt(row.market, "FUTURES")),
    },
    { name: "Entry", isNumber: true, cell: (row) => priceText(row.avg_entry_price, marketAt(row.market, "FUTURES")) },
    {
      name: "Realized PnL",
      isNumber: true,
      cell: (row) => {
        const of = marketAt(row.market, "FUTURES");
        return `${signed(row.realized_pnl, of?.isInverse ? 8 : 2)} ${of === undefined ? "" : moneyOf(of)}`;
      },
    },
    { name: "Leverage", isNumber: true, isMinor: true, cell: (row) => `${row.leverage}x ${row.margin_mode}` },
    { name: "By", cell: (row) => FINISHED[row.finished_type] ?? row.finished_type },
  ];
  return <Paged pages={pages} label="Position history" columns={columns} empty="No position has been closed yet." />;
}
