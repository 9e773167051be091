/** All balances: spot, futures and margin accounts, savings. */
import { createResource, For, Show } from "solid-js";
import { get } from "../api/client.ts";
import type { MarginBalance } from "../api/records.ts";
import { isNone, isZero } from "../number/decimal.ts";
import { grouped, percent } from "../number/show.ts";
import { FuturesBalances, SpotBalances } from "../panels/balances.tsx";
import { marginBalances } from "../panels/balances-store.ts";
import { type Column, Table } from "../ui/table.tsx";
import { SectionHead } from "./parts.tsx";
import { user } from "./session.ts";

interface SavingsBalance {
  readonly ccy: string;
  readonly available: string;
  readonly frozen: string;
}

export function BalancesSection() {
  const [savings] = createResource(
    () => user()?.user_id,
    () => get<SavingsBalance[]>("/v2/assets/financial/balance").catch(() => []),
  );
  const saved = () => (savings.latest ?? []).filter(({ available }) => !isZero(available));
  const held = () =>
    marginBalances
      .rows()
      .filter(({ available, frozen, repaid }) =>
        [available, frozen, repaid].some(({ base_ccy, quote_ccy }) => !isZero(base_ccy) || !isZero(quote_ccy)),
      );
  return (
    <>
      <SectionHead title="Balances">What you hold, live. A click copies an amount.</SectionHead>
      <h2>Spot</h2>
      <div class="card scroll">
        <SpotBalances />
      </div>
      <h2>Futures</h2>
      <div class="card scroll">
        <FuturesBalances />
      </div>
      <h2>Margin accounts</h2>
      <div class="card scroll">
        <MarginAccounts rows={held()} />
      </div>
      <Show when={saved().length > 0}>
        <h2>Savings</h2>
        <ul class="card plain-list">
          <For each={saved()}>
            {(each) => (
              <li>
                <b>{each.ccy}</b> {grouped(each.available)}
              </li>
            )}
          </For>
        </ul>
      </Show>
    </>
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
    { name: "Market", cell: (row) => <b>{row.margin_account}</b> },
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
      label="Margin accounts"
      columns={columns}
      rows={props.rows}
      empty="No margin account holds anything. Transfer money to one under “Transfer”, then borrow under “Loans”."
    />
  );
}
