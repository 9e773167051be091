/** Tells what keeps the market that is traded in from trading as usual. */
import { Show } from "solid-js";
import { venueNow } from "../api/venue.ts";
import { interruptedUntil } from "../market/interruptions.ts";
import { hasStaleIndex, type Market, market } from "../market/markets.ts";
import { countdown, dayAndTime } from "../number/show.ts";

/** A delisting is told of for so long before. */
const LEAVING_MS = 7 * 86_400_000;

export function MarketBanners() {
  return (
    <Show when={market()}>
      {(now) => (
        <>
          <Show when={hasStaleIndex(now().key)}>
            <p class="banner warning">
              {now().product === "futures" || now().isMargin
                ? "The index of this market is stale: its sources are silent. Orders and positions " +
                  "stay, but what depends on the index may be refused until they speak again."
                : "The index of this market is stale: its sources are silent. Trading goes on."}
            </p>
          </Show>
          <Show when={closedWords(now())}>{(words) => <p class="banner warning">{words()}</p>}</Show>
          <Show when={leavingWords(now())}>{(words) => <p class="banner warning">{words()}</p>}</Show>
        </>
      )}
    </Show>
  );
}

/** Why it does not trade; undefined while it does. */
function closedWords(now: Market): string | undefined {
  if (now.isOpen) return undefined;
  const until = interruptedUntil(now.key);
  if (now.status === "bidding" && until !== undefined) {
    const left = Math.max(0, until - venueNow());
    return (
      `Trading in ${now.market} is interrupted, because its price moved too far. Limit orders ` +
      `are taken as bids; it reopens by an auction in ${countdown(left)}, or is extended once.`
    );
  }
  if (now.status === "bidding") {
    return (
      `${now.market} takes bids for a call auction: limit orders wait, ` +
      "and those that meet fill together at one price when it opens."
    );
  }
  if (now.status === "counting_down") return `${now.market} is listed and does not trade yet.`;
  return `${now.market} takes no orders now.`;
}

function leavingWords({ market: name, delistedAt }: Market): string | undefined {
  const left = delistedAt - venueNow();
  if (delistedAt === 0 || left > LEAVING_MS) return undefined;
  return (
    `${name} leaves the list in ${countdown(left)}, at ` +
    `${dayAndTime(delistedAt)}: what is open then is cancelled or closed.`
  );
}
