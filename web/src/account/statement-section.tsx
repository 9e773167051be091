/** Every change of every balance, with what it left. */
import { createSignal, For } from "solid-js";
import type { Statement } from "../api/records.ts";
import { isNegative } from "../number/decimal.ts";
import { grouped } from "../number/show.ts";
import { Time } from "../panels/row-parts.tsx";
import { CsvButton } from "../ui/csv-button.tsx";
import { createPages } from "../ui/pages.ts";
import { SectionHead } from "../ui/section.tsx";
import { type Column, MoreButton, Table } from "../ui/table.tsx";
import { ccys } from "./currencies.ts";
import { user } from "./session.ts";

const ACCOUNTS = ["SPOT", "FUTURES", "MARGIN", "FINANCIAL"];
const ACCOUNT_WORDS: Readonly<Record<string, string>> = {
  SPOT: "Spot",
  FUTURES: "Futures",
  MARGIN: "Margin",
  FINANCIAL: "Savings",
};

export function StatementSection() {
  const [account, setAccount] = createSignal("");
  const [ccy, setCcy] = createSignal("");
  const pages = createPages<Statement>(() =>
    user() === undefined ? undefined : { path: "/v2/assets/statement", query: { account_type: account(), ccy: ccy() } },
  );
  const columns: readonly Column<Statement>[] = [
    { name: "Time", cell: (row) => <Time at={row.created_at} /> },
    {
      name: "Account",
      cell: (row) => `${ACCOUNT_WORDS[row.account_type] ?? row.account_type}${row.market ? ` ${row.market}` : ""}`,
    },
    { name: "What", cell: (row) => row.type.replaceAll("_", " ") },
    {
      name: "Change",
      isNumber: true,
      cell: (row) => (
        <span class={isNegative(row.change) ? "down" : "up"}>
          {isNegative(row.change) ? "" : "+"}
          {grouped(row.change)} {row.ccy}
        </span>
      ),
    },
    { name: "Balance", isNumber: true, isMinor: true, cell: (row) => grouped(row.balance) },
  ];
  return (
    <>
      <SectionHead title="Statement">Every change of your balances, newest first, as the ledger has it.</SectionHead>
      <div class="card scroll">
        <div class="list-filters">
          <select
            aria-label="Account"
            value={account()}
            onChange={({ currentTarget }) => setAccount(currentTarget.value)}
          >
            <option value="">All accounts</option>
            <For each={ACCOUNTS}>{(each) => <option value={each}>{ACCOUNT_WORDS[each]}</option>}</For>
          </select>
          <select aria-label="Currency" value={ccy()} onChange={({ currentTarget }) => setCcy(currentTarget.value)}>
            <option value="">All currencies</option>
            <For each={ccys()}>{(each) => <option value={each}>{each}</option>}</For>
          </select>
          <CsvButton name="statement" sources={pages.sources()} />
        </div>
        <Table label="Statement" columns={columns} rows={pages.rows()} state={pages} empty="Nothing has changed yet." />
        <MoreButton hasNext={pages.hasNext()} isReading={pages.isReading()} onMore={pages.more} />
      </div>
    </>
  );
}
