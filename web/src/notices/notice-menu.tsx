/** The bell: what has happened, price alerts, and how loud it is told. */
import { createSignal, For, Show } from "solid-js";
import { market, marketOf } from "../market/markets.ts";
import { isDecimal } from "../number/decimal.ts";
import { dayAndTime, shown } from "../number/show.ts";
import {
  allowBrowserNotices,
  browserNotices,
  clearNotices,
  markSeen,
  notices,
  setBrowserNotices,
  setSound,
  sound,
  unseen,
} from "./notice-list.ts";
import { addAlert, alerts, type PriceAlert, removeAlert } from "./price-alerts.ts";

export function NoticeMenu() {
  return (
    <>
      <button
        type="button"
        class="icon-button notice-button"
        popovertarget="notice-menu"
        aria-haspopup="true"
        aria-label={unseen() === 0 ? "Notices" : `Notices: ${unseen()} new`}
        title="Notices and price alerts"
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path
            d="M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5h3"
            fill="none"
            stroke="currentColor"
          />
        </svg>
        <Show when={unseen() > 0}>
          <span class="unseen">{unseen()}</span>
        </Show>
      </button>
      <div id="notice-menu" popover="auto" class="menu notice-menu" onToggle={markSeen}>
        <p class="menu-title">Notices</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, and keys must be able to scroll it */}
        <ul class="notice-list" aria-label="Notices" tabIndex={0}>
          <For each={notices()} fallback={<li class="quiet">Nothing has happened yet.</li>}>
            {(notice) => (
              <li class={notice.tone}>
                <span class="quiet">{dayAndTime(notice.at)}</span> {notice.text}
              </li>
            )}
          </For>
        </ul>
        <Alerts />
        <div class="notice-switches">
          <label class="check">
            <input
              type="checkbox"
              checked={sound() === "on"}
              onChange={({ currentTarget }) => setSound(currentTarget.checked ? "on" : "off")}
            />
            Sound
          </label>
          <label class="check" title="While another page is in front of this one">
            <input
              type="checkbox"
              checked={browserNotices() === "on"}
              onChange={({ currentTarget }) =>
                currentTarget.checked ? void allowBrowserNotices() : setBrowserNotices("off")
              }
            />
            Browser notices
          </label>
          <button type="button" class="text-button" onClick={clearNotices}>
            Clear
          </button>
        </div>
      </div>
    </>
  );
}

function Alerts() {
  const [price, setPrice] = createSignal("");
  const [fault, setFault] = createSignal("");
  const textOf = ({ market: key, price: at, isAbove }: PriceAlert) => {
    const [product, name] = key.split("/") as ["spot" | "futures", string];
    const decimals = marketOf(product, name)?.priceDecimals ?? 2;
    return `${name}${product === "futures" ? " Perp" : ""} ${isAbove ? "≥" : "≤"} ${shown(at, decimals)}`;
  };
  return (
    <Show when={market()}>
      {(now) => (
        <>
          <p class="menu-title">Price alerts</p>
          <form
            class="alert-form"
            onSubmit={(event) => {
              event.preventDefault();
              const text = price().replace(",", ".").trim();
              const refused = isDecimal(text) ? addAlert(now().key, text) : "Enter a price.";
              setFault(refused ?? "");
              if (refused === undefined) setPrice("");
            }}
          >
            <input
              class="input"
              inputmode="decimal"
              aria-label={`Price of ${now().market} to be told of`}
              placeholder={`${now().market} at`}
              value={price()}
              onInput={({ currentTarget }) => setPrice(currentTarget.value)}
            />
            <button type="submit" class="button small">
              Add alert
            </button>
          </form>
          <Show when={fault()}>
            <p class="fault" role="alert">
              {fault()}
            </p>
          </Show>
          <ul class="alert-list" aria-label="Price alerts">
            <For each={alerts()}>
              {(alert) => (
                <li>
                  {textOf(alert)}
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={`Remove the alert ${textOf(alert)}`}
                    onClick={() => removeAlert(alert)}
                  >
                    ✕
                  </button>
                </li>
              )}
            </For>
          </ul>
        </>
      )}
    </Show>
  );
}
