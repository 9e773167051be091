/** Every change of every balance, with what it left. */
import { createSignal, For } from "solid-js";
import type { Statement, StatementAccountType, StatementType } from "../api/records.ts";
import { isNegative } from "../number/decimal.ts";
import { grouped } from "../number/show.ts";
import { Time } from "../panels/row-parts.tsx";
import { CsvButton } from "../ui/csv-button.tsx";
import { createPages } from "../ui/pages.ts";
import { noneFits, rowsWith } from "../ui/search.ts";
import { SectionHead } from "../ui/section.tsx";
import { type Column, MoreButton, Table } from "../ui/table.tsx";
import { ccys } from "./currencies.ts";
import { user } from "./session.ts";

const ACCOUNT_WORDS: Readonly<Record<StatementAccountType, string>> = {
  SPOT: "Spot",
  FUTURES: "Futures",
  MARGIN: "Margin",
  FINANCIAL: "Savings",
};

const KIND_WORDS: Readonly<Record<StatementType, string>> = {
  trade: "Trade",
  fee: "Fee",
  deposit: "Deposit",
  withdraw: "Withdrawal",
  transfer: "Transfer",
  sub_transfer: "Transfer with a sub-account",
  funding: "Funding",
  settle: "Realized PnL",
  liquidation: "Liquidation",
  margin_borrow: "Loan",
  margin_repay: "Repayment",
  margin_interest: "Interest of a loan",
  amm_add: "Pool share bought",
  amm_remove: "Pool share sold",
  amm_dividend: "Pool income",
  investment_interest: "Interest of savings",
  maker_cash_back: "Maker rebate",
  exchange_order_transfer: "Exchange order",
  adjust: "Adjustment",
};

function namesOf<Value extends string>(words: Readonly<Record<Value, string>>): readonly (readonly [Value, string])[] {
  return Object.entries(words) as [Value, string][];
}

export function StatementSection() {
  const [account, setAccount] = createSignal("");
  const [ccy, setCcy] = createSignal("");
  const [kind, setKind] = createSignal("");
  const [from, setFrom] = createSignal("");
  const [to, setTo] = createSignal("");
  const [text, setText] = createSignal("");
  const pages = createPages<Statement>(() =>
    user() === undefined
      ? undefined
      : {
          path: "/v2/assets/statement",
          query: {
            account_type: account(),
            ccy: ccy(),
            type: kind(),
            start_time: dayBegins(from()),
            end_time: dayEnds(to()),
          },
        },
  );
  const isFiltered = () => [account(), ccy(), kind(), from(), to()].some((each) => each !== "");
  const showAll = () => {
    for (const set of [setAccount, setCcy, setKind, setFrom, setTo, setText]) set("");
  };
  const columns: readonly Column<Statement>[] = [
    { name: "Time", cell: (row) => <Time at={row.created_at} /> },
    {
      name: "Account",
      cell: (row) => `${ACCOUNT_WORDS[row.account_type]}${row.market ? ` ${row.market}` : ""}`,
    },
    { name: "Kind", isLead: true, cell: (row) => KIND_WORDS[row.type] },
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
    { name: "Balance", isNumber: true, cell: (row) => grouped(row.balance) },
  ];
  return (
    <>
      <SectionHead title="Statement">Every change of your balances, newest first, as the ledger has it.</SectionHead>
      <div class="card scroll">
        <div class="list-filters">
          <Choice word="All accounts" name="Account" value={account()} set={setAccount} of={namesOf(ACCOUNT_WORDS)} />
          <Choice
            word="All currencies"
            name="Currency"
            value={ccy()}
            set={setCcy}
            of={ccys().map((each) => [each, each])}
          />
          <Choice word="All kinds" name="Kind" value={kind()} set={setKind} of={namesOf(KIND_WORDS)} />
          <Day name="From" value={from()} set={setFrom} />
          <Day name="To" value={to()} set={setTo} />
          <input
            type="search"
            class="input"
            aria-label="Search the statement"
            placeholder="Search"
            value={text()}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <button type="button" class="text-button" disabled={!isFiltered() && text() === ""} onClick={showAll}>
            Show all
          </button>
          <CsvButton name="statement" sources={pages.sources()} />
        </div>
        <Table
          isCards="lines"
          label="Statement"
          columns={columns}
          rows={rowsWith(pages.rows(), text())}
          state={pages}
          empty={
            text() !== ""
              ? noneFits(pages.hasNext())
              : isFiltered()
                ? "No change of a balance fits these filters."
                : "Nothing has changed yet."
          }
        />
        <MoreButton hasNext={pages.hasNext()} isReading={pages.isReading()} onMore={pages.more} />
      </div>
    </>
  );
}

interface ChoiceProps {
  /** The name of the choice, and the word for no choice. */
  readonly name: string;
  readonly word: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly of: readonly (readonly [value: string, word: string])[];
}

function Choice(props: ChoiceProps) {
  return (
    <select
      aria-label={props.name}
      value={props.value}
      onChange={({ currentTarget }) => props.set(currentTarget.value)}
    >
      <option value="">{props.word}</option>
      <For each={props.of}>
        {([value, word]) => (
          <option value={value} selected={value === props.value}>
            {word}
          </option>
        )}
      </For>
    </select>
  );
}

function Day(props: { name: string; value: string; set: (day: string) => void }) {
  return (
    <label class="filter-day">
      <span>{props.name}</span>
      <input
        type="date"
        class="input"
        min="1970-01-02"
        max="9999-12-31"
        value={props.value}
        onChange={({ currentTarget }) => props.set(currentTarget.value)}
      />
    </label>
  );
}

/** The first ms of a day by the clock of this browser; undefined for no day. */
function dayBegins(day: string): number | undefined {
  const ms = Date.parse(`${day}T00:00`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The last ms of it. */
function dayEnds(day: string): number | undefined {
  const ms = Date.parse(`${day}T23:59:59.999`);
  return Number.isNaN(ms) ? undefined : ms;
}
