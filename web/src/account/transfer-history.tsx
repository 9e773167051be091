/** Transfers between one's own accounts. */
import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import type { Transfer } from "../api/records.ts";
import { grouped } from "../number/show.ts";
import { spotBalances } from "../panels/balances-store.ts";
import { Time } from "../panels/row-parts.tsx";
import { createPages } from "../ui/pages.ts";
import { allRead } from "../ui/read-state.tsx";
import { soon } from "../ui/soon.ts";
import { type Column, MoreButton, Table } from "../ui/table.tsx";
import { ccys, currenciesRead } from "./currencies.ts";
import { CcySelect } from "./parts.tsx";
import { user } from "./session.ts";

/** Changes come in bunches. */
const AGAIN_MS = 400;

const NAMES: Readonly<Record<string, string>> = { SPOT: "Spot", FUTURES: "Futures", MARGIN: "Margin" };

export function TransferHistory() {
  const [ccy, setCcy] = createSignal("");
  const [type, setType] = createSignal("FUTURES");
  const chosen = () => ccy() || (ccys().includes("USDT") ? "USDT" : (ccys()[0] ?? ""));
  const pages = createPages<Transfer>(() =>
    user() === undefined || chosen() === ""
      ? undefined
      : { path: "/v2/assets/transfer-history", query: { ccy: chosen(), transfer_type: type() } },
  );
  // Whatever moves money between accounts changes what spot holds.
  const reading = soon(pages.again);
  onCleanup(reading.cancel);
  createEffect(
    on(
      createMemo(() => JSON.stringify(spotBalances.rows())),
      () => reading.plan(AGAIN_MS),
      { defer: true },
    ),
  );
  const columns: readonly Column<Transfer>[] = [
    { name: "Time", cell: (row) => <Time at={row.created_at} /> },
    { name: "From", cell: (row) => NAMES[row.from_account_type] },
    { name: "To", cell: (row) => NAMES[row.to_account_type] },
    { name: "Market", isMinor: true, cell: (row) => row.margin_market || "–" },
    { name: "Amount", isNumber: true, isLead: true, cell: (row) => `${grouped(row.amount)} ${row.ccy}` },
    { name: "Status", isMinor: true, cell: (row) => row.status },
  ];
  return (
    <>
      <div class="list-filters">
        <CcySelect label="Currency of the transfers" value={chosen()} set={setCcy} />
        <select
          aria-label="Kind of transfers"
          value={type()}
          onChange={({ currentTarget }) => setType(currentTarget.value)}
        >
          <option value="FUTURES">Spot and futures</option>
          <option value="MARGIN">Spot and margin</option>
        </select>
      </div>
      <Table
        isCards="lines"
        label="Transfers"
        columns={columns}
        rows={pages.rows()}
        state={allRead([currenciesRead, pages])}
        empty="No transfers of this kind yet."
      />
      <MoreButton hasNext={pages.hasNext()} isReading={pages.isReading()} onMore={pages.more} />
    </>
  );
}
