/** Balances of spot, and of futures where one trades them. */
import { Show } from "solid-js";
import type { FuturesBalance, MarginBalance, Product, SpotBalance } from "../api/records.ts";
import { isNone, isZero, plus } from "../number/decimal.ts";
import { grouped, percent, shown, signed } from "../number/show.ts";
import { Copyable } from "../ui/figure.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { futuresBalances, marginBalances, marginInUse, spotBalances } from "./balances-store.ts";

const DECIMALS = 8;

export function Balances(props: { product: Product }) {
  return (
    <Show when={props.product === "spot"} fallback={<FuturesBalances />}>
      <SpotBalances />
      <Show when={marginInUse().length > 0}>
        <h3 class="table-head">Margin accounts</h3>
        <MarginAccounts rows={marginInUse()} />
      </Show>
    </Show>
  );
}

export function SpotBalances() {
  const amount = (text: string) => <Copyable value={text} shown={shown(text, DECIMALS)} />;
  const columns: readonly Column<SpotBalance>[] = [
    { name: "Currency", isLead: true, cell: (row) => <b>{row.ccy}</b> },
    { name: "Available", isNumber: true, cell: (row) => amount(row.available) },
    { name: "In orders", isNumber: true, cell: (row) => amount(row.frozen) },
    { name: "Total", isNumber: true, cell: (row) => amount(plus(row.available, row.frozen)) },
  ];
  return (
    <Table
      isCards="lines"
      label="Spot balances"
      columns={columns}
      state={spotBalances}
      rows={spotBalances.rows().filter(({ available, frozen }) => !isZero(available) || !isZero(frozen))}
      empty="No money here yet. Deposit some under “Deposit” in the account menu."
    />
  );
}

export function FuturesBalances() {
  const amount = (text: string) => <Copyable value={text} shown={shown(text, DECIMALS)} />;
  const columns: readonly Column<FuturesBalance>[] = [
    { name: "Currency", isLead: true, cell: (row) => <b>{row.ccy}</b> },
    { name: "Balance", isNumber: true, cell: (row) => amount(row.account_balance) },
    { name: "Available", isNumber: true, cell: (row) => amount(row.available) },
    { name: "In orders", isNumber: true, isMinor: true, cell: (row) => amount(row.frozen) },
    { name: "Margin", isNumber: true, isMinor: true, cell: (row) => amount(row.margin) },
    { name: "Unrealized PnL", isNumber: true, cell: (row) => signed(row.unrealized_pnl, DECIMALS) },
    { name: "Transferable", isNumber: true, isMinor: true, cell: (row) => amount(row.transferrable) },
  ];
  return (
    <Table
      isCards="lines"
      label="Futures balances"
      columns={columns}
      state={futuresBalances}
      rows={futuresBalances.rows()}
      empty="No money in the futures account. Transfer some from spot under “Transfer” in the account menu."
    />
  );
}

export function MarginAccounts(props: { rows: readonly MarginBalance[] }) {
  const pair = (row: MarginBalance, of: "available" | "repaid" | "interest") => (
    <>
      {grouped(row[of].base_ccy)} {row.base_ccy}
      <br />
      {grouped(row[of].quote_ccy)} {row.quote_ccy}
    </>
  );
  const columns: readonly Column<MarginBalance>[] = [
    { name: "Market", isLead: true, cell: (row) => <b>{row.margin_account}</b> },
    { name: "Available", isNumber: true, cell: (row) => pair(row, "available") },
    { name: "Borrowed", isNumber: true, cell: (row) => pair(row, "repaid") },
    { name: "Interest", isNumber: true, isMinor: true, cell: (row) => pair(row, "interest") },
    {
      name: "Risk",
      isNumber: true,
      title: "What is owned of what is owed; below the market's bound it is liquidated",
      cell: (row) => (isNone(row.risk_rate) ? "–" : percent(row.risk_rate, 0)),
    },
    {
      name: "Liquidation",
      isNumber: true,
      isMinor: true,
      cell: (row) => (isNone(row.liq_price) ? "–" : grouped(row.liq_price)),
    },
  ];
  return (
    <Table
      isCards="lines"
      label="Margin accounts"
      columns={columns}
      state={marginBalances}
      rows={props.rows}
      empty="No margin account holds anything. Transfer money to one under “Transfer”, then borrow under “Loans”."
    />
  );
}
