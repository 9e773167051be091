/** Balances of spot, and of futures where one trades them. */
import type { FuturesBalance, Product, SpotBalance } from "../api/records.ts";
import { isZero, plus } from "../number/decimal.ts";
import { shown, signed } from "../number/show.ts";
import { Copyable } from "../ui/figure.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { futuresBalances, spotBalances } from "./balances-store.ts";

const DECIMALS = 8;

export function Balances(props: { product: Product }) {
  return <>{props.product === "spot" ? <SpotBalances /> : <FuturesBalances />}</>;
}

export function SpotBalances() {
  const amount = (text: string) => <Copyable value={text} shown={shown(text, DECIMALS)} />;
  const columns: readonly Column<SpotBalance>[] = [
    { name: "Currency", cell: (row) => <b>{row.ccy}</b> },
    { name: "Available", isNumber: true, cell: (row) => amount(row.available) },
    { name: "In orders", isNumber: true, cell: (row) => amount(row.frozen) },
    { name: "Total", isNumber: true, cell: (row) => amount(plus(row.available, row.frozen)) },
  ];
  return (
    <Table
      label="Spot balances"
      columns={columns}
      rows={spotBalances.rows().filter(({ available, frozen }) => !isZero(available) || !isZero(frozen))}
      empty="No money here yet. Deposit some under “Deposit” in the account menu."
    />
  );
}

export function FuturesBalances() {
  const amount = (text: string) => <Copyable value={text} shown={shown(text, DECIMALS)} />;
  const columns: readonly Column<FuturesBalance>[] = [
    { name: "Currency", cell: (row) => <b>{row.ccy}</b> },
    { name: "Balance", isNumber: true, cell: (row) => amount(row.account_balance) },
    { name: "Available", isNumber: true, cell: (row) => amount(row.available) },
    { name: "In orders", isNumber: true, isMinor: true, cell: (row) => amount(row.frozen) },
    { name: "Margin", isNumber: true, isMinor: true, cell: (row) => amount(row.margin) },
    { name: "Unrealized PnL", isNumber: true, cell: (row) => signed(row.unrealized_pnl, DECIMALS) },
    { name: "Transferable", isNumber: true, isMinor: true, cell: (row) => amount(row.transferrable) },
  ];
  return (
    <Table
      label="Futures balances"
      columns={columns}
      rows={futuresBalances.rows()}
      empty="No money in the futures account. Transfer some from spot under “Transfer” in the account menu."
    />
  );
}
