/** The form that orders are sent from. */
import { For, Show } from "solid-js";
import { user } from "../account/session.ts";
import { MarketAwaited } from "../market/market-awaited.tsx";
import { type Market, market } from "../market/markets.ts";
import { cut } from "../number/decimal.ts";
import { shown } from "../number/show.ts";
import { AccountChoice } from "./account-choice.tsx";
import { BracketFields } from "./bracket-fields.tsx";
import { type Condition, createDraft, type Draft, sideWord } from "./draft.ts";
import { ExitFields } from "./exit-fields.tsx";
import { createFeeRates } from "./fees.ts";
import { availableFor, paidWith } from "./funds.ts";
import { LeverageButton } from "./leverage-dialog.tsx";
import { FaultText } from "./number-field.tsx";
import { AmountField, DisplayField, PriceField, ShareSlider, TrailField, TriggerField } from "./order-fields.tsx";
import { orderKeys } from "./order-keys.ts";
import { OrderQuestionDialog } from "./order-question.tsx";
import { ORDER_TYPES } from "./order-types.ts";
import { createOutlook } from "./outlook.ts";
import { createSending, type Sending } from "./send.ts";
import { moneyDecimals, Reach, Sums } from "./sums.tsx";
import { warningsOf } from "./warnings.ts";
import { Welcome } from "./welcome.tsx";

const SIDES = ["buy", "sell"] as const;

export function EntryPanel() {
  return (
    <section class="panel entry-panel" aria-label="Order entry">
      <Show when={market()} fallback={<MarketAwaited />}>
        {(now) => <EntryForm market={now()} />}
      </Show>
    </section>
  );
}

function EntryForm(props: { market: Market }) {
  let priceInput: HTMLInputElement | undefined;
  let amountInput: HTMLInputElement | undefined;
  const draft = createDraft(
    () => props.market,
    () => document.activeElement === priceInput,
  );
  const rates = createFeeRates();
  const outlook = createOutlook(draft, rates);
  const sending = createSending(draft, outlook);
  orderKeys({
    side: draft.setSide,
    type: draft.setType,
    focusAmount: () => amountInput?.focus(),
    leave: () => (document.activeElement as HTMLElement | null)?.blur(),
  });
  return (
    <form
      class="form entry"
      aria-label={`Order in ${props.market.market}`}
      onSubmit={(event) => {
        event.preventDefault();
        void sending.send(draft.side());
      }}
    >
      <SideChoice draft={draft} />
      <Show when={draft.isFutures()}>
        <LeverageButton market={props.market} />
      </Show>
      <Show when={props.market.isMargin}>
        <AccountChoice market={props.market} />
      </Show>
      <TypeChoice draft={draft} />
      <Available draft={draft} />
      <Show when={draft.isTrail()}>
        <TrailField draft={draft} />
      </Show>
      <PriceField
        draft={draft}
        ref={(input) => {
          priceInput = input;
        }}
      />
      <Show when={draft.isStop() || draft.isOco()}>
        <TriggerField draft={draft} />
      </Show>
      <AmountField
        draft={draft}
        ref={(input) => {
          amountInput = input;
        }}
      />
      <Show when={draft.isIceberg()}>
        <DisplayField draft={draft} />
      </Show>
      <ShareSlider draft={draft} rates={rates()} />
      <Conditions draft={draft} />
      <Show when={draft.hasExits()}>
        <ExitFields draft={draft} outlook={outlook} />
      </Show>
      <Show when={draft.isBracket()}>
        <BracketFields draft={draft} />
      </Show>
      <Sums draft={draft} outlook={outlook} rates={rates()} />
      <Reach draft={draft} outlook={outlook} />
      <Show when={warningsOf(draft, outlook).length > 0}>
        <ul class="warnings">
          <For each={warningsOf(draft, outlook)}>{(each) => <li>{each}</li>}</For>
        </ul>
      </Show>
      <FaultText fault={draft.faults.at.form} />
      <SendButtons draft={draft} sending={sending} />
      <Show when={sending.question()}>
        {(question) => <OrderQuestionDialog question={question()} onClose={sending.leave} />}
      </Show>
      <Welcome market={props.market} />
    </form>
  );
}

