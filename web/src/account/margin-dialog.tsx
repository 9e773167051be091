/** Actions on the margin account of the market that is traded in, beside the form: transfer, borrow, repay. */
import { createSignal, Match, Show, Switch } from "solid-js";
import { post } from "../api/client.ts";
import { type MarginAction, marginAction, owedOf, setMarginAction } from "../entry/account-choice.tsx";
import { FaultText, NumberField } from "../entry/number-field.tsx";
import { type Market, market } from "../market/markets.ts";
import { isDecimal, isPositive, isZero, lesser } from "../number/decimal.ts";
import { grouped } from "../number/show.ts";
import { marginAccountOf, marginAvailable, marginBalances, spotAvailable } from "../panels/balances-store.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Labelled } from "../ui/section.tsx";
import { createAct } from "./act.ts";
import { Available } from "./available.tsx";
import { BorrowForm } from "./borrow-form.tsx";
import { CcySelect } from "./parts.tsx";

const TITLES: Readonly<Record<MarginAction, string>> = {
  transfer: "Transfer: the margin account of",
  borrow: "Borrow into the margin account of",
  repay: "Repay what you owe in",
};

export function MarginDialog() {
  const close = () => setMarginAction(undefined);
  return (
    <Show when={market()}>
      {(now) => (
        <Dialog title={`${TITLES[marginAction() ?? "transfer"]} ${now().market}`} onClose={close}>
          <Switch>
            <Match when={marginAction() === "transfer"}>
              <TransferForm market={now()} onDone={close} />
            </Match>
            <Match when={marginAction() === "borrow"}>
              <BorrowForm market={now()} onDone={close} />
            </Match>
            <Match when={marginAction() === "repay"}>
              <RepayForm market={now()} onDone={close} />
            </Match>
          </Switch>
        </Dialog>
      )}
    </Show>
  );
}

interface ActionProps {
  readonly market: Market;
  readonly onDone: () => void;
}

function TransferForm(props: ActionProps) {
  const [isOut, setIsOut] = createSignal(false);
  const [ccy, setCcy] = createSignal(props.market.quoteCcy);
  const [amount, setAmount] = createSignal("");
  const act = createAct();
  const available = () => (isOut() ? marginAvailable(props.market.market, ccy()) : spotAvailable(ccy()));
  const send = async () => {
    const [from, to] = isOut() ? ["MARGIN", "SPOT"] : ["SPOT", "MARGIN"];
    const { market: name } = props.market;
    const body = { from_account_type: from, to_account_type: to, market: name, ccy: ccy(), amount: amount() };
    if (!(await act.run(() => post("/v2/assets/transfer", body), `${grouped(amount())} ${ccy()} transferred.`))) return;
    marginBalances.reread();
    props.onDone();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Labelled name="Which way">
        <select
          value={isOut() ? "out" : "in"}
          onChange={({ currentTarget }) => {
            setIsOut(currentTarget.value === "out");
            setAmount("");
          }}
        >
          <option value="in">From spot to margin</option>
          <option value="out">From margin to spot</option>
        </select>
      </Labelled>
      <NumberField
        name="Amount"
        value={amount()}
        set={setAmount}
        step="0.01"
        unit={
          <CcySelect label="Currency" value={ccy()} set={setCcy} of={[props.market.quoteCcy, props.market.baseCcy]} />
        }
      />
      <Available amount={available()} ccy={ccy()} take={setAmount} />
      <FaultText fault={act.fault()} />
      <button type="submit" class="button primary wide" disabled={act.isBusy() || !isDecimal(amount())}>
        Transfer
      </button>
    </form>
  );
}

function RepayForm(props: ActionProps) {
  const account = () => marginAccountOf(props.market.market);
  const owed = (ccy: string) => {
    const of = account();
    return of === undefined ? "0" : owedOf(of, ccy);
  };
  const ccys = () => [props.market.quoteCcy, props.market.baseCcy].filter((ccy) => !isZero(owed(ccy)));
  const [ccy, setCcy] = createSignal("");
  const [amount, setAmount] = createSignal("");
  const act = createAct();
  const chosenCcy = () => (ccys().includes(ccy()) ? ccy() : (ccys()[0] ?? props.market.quoteCcy));
  const most = () => {
    const available = marginAvailable(props.market.market, chosenCcy());
    return available === undefined ? undefined : lesser(owed(chosenCcy()), available);
  };
  const repay = async () => {
    const body = { market: props.market.market, ccy: chosenCcy(), amount: amount() };
    if (!(await act.run(() => post("/v2/assets/margin/repay", body), `${grouped(amount())} ${chosenCcy()} repaid.`)))
      return;
    marginBalances.reread();
    props.onDone();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void repay();
      }}
    >
      <p class="note">The oldest loan is repaid first, its interest before it. More than is owed is not taken.</p>
      <NumberField
        name="Amount"
        value={amount()}
        set={setAmount}
        step="0.01"
        unit={<CcySelect label="Currency" value={chosenCcy()} set={setCcy} of={ccys()} />}
      />
      <Available amount={most()} ccy={chosenCcy()} take={setAmount} name="Owed, as far as the account reaches" />
      <FaultText fault={act.fault()} />
      <button
        type="submit"
        class="button primary wide"
        disabled={act.isBusy() || !isDecimal(amount()) || !isPositive(amount())}
      >
        Repay
      </button>
    </form>
  );
}
