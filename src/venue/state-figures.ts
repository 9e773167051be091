/** Figures of the state that somebody should be woken by: prices that stay away, and the fund that pays for what they do. */
import { leftInHour, leftToday, lostInHour, lostToday } from "../engine/futures/liquidation/fund-budget.ts";
import { CELL } from "../engine/ledger/cell.ts";
import type { Asset } from "../engine/listing/asset.ts";
import type { Market } from "../engine/listing/market.ts";
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
  registry.read(
    "gauge",
    "bourse_insurance_fund_lost",
    "What the fund has lost to jumps of indexes, per hour (by market) and per day (by currency, UTC).",
    () => budgets(state, lostInHour, lostToday),
  );
  registry.read(
    "gauge",
    "bourse_insurance_fund_budget_left",
    "What the fund may still lose to them, per hour (by market) and per day (by currency, UTC).",
    () => budgets(state, leftInHour, leftToday),
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

function* funds(state: State): Generator<[Labels, number]> {
  for (const asset of settlementAssets(state)) {
    yield [{ ccy: asset.ccy }, inUnitsOf(asset, state.ledger.heldByVenue(CELL.insurance_futures, asset.id))];
  }
}

/** Of listed futures markets by hour, of their currencies by day. */
function* budgets(
  state: State,
  inHour: (state: State, market: Market) => bigint,
  today: (state: State, assetId: number) => bigint,
): Generator<[Labels, number]> {
  for (const market of state.markets) {
    const asset = market.futures && state.assets[market.futures.settleAssetId];
    if (asset === undefined || market.delisted) continue;
    yield [{ ccy: asset.ccy, market: market.name, per: "hour" }, inUnitsOf(asset, inHour(state, market))];
  }
  for (const asset of settlementAssets(state)) {
    yield [{ ccy: asset.ccy, market: "", per: "day" }, inUnitsOf(asset, today(state, asset.id))];
  }
}

/** What futures are settled in. */
function settlementAssets({ markets, assets }: State): readonly Asset[] {
  const settled = new Set(markets.map(({ futures }) => futures?.settleAssetId));
  return assets.filter(({ id }) => settled.has(id));
}

function inUnitsOf({ scale }: Asset, units: bigint): number {
  return Number(formatDecimal(units, scale));
}