const CONDITIONS: ReadonlyArray<readonly [condition: Condition, word: string, hint: string]> = [
  ["stop", "Stop", "Placed when the price reaches your trigger"],
  ["trail", "Trailing", "Placed at the market when the price has turned by your trail"],
  ["oco", "OCO", "With a stop order at your trigger: the first that is filled or triggered cancels the other"],
  [
    "bracket",
    "Bracket",
    "With a take profit and a stop loss for what is filled: the first that is triggered cancels the other",
  ],
];

function SideChoice(props: { draft: Draft }) {
  const { market, side, setSide } = props.draft;
  return (
    <div class="side-choice" role="radiogroup" aria-label="Side">
      <For each={SIDES}>
        {(each) => (
          <label class={`side ${each}`} classList={{ chosen: side() === each }}>
            <input type="radio" name="side" checked={side() === each} onChange={() => setSide(each)} />
            {sideWord(market(), each)}
          </label>
        )}
      </For>
    </div>
  );
}

function TypeChoice(props: { draft: Draft }) {
  const { type, setType } = props.draft;
  return (
    <fieldset class="segments types" aria-label="Type of the order">
      <For each={ORDER_TYPES}>
        {([each, word, hint]) => (
          <button type="button" title={hint} aria-pressed={type() === each} onClick={() => setType(each)}>
            {word}
          </button>
        )}
      </For>
    </fieldset>
  );
}

function Available(props: { draft: Draft }) {
  const { market, side } = props.draft;
  const ccy = () => paidWith(market(), side());
  return (
    <p class="available">
      <span class="quiet">Available</span>
      <Show
        when={user() === undefined ? undefined : availableFor(market(), side())}
        fallback={<span class="quiet">–</span>}
      >
        {(available) => (
          <span class="figure">
            {shown(cut(available(), 8), moneyDecimals(ccy()))} <span class="quiet">{ccy()}</span>
          </span>
        )}
      </Show>
    </p>
  );
}

function Conditions(props: { draft: Draft }) {
  const { condition, setCondition, isHidden, setIsHidden, isMarket, isFutures, hasExits, setHasExits } = props.draft;
  const { isIceberg, canBeIceberg, setIsIceberg } = props.draft;
  return (
    <div class="checks">
      <For each={CONDITIONS}>
        {([each, word, hint]) => (
          <label class="check" title={hint}>
            <input
              type="checkbox"
              checked={condition() === each}
              onChange={({ currentTarget }) => setCondition(currentTarget.checked ? each : "none")}
            />
            {word}
          </label>
        )}
      </For>
      <label class="check" title="Others do not see it in the book; it fills after those that show">
        <input
          type="checkbox"
          checked={isHidden()}
          disabled={isMarket()}
          onChange={({ currentTarget }) => setIsHidden(currentTarget.checked)}
        />
        Hidden
      </label>
      <label
        class="check"
        title="The book shows a part of it at a time, the next one at the back of the queue of its price"
      >
        <input
          type="checkbox"
          checked={isIceberg()}
          disabled={!canBeIceberg()}
          onChange={({ currentTarget }) => setIsIceberg(currentTarget.checked)}
        />
        Iceberg
      </label>
      <Show when={isFutures()}>
        <label class="check" title="Take profit and stop loss for the position that the order leads to">
          <input
            type="checkbox"
            checked={hasExits()}
            disabled={condition() !== "none" || isIceberg()}
            onChange={({ currentTarget }) => setHasExits(currentTarget.checked)}
          />
          TP/SL
        </label>
      </Show>
    </div>
  );
}

function SendButtons(props: { draft: Draft; sending: Sending }) {
  const { market, side, isFutures } = props.draft;
  const { pending, send, hindrance } = props.sending;
  return (
    <div class="send" data-side={side()}>
      <For each={SIDES}>
        {(each) => (
          <button
            type={side() === each ? "submit" : "button"}
            class={`button ${each}`}
            classList={{ pending: pending() === each }}
            disabled={pending() !== undefined || hindrance() !== undefined}
            title={hindrance()}
            onClick={(event) => {
              event.preventDefault();
              void send(each);
            }}
          >
            {sideWord(market(), each)} {isFutures() ? "" : market().baseCcy}
          </button>
        )}
      </For>
    </div>
  );
}
