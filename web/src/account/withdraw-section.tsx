/** Withdrawing, and withdrawals on their way. */
import { createSignal, For, onCleanup, Show } from "solid-js";
import { post } from "../api/client.ts";
import type { Withdrawal } from "../api/records.ts";
import { venueNow } from "../api/venue.ts";
import { FaultText, NumberField } from "../entry/number-field.tsx";
import { compare, isDecimal, minus, unit } from "../number/decimal.ts";
import { dayAndTime, grouped } from "../number/show.ts";
import { spotAvailable } from "../panels/balances-store.ts";
import { Time } from "../panels/row-parts.tsx";
import { CsvButton } from "../ui/csv-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Copyable } from "../ui/figure.tsx";
import { createPages } from "../ui/pages.ts";
import { go } from "../ui/place.ts";
import { NoRows } from "../ui/read-state.tsx";
import { createReading } from "../ui/reading.ts";
import { Labelled, SectionHead } from "../ui/section.tsx";
import { type Column, MoreButton, Table } from "../ui/table.tsx";
import { createAct } from "./act.ts";
import { Available } from "./available.tsx";
import { ccys, chainsOf, currenciesRead } from "./currencies.ts";
import { CcySelect } from "./parts.tsx";
import { user, userId } from "./session.ts";
import { TextField } from "./text-field.tsx";

/** An address that operators have noted for the account. */
interface NotedAddress {
  readonly address_id: number;
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
  readonly remark: string;
}

const BEAT_MS = 5_000;
const CANCELLABLE = ["created", "audit_required"];

