/** Tells what is missing before one can order, and how to get it. */
import { type JSX, Show } from "solid-js";
import { continueAs, isDev, session, user } from "../account/session.ts";
import { sentenceOf } from "../api/client.ts";
import { type Market, moneyOf } from "../market/markets.ts";
import { type Decimal, isPositive } from "../number/decimal.ts";
import { spotAvailable } from "../panels/balances-store.ts";
import { positions } from "../panels/positions-store.ts";
import { go } from "../ui/place.ts";
import { say } from "../ui/toasts.tsx";
import { marketTypeIn, setMarginAction } from "./account-choice.tsx";
import { availableFor } from "./funds.ts";

export function Welcome(props: { market: Market }) {
  const isFutures = () => props.market.product === "futures";
  const marketType = () => marketTypeIn(props.market);
  const isPoor = () => (["buy", "sell"] as const).every((side) => isNothing(availableFor(props.market, side)));
  const hasNoMargin = () => isFutures() && isNothing(availableFor(props.market, "buy"));
  return (
    <>
      <Show when={user() === undefined}>
        <div class="welcome">
          <Show when={session()?.demo_accounts[0]} fallback={<p>Sign in to trade.</p>}>
            {(account) => (
              <>
                <p>Try it: this venue runs for development, its money is play money.</p>
                <TextButton act={() => void continueAs(account()).catch((error) => say(sentenceOf(error), "bad"))}>
                  Sign in as {account()}
                </TextButton>
              </>
            )}
          </Show>
        </div>
      </Show>
      <Show when={user() !== undefined && hasNoMargin() && positions.isRead() && positions.rows().length === 0}>
        <div class="welcome">
          <p>Your futures account has no {moneyOf(props.market)}.</p>
          <TextButton act={() => go({ kind: "account", section: "transfer" })}>
            Transfer {moneyOf(props.market)} from spot
          </TextButton>
        </div>
      </Show>
      <Show when={user() !== undefined && marketType() === "MARGIN" && isPoor()}>
        <div class="welcome">
          <p>Nothing is free in the margin account of {props.market.market}.</p>
          <TextButton act={() => setMarginAction("transfer")}>Transfer some from spot</TextButton>
        </div>
      </Show>
      <Show
        when={
          isDev() && user() !== undefined && marketType() === "SPOT" && isNothing(spotAvailable(props.market.quoteCcy))
        }
      >
        <div class="welcome">
          <p>No {props.market.quoteCcy} here yet.</p>
          <TextButton act={() => go({ kind: "account", section: "deposit" })}>
            Deposit {props.market.quoteCcy}
          </TextButton>
        </div>
      </Show>
    </>
  );
}

/** Whether an amount is known to be zero: one that was not read may be anything. */
const isNothing = (amount: Decimal | undefined) => amount !== undefined && !isPositive(amount);

function TextButton(props: { act: () => void; children: JSX.Element }) {
  return (
    <button type="button" class="text-button" onClick={() => props.act()}>
      {props.children}
    </button>
  );
}
