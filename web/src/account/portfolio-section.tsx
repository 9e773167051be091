/** The worth of an account, and its gains, by days. */
import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import { areMarketsRead, markets, marketsRead } from "../market/markets.ts";
import { type Decimal, isNegative, isZero, over, plus } from "../number/decimal.ts";
import { directionOf, grouped, percent, plain, shown, signed, UNKNOWN } from "../number/show.ts";
import { csvOf, saveFile } from "../ui/csv.ts";
import { allRead, NoRows, READ, type ReadState } from "../ui/read-state.tsx";
import { SectionHead } from "../ui/section.tsx";
import { type Column, Table } from "../ui/table.tsx";
import type { PortfolioDay } from "./portfolio.ts";
import { type Portfolio, readPortfolio, type ValuedHolding } from "./portfolio-reading.ts";
import { userId } from "./session.ts";

const DECIMALS = 2;
const [WIDTH, HEIGHT] = [900, 160];

/** The currency of the figures: USDT, or what the first market is quoted in. */
function ccyOfFigures(): string | undefined {
  const quotes = markets().map(({ quoteCcy }) => quoteCcy);
  return quotes.includes("USDT") ? "USDT" : quotes[0];
}

export function PortfolioSection() {
  const [portfolio, setPortfolio] = createSignal<Portfolio>();
  const [fault, setFault] = createSignal("");
  const read = () => {
    const ccy = ccyOfFigures();
    if (userId() === undefined || ccy === undefined) return;
    setFault("");
    readPortfolio(ccy).then(setPortfolio, (error: unknown) => setFault(sentenceOf(error)));
  };
  createEffect(on([userId, areMarketsRead], read));
  const own: ReadState = { isRead: () => portfolio() !== undefined, fault, again: read };
  const state = allRead([marketsRead, own]);
  return (
    <>
      <SectionHead title="Portfolio">
        What spot, futures and savings are worth at the end of each day (UTC), and what they gained.
      </SectionHead>
      <Show
        when={portfolio()}
        fallback={
          <p class="card padded">
            <NoRows state={state} empty="" />
          </p>
        }
      >
        {(now) => (
          <>
            <Days portfolio={now()} />
            <Holdings portfolio={now()} />
          </>
        )}
      </Show>
    </>
  );
}

function Days(props: { portfolio: Portfolio }) {
  const days = () => props.portfolio.days;
  const today = () => days().at(-1);
  const money = (text: Decimal) => `${shown(text, DECIMALS)} ${props.portfolio.ccy}`;
  const columns = (): readonly Column<PortfolioDay>[] => [
    { name: "Day", cell: (row) => dayText(row.at) },
    { name: "Value", isNumber: true, cell: (row) => shown(row.value, DECIMALS) },
    { name: "Came in or left", isNumber: true, cell: (row) => signed(row.flow, DECIMALS) },
    { name: "PnL", isNumber: true, cell: (row) => <Gain of={row.pnl} /> },
  ];
  const save = () => {
    const rows = days().map(({ at, value, flow, pnl }) => ({ day: dayText(at), value, flow, pnl: pnl ?? "" }));
    saveFile("portfolio.csv", csvOf(["day", "value", "flow", "pnl"], rows));
  };
  return (
    <>
      <div class="card padded portfolio">
        <dl class="portfolio-head">
          <div>
            <dt>Value</dt>
            <dd class="portfolio-value">{money(today()?.value ?? "0")}</dd>
          </div>
          <div>
            <dt>PnL today</dt>
            <dd>
              <Gain of={today()?.pnl} />
            </dd>
          </div>
        </dl>
        <Curve days={days()} />
        <p class="note">
          Worked out from the statement: what is held now less every change since, by each day's last price. What came
          in or left is no gain. Open positions count when they are closed; margin accounts are not counted.
          <Show when={props.portfolio.without.length > 0}>
            {" "}
            Not counted for want of a price: {props.portfolio.without.join(", ")}.
          </Show>
        </p>
      </div>
      <Listed
        label="Portfolio by day"
        columns={columns()}
        rows={days().toReversed()}
        empty="No day is known yet."
        onSave={save}
      />
    </>
  );
}

