/** What insurance funds may lose to jumps of indexes. Source: domain 4.14. */
import { budgetLeft, lostInHour } from "../../../engine/futures/liquidation/fund-budget.ts";
import { CELL } from "../../../engine/ledger/cell.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, optional } from "../../admin/field.ts";
import { Printers, rateText } from "../../reading/market-printer.ts";

const setBudget = call({
  method: "POST",
  path: "/admin/fund-budget",
  verbs: {
    "fund-budget set": "Set what insurance funds may lose to jumps of indexes, as shares of them: 0 is nothing.",
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
      "Show these shares, and of each futures market what the fund of its currency holds, what was lost within the hour and what is left.",
  },
  fields: {},
  serve({ state }) {
    const printers = new Printers(state);
    const futures = state.markets.filter((market) => market.futures !== undefined && !market.delisted);
    const markets = futures.map((market) => {
      const printer = printers.of(market.id);
      const { id, ccy } = printer.settle;
      const held = state.ledger.heldByVenue(CELL.insurance_futures, id);
      const [fund, lost, left] = [held, lostInHour(state, market), budgetLeft(state, market)].map((units) =>
        printer.value(units),
      );
      return { market: market.name, ccy, fund, lost_in_hour: lost, left };
    });
    return { ...ratesOf(state), markets };
  },
});

function ratesOf({ futures: { fundBudget } }: State): object {
  return { hour_rate: rateText(fundBudget.hourShareE8), day_rate: rateText(fundBudget.dayShareE8) };
}

export const FUND_BUDGET_CALLS: readonly AdminCall[] = [setBudget, showBudget];
