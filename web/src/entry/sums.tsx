/** What the order would come to, as the form shows it. */
import { Show } from "solid-js";
import { moneyOf } from "../market/markets.ts";
import { cut, type Decimal, over } from "../number/decimal.ts";
import { grouped, percent, shown } from "../number/show.ts";
import type { Draft } from "./draft.ts";
import type { FeeRates } from "./fees.ts";
import { levelsFor } from "./funds.ts";
import { leverageIn } from "./leverage.ts";
import type { Outlook } from "./outlook.ts";

export function Sums(props: { draft: Draft; outlook: Outlook; rates: FeeRates }) {
  const { market, type, isMarket, isFutures } = props.draft;
  const { value, fee, position, liquidationAt } = props.outlook;
  const money = () => moneyOf(market());
  const leverage = () => leverageIn(market()).leverage;
  const inMoney = (amount: Decimal) => `${shown(amount, moneyDecimals(money()))} ${money()}`;
  return (
    <dl class="sums">
      <dt>{isFutures() ? "Value" : "Total"}</dt>
      <dd title={isMarket() ? "From the book as it stands" : "Amount times price"}>
        <Show when={value()} fallback="–">
          {(worth) => `${isMarket() ? "≈ " : ""}${inMoney(worth())}`}
        </Show>
      </dd>
      <Show when={isFutures()}>
        <dt>Margin</dt>
        <dd title={`The value at ${leverage()}x`}>
          <Show when={value()} fallback="–">
            {(worth) => inMoney(over(worth(), `${leverage()}`, 8, "up"))}
          </Show>
        </dd>
      </Show>
      <dt>Fee</dt>
      <dd
        title={`Makers pay ${percent(props.rates.maker, 3)}, takers ${percent(props.rates.taker, 3)}${type() === "limit" ? "; shown is the taker's" : ""}`}
      >
        <Show when={fee()} fallback={`${percent(props.rates.maker, 3)} / ${percent(props.rates.taker, 3)}`}>
          {(due) => (
            <>
              ≤ {grouped(cut(due().amount, moneyDecimals(due().ccy) + 2, "up"))} {due().ccy}
            </>
          )}
        </Show>
      </dd>
      <Show when={isFutures()}>
        <dt>Liquidation price</dt>
        <dd title="Worked out from the level's maintenance rate and what stands behind the position now">
          <Show when={position()} fallback="–">
            {(to) => (
              <Show when={!to().reduces} fallback="reduces your position">
                <Show when={liquidationAt()} fallback="none">
                  {(at) => <>≈ {shown(at(), market().priceDecimals)}</>}
                </Show>
              </Show>
            )}
          </Show>
        </dd>
      </Show>
    </dl>
  );
}

/** A word about a market order that takes much of the book. */
export function Reach(props: { draft: Draft; outlook: Outlook }) {
  const price = (at: Decimal) => shown(at, props.draft.market().priceDecimals);
  return (
    <Show when={props.outlook.reach()}>
      {(met) => (
        <p class="reach" role="status">
          <Show
            when={met().isWhole}
            fallback={`More than the ${levelsFor(props.draft.side()).length} levels that are seen: it would go beyond ${price(met().reaches)}.`}
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
