/** Who is signed in, and where to. */
import { For, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import { go, place, type Section } from "../ui/place.ts";
import { amounts, setAmounts } from "../ui/settings.ts";
import { say } from "../ui/toasts.tsx";
import { continueAs, session, signOut, user } from "./session.ts";
import { openSignIn } from "./sign-in.tsx";

export const SECTION_NAMES: Readonly<Record<Section, string>> = {
  portfolio: "Portfolio",
  balances: "Balances",
  transfer: "Transfer",
  statement: "Statement",
  liabilities: "Proof of liabilities",
  deposit: "Deposit",
  withdraw: "Withdraw",
  loans: "Loans",
  pools: "Pools",
  "sub-accounts": "Sub-accounts",
  keys: "API keys",
  security: "Security",
  settings: "Settings",
};

export function AccountMenu() {
  const failed = (error: unknown) => say(sentenceOf(error), "bad");
  let menu!: HTMLDivElement;
  return (
    <Show
      when={user()}
      fallback={
        <>
          <Show when={session()?.demo_accounts[0]}>
            {(account) => (
              <button
                type="button"
                class="button primary demo-button"
                onClick={() => void continueAs(account()).catch(failed)}
              >
                Continue as {account()}
              </button>
            )}
          </Show>
          <button type="button" class="button" onClick={() => openSignIn()}>
            Sign in
          </button>
        </>
      }
    >
      {(now) => (
        <>
          <button type="button" class="button account-button" popovertarget="account-menu" aria-haspopup="true">
            <span class="account-name">{now().name}</span>
            <span aria-hidden="true">▾</span>
          </button>
          <div id="account-menu" popover="auto" class="menu" ref={menu}>
            <p class="menu-head">
              Signed in as <b>{now().name}</b>
            </p>
            <nav aria-label="Account">
              <For each={Object.entries(SECTION_NAMES) as [Section, string][]}>
                {([section, name]) => {
                  const isHere = () => {
                    const at = place();
                    return at.kind === "account" && at.section === section;
                  };
                  return (
                    <a
                      href={`/my/${section}`}
                      aria-current={isHere() ? "page" : undefined}
                      onClick={(event) => {
                        event.preventDefault();
                        menu.hidePopover();
                        go({ kind: "account", section });
                      }}
                    >
                      {name}
                    </a>
                  );
                }}
              </For>
            </nav>
            <label class="check menu-check">
              <input
                type="checkbox"
                checked={amounts() === "hidden"}
                onChange={({ currentTarget }) => setAmounts(currentTarget.checked ? "hidden" : "shown")}
              />
              Hide balances
            </label>
            <button
              type="button"
              class="menu-end"
              onClick={() => {
                menu.hidePopover();
                void signOut().catch(failed);
              }}
            >
              Sign out
            </button>
          </div>
        </>
      )}
    </Show>
  );
}
