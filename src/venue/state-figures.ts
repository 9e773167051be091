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
  registry.read(
    "gauge",
    "bourse_margin_insurance_fund",
    "What the margin insurance fund holds, by currency that is lent or owed as a debt.",
    () => marginFunds(state),
  );
  registry.read(
    "gauge",
    "bourse_margin_debt",
    "What margin liquidations left unpaid and nobody has paid since, by the same currencies.",
    () => marginDebts(state),
  );
  registry.read("gauge", "bourse_margin_loans", "Loans that run, by margin market.", () => marginLoans(state));
}

function* marginFunds(state: State): Generator<[Labels, number]> {
  for (const asset of lentAssets(state)) {
    yield [{ ccy: asset.ccy }, inUnitsOf(asset, state.ledger.heldByVenue(CELL.insurance_margin, asset.id))];
  }
}

function* marginDebts(state: State): Generator<[Labels, number]> {
  const { debts, loans } = state.margin;
  for (const asset of lentAssets(state)) {
    const owed = [...(debts.get(asset.id) ?? [])].reduce((sum, slot) => sum + loans.owed(slot), 0n);
    yield [{ ccy: asset.ccy }, inUnitsOf(asset, owed)];
  }
}

function* marginLoans({ margin, markets }: State): Generator<[Labels, number]> {
  for (const id of margin.terms.keys()) {
    const { name, delisted } = markets[id] as Market;
    if (!delisted) yield [{ market: name, market_type: "SPOT" }, margin.running.get(id) ?? 0];
  }
}

/** What listed margin markets lend, and what is owed as a debt. */
function lentAssets({ margin, markets, assets }: State): readonly Asset[] {
  const lent = new Set(margin.debts.keys());
  for (const [id, { base, quote }] of margin.terms) {
    const { baseAssetId, quoteAssetId, delisted } = markets[id] as Market;
    if (base !== undefined && !delisted) lent.add(baseAssetId);
    if (quote !== undefined && !delisted) lent.add(quoteAssetId);
  }
  return assets.filter(({ id }) => lent.has(id));
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
