/** One's positions, orders, deals and balances, below the chart. */
import { createSignal, type JSX, Show } from "solid-js";
import { session, user } from "../account/session.ts";
import { openSignIn } from "../account/sign-in.tsx";
import { TransferHistory } from "../account/transfer-history.tsx";
import { sentenceOf } from "../api/client.ts";
import { market } from "../market/markets.ts";
import { Dialog } from "../ui/dialog.tsx";
import { type Tab, Tabs } from "../ui/tabs.tsx";
import { say } from "../ui/toasts.tsx";
import { Balances } from "./balances.tsx";
import { CancelTimers } from "./cancel-timers.tsx";
import { OpenOrders, StopOrders } from "./open-orders.tsx";
import { cancelAll, orders, stops } from "./orders-store.ts";
import { OrderHistory, OwnDeals, PositionHistory, StopHistory } from "./past.tsx";
import { Positions } from "./positions.tsx";
import { positions } from "./positions-store.ts";

type Id = "positions" | "orders" | "stops" | "history" | "deals" | "closed" | "balances" | "transfers";

export function ListsPanel() {
  const [chosen, choose] = createSignal<Id>();
  const [isOnlyHere, setIsOnlyHere] = createSignal(false);
  /** Whether the stop orders that were triggered are shown, in the place of those that wait. */
  const [isPast, setIsPast] = createSignal(false);
  const [asksAll, setAsksAll] = createSignal(false);
  const product = () => market()?.product ?? "spot";
  const isHere = (row: { readonly market: string }) => !isOnlyHere() || row.market === market()?.market;
  const open = () => orders[product()].rows().filter(isHere);
  const waiting = () => stops[product()].rows().filter(isHere);
  const held = () => positions.rows().filter(isHere);
  const only = () => (isOnlyHere() ? market()?.market : undefined);
  const tabs = (): readonly Tab<Id>[] => {
    const all: Tab<Id>[] = [
      {
        id: "orders",
        name: "Open orders",
        count: open().length,
        panel: () => (
          <>
            <CancelTimers product={product()} />
            <OpenOrders rows={open()} state={orders[product()]} />
          </>
        ),
      },
      {
        id: "stops",
        name: "Stops",
        count: waiting().length,
        panel: () => (
          <>
            <fieldset class="segments" aria-label="Which stop orders">
              <button type="button" aria-pressed={!isPast()} onClick={() => setIsPast(false)}>
                Waiting
              </button>
              <button type="button" aria-pressed={isPast()} onClick={() => setIsPast(true)}>
                Triggered
              </button>
            </fieldset>
            <Show when={isPast()} fallback={<StopOrders rows={waiting()} state={stops[product()]} />}>
              <StopHistory product={product()} market={only()} />
            </Show>
          </>
        ),
      },
      { id: "history", name: "Order history", panel: () => <OrderHistory product={product()} market={only()} /> },
      {
        id: "deals",
        name: "Deals",
        panel: () => <Show when={market()}>{(now) => <OwnDeals product={now().product} market={now().market} />}</Show>,
      },
      { id: "balances", name: "Balances", panel: () => <Balances product={product()} /> },
      { id: "transfers", name: "Transfers", panel: () => <TransferHistory /> },
    ];
    if (product() === "spot") return all;
    return [
      { id: "positions", name: "Positions", count: held().length, panel: () => <Positions rows={held()} /> },
      ...all.slice(0, 4),
      { id: "closed", name: "Position history", panel: () => <PositionHistory product="futures" market={only()} /> },
      ...all.slice(4),
    ];
  };
  /** Until one is chosen, the first: positions of futures, orders of spot. */
  const now = () => tabs().find(({ id }) => id === chosen())?.id ?? (product() === "futures" ? "positions" : "orders");
  const cancelEverything = async () => {
    setAsksAll(false);
    try {
      await cancelAll(open());
      say("All open orders cancelled.", "good");
    } catch (error) {
      say(sentenceOf(error), "bad");
    }
  };
  return (
    <section class="panel lists-panel" aria-label="Orders and balances">
      <Show when={user()} fallback={<Stranger />}>
        <Tabs
          label="Your lists"
          tabs={tabs()}
          chosen={now}
          choose={choose}
          end={
            <div class="tabs-end">
              <Show when={now() === "orders" && open().length > 1}>
                <button type="button" class="text-button" onClick={() => setAsksAll(true)}>
                  Cancel all
                </button>
              </Show>
              <label class="check only-here">
                <input
                  type="checkbox"
                  checked={isOnlyHere()}
                  onChange={({ currentTarget }) => setIsOnlyHere(currentTarget.checked)}
                />
                This market
              </label>
            </div>
          }
        />
      </Show>
      <Show when={asksAll()}>
        <Dialog title="Cancel all open orders?" onClose={() => setAsksAll(false)}>
          <p>
            {open().length} orders{only() === undefined ? " in all markets of this kind" : ` in ${only()}`} are taken
            out of the book.
          </p>
          <div class="form-row">
            <button type="button" class="button primary grow" onClick={() => void cancelEverything()}>
              Cancel {open().length} orders
            </button>
            <button type="button" class="button grow" onClick={() => setAsksAll(false)}>
              Keep them
            </button>
          </div>
        </Dialog>
      </Show>
    </section>
  );
}

function Stranger(): JSX.Element {
  return (
    <div class="empty">
      <p>Your orders, positions and balances stand here once you are signed in.</p>
      <Show when={session()?.sign_up || (session()?.demo_accounts.length ?? 0) > 0}>
        <button type="button" class="text-button" onClick={() => openSignIn()}>
          Sign in or create an account
        </button>
      </Show>
    </div>
  );
}
