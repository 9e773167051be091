/** Everything about one's account that is not trading: a rail of sections, and the one that is open. */
import { For, Match, Show, Suspense, Switch } from "solid-js";
import { part } from "../ui/part.ts";
import { go, goTrading, place, SECTIONS, type Section } from "../ui/place.ts";
import { keepChosenInSight } from "../ui/strip.ts";
import { SECTION_NAMES } from "./account-menu.tsx";
import { BalancesSection } from "./balances-section.tsx";
import { session, user } from "./session.ts";
import { SettingsSection } from "./settings-section.tsx";
import { openSignIn } from "./sign-in.tsx";
import { StatementSection } from "./statement-section.tsx";
import { TransferSection } from "./transfer-section.tsx";

const PortfolioSection = part("PortfolioSection", () => import("./portfolio-section.tsx"));
const DepositSection = part("DepositSection", () => import("./deposit-section.tsx"));
const WithdrawSection = part("WithdrawSection", () => import("./withdraw-section.tsx"));
const LiabilitiesSection = part("LiabilitiesSection", () => import("./liabilities-section.tsx"));
const LoansSection = part("LoansSection", () => import("./loans-section.tsx"));
const PoolsSection = part("PoolsSection", () => import("./pools-section.tsx"));
const SubAccountsSection = part("SubAccountsSection", () => import("./subs-section.tsx"));
const KeysSection = part("KeysSection", () => import("./keys-section.tsx"));
const SecuritySection = part("SecuritySection", () => import("./security-section.tsx"));

export function AccountPage() {
  const section = (): Section => {
    const now = place();
    return now.kind === "account" ? now.section : "balances";
  };
  let rail!: HTMLElement;
  keepChosenInSight(() => rail, section);
  return (
    <main class="account">
      <nav ref={rail} class="rail" aria-label="Account">
        <button type="button" class="rail-back" onClick={goTrading}>
          ← Trade
        </button>
        <For each={SECTIONS}>
          {(each) => (
            <a
              href={`/my/${each}`}
              aria-current={section() === each ? "page" : undefined}
              onClick={(event) => {
                event.preventDefault();
                go({ kind: "account", section: each });
              }}
            >
              {SECTION_NAMES[each]}
            </a>
          )}
        </For>
      </nav>
      <div class="section">
        <Show when={user() !== undefined || section() === "settings"} fallback={<Stranger />}>
          <Suspense>
            <Switch>
              <Match when={section() === "portfolio"}>
                <PortfolioSection />
              </Match>
              <Match when={section() === "balances"}>
                <BalancesSection />
              </Match>
              <Match when={section() === "transfer"}>
                <TransferSection />
              </Match>
              <Match when={section() === "statement"}>
                <StatementSection />
              </Match>
              <Match when={section() === "liabilities"}>
                <LiabilitiesSection />
              </Match>
              <Match when={section() === "deposit"}>
                <DepositSection />
              </Match>
              <Match when={section() === "withdraw"}>
                <WithdrawSection />
              </Match>
              <Match when={section() === "loans"}>
                <LoansSection />
              </Match>
              <Match when={section() === "pools"}>
                <PoolsSection />
              </Match>
              <Match when={section() === "sub-accounts"}>
                <SubAccountsSection />
              </Match>
              <Match when={section() === "keys"}>
                <KeysSection />
              </Match>
              <Match when={section() === "security"}>
                <SecuritySection />
              </Match>
              <Match when={section() === "settings"}>
                <SettingsSection />
              </Match>
            </Switch>
          </Suspense>
        </Show>
      </div>
    </main>
  );
}

function Stranger() {
  return (
    <div class="empty">
      <p>{session() === undefined ? "Loading your session…" : "This page is about your account. Sign in to see it."}</p>
      <Show when={session() !== undefined}>
        <button type="button" class="button primary" onClick={() => openSignIn()}>
          Sign in
        </button>
      </Show>
    </div>
  );
}