export function WithdrawSection() {
  const [ccy, setCcy] = createSignal("USDT");
  const [chain, setChain] = createSignal("");
  const [address, setAddress] = createSignal("");
  const [memo, setMemo] = createSignal("");
  const [amount, setAmount] = createSignal("");
  const [isReviewed, setIsReviewed] = createSignal(false);
  const act = createAct();
  const chosenCcy = () => (ccys().includes(ccy()) ? ccy() : (ccys()[0] ?? ""));
  const chosen = () => chainsOf(chosenCcy()).find((each) => each.chain === chain()) ?? chainsOf(chosenCcy())[0];
  const pages = createPages<Withdrawal>(() =>
    user() === undefined ? undefined : { path: "/v2/assets/withdraw", query: {} },
  );
  const beat = setInterval(() => {
    if (!document.hidden && pages.rows().some(({ status }) => !/finished|cancelled|failed/.test(status))) pages.again();
  }, BEAT_MS);
  onCleanup(() => clearInterval(beat));
  const book = createReading<{ readonly addresses: readonly NotedAddress[] }>(() =>
    userId() === undefined ? undefined : { path: "/web/withdraw-addresses" },
  );
  const noted = () => (book.data()?.addresses ?? []).filter((each) => each.chain === chosen()?.chain);
  const take = (id: string) => {
    const found = noted().find(({ address_id }) => String(address_id) === id);
    if (found === undefined) return;
    setAddress(found.address);
    setMemo(found.memo);
  };
  const send = async () => {
    const body = {
      ccy: chosenCcy(),
      chain: chosen()?.chain,
      withdraw_method: "on_chain",
      to_address: address().trim(),
      amount: amount(),
      ...(memo() === "" ? {} : { memo: memo() }),
    };
    setIsReviewed(false);
    if (await act.run(() => post("/v2/assets/withdraw", body), "The withdrawal is under way.")) {
      setAmount("");
      pages.again();
    }
  };
  const cancel = async (row: Withdrawal) => {
    await act.run(
      () => post("/v2/assets/cancel-withdraw", { withdraw_id: row.withdraw_id }),
      "The withdrawal is cancelled.",
    );
    pages.again();
  };
  const received = () => {
    const fee = chosen()?.withdrawal_fee;
    return fee !== undefined && isDecimal(amount()) && compare(amount(), fee) > 0 ? minus(amount(), fee) : undefined;
  };
  /** A dash for what is not known yet. */
  const inCcy = (figure: string | undefined) => (figure === undefined ? "–" : `${grouped(figure)} ${chosenCcy()}`);
  const columns: readonly Column<Withdrawal>[] = [
    { name: "Time", cell: (row) => <Time at={row.created_at} /> },
    { name: "Amount", isNumber: true, isLead: true, cell: (row) => `${grouped(row.amount)} ${row.ccy}` },
    { name: "Fee", isNumber: true, isMinor: true, cell: (row) => `${grouped(row.tx_fee)} ${row.fee_ccy}` },
    {
      name: "To",
      isMinor: true,
      cell: (row) => <Copyable value={row.to_address} shown={`${row.to_address.slice(0, 12)}…`} label="the address" />,
    },
    { name: "Status", cell: (row) => row.status.replaceAll("_", " ") },
    {
      name: "",
      cell: (row) => (
        <Show when={CANCELLABLE.includes(row.status)}>
          <button type="button" class="text-button" disabled={act.isBusy()} onClick={() => void cancel(row)}>
            Cancel
          </button>
        </Show>
      ),
    },
  ];
  const barredUntil = () => user()?.withdraw_from ?? 0;
  return (
    <>
      <SectionHead title="Withdraw">
        To an address that an operator has noted for you. Nothing that was sent can be called back.
      </SectionHead>
      <form
        class="form narrow card padded"
        onSubmit={(event) => {
          event.preventDefault();
          setIsReviewed(true);
        }}
      >
        <Show when={barredUntil() > venueNow()}>
          <p class="fault">After the change of your credentials withdrawals wait until {dayAndTime(barredUntil())}.</p>
        </Show>
        <Show when={user()?.can_withdraw === false}>
          <p class="note">
            Withdrawals need a second factor.{" "}
            <button type="button" class="text-button" onClick={() => go({ kind: "account", section: "security" })}>
              Set one up, or confirm it
            </button>
          </p>
        </Show>
        <div class="pair">
          <Labelled name="Currency">
            <CcySelect label="Currency" value={chosenCcy()} set={setCcy} />
          </Labelled>
          <Labelled name="Chain">
            <select value={chosen()?.chain ?? ""} onChange={({ currentTarget }) => setChain(currentTarget.value)}>
              <For each={chainsOf(chosenCcy())}>{(each) => <option value={each.chain}>{each.chain}</option>}</For>
            </select>
          </Labelled>
        </div>
        <Show when={noted().length > 0}>
          <Labelled name="Address book">
            <select
              value={String(noted().find((each) => each.address === address().trim())?.address_id ?? "")}
              onChange={({ currentTarget }) => take(currentTarget.value)}
            >
              <option value="">Choose an address</option>
              <For each={noted()}>
                {(each) => (
                  <option value={String(each.address_id)}>
                    {each.remark === "" ? each.address : `${each.remark}: ${each.address}`}
                  </option>
                )}
              </For>
            </select>
          </Labelled>
        </Show>
        <Show when={chosen() === undefined}>
          <p class="note">
            <NoRows state={currenciesRead} empty="This currency leaves over no chain." />
          </p>
        </Show>
        <Show when={book.isRead() && chosen() !== undefined && noted().length === 0}>
          <p class="note">No address on {chosen()?.chain} is noted for you yet: ask the operators of the venue.</p>
        </Show>
        <TextField name="Address" value={address()} set={setAddress} />
        <Show when={chosen()?.is_memo_required_for_deposit}>
          <TextField name="Memo" value={memo()} set={setMemo} isOptional />
        </Show>
        <NumberField
          name="Amount"
          value={amount()}
          set={setAmount}
          step={unit(chosen()?.withdrawal_precision ?? 8)}
          unit={chosenCcy()}
        />
        <Available amount={spotAvailable(chosenCcy())} ccy={chosenCcy()} take={setAmount} />
        <dl class="sums">
          <dt>Minimum</dt>
          <dd>{inCcy(chosen()?.min_withdraw_amount)}</dd>
          <dt>Fee</dt>
          <dd>{inCcy(chosen()?.withdrawal_fee)}</dd>
          <dt>Arrives</dt>
          <dd>{inCcy(received())}</dd>
        </dl>
        <FaultText fault={act.fault()} />
        <button
          type="submit"
          class="button primary wide"
          disabled={act.isBusy() || chosen() === undefined || !isDecimal(amount())}
        >
          Review
        </button>
      </form>
      <Show when={isReviewed()}>
        <Dialog title="Withdraw this?" onClose={() => setIsReviewed(false)}>
          <dl class="sums review">
            <dt>Amount</dt>
            <dd>
              {grouped(amount())} {chosenCcy()}
            </dd>
            <dt>Fee</dt>
            <dd>{inCcy(chosen()?.withdrawal_fee)}</dd>
            <dt>Arrives</dt>
            <dd>{inCcy(received())}</dd>
            <dt>Chain</dt>
            <dd>{chosen()?.chain}</dd>
            <dt>Address</dt>
            <dd class="whole">{address().trim()}</dd>
            <Show when={memo()}>
              <dt>Memo</dt>
              <dd class="whole">{memo()}</dd>
            </Show>
          </dl>
          <p class="note">Compare the address letter by letter: what was sent cannot be called back.</p>
          <div class="form-row">
            <button type="button" class="button primary grow" disabled={act.isBusy()} onClick={() => void send()}>
              Withdraw
            </button>
            <button type="button" class="button grow" onClick={() => setIsReviewed(false)}>
              Back
            </button>
          </div>
        </Dialog>
      </Show>
      <h2>Withdrawals</h2>
      <div class="card scroll">
        <div class="list-filters">
          <CsvButton name="withdrawals" sources={pages.sources()} />
        </div>
        <Table
          isCards="lines"
          label="Withdrawals"
          state={pages}
          columns={columns}
          rows={pages.rows()}
          empty="No withdrawals yet."
        />
        <MoreButton hasNext={pages.hasNext()} isReading={pages.isReading()} onMore={pages.more} />
      </div>
    </>
  );
}
