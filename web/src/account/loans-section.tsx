/** Borrowing for margin trading, and giving it back. */
import { createResource, createSignal, For, Show } from "solid-js";
import { get, post } from "../api/client.ts";
import type { MarginLimit, MarginLoan } from "../api/records.ts";
import { FaultText, NumberField } from "../entry/number-field.tsx";
import { marketOf, markets } from "../market/markets.ts";
import { isDecimal } from "../number/decimal.ts";
import { grouped, percent } from "../number/show.ts";
import { marginBalances } from "../panels/balances-store.ts";
import { Time } from "../panels/row-parts.tsx";
import { createPages } from "../ui/pages.ts";
import { type Column, MoreButton, Table } from "../ui/table.tsx";
import { createAct } from "./act.ts";
import { MarginAccounts } from "./balances-section.tsx";
import { CcySelect, Labelled, SectionHead } from "./parts.tsx";
import { user } from "./session.ts";

export function LoansSection() {
  const [market, setMarket] = createSignal("");
  const [ccy, setCcy] = createSignal("");
  const [amount, setAmount] = createSignal("");
  const [isRenewed, setIsRenewed] = createSignal(true);
  const act = createAct();
  const offered = () => markets().filter(({ isMargin }) => isMargin);
  const chosen = () => marketOf("spot", market()) ?? offered()[0];
  const ccys = () => {
    const of = chosen();
    return of === undefined ? [] : [of.quoteCcy, of.baseCcy];
  };
  const chosenCcy = () => (ccys().includes(ccy()) ? ccy() : (ccys()[0] ?? ""));
  const [limit, { refetch }] = createResource(
    () => (user() === undefined || chosen() === undefined ? undefined : { market: chosen()?.market, ccy: chosenCcy() }),
    (query) => get<MarginLimit>("/v2/assets/margin/interest-limit", query).catch(() => undefined),
  );
  const loans = createPages<MarginLoan>(() =>
    user() === undefined ? undefined : { path: "/v2/assets/margin/borrow-history", query: {} },
  );
  const again = () => {
    loans.again();
    marginBalances.reread();
    void refetch();
  };
  const borrow = async () => {
    const body = { market: chosen()?.market, ccy: chosenCcy(), borrow_amount: amount(), is_auto_renew: isRenewed() };
    if (await act.run(() => post("/v2/assets/margin/borrow", body), `${grouped(amount())} ${chosenCcy()} borrowed.`)) {
      setAmount("");
      again();
    }
  };
  const repay = async (row: MarginLoan) => {
    const body = { market: row.market, ccy: row.ccy, borrow_id: row.borrow_id, amount: row.to_repaied_amount };
    await act.run(
      () => post("/v2/assets/margin/repay", body),
      "The loan is repaid, as far as the margin account reached.",
    );
    again();
  };
  const columns: readonly Column<MarginLoan>[] = [
    { name: "Time", cell: (row) => <Time at={row.created_at} /> },
    { name: "Account", cell: (row) => <b>{row.market}</b> },
    { name: "Borrowed", isNumber: true, cell: (row) => `${grouped(row.borrow_amount)} ${row.ccy}` },
    { name: "To repay", isNumber: true, cell: (row) => grouped(row.to_repaied_amount) },
    { name: "A day", isNumber: true, isMinor: true, cell: (row) => percent(row.daily_interest_rate, 4) },
    { name: "Until", isMinor: true, cell: (row) => <Time at={row.expired_at} /> },
    { name: "State", isMinor: true, cell: (row) => row.status },
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
      <Show when={offered().length > 0} fallback={<p class="empty">No market lends here.</p>}>
        <form
          class="form narrow card padded"
          onSubmit={(event) => {
            event.preventDefault();
            void borrow();
          }}
        >
          <Labelled name="Margin account of">
            <select value={chosen()?.market ?? ""} onChange={({ currentTarget }) => setMarket(currentTarget.value)}>
              <For each={offered()}>{(each) => <option value={each.market}>{each.market}</option>}</For>
            </select>
          </Labelled>
          <NumberField
            name="Amount"
            value={amount()}
            set={setAmount}
            step="0.01"
            unit={<CcySelect label="Currency" value={chosenCcy()} set={setCcy} of={ccys()} />}
          />
          <Show when={limit.latest}>
            {(of) => (
              <dl class="sums">
                <dt>Interest a day</dt>
                <dd>{percent(of().daily_interest_rate, 4)}</dd>
                <dt>Leverage</dt>
                <dd>up to {of().leverage}x</dd>
                <dt>From</dt>
                <dd>
                  {grouped(of().min_amount)} {chosenCcy()}
                </dd>
                <dt>Up to</dt>
                <dd>
                  {grouped(of().max_amount)} {chosenCcy()}
                </dd>
              </dl>
            )}
          </Show>
          <label class="check">
            <input
              type="checkbox"
              checked={isRenewed()}
              onChange={({ currentTarget }) => setIsRenewed(currentTarget.checked)}
            />
            Renew it when its time is up
          </label>
          <FaultText fault={act.fault()} />
          <button type="submit" class="button primary wide" disabled={act.isBusy() || !isDecimal(amount())}>
            Borrow
          </button>
        </form>
      </Show>
      <h2>Margin accounts</h2>
      <div class="card scroll">
        <MarginAccounts rows={marginBalances.rows()} />
      </div>
      <h2>Your loans</h2>
      <div class="card scroll">
        <Table label="Loans" columns={columns} rows={loans.rows()} empty="Nothing borrowed." />
        <MoreButton hasNext={loans.hasNext()} isReading={loans.isReading()} onMore={loans.more} />
      </div>
    </>
  );
}
