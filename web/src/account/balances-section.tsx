/** All balances: spot, futures and margin accounts, savings. */
import { For, Show } from "solid-js";
import { isZero } from "../number/decimal.ts";
import { grouped } from "../number/show.ts";
import { FuturesBalances, MarginAccounts, SpotBalances } from "../panels/balances.tsx";
import { marginInUse } from "../panels/balances-store.ts";
import { ReadFault } from "../ui/read-state.tsx";
import { createReading } from "../ui/reading.ts";
import { SectionHead } from "../ui/section.tsx";
import { userId } from "./session.ts";

interface SavingsBalance {
  readonly ccy: string;
  readonly available: string;
  readonly frozen: string;
}

export function BalancesSection() {
  const savings = createReading<readonly SavingsBalance[]>(() =>
    userId() === undefined ? undefined : { path: "/v2/assets/financial/balance" },
  );
  const saved = () => (savings.data() ?? []).filter(({ available }) => !isZero(available));
  return (
    <>
      <SectionHead title="Balances">What you hold, live. A click copies an amount.</SectionHead>
      <h2>Spot</h2>
      <div class="card scroll">
        <SpotBalances />
      </div>
      <h2>Futures</h2>
      <div class="card scroll">
        <FuturesBalances />
      </div>
      <h2>Margin accounts</h2>
      <div class="card scroll">
        <MarginAccounts rows={marginInUse()} />
      </div>
      <Show when={savings.fault()}>
        <h2>Savings</h2>
        <p class="card padded">
          <ReadFault state={savings} />
        </p>
      </Show>
      <Show when={saved().length > 0}>
        <h2>Savings</h2>
        <ul class="card plain-list">
          <For each={saved()}>
            {(each) => (
              <li>
                <b>{each.ccy}</b> <span class="figure">{grouped(each.available)}</span>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </>
  );
}
