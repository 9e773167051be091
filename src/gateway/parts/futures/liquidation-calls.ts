/** Positions that the venue took over, market by market, as operators read them. */
import { type AdminCall, call } from "../../admin/call.ts";
import { optional, required, text, time } from "../../admin/field.ts";
import { pageFields, rangeOf } from "../../admin/page.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { Printers } from "../../reading/market-printer.ts";
import { marketNotFound, Refused } from "../../refused.ts";

const liquidations = call({
  method: "GET",
  path: "/admin/liquidations",
  verbs: { "liquidation list": "Show the positions of a futures market that the venue took over, the newest first." },
  fields: {
    market: required(text("MARKET", 1, 40), "the futures market; one that left the list can still be named"),
    from: optional(time, "from then on"),
    to: optional(time, "before then"),
    ...pageFields,
  },
  async serve({ state, history }, { market: name, from, to, ...asked }) {
    const market = state.markets.findLast((each) => each.name === name && each.futures !== undefined);
    if (market === undefined) return marketNotFound(name);
    const page = await pageFromHistory((query) => history.liquidations(query), {
      ...{ marketId: market.id, startTime: from, endTime: to && to - 1 },
      ...{ page: asked.page ?? 1, limit: rangeOf(asked).limit },
    });
    if (page instanceof Refused) return page;
    const print = new Printers(state).of(market.id);
    const rows = page.rows.map(({ at, isShort, lots, liqPrice, bkrPrice }) => ({
      ...{ market: name, side: isShort ? "short" : "long", amount: print.amount(lots) },
      ...{ liq_price: print.priceOrNothing(liqPrice), bkr_price: print.priceOrNothing(bkrPrice), created_at: at },
    }));
    return { liquidations: rows, has_next: page.hasNext };
  },
});

export const LIQUIDATION_CALLS: readonly AdminCall[] = [liquidations];
