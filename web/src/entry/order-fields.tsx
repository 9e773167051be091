/** The fields of an order: what triggers it, its price and its amount, with the slider that fills the amount. */
import { For, Show } from "solid-js";
import { user } from "../account/session.ts";
import { cut, decimalsOf, over, times } from "../number/decimal.ts";
import { grouped } from "../number/show.ts";
import type { Draft, TrailUnit, TriggerType } from "./draft.ts";
import type { FeeRates } from "./fees.ts";
import { mostOf } from "./funds.ts";
import { NumberField } from "./number-field.tsx";
import { TRIGGERS } from "./order-types.ts";

const SHARES = ["0", "25", "50", "75", "100"];

export function TriggerField(props: { draft: Draft }) {
  const { market, faults, isFutures, trigger, typeTrigger, triggerType, setTriggerType } = props.draft;
  return (
    <NumberField
      name="Trigger"
      value={trigger()}
      set={typeTrigger}
      step={market().tick}
      unit={
        <Show when={isFutures()} fallback={market().quoteCcy}>
          <select
            aria-label="Price that triggers"
            value={triggerType()}
            onChange={({ currentTarget }) => setTriggerType(currentTarget.value as TriggerType)}
          >
            <For each={TRIGGERS}>{([type, word]) => <option value={type}>{word}</option>}</For>
          </select>
        </Show>
      }
      fault={faults.at.trigger}
    />
  );
}

export function TrailField(props: { draft: Draft }) {
  const { market, faults, trail, typeTrail, trailUnit, setTrailUnit } = props.draft;
  return (
    <NumberField
      name="Trail"
      value={trail()}
      set={typeTrail}
      step={trailUnit() === "percent" ? "0.1" : market().tick}
      unit={
        <select
          aria-label="Unit of the trail"
          value={trailUnit()}
          onChange={({ currentTarget }) => setTrailUnit(currentTarget.value as TrailUnit)}
        >
          <option value="percent">%</option>
          <option value="price">{market().quoteCcy}</option>
        </select>
      }
      fault={faults.at.trail}
    />
  );
}

export function PriceField(props: { draft: Draft; ref: (input: HTMLInputElement) => void }) {
  const { market, faults, isMarket, price, typePrice } = props.draft;
  return (
    <NumberField
      name="Price"
      ref={props.ref}
      value={isMarket() ? "" : price()}
      placeholder={isMarket() ? "at the market" : undefined}
      disabled={isMarket()}
      set={typePrice}
      step={market().tick}
      unit={market().quoteCcy}
      fault={faults.at.price}
    />
  );
}

export function AmountField(props: { draft: Draft; ref: (input: HTMLInputElement) => void }) {
  const { market, faults, canCountInQuote, isInQuote, countInQuote } = props.draft;
  const { amount, typeAmount, amountCcy, amountStep } = props.draft;
  return (
    <NumberField
      name="Amount"
      ref={props.ref}
      value={amount()}
      set={typeAmount}
      step={amountStep()}
      placeholder={`from ${grouped(market().minAmount)}`}
      unit={
        <Show when={canCountInQuote()} fallback={amountCcy()}>
          <select
            aria-label="Currency of the amount"
            value={isInQuote() ? "quote" : "base"}
            onChange={({ currentTarget }) => countInQuote(currentTarget.value === "quote")}
          >
            <option value="base">{market().baseCcy}</option>
            <option value="quote">{market().quoteCcy}</option>
          </select>
        </Show>
      }
      fault={faults.at.amount}
    />
  );
}

/** As much of the order as the book shows at a time. */
export function DisplayField(props: { draft: Draft }) {
  const { faults, display, typeDisplay, amountCcy, amountStep } = props.draft;
  return (
    <NumberField
      name="Shown"
      value={display()}
      set={typeDisplay}
      step={amountStep()}
      placeholder="at a time"
      unit={amountCcy()}
      fault={faults.at.display}
    />
  );
}

export function ShareSlider(props: { draft: Draft; rates: FeeRates }) {
  const take = (share: string) => {
    const most = mostOf(props.draft, props.draft.side(), props.rates);
    props.draft.takeShare(share, cut(over(times(most, share), "100", 12), decimalsOf(props.draft.amountStep())));
  };
  return (
    <div class="share">
      <input
        type="range"
        min="0"
        max="100"
        step="1"
        aria-label="Share of what is available, in percent"
        value={props.draft.share()}
        disabled={user() === undefined}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
      <div class="share-marks">
        <For each={SHARES}>
          {(each) => (
            <button type="button" disabled={user() === undefined} onClick={() => take(each)}>
              {each} %
            </button>
          )}
        </For>
      </div>
    </div>
  );
}
