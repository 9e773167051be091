/**
 * Figures of the state that somebody should be woken by: prices that stay away, and the fund that pays for what they
 * do.
 */
import { leftInHour, leftToday, lostInHour, lostToday } from "../engine/insurance/budget.ts";
import { fundsOf } from "../engine/insurance/funds.ts";
import type { Fund } from "../engine/insurance/insurance-state.ts";
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
    "What insurance funds of futures and margin (`fund`) have lost, per hour (by market) and per day (by " +
      "currency, UTC).",
    () => budgets(state, lostInHour, lostToday),
  );
  registry.read(
    "gauge",
    "bourse_insurance_fund_budget_left",
    "What these funds may still lose, per hour (by market) and per day (by currency, UTC).",
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

/** Returns the assets that listed margin markets lend, and those that are owed as a debt. */
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

/** By hour of each market that a fund pays for, by day of each fund. */
function* budgets(
  state: State,
  inHour: (state: State, fund: Fund) => bigint,
  today: (state: State, fund: Fund) => bigint,
): Generator<[Labels, number]> {
  const funds = state.markets.flatMap((market) => (market.delisted ? [] : fundsOf(state, market)));
  const days = new Map(funds.map((fund) => [`${fund.cellKind} ${fund.assetId}`, fund]));
  const row = (fund: Fund, market: string, per: string, units: bigint): [Labels, number] => {
    const asset = state.assets[fund.assetId] as Asset;
    const of = fund.cellKind === CELL.insurance_margin ? "margin" : "futures";
    return [{ ccy: asset.ccy, fund: of, market, per }, inUnitsOf(asset, units)];
  };
  for (const fund of funds) yield row(fund, (state.markets[fund.marketId] as Market).name, "hour", inHour(state, fund));
  for (const fund of days.values()) yield row(fund, "", "day", today(state, fund));
}

/** Returns the assets that futures are settled in. */
function settlementAssets({ markets, assets }: State): readonly Asset[] {
  const settled = new Set(markets.map(({ futures }) => futures?.settleAssetId));
  return assets.filter(({ id }) => settled.has(id));
}

function inUnitsOf({ scale }: Asset, units: bigint): number {
  return Number(formatDecimal(units, scale));
}
