/** The figures that the order would come to, as the form shows them. */
import { Show } from "solid-js";
import { type Market, moneyOf } from "../market/markets.ts";
import { cut, type Decimal, over, type Rounding } from "../number/decimal.ts";
import { grouped, percent, shown, UNKNOWN } from "../number/show.ts";
import type { Draft } from "./draft.ts";
import type { FeeRates } from "./fees.ts";
import { levelsFor } from "./funds.ts";
import { leverageIn } from "./leverage.ts";
import type { Outlook } from "./outlook.ts";
import { firstTrigger } from "./trail.ts";

export function Sums(props: { draft: Draft; outlook: Outlook; rates: FeeRates }) {
  const { market, type, isMarket, isFutures } = props.draft;
  return (
    <dl class="sums">
      <Show when={props.draft.isTrail()}>
        <dt>First trigger</dt>
        <dd title="If the trail begins now; it follows the price from then on">{firstTriggerText(props.draft)}</dd>
      </Show>
      <dt>{isFutures() ? "Value" : "Total"}</dt>
      <dd title={isMarket() ? "From the book as it stands" : "Amount times price"}>
        {valueText(props.draft, props.outlook)}
      </dd>
      <Show when={isFutures()}>
        <dt>Margin</dt>
        <dd title={marginHint(market())}>{marginText(market(), props.outlook)}</dd>
      </Show>
      <dt>Fee</dt>
      <dd
        title={
          `Makers pay ${percent(props.rates.maker, 3)}, takers ` +
          `${percent(props.rates.taker, 3)}${type() === "limit" ? "; shown is the taker's" : ""}`
        }
      >
        {feeText(props.outlook, props.rates)}
      </dd>
      <Show when={isFutures()}>
        <dt>Liquidation price</dt>
        <dd title="Worked out from the level's maintenance rate and what stands behind the position now">
          {liquidationText(market(), props.outlook)}
        </dd>
      </Show>
    </dl>
  );
}

export function firstTriggerText(draft: Draft): string {
  const trigger = firstTrigger(draft);
  if (trigger === undefined) return UNKNOWN;
  return `${draft.side() === "buy" ? "≥" : "≤"} ${shown(trigger, draft.market().priceDecimals)}`;
}

function inMoney(market: Market, amount: Decimal, rounding: Rounding): string {
  const money = moneyOf(market);
  return `${shown(amount, moneyDecimals(money), rounding)} ${money}`;
}

export function valueText(draft: Draft, { value }: Outlook): string {
  const worth = value();
  if (worth === undefined) return UNKNOWN;
  // A buyer of the spot market pays it, a seller receives it; of a contract it is the size of the position.
  const rounding = draft.isFutures() ? "nearest" : draft.side() === "buy" ? "up" : "down";
  return `${draft.isMarket() ? "≈ " : ""}${inMoney(draft.market(), worth, rounding)}`;
}

function marginHint(market: Market): string {
  const terms = leverageIn(market);
  return terms === undefined ? "The venue has not said yet what leverage holds" : `The value at ${terms.leverage}x`;
}

export function marginText(market: Market, { value }: Outlook): string {
  const [worth, terms] = [value(), leverageIn(market)];
  if (worth === undefined || terms === undefined) return UNKNOWN;
  return inMoney(market, over(worth, `${terms.leverage}`, 12, "up"), "up");
}

function feeText({ fee }: Outlook, rates: FeeRates): string {
  const due = fee();
  if (due === undefined) return `${percent(rates.maker, 3)} / ${percent(rates.taker, 3)}`;
  return `≤ ${grouped(cut(due.amount, moneyDecimals(due.ccy) + 2, "up"))} ${due.ccy}`;
}

function liquidationText(market: Market, { position, liquidationAt }: Outlook): string {
  const to = position();
  if (to === undefined) return UNKNOWN;
  if (to.reduces) return "reduces your position";
  const at = liquidationAt();
  if (at === undefined) return UNKNOWN;
  return at === "none" ? "none" : `≈ ${shown(at, market.priceDecimals)}`;
}

/** A word about a market order that takes much of the book. */
export function Reach(props: { draft: Draft; outlook: Outlook }) {
  const price = (at: Decimal) => shown(at, props.draft.market().priceDecimals, "nearest");
  return (
    <Show when={props.outlook.reach()}>
      {(met) => (
        <p class="reach" role="status">
          <Show
            when={met().isWhole}
            fallback={
              `More than the ${levelsFor(props.draft.side()).length} levels ` +
              `that are seen: it would go beyond ${price(met().reaches)}.`
            }
          >
            A large part of the book: on average {price(met().average)}, as far as {price(met().reaches)}.
          </Show>
        </p>
      )}
    </Show>
  );
}

/** So many decimals are shown of a currency's money. */
export function moneyDecimals(ccy: string): number {
  return /^USD/.test(ccy) ? 2 : 6;
}
