/** The figures that a venue keeps over time; docs/guides/monitoring.md has them with their units. */
import { CELL } from "../../engine/ledger/cell.ts";
import type { Asset } from "../../engine/listing/asset.ts";
import { USD_SCALE, usdPriceOf, usdValue } from "../../engine/listing/usd-price.ts";
import type { State } from "../../engine/state.ts";
import type { Feeds } from "../../feeds/feeds.ts";
import { fundBudgets } from "./fund-budgets.ts";
import type { Sample } from "./sample.ts";

/** Sources that are read besides the figures for Prometheus. */
export interface FigureSources {
  readonly state: State;
  readonly feeds: Pick<Feeds, "ticker">;
  /** The venue's time, ms. */
  now(): number;
}

export interface KeptFigure {
  readonly name: string;
  readonly words: string;
  readonly unit: "per second" | "USD" | "USD per hour" | "ms" | "bytes" | "number" | "%";
  read(sample: Sample, sources: FigureSources): number;
}

const USD_ONE = 10 ** USD_SCALE;
const HOUR_S = 3_600;

export const KEPT_FIGURES: readonly KeptFigure[] = [
  { name: "orders", words: "Orders", unit: "per second", read: (now) => now.rate("bourse_orders_total") },
  { name: "deals", words: "Deals", unit: "per second", read: (now) => now.rate("bourse_deals_total") },
  {
    name: "volume_24h",
    words: "Volume of 24 hours",
    unit: "USD",
    read: (_, sources) => volume(sources),
  },
  {
    name: "fees",
    words: "Fees",
    unit: "USD per hour",
    read: (now, sources) => feesPerHour(now, sources),
  },
  { name: "open_orders", words: "Open orders", unit: "number", read: (now) => now.sum("bourse_open_orders") },
  {
    name: "answers",
    words: "HTTP answers",
    unit: "per second",
    read: (now) => now.rate("bourse_http_answers_total"),
  },
  {
    name: "answer_p50",
    words: "Latency, half of the answers",
    unit: "ms",
    read: (now) => now.quantile("bourse_http_seconds", 0.5) * 1_000,
  },
  {
    name: "answer_p99",
    words: "Latency, 99 of 100 answers",
    unit: "ms",
    read: (now) => now.quantile("bourse_http_seconds", 0.99) * 1_000,
  },
  {
    name: "commit_p99",
    words: "Commit time, 99 of 100 groups",
    unit: "ms",
    read: (now) => now.quantile("bourse_commit_seconds", 0.99) * 1_000,
  },
  {
    name: "loop_delay_p99",
    words: "Delay of the event loop",
    unit: "ms",
    read: (now) => now.sum("bourse_event_loop_delay_seconds", { quantile: "0.99" }) * 1_000,
  },
  { name: "sockets", words: "Sockets", unit: "number", read: (now) => now.sum("bourse_sockets") },
  { name: "users", words: "Users", unit: "number", read: (now) => now.sum("bourse_users") },
  { name: "stale_indexes", words: "Stale indexes", unit: "number", read: (now) => now.sum("bourse_index_stale") },
  {
    name: "troubled_chains",
    words: "Chains in trouble",
    unit: "number",
    read: (now) => now.sum("bourse_chain_trouble"),
  },
  {
    name: "insurance_funds",
    words: "Insurance funds",
    unit: "USD",
    read: (_, { state }) => heldInUsd(state, [CELL.insurance_futures, CELL.insurance_margin]),
  },
  {
    name: "fund_budget_used",
    words: "Most used budget of a fund",
    unit: "%",
    read: (now) => budgetUsed(now),
  },
  {
    name: "history_backlog",
    words: "History behind",
    unit: "bytes",
    read: (now) => now.sum("bourse_history_backlog_bytes"),
  },
  {
    name: "memory",
    words: "Memory",
    unit: "bytes",
    read: (now) => now.sum("bourse_memory_bytes", { kind: "resident" }),
  },
];

/**
 * Value of all deals of 24 hours in USD; of futures, what their contracts stand for. Markets whose quote has no price
 * count nothing.
 */
function volume({ state, feeds, now }: FigureSources): number {
  let sum = 0n;
  for (const market of state.markets) {
    if (market.delisted) continue;
    const asset = state.assets[market.quoteAssetId];
    const price = asset && usdPriceOf(state, asset.id);
    if (asset === undefined || price === undefined) continue;
    sum += usdValue(asset, feeds.ticker(market.id, now()).value, price);
  }
  return Number(sum) / USD_ONE;
}

function feesPerHour(sample: Sample, { state }: FigureSources): number {
  let perSecond = 0;
  for (const asset of state.assets) {
    const price = usdPriceOf(state, asset.id);
    if (price === undefined) continue;
    // What grew is valued, not what there is: a price that moves is no income.
    const grown = sample.perSecond(`fees ${asset.ccy}`, Number(state.ledger.heldByVenue(CELL.fee, asset.id)));
    if (grown > 0)
      perSecond += (grown * Number(usdValue(asset, 10n ** BigInt(asset.scale), price))) / 10 ** asset.scale;
    else if (Number.isNaN(grown)) return Number.NaN;
  }
  return (perSecond / USD_ONE) * HOUR_S;
}

function heldInUsd(state: State, cells: readonly number[]): number {
  let sum = 0n;
  for (const asset of state.assets) {
    const price = usdPriceOf(state, asset.id);
    if (price === undefined) continue;
    for (const cell of cells) sum += usdValue(asset as Asset, state.ledger.heldByVenue(cell, asset.id), price);
  }
  return Number(sum) / USD_ONE;
}

/** Of what each fund may lose in an hour or a day, the greatest share that is lost. */
function budgetUsed(sample: Sample): number {
  let most = 0;
  for (const { lost, left } of fundBudgets(sample)) if (lost > 0) most = Math.max(most, (lost / (lost + left)) * 100);
  return most;
}
