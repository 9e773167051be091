/** The account that orders in a spot market are placed from: spot, or the market's margin account with what it owes. */
import { createSignal, For, Show } from "solid-js";
import { user } from "../account/session.ts";
import type { MarginBalance } from "../api/records.ts";
import type { Market } from "../market/markets.ts";
import { type Decimal, isNone, isZero, plus } from "../number/decimal.ts";
import { grouped, percent } from "../number/show.ts";
import { marginAccountOf } from "../panels/balances-store.ts";
import type { MarketType } from "../panels/orders-store.ts";
import { part } from "../ui/part.ts";

const KEPT_AT = "bourse.account";
const ACCOUNTS = [
  ["SPOT", "Spot", "With what you have"],
  ["MARGIN", "Margin", "With the money of this market's margin account, borrowed money included"],
] as const;
type Account = (typeof ACCOUNTS)[number][0];

/** The action on a margin account; undefined while no dialog is open. */
export type MarginAction = "transfer" | "borrow" | "repay";

const [chosen, setChosen] = createSignal<Account>(localStorage.getItem(KEPT_AT) === "MARGIN" ? "MARGIN" : "SPOT");
const [marginAction, setMarginAction] = createSignal<MarginAction>();

export { marginAction, setMarginAction };

const MarginDialog = part("MarginDialog", () => import("../account/margin-dialog.tsx"));

/** Returns the `market_type` that orders in this market have now. */
export function marketTypeIn(market: Market): MarketType {
  if (market.product === "futures") return "FUTURES";
  return market.isMargin ? chosen() : "SPOT";
}

/** Returns the debt in one of the currencies of a margin account, interest included. */
export function owedOf({ base_ccy, repaid, interest }: MarginBalance, ccy: string): Decimal {
  const side = ccy === base_ccy ? "base_ccy" : "quote_ccy";
  return plus(repaid[side], interest[side]);
}

export function AccountChoice(props: { market: Market }) {
  const choose = (account: Account) => {
    localStorage.setItem(KEPT_AT, account);
    setChosen(account);
  };
  return (
    <>
      <fieldset class="segments account-choice" aria-label="Account of the order">
        <For each={ACCOUNTS}>
          {([account, word, hint]) => (
            <button
              type="button"
              title={hint}
              aria-pressed={marketTypeIn(props.market) === account}
              onClick={() => choose(account)}
            >
              {word}
            </button>
          )}
        </For>
      </fieldset>
      <Show when={marketTypeIn(props.market) === "MARGIN" && user() !== undefined}>
        <MarginLine market={props.market} />
      </Show>
    </>
  );
}

/** How the margin account stands, and what one can do about it. */
function MarginLine(props: { market: Market }) {
  const account = () => marginAccountOf(props.market.market);
  const owed = () => {
    const of = account();
    if (of === undefined) return [];
    return [props.market.quoteCcy, props.market.baseCcy]
      .map((ccy) => ({ ccy, amount: owedOf(of, ccy) }))
      .filter(({ amount }) => !isZero(amount));
  };
  const risk = () => account()?.risk_rate ?? "";
  const action = (name: MarginAction, word: string) => (
    <button type="button" class="text-button" onClick={() => setMarginAction(name)}>
      {word}
    </button>
  );
  return (
    <div class="margin-line">
      <Show when={owed().length > 0}>
        <p>
          <span class="quiet">Owed</span>
          <span class="figure" title="What was borrowed and its interest">
            {owed()
              .map(({ ccy, amount }) => `${grouped(amount)} ${ccy}`)
              .join(", ")}
          </span>
        </p>
      </Show>
      <Show when={!isNone(risk())}>
        <p>
          <span class="quiet">Risk</span>
          <span
            class="figure"
            title={
              "What is owned of what is owed. At " +
              `${grouped(account()?.liq_price || "0")} the account is liquidated.`
            }
          >
            {percent(risk(), 0)}
          </span>
        </p>
      </Show>
      <p class="margin-actions">
        {action("transfer", "Transfer")}
        {action("borrow", "Borrow")}
        <Show when={owed().length > 0}>{action("repay", "Repay")}</Show>
      </p>
      <Show when={marginAction()}>
        <MarginDialog />
      </Show>
    </div>
  );
}