/** What is held now, by account and currency. */
function Holdings(props: { portfolio: Portfolio }) {
  const holdings = () => props.portfolio.holdings;
  const total = createMemo(() => holdings().reduce<Decimal>((sum, { value }) => plus(sum, value ?? "0"), "0"));
  const columns = (): readonly Column<ValuedHolding>[] => [
    { name: "Account", cell: (row) => row.account },
    { name: "Currency", cell: (row) => <b>{row.ccy}</b> },
    { name: "Amount", isNumber: true, cell: (row) => plain(row.amount) },
    {
      name: `Value, ${props.portfolio.ccy}`,
      isNumber: true,
      cell: (row) => (row.value === undefined ? UNKNOWN : shown(row.value, DECIMALS)),
    },
    {
      name: "Share",
      isNumber: true,
      cell: (row) => (row.value === undefined || isZero(total()) ? UNKNOWN : percent(over(row.value, total(), 6), 1)),
    },
  ];
  const save = () =>
    saveFile(
      "holdings.csv",
      csvOf(
        ["account", "ccy", "amount", "value"],
        holdings().map((row) => ({ ...row, value: row.value ?? "" })),
      ),
    );
  return (
    <>
      <h2>By account and currency</h2>
      <Listed
        label="Portfolio by account and currency"
        columns={columns()}
        rows={holdings()}
        empty="Nothing is held. Deposit something, and it stands here."
        onSave={save}
      />
    </>
  );
}

/** A list of what has been read, which can be saved as a file. */
function Listed<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  empty: string;
  onSave: () => void;
}) {
  return (
    <div class="card scroll">
      <div class="list-filters">
        <button type="button" class="text-button" onClick={() => props.onSave()}>
          CSV
        </button>
      </div>
      <Table
        label={props.label}
        isCards="lines"
        columns={props.columns}
        rows={props.rows}
        state={READ}
        empty={props.empty}
      />
    </div>
  );
}

function Gain(props: { of: Decimal | undefined }) {
  return (
    <Show when={props.of} fallback={<span class="quiet">{UNKNOWN}</span>}>
      {(pnl) => <span class={directionOf(pnl())}>{signed(pnl(), DECIMALS)}</span>}
    </Show>
  );
}

/** The value as a line, gains and losses as bars below it. Only the drawing is in numbers. */
function Curve(props: { days: readonly PortfolioDay[] }) {
  const step = () => WIDTH / Math.max(1, props.days.length);
  const line = () => {
    const values = props.days.map(({ value }) => Number(value));
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const y = (value: number) => HEIGHT * 0.62 - ((value - least) / (most - least || 1)) * HEIGHT * 0.56;
    return values.map(
      (value, at) => `${at === 0 ? "M" : "L"}${((at + 0.5) * step()).toFixed(1)} ${y(value).toFixed(1)}`,
    );
  };
  const bars = () => {
    const gains = props.days.map(({ pnl }) => Number(pnl ?? "0"));
    const most = Math.max(...gains.map(Math.abs)) || 1;
    const middle = HEIGHT * 0.82;
    return props.days.map(({ at, value, pnl }, index) => {
      const size = (Math.abs(gains[index] ?? 0) / most) * HEIGHT * 0.16;
      return {
        ...{ x: (index + 0.15) * step(), y: isNegative(pnl ?? "0") ? middle : middle - size, size },
        direction: directionOf(pnl ?? "0"),
        says: `${dayText(at)}: value ${grouped(value)}, PnL ${pnl === undefined ? UNKNOWN : signed(pnl, DECIMALS)}`,
      };
    });
  };
  return (
    <svg class="portfolio-curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={line().join("")} class="portfolio-line" />
      <For each={bars()}>
        {({ x, y, size, direction, says }) => (
          <rect x={x} y={y} width={step() * 0.7} height={Math.max(size, 0.5)} class={`bar ${direction}`}>
            <title>{says}</title>
          </rect>
        )}
      </For>
    </svg>
  );
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
