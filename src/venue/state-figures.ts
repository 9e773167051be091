/** Figures of the state that somebody should be woken by: prices that stay away, and the fund that pays for what they do. */
import { CELL } from "../engine/ledger/cell.ts";
import { formatDecimal } from "../engine/money/decimal.ts";
import type { State } from "../engine/state.ts";
import type { Labels, MetricsRegistry } from "./metrics.ts";

export function registerStateFigures(registry: MetricsRegistry, state: State): void {
  registry.read(
    "gauge",
    "bourse_index_age_seconds",
    "Venue time since a source of the index last gave a price, by market.",
    () => indexAges(state),
  );
  registry.read(
    "gauge",
    "bourse_index_stale",
    "Whether what leans on the index waits until it is back (1), by market.",
    () => staleIndexes(state),
  );
  registry.read(
    "gauge",
    "bourse_insurance_fund",
    "What the insurance fund of futures holds, by currency, rounded as numbers here are.",
    () => funds(state),
  );
}

function* staleIndexes({ markets }: State): Generator<[Labels, number]> {
  for (const { name, delisted, futures, index } of markets) {
    if (delisted || index.price === 0n) continue;
    yield [{ market: name, market_type: futures === undefined ? "SPOT" : "FUTURES" }, index.isStale ? 1 : 0];
  }
}

/** Of listed markets that have sources; one that never gave a price counts from the beginning of time. */
function* indexAges({ markets, timeMs }: State): Generator<[Labels, number]> {
  for (const { name, delisted, futures, index } of markets) {
    if (delisted || index.sources.length === 0) continue;
    const newest = Math.max(...index.sources.map(({ updatedAt }) => updatedAt));
    yield [{ market: name, market_type: futures === undefined ? "SPOT" : "FUTURES" }, (timeMs - newest) / 1_000];
  }
}

function* funds({ markets, assets, ledger }: State): Generator<[Labels, number]> {
  const settled = new Set(markets.map(({ futures }) => futures?.settleAssetId));
  for (const { id, ccy, scale } of assets) {
    if (!settled.has(id)) continue;
    yield [{ ccy }, Number(formatDecimal(ledger.heldByVenue(CELL.insurance_futures, id), scale))];
  }
}
