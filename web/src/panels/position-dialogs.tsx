/** Dialogs of a position: take profit and stop loss, and its isolated margin. */
import { createSignal, For } from "solid-js";
import { post, sentenceOf } from "../api/client.ts";
import type { Position } from "../api/records.ts";
import { type Fault, NumberField } from "../entry/number-field.tsx";
import { moneyOf } from "../market/markets.ts";
import { isDecimal, unit } from "../number/decimal.ts";
import { UNKNOWN } from "../number/show.ts";
import { Dialog } from "../ui/dialog.tsx";
import { say } from "../ui/toasts.tsx";
import { futuresAvailable } from "./balances-store.ts";
import { namesOf, positions } from "./positions-store.ts";
import { amountText, marketAt, priceText } from "./row-parts.tsx";

const KINDS = [
  { kind: "take-profit", field: "take_profit", word: "Take profit" },
  { kind: "stop-loss", field: "stop_loss", word: "Stop loss" },
] as const;
type Kind = (typeof KINDS)[number];

export function ExitsDialog(props: { position: Position; onClose: () => void }) {
  return (
    <Dialog
      title={`Take profit and stop loss: ${props.position.market} ${props.position.side}`}
      onClose={props.onClose}
    >
      <p class="note">
        Entry {priceText(props.position.avg_entry_price, marketAt(props.position.market, "FUTURES"))}. When the price is
        reached the position is closed at the market, or the part of it that you name.
      </p>
      <For each={KINDS}>{(kind) => <Exits kind={kind} position={props.position} />}</For>
    </Dialog>
  );
}

function Exits(props: { kind: Kind; position: Position }) {
  const [price, setPrice] = createSignal("");
  const [amount, setAmount] = createSignal("");
  const [type, setType] = createSignal("latest_price");
  const [fault, setFault] = createSignal<Fault>();
  const market = () => marketAt(props.position.market, "FUTURES");
  const set = () =>
    props.kind.field === "take_profit" ? props.position.take_profit_list : props.position.stop_loss_list;
  const common = () => namesOf(props.position);
  const attempt = async (path: string, body: object, done: string) => {
    setFault(undefined);
    try {
      await post(path, body);
      say(done, "good");
      positions.reread();
      setPrice("");
      setAmount("");
    } catch (error) {
      setFault({ text: sentenceOf(error), rule: undefined });
    }
  };
  const add = () => {
    const { kind, field, word } = props.kind;
    const body = {
      ...common(),
      [`${field}_price`]: price(),
      [`${field}_type`]: type(),
      ...(amount() === "" ? {} : { [`${field}_amount`]: amount() }),
    };
    void attempt(`/v2/futures/set-position-${kind}`, body, `${word} set.`);
  };
  const drop = (id: number) => {
    const { kind, field, word } = props.kind;
    void attempt(`/v2/futures/cancel-position-${kind}`, { ...common(), [`${field}_id`]: id }, `${word} cancelled.`);
  };
  return (
    <section class="exits" aria-label={props.kind.word}>
      <h3>{props.kind.word}</h3>
      <ul>
        <For each={set()}>
          {(each) => (
            <li>
              <span>
                {each.type === "mark_price" ? "Mark" : "Last"} {priceText(each.price, market())},{" "}
                {each.is_all ? "the whole position" : amountText(each.amount, market())}
              </span>
              <button type="button" class="text-button" onClick={() => drop(each.id)}>
                Cancel
              </button>
            </li>
          )}
        </For>
      </ul>
      <form
        class="exit-form"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <NumberField
          name="Trigger"
          value={price()}
          set={setPrice}
          step={market()?.tick ?? "0.01"}
          fault={fault()}
          unit={
            <select
              aria-label={`Price that triggers the ${props.kind.word.toLowerCase()}`}
              value={type()}
              onChange={({ currentTarget }) => setType(currentTarget.value)}
            >
              <option value="latest_price">Last</option>
              <option value="mark_price">Mark</option>
            </select>
          }
        />
        <NumberField
          name="Amount"
          value={amount()}
          set={setAmount}
          step={unit(market()?.amountDecimals ?? 4)}
          placeholder="all"
        />
        <button type="submit" class="button" disabled={!isDecimal(price())}>
          Set
        </button>
      </form>
    </section>
  );
}

export function MarginDialog(props: { position: Position; onClose: () => void }) {
  const [amount, setAmount] = createSignal("");
  const [fault, setFault] = createSignal<Fault>();
  const money = () => {
    const of = marketAt(props.position.market, "FUTURES");
    return of === undefined ? "" : moneyOf(of);
  };
  const adjust = async (sign: "" | "-") => {
    setFault(undefined);
    try {
      await post("/v2/futures/adjust-position-margin", { ...namesOf(props.position), amount: `${sign}${amount()}` });
      positions.reread();
      say("Margin changed.", "good");
      props.onClose();
    } catch (error) {
      setFault({ text: sentenceOf(error), rule: undefined });
    }
  };
  return (
    <Dialog title={`Margin of ${props.position.market} ${props.position.side}`} onClose={props.onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isDecimal(amount())) void adjust("");
        }}
      >
        <p class="note">
          Now {props.position.margin_avbl} {money()}. Available: {futuresAvailable(money()) ?? UNKNOWN} {money()}.
        </p>
        <NumberField name="Amount" value={amount()} set={setAmount} step="0.01" unit={money()} fault={fault()} />
        <div class="form-row">
          <button type="submit" class="button primary grow" disabled={!isDecimal(amount())}>
            Add
          </button>
          <button type="button" class="button grow" disabled={!isDecimal(amount())} onClick={() => void adjust("-")}>
            Take out
          </button>
        </div>
      </form>
    </Dialog>
  );
}
