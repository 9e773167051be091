/** Moving money between one's own accounts. */
import { createSignal, For, Show } from "solid-js";
import { post } from "../api/client.ts";
import { FaultText, NumberField } from "../entry/number-field.tsx";
import { marketOf, markets } from "../market/markets.ts";
import { type Decimal, isDecimal } from "../number/decimal.ts";
import { grouped } from "../number/show.ts";
import {
  futuresAvailable,
  futuresBalances,
  marginAvailable,
  marginBalances,
  spotAvailable,
} from "../panels/balances-store.ts";
import { Labelled, SectionHead } from "../ui/section.tsx";
import { createAct } from "./act.ts";
import { Available } from "./available.tsx";
import { ccys } from "./currencies.ts";
import { CcySelect } from "./parts.tsx";
import { TransferHistory } from "./transfer-history.tsx";

const ACCOUNTS = [
  ["SPOT", "Spot"],
  ["FUTURES", "Futures"],
  ["MARGIN", "Margin"],
] as const;
type Account = (typeof ACCOUNTS)[number][0];

export function TransferSection() {
  const [from, setFrom] = createSignal<Account>("SPOT");
  const [to, setTo] = createSignal<Account>("FUTURES");
  const [ccy, setCcy] = createSignal("USDT");
  const [market, setMarket] = createSignal("");
  const [amount, setAmount] = createSignal("");
  const act = createAct();
  const marginMarkets = () => markets().filter(({ isMargin }) => isMargin);
  const isMargin = () => from() === "MARGIN" || to() === "MARGIN";
  const chosenMarket = () => market() || (marginMarkets()[0]?.market ?? "");
  const offered = () => {
    const of = marketOf("spot", chosenMarket());
    return isMargin() && of !== undefined ? [of.baseCcy, of.quoteCcy] : ccys();
  };
  const chosenCcy = () => (offered().includes(ccy()) ? ccy() : (offered()[0] ?? ""));
  const available = (): Decimal | undefined => {
    if (from() === "SPOT") return spotAvailable(chosenCcy());
    if (from() === "FUTURES") return futuresAvailable(chosenCcy(), "transferrable");
    return marginAvailable(chosenMarket(), chosenCcy());
  };
  const chooseFrom = (account: Account) => {
    setFrom(account);
    // Money moves between spot and the other two, never between these.
    if (account !== "SPOT") setTo("SPOT");
    else if (to() === "SPOT") setTo("FUTURES");
  };
  const chooseTo = (account: Account) => {
    setTo(account);
    if (account !== "SPOT") setFrom("SPOT");
    else if (from() === "SPOT") setFrom("FUTURES");
  };
  const send = async () => {
    const body = {
      from_account_type: from(),
      to_account_type: to(),
      ccy: chosenCcy(),
      amount: amount(),
      ...(isMargin() ? { market: chosenMarket() } : {}),
    };
    if (await act.run(() => post("/v2/assets/transfer", body), `${grouped(amount())} ${chosenCcy()} transferred.`)) {
      setAmount("");
      futuresBalances.reread();
      marginBalances.reread();
    }
  };
  return (
    <>
      <SectionHead title="Transfer">Between your spot, futures and margin accounts: at once, and free.</SectionHead>
      <form
        class="form narrow card padded"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div class="pair">
          <Labelled name="From">
            <select value={from()} onChange={({ currentTarget }) => chooseFrom(currentTarget.value as Account)}>
              <For each={ACCOUNTS}>
                {([value, word]) => (
                  <option value={value} selected={value === from()}>
                    {word}
                  </option>
                )}
              </For>
            </select>
          </Labelled>
          <Labelled name="To">
            <select value={to()} onChange={({ currentTarget }) => chooseTo(currentTarget.value as Account)}>
              <For each={ACCOUNTS}>
                {([value, word]) => (
                  <option value={value} selected={value === to()}>
                    {word}
                  </option>
                )}
              </For>
            </select>
          </Labelled>
        </div>
        <Show when={isMargin()}>
          <Labelled name="Margin account of">
            <select value={chosenMarket()} onChange={({ currentTarget }) => setMarket(currentTarget.value)}>
              <For each={marginMarkets()}>{(each) => <option value={each.market}>{each.market}</option>}</For>
            </select>
          </Labelled>
        </Show>
        <NumberField
          name="Amount"
          value={amount()}
          set={setAmount}
          step="0.01"
          unit={<CcySelect label="Currency" value={chosenCcy()} set={setCcy} of={offered()} />}
        />
        <Available amount={available()} ccy={chosenCcy()} take={setAmount} />
        <FaultText fault={act.fault()} />
        <button type="submit" class="button primary wide" disabled={act.isBusy() || !isDecimal(amount())}>
          Transfer
        </button>
      </form>
      <h2>Transfers</h2>
      <div class="card scroll">
        <TransferHistory />
      </div>
    </>
  );
}
