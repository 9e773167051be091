/** Banners that everybody should read before the next order: lost connections, maintenance, stale prices. */
import { For, Show } from "solid-js";
import type { MaintainScope, Maintenance } from "../api/records.ts";
import { maintenances, sockets, venueNow } from "../api/venue.ts";
import { countdown, dayAndTime } from "../number/show.ts";
import { MarketBanners } from "./market-banners.tsx";
import { place } from "./place.ts";

const SCOPES: Readonly<Record<MaintainScope, string>> = {
  SPOT: "spot",
  FUTURES: "futures",
  ALL_SITE: "the whole venue",
};

export function Banners() {
  const isLost = () => {
    const now = place();
    return sockets[now.kind === "trade" ? now.product : "spot"].state() === "lost";
  };
  return (
    <div class="banners">
      <Show when={isLost()}>
        <p class="banner bad over">
          The connection to the venue is lost. What you see is old; it is being tried again.
        </p>
      </Show>
      <For each={maintenances()}>{(each) => <MaintenanceBanner maintenance={each} />}</For>
      <MarketBanners />
    </div>
  );
}

function MaintenanceBanner(props: { maintenance: Maintenance }) {
  const words = () => {
    const { scope, started_at, ended_at, protect_duration_end } = props.maintenance;
    const of = scope.map((each) => SCOPES[each]).join(" and ");
    const now = venueNow();
    if (now < started_at)
      return `Maintenance of ${of} begins in ${countdown(started_at - now)}, at ${dayAndTime(started_at)}.`;
    if (now < ended_at) return `Maintenance of ${of} until ${dayAndTime(ended_at)}: orders wait.`;
    if (now < protect_duration_end)
      return (
        `Protection after the maintenance of ${of}: for another ` +
        `${countdown(protect_duration_end - now)} only cancels and orders that make are taken.`
      );
    return undefined;
  };
  return (
    <Show when={words()}>
      {(text) => (
        <p class="banner warning">
          {text()}
          <Show when={props.maintenance.announce_enabled && /^https?:\/\//.test(props.maintenance.announce_url)}>
            {" "}
            <a href={props.maintenance.announce_url} rel="noreferrer" target="_blank">
              Read more
            </a>
          </Show>
        </p>
      )}
    </Show>
  );
}
