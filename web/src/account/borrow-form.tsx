/** Borrowing into the margin account of a market. */
import { createSignal, type JSX } from "solid-js";
import { post } from "../api/client.ts";
import type { MarginLimit } from "../api/records.ts";
import { FaultText, NumberField } from "../entry/number-field.tsx";
import type { Market } from "../market/markets.ts";
import { isDecimal } from "../number/decimal.ts";
import { grouped, percent } from "../number/show.ts";
import { marginBalances } from "../panels/balances-store.ts";
import { WhenRead } from "../ui/read-state.tsx";
import { createReading } from "../ui/reading.ts";
import { createAct } from "./act.ts";
import { CcySelect } from "./parts.tsx";
import { user } from "./session.ts";

interface BorrowFormProps {
  readonly market: Market;
  readonly class?: string;
  /** Fields above the amount. */
  readonly children?: JSX.Element;
  readonly onDone: () => void;
}

export function BorrowForm(props: BorrowFormProps) {
  const [ccy, setCcy] = createSignal("");
  const [amount, setAmount] = createSignal("");
  const [isRenewed, setIsRenewed] = createSignal(true);
  const act = createAct();
  const offered = () => [props.market.quoteCcy, props.market.baseCcy];
  const chosenCcy = () => (offered().includes(ccy()) ? ccy() : props.market.quoteCcy);
  const limit = createReading<MarginLimit>(() =>
    user() === undefined
      ? undefined
      : { path: "/v2/assets/margin/interest-limit", query: { market: props.market.market, ccy: chosenCcy() } },
  );
  const borrow = async () => {
    const body = {
      market: props.market.market,
      ccy: chosenCcy(),
      borrow_amount: amount(),
      is_auto_renew: isRenewed(),
    };
    if (await act.run(() => post("/v2/assets/margin/borrow", body), `${grouped(amount())} ${chosenCcy()} borrowed.`)) {
      setAmount("");
      marginBalances.reread();
      limit.again();
      props.onDone();
    }
  };
  return (
    <form
      class={`form ${props.class ?? ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        void borrow();
      }}
    >
      {props.children}
      <NumberField
        name="Amount"
        value={amount()}
        set={setAmount}
        step="0.01"
        unit={<CcySelect label="Currency" value={chosenCcy()} set={setCcy} of={offered()} />}
      />
      <WhenRead reading={limit}>
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
      </WhenRead>
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
  );
}
