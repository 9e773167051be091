/** How the account stands that the market is traded from: its money, its margin, and the position in this market. */
import { For, type JSX, Show } from "solid-js";
import { user } from "../account/session.ts";
import { marketTypeIn } from "../entry/account-choice.tsx";
import { moneyDecimals } from "../entry/sums.tsx";
import { amountCcyOf, type Market, market, moneyOf, tickerOf } from "../market/markets.ts";
import { isNone, isZero, over, plus, times } from "../number/decimal.ts";
import { directionOf, percent, shown, signed } from "../number/show.ts";
import { go, type Section } from "../ui/place.ts";
import { NoRows } from "../ui/read-state.tsx";
import { futuresBalanceOf, futuresBalances, marginAccountOf, marginBalances, spotBalances } from "./balances-store.ts";
import { pnlOf, positions, positionsIn } from "./positions-store.ts";
import { amountText, priceText } from "./row-parts.tsx";

const ACTIONS: ReadonlyArray<readonly [Section, string]> = [
  ["deposit", "Deposit"],
  ["transfer", "Transfer"],
  ["withdraw", "Withdraw"],
];

export function AccountSummary() {
  return (
    <Show when={user() !== undefined ? market() : undefined}>
      {(now) => (
        <section class="account-summary" aria-label="Account summary">
          <Show when={now().product === "futures"} fallback={<SpotSummary market={now()} />}>
            <FuturesSummary market={now()} />
          </Show>
          <p class="summary-actions">
            <For each={ACTIONS}>
              {([section, word]) => (
                <button type="button" class="button small" onClick={() => go({ kind: "account", section })}>
                  {word}
                </button>
              )}
            </For>
          </p>
        </section>
      )}
    </Show>
  );
}

function Line(props: { name: string; title?: string; class?: string; children: JSX.Element }) {
  return (
    <>
      <dt title={props.title}>{props.name}</dt>
      <dd class={props.class}>{props.children}</dd>
    </>
  );
}

function SpotSummary(props: { market: Market }) {
  const isMargin = () => marketTypeIn(props.market) === "MARGIN";
  const list = () => (isMargin() ? marginBalances : spotBalances);
  const held = (ccy: string) => {
    if (!isMargin()) return spotBalances.rows().find((each) => each.ccy === ccy) ?? { available: "0", frozen: "0" };
    const account = marginAccountOf(props.market.market);
    if (account === undefined) return { available: "0", frozen: "0" };
    const side = account.base_ccy === ccy ? "base_ccy" : "quote_ccy";
    return { available: account.available[side], frozen: account.frozen[side] };
  };
  const worth = () => {
    const last = tickerOf(props.market.key)?.last ?? "0";
    const { available, frozen } = held(props.market.baseCcy);
    const quote = held(props.market.quoteCcy);
    return plus(times(plus(available, frozen), last), plus(quote.available, quote.frozen));
  };
  return (
    <>
      <h2>{isMargin() ? `Margin account ${props.market.market}` : "Assets"}</h2>
      <Show when={list().isRead()} fallback={<NoRows state={list()} empty="" />}>
        <dl class="sums">
          <For each={[props.market.baseCcy, props.market.quoteCcy]}>
            {(ccy) => (
              <>
                <Line name={`${ccy} available`}>{shown(held(ccy).available, moneyDecimals(ccy))}</Line>
                <Line name={`${ccy} in orders`}>{shown(held(ccy).frozen, moneyDecimals(ccy))}</Line>
              </>
            )}
          </For>
          <Line name="Worth" title="Of both currencies, at the last price">
            {shown(worth(), moneyDecimals(props.market.quoteCcy))} {props.market.quoteCcy}
          </Line>
        </dl>
      </Show>
    </>
  );
}

function FuturesSummary(props: { market: Market }) {
  const money = () => moneyOf(props.market);
  const balance = () => futuresBalanceOf(money());
  const decimals = () => moneyDecimals(money());
  const amount = (text: string | undefined) => shown(text ?? "0", decimals());
  const equity = () => plus(balance()?.account_balance ?? "0", balance()?.unrealized_pnl ?? "0");
  const held = () => positionsIn(props.market.market);
  return (
    <>
      <h2>Futures account, {money()}</h2>
      <Show when={futuresBalances.isRead()} fallback={<NoRows state={futuresBalances} empty="" />}>
        <dl class="sums">
          <Line name="Equity" title="The balance and what open positions have gained or lost">
            {amount(equity())}
          </Line>
          <Line name="Balance">{amount(balance()?.account_balance)}</Line>
          <Line name="Unrealized PnL" class={directionOf(balance()?.unrealized_pnl ?? "0")}>
            {signed(balance()?.unrealized_pnl ?? "0", decimals())}
          </Line>
          <Line name="Isolated margin" title="What stands aside for positions whose margin is isolated">
            {shown(balance()?.margin ?? "0", decimals(), "up")}
          </Line>
          <Line name="In orders">{shown(balance()?.frozen ?? "0", decimals(), "up")}</Line>
          <Line name="Available">{amount(balance()?.available)}</Line>
        </dl>
      </Show>
      <h2>Position in {props.market.market}</h2>
      <Show when={held().length > 0} fallback={<NoRows state={positions} empty={<span class="quiet">None.</span>} />}>
        <For each={held()}>
          {(position) => (
            <dl class="sums">
              <Line name={position.side === "long" ? "Long" : "Short"} class={position.side === "long" ? "up" : "down"}>
                {amountText(position.open_interest, props.market)} {amountCcyOf(props.market)}
              </Line>
              <Line name="Entry price">{priceText(position.avg_entry_price, props.market)}</Line>
              <Line name="Liquidation price" class="warning">
                {isNone(position.liq_price) ? "–" : priceText(position.liq_price, props.market)}
              </Line>
              <Line name="Unrealized PnL" class={directionOf(pnlOf(position))}>
                {signed(pnlOf(position), decimals())}
                <Show when={!isZero(position.margin_avbl)}>
                  {" "}
                  ({percent(over(pnlOf(position), position.margin_avbl, 6), 1)})
                </Show>
              </Line>
            </dl>
          )}
        </For>
      </Show>
    </>
  );
}
