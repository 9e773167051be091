/** Dialogs that end a position: a part of it or all, at the market or at a price, or its turn to the other side. */
import { createSignal, For, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import type { Position } from "../api/records.ts";
import { bestAsk, bestBid } from "../book/book-store.ts";
import { gainAt } from "../entry/estimate.ts";
import { type Fault, NumberField } from "../entry/number-field.tsx";
import { moneyDecimals } from "../entry/sums.tsx";
import { amountCcyOf, type Market, moneyOf, market as shownMarket, tickerOf } from "../market/markets.ts";
import { compare, cut, type Decimal, isDecimal, isPositive, over, times, unit } from "../number/decimal.ts";
import { directionOf, shown, signed } from "../number/show.ts";
import { Dialog } from "../ui/dialog.tsx";
import { say } from "../ui/toasts.tsx";
import { closePosition, positions, reversePosition } from "./positions-store.ts";
import { amountText, marketAt } from "./row-parts.tsx";

const SHARES = ["25", "50", "75", "100"];
const TYPES = [
  ["market", "Market"],
  ["limit", "Limit"],
] as const;
type CloseType = (typeof TYPES)[number][0];

/**
 * Returns the price at which a position would be closed now: the other side's best price where its book is on the page,
 * otherwise the mark.
 */
function priceNow(position: Position, market: Market): Decimal | undefined {
  const best = position.side === "long" ? bestBid() : bestAsk();
  return shownMarket()?.key === market.key && best !== undefined ? best : tickerOf(market.key)?.mark_price;
}

export function ReduceDialog(props: { position: Position; onClose: () => void }) {
  return (
    <Show when={marketAt(props.position.market, "FUTURES")}>
      {(market) => (
        <Dialog title={`Close ${props.position.market} ${props.position.side}`} onClose={props.onClose}>
          <ReduceForm position={props.position} market={market()} onClose={props.onClose} />
        </Dialog>
      )}
    </Show>
  );
}

function ReduceForm(props: { position: Position; market: Market; onClose: () => void }) {
  const [type, setType] = createSignal<CloseType>("market");
  const [amount, setAmount] = createSignal(props.position.open_interest);
  const [price, setPrice] = createSignal(tickerOf(props.market.key)?.last ?? "");
  const [fault, setFault] = createSignal<Fault>();
  const [isBusy, setIsBusy] = createSignal(false);
  const known = () => (isDecimal(amount()) && isPositive(amount()) ? amount() : undefined);
  const at = () => {
    if (type() === "market") return priceNow(props.position, props.market);
    return isDecimal(price()) && isPositive(price()) ? price() : undefined;
  };
  const isTooMuch = () => compare(known() ?? "0", props.position.open_interest) > 0;
  const gain = () => {
    const [of, to] = [known(), at()];
    if (of === undefined || to === undefined || isTooMuch()) return undefined;
    const { side, open_interest, settle_value } = props.position;
    return gainAt(props.market, side === "long", of, over(times(settle_value, of), open_interest, 18), to);
  };
  const money = () => moneyOf(props.market);
  const send = async () => {
    const of = known();
    if (of === undefined) {
      setFault({ text: "Enter the amount to close.", rule: undefined });
      return;
    }
    if (isTooMuch()) {
      const most = `${amountText(props.position.open_interest, props.market)} ${amountCcyOf(props.market)}`;
      setFault({ text: `The position is ${most}: enter no more than that.`, rule: undefined });
      return;
    }
    setFault(undefined);
    setIsBusy(true);
    try {
      await closePosition(props.position, of, type() === "limit" ? price() : undefined);
      if (type() === "limit") say("The order that closes is placed.", "good");
      positions.reread();
      props.onClose();
    } catch (error) {
      setFault({ text: sentenceOf(error), rule: undefined });
    }
    setIsBusy(false);
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <fieldset class="segments" aria-label="How to close">
        <For each={TYPES}>
          {([value, word]) => (
            <button type="button" aria-pressed={type() === value} onClick={() => setType(value)}>
              {word}
            </button>
          )}
        </For>
      </fieldset>
      <Show when={type() === "limit"}>
        <NumberField
          name="Price"
          value={price()}
          set={setPrice}
          step={props.market.tick}
          unit={props.market.quoteCcy}
        />
      </Show>
      <NumberField
        name="Amount"
        value={amount()}
        set={setAmount}
        step={unit(props.market.amountDecimals)}
        unit={amountCcyOf(props.market)}
        fault={fault()}
      />
      <div class="share-marks">
        <For each={SHARES}>
          {(share) => (
            <button
              type="button"
              onClick={() =>
                setAmount(cut(over(times(props.position.open_interest, share), "100", 12), props.market.amountDecimals))
              }
            >
              {share} %
            </button>
          )}
        </For>
      </div>
      <dl class="sums">
        <dt>Closes at</dt>
        <dd>
          {at() === undefined
            ? "–"
            : `${type() === "market" ? "≈ " : ""}${shown(at() as Decimal, props.market.priceDecimals, "nearest")}`}
        </dd>
        <dt>Expected PnL</dt>
        <dd title="Since entry or the last settlement, before fees">
          <Show when={gain()} fallback="–">
            {(brings) => (
              <span class={directionOf(brings())}>
                {signed(brings(), moneyDecimals(money()))} {money()}
              </span>
            )}
          </Show>
        </dd>
      </dl>
      <button type="submit" class="button primary wide" disabled={isBusy()}>
        {type() === "market" ? "Close at the market" : "Place the closing order"}
      </button>
    </form>
  );
}

export function ReverseDialog(props: { position: Position; onClose: () => void }) {
  const [fault, setFault] = createSignal("");
  const [isBusy, setIsBusy] = createSignal(false);
  const market = () => marketAt(props.position.market, "FUTURES");
  const other = () => (props.position.side === "long" ? "short" : "long");
  const amount = () => {
    const of = market();
    return `${amountText(props.position.open_interest, of)} ${of === undefined ? "" : amountCcyOf(of)}`;
  };
  const reverse = async () => {
    setFault("");
    setIsBusy(true);
    try {
      await reversePosition(props.position);
      positions.reread();
      props.onClose();
    } catch (error) {
      setFault(sentenceOf(error));
    }
    setIsBusy(false);
  };
  return (
    <Dialog title={`Reverse ${props.position.market} ${props.position.side}?`} onClose={props.onClose}>
      <p>
        At the market: the {props.position.side} position of {amount()} is closed, and a {other()} one of the same
        amount is opened. Its take profit and stop loss end with it.
      </p>
      <Show when={fault()}>
        <p class="fault" role="alert">
          {fault()}
        </p>
      </Show>
      <div class="form-row">
        <button type="button" class="button primary grow" disabled={isBusy()} onClick={() => void reverse()}>
          Reverse
        </button>
        <button type="button" class="button grow" onClick={() => props.onClose()}>
          Keep position
        </button>
      </div>
    </Dialog>
  );
}
