/** Calls that set and show how much insurance funds may lose. Source: domain 3.5 and 4.14. */
import { budgetLeft, lostInHour } from "../../../engine/insurance/budget.ts";
import { fundsOf } from "../../../engine/insurance/funds.ts";
import { type Fund, insuranceOf } from "../../../engine/insurance/insurance-state.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, optional } from "../../admin/field.ts";
import { rateText } from "../../reading/market-printer.ts";

const setBudget = call({
  method: "POST",
  path: "/admin/fund-budget",
  verbs: {
    "fund-budget set": "Set the shares of themselves that insurance funds may lose: 0 is nothing.",
  },
  fields: {
    hour_rate: optional(decimal("RATE"), "per market and rolling hour; as it is unless given"),
    day_rate: optional(decimal("RATE"), "per currency and day; as it is unless given"),
  },
  serve: (backend, { hour_rate: hourRate, day_rate: dayRate }) =>
    execute(backend, { kind: "set_fund_budget", hourRate, dayRate }, () => ratesOf(backend.state)),
});

const showBudget = call({
  method: "GET",
  path: "/admin/fund-budget",
  verbs: {
    "fund-budget show":
      "Show these shares, and of each futures and margin market what the fund of each currency holds, what was " +
      "lost within the hour and what is left.",
  },
  fields: {},
  serve({ state }) {
    const listed = state.markets.filter(({ delisted }) => !delisted);
    return { ...ratesOf(state), markets: listed.flatMap((market) => fundsOf(state, market).map(rowOf(state, market))) };
  },
});

function rowOf(state: State, { name, futures }: Market) {
  return (fund: Fund): object => {
    const { ccy, scale } = state.assets[fund.assetId] as Asset;
    const held = state.ledger.heldByVenue(fund.cellKind, fund.assetId);
    const [has, lost, left] = [held, lostInHour(state, fund), budgetLeft(state, fund)].map((units) =>
      formatDecimal(units, scale),
    );
    const of = futures === undefined ? "margin" : "futures";
    return { market: name, fund_of: of, ccy, fund: has, lost_in_hour: lost, left };
  };
}

function ratesOf(state: State): object {
  const { hourShareE8, dayShareE8 } = insuranceOf.of(state).shares;
  return { hour_rate: rateText(hourShareE8), day_rate: rateText(dayShareE8) };
}

export const FUND_BUDGET_CALLS: readonly AdminCall[] = [setBudget, showBudget];
