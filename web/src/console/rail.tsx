/** The areas, by what they are about; with what waits for somebody. */
import { For, Show } from "solid-js";
import { keepChosenInSight } from "../ui/strip.ts";
import type { Area, Row } from "./area.ts";
import { AREAS } from "./areas.ts";
import { addressOf, go, place } from "./place.ts";
import { createReading } from "./reading.ts";
import { isDev } from "./session.ts";

/** Alerts that fire and that nobody looks after. */
function unseen(alerts: readonly Row[] = []): number {
  return alerts.filter((alert) => alert["acknowledged_by"] === null).length;
}

const GROUPS: readonly Area["group"][] = ["Venue", "Trading", "Users", "Money", "Laboratory"];
const BEAT_MS = 15_000;
/** Beyond, nobody counts. */
const COUNTED_MAX = 99;

export function Rail() {
  const approvals = createReading<Row>(
    () => ({ path: "/admin/approvals", query: { limit: COUNTED_MAX + 1 } }),
    BEAT_MS,
  );
  const reviews = createReading<Row>(
    () => ({ path: "/admin/withdrawals", query: { status: "audit_required", limit: COUNTED_MAX + 1 } }),
    BEAT_MS,
  );
  const alerts = createReading<Row>(
    () => ({ path: "/admin/alerts", query: { firing: true, limit: COUNTED_MAX + 1 } }),
    BEAT_MS,
  );
  const waiting = (id: string): number => {
    if (id === "alerts") return unseen(alerts.data()?.["alerts"]);
    if (id === "approvals") return approvals.data()?.["approvals"].length ?? 0;
    return id === "withdrawals" ? (reviews.data()?.["withdrawals"].length ?? 0) : 0;
  };
  const areasOf = (group: Area["group"]) =>
    AREAS.filter((area) => area.group === group && area.isHidden !== true && (area.isDevOnly !== true || isDev()));
  let rail!: HTMLElement;
  keepChosenInSight(() => rail, place);
  return (
    <nav ref={rail} class="rail" aria-label="Areas">
      <For each={GROUPS}>
        {(group) => (
          <Show when={areasOf(group).length > 0}>
            <p class="rail-group">{group}</p>
            <For each={areasOf(group)}>
              {({ id, name }) => (
                <a
                  href={addressOf({ area: id, params: {} })}
                  aria-current={place().area === id ? "page" : undefined}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    go(id);
                  }}
                >
                  {name}
                  <Show when={waiting(id) > 0}>
                    <span class="count" title="wait for somebody">
                      {waiting(id) > COUNTED_MAX ? `${COUNTED_MAX}+` : waiting(id)}
                    </span>
                  </Show>
                </a>
              )}
            </For>
          </Show>
        )}
      </For>
    </nav>
  );
}
