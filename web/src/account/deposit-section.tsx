/** Addresses to deposit to, and deposits on their way. */
import { createSignal, For, onCleanup, Show } from "solid-js";
import { post } from "../api/client.ts";
import type { Deposit, DepositAddress } from "../api/records.ts";
import { FaultText } from "../entry/number-field.tsx";
import { grouped } from "../number/show.ts";
import { Time } from "../panels/row-parts.tsx";
import { CsvButton } from "../ui/csv-button.tsx";
import { Copyable } from "../ui/figure.tsx";
import { createPages } from "../ui/pages.ts";
import { NoRows, ReadFault } from "../ui/read-state.tsx";
import { createReading } from "../ui/reading.ts";
import { Labelled, SectionHead } from "../ui/section.tsx";
import { type Column, MoreButton, Table } from "../ui/table.tsx";
import { say } from "../ui/toasts.tsx";
import { createAct } from "./act.ts";
import { ccys, chainsOf, currenciesRead } from "./currencies.ts";
import { CcySelect } from "./parts.tsx";
import { Qr } from "./qr.tsx";
import { isDev, session, user } from "./session.ts";

const BEAT_MS = 5_000;

export function DepositSection() {
  const [ccy, setCcy] = createSignal("USDT");
  const [chain, setChain] = createSignal("");
  const chosenCcy = () => (ccys().includes(ccy()) ? ccy() : (ccys()[0] ?? ""));
  const chains = () => chainsOf(chosenCcy());
  const chosen = () => chains().find((each) => each.chain === chain()) ?? chains()[0];
  const address = createReading<DepositAddress>(() => {
    const of = chosen();
    return user() === undefined || of === undefined || !of.deposit_enabled
      ? undefined
      : { path: "/v2/assets/deposit-address", query: { ccy: chosenCcy(), chain: of.chain } };
  });
  const act = createAct();
  const renew = () =>
    act.run(async () => {
      await post("/v2/assets/renewal-deposit-address", { ccy: chosenCcy(), chain: chosen()?.chain });
      address.again();
    }, "A new address is here; the old one goes on working.");
  const money = createAct();
  const takeTestMoney = () =>
    money.run(async () => {
      const given = await post<{ amount: string; ccy: string }>("/web/test-money", { ccy: chosenCcy() });
      say(`${grouped(given.amount)} ${given.ccy} are in your spot account.`, "good");
    });
  const known = address.data;
  return (
    <>
      <SectionHead title="Deposit">
        Send to this address from anywhere; the money is yours when its blocks are confirmed.
      </SectionHead>
      <div class="card padded deposit">
        <div class="form">
          <Labelled name="Currency">
            <CcySelect label="Currency" value={chosenCcy()} set={setCcy} />
          </Labelled>
          <Labelled name="Chain">
            <select value={chosen()?.chain ?? ""} onChange={({ currentTarget }) => setChain(currentTarget.value)}>
              <For each={chains()}>{(each) => <option value={each.chain}>{each.chain}</option>}</For>
            </select>
          </Labelled>
          <Show
            when={chosen()}
            fallback={
              <p class="note">
                <NoRows state={currenciesRead} empty="This currency has no chain to come over." />
              </p>
            }
          >
            {(of) => (
              <Show when={of().deposit_enabled} fallback={<p class="fault">Deposits of it are closed for now.</p>}>
                <dl class="sums">
                  <dt>Minimum</dt>
                  <dd>
                    {grouped(of().min_deposit_amount)} {chosenCcy()}
                  </dd>
                  <dt>Yours after</dt>
                  <dd>{of().safe_confirmations} blocks</dd>
                  <dt>Final after</dt>
                  <dd>{of().irreversible_confirmations} blocks</dd>
                </dl>
              </Show>
            )}
          </Show>
          <Show when={address.fault()}>
            <p>
              <ReadFault state={address} />
            </p>
          </Show>
          <FaultText fault={act.fault()} />
          <Show when={session()?.test_money && chosenCcy() !== ""}>
            <button type="button" class="button" disabled={money.isBusy()} onClick={() => void takeTestMoney()}>
              Get test {chosenCcy()} worth 10,000 USDT
            </button>
            <FaultText fault={money.fault()} />
          </Show>
          <Show when={isDev() && known()}>
            <p class="note">
              This venue runs for development, on a simulated chain. Somebody outside pays you with
              <code class="block">
                bin/bourse chain pay {chosen()?.chain} --ccy {chosenCcy()} --amount 100 --to-address {known()?.address}
              </code>
              and blocks come with <code>bin/bourse chain mine {chosen()?.chain} --count 2</code>.
            </p>
          </Show>
        </div>
        <Show when={known()}>
          {(now) => (
            <div class="address">
              <Qr text={now().address} label={`The address ${now().address} as a QR code`} />
              <Copyable value={now().address} label="the address" />
              <Show when={now().memo}>
                <p>
                  Memo: <Copyable value={now().memo} label="the memo" />. Without it the deposit does not find you.
                </p>
              </Show>
              <button type="button" class="text-button" disabled={act.isBusy()} onClick={() => void renew()}>
                Get another address
              </button>
            </div>
          )}
        </Show>
      </div>
      <h2>Deposits</h2>
      <Deposits />
    </>
  );
}

function Deposits() {
  const pages = createPages<Deposit>(() =>
    user() === undefined ? undefined : { path: "/v2/assets/deposit-history", query: {} },
  );
  const beat = setInterval(() => {
    if (!document.hidden && pages.rows().some(({ status }) => status === "processing" || status === "confirming"))
      pages.again();
  }, BEAT_MS);
  onCleanup(() => clearInterval(beat));
  const columns: readonly Column<Deposit>[] = [
    { name: "Time", cell: (row) => <Time at={row.created_at} /> },
    { name: "Amount", isNumber: true, isLead: true, cell: (row) => `${grouped(row.amount)} ${row.ccy}` },
    { name: "Chain", isMinor: true, cell: (row) => row.chain },
    { name: "Blocks", isNumber: true, isMinor: true, cell: (row) => row.confirmations },
    { name: "Status", cell: (row) => row.status.replaceAll("_", " ") },
    {
      name: "Transaction",
      isMinor: true,
      cell: (row) => <Copyable value={row.tx_id} shown={`${row.tx_id.slice(0, 10)}…`} label="the transaction" />,
    },
  ];
  return (
    <div class="card scroll">
      <div class="list-filters">
        <CsvButton name="deposits" sources={pages.sources()} />
      </div>
      <Table
        isCards="lines"
        label="Deposits"
        state={pages}
        columns={columns}
        rows={pages.rows()}
        empty="No deposits yet. What arrives at your address stands here from its first block on."
      />
      <MoreButton hasNext={pages.hasNext()} isReading={pages.isReading()} onMore={pages.more} />
    </div>
  );
}
