/** Borrowing for margin trading, and giving it back. */
import { createSignal, For, Show } from "solid-js";
import { post } from "../api/client.ts";
import type { MarginLoan } from "../api/records.ts";
import { FaultText } from "../entry/number-field.tsx";
import { marketOf, markets, marketsRead } from "../market/markets.ts";
import { isPositive, lesser } from "../number/decimal.ts";
import { grouped, percent } from "../number/show.ts";
import { MarginAccounts } from "../panels/balances.tsx";
import { marginAvailable, marginBalances } from "../panels/balances-store.ts";
import { Time } from "../panels/row-parts.tsx";
import { createPages } from "../ui/pages.ts";
import { NoRows } from "../ui/read-state.tsx";
import { Labelled, SectionHead } from "../ui/section.tsx";
import { type Column, MoreButton, Table } from "../ui/table.tsx";
import { createAct } from "./act.ts";
import { BorrowForm } from "./borrow-form.tsx";
import { user } from "./session.ts";

export function LoansSection() {
  const [market, setMarket] = createSignal("");
  const act = createAct();
  const offered = () => markets().filter(({ isMargin }) => isMargin);
  const chosen = () => marketOf("spot", market()) ?? offered()[0];
  const loans = createPages<MarginLoan>(() =>
    user() === undefined ? undefined : { path: "/v2/assets/margin/borrow-history", query: {} },
  );
  const again = () => {
    loans.again();
    marginBalances.reread();
  };
  const repay = async (row: MarginLoan) => {
    const free = marginAvailable(row.market, row.ccy);
    // As far as the account reaches; where it has nothing, the venue says so.
    const reaches = free !== undefined && isPositive(free);
    const amount = reaches ? lesser(row.to_repaied_amount, free) : row.to_repaied_amount;
    const body = { market: row.market, ccy: row.ccy, borrow_id: row.borrow_id, amount };
    await act.run(() => post("/v2/assets/margin/repay", body), `${grouped(amount)} ${row.ccy} repaid.`);
    again();
  };
  const columns: readonly Column<MarginLoan>[] = [
    { name: "Time", cell: (row) => <Time at={row.created_at} /> },
    { name: "Account", isLead: true, cell: (row) => <b>{row.market}</b> },
    { name: "Borrowed", isNumber: true, cell: (row) => `${grouped(row.borrow_amount)} ${row.ccy}` },
    { name: "To repay", isNumber: true, cell: (row) => grouped(row.to_repaied_amount) },
    { name: "A day", isNumber: true, isMinor: true, cell: (row) => percent(row.daily_interest_rate, 4) },
    { name: "Until", isMinor: true, cell: (row) => <Time at={row.expired_at} /> },
    { name: "Status", isMinor: true, cell: (row) => row.status },
    {
      name: "",
      cell: (row) => (
        <Show when={row.status === "loan" || row.status === "debt"}>
          <button type="button" class="text-button" disabled={act.isBusy()} onClick={() => void repay(row)}>
            Repay
          </button>
        </Show>
      ),
    },
  ];
  return (
    <>
      <SectionHead title="Loans">
        Borrow against what lies in the margin account of a market. Interest runs by the hour; when what you own is too
        little for what you owe, the account is liquidated.
      </SectionHead>
      <Show
        when={offered().length > 0}
        fallback={
          <p class="empty">
            <NoRows state={marketsRead} empty="No market lends here." />
          </p>
        }
      >
        <Show when={chosen()}>
          {(now) => (
            <BorrowForm market={now()} class="narrow card padded" onDone={again}>
              <Labelled name="Margin account of">
                <select value={now().market} onChange={({ currentTarget }) => setMarket(currentTarget.value)}>
                  <For each={offered()}>{(each) => <option value={each.market}>{each.market}</option>}</For>
                </select>
              </Labelled>
            </BorrowForm>
          )}
        </Show>
      </Show>
      <h2>Margin accounts</h2>
      <div class="card scroll">
        <MarginAccounts rows={marginBalances.rows()} />
      </div>
      <h2>Your loans</h2>
      <div class="card scroll">
        <Table
          isCards="lines"
          label="Loans"
          state={loans}
          columns={columns}
          rows={loans.rows()}
          empty="Nothing borrowed."
        />
        <MoreButton hasNext={loans.hasNext()} isReading={loans.isReading()} onMore={loans.more} />
      </div>
      <FaultText fault={act.fault()} />
    </>
  );
}
