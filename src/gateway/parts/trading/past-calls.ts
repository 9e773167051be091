/** Calls by which operators look up the past orders and deals of one user at a time, as records of the API. */
import { ACCOUNTS } from "../../../engine/command.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { oneOf, optional, required, text, time, userId } from "../../admin/field.ts";
import { pageFields, rangeOf } from "../../admin/page.ts";
import { userDealListText } from "../../current/records/deals.ts";
import { orderStatusText } from "../../current/records/orders.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { Printers } from "../../reading/market-printer.ts";
import { isOf, productOfAccount } from "../../reading/product.ts";
import { marketNotFound, Refused } from "../../refused.ts";

const fields = {
  user_id: required(userId, "of this user"),
  account: optional(oneOf(ACCOUNTS), "of this account; spot unless given"),
  market: optional(text("MARKET", 1, 40), "those of this market; one that left the list can still be named"),
  side: optional(oneOf(["buy", "sell"] as const), "those of this side"),
  from: optional(time, "from then on"),
  to: optional(time, "before then"),
  ...pageFields,
};

interface Asked {
  readonly user_id: number;
  readonly account: (typeof ACCOUNTS)[number] | undefined;
  readonly market: string | undefined;
  readonly side: "buy" | "sell" | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly page: number | undefined;
  readonly limit: number | undefined;
}

const finishedOrders = call({
  method: "GET",
  path: "/admin/finished-orders",
  verbs: {
    "order finished": "Show the orders of a user that ended with a fill, the newest first, as the API shows them.",
  },
  fields,
  async serve({ state, history }, asked) {
    const query = queryOf(state, asked);
    if (query instanceof Refused) return query;
    const page = await pageFromHistory((each) => history.finishedOrders(each), query);
    if (page instanceof Refused) return page;
    const printers = new Printers(state);
    const orders = page.rows.map((order) => JSON.parse(orderStatusText(printers, order)));
    return { orders: orders.map((order) => ({ user_id: asked.user_id, ...order })), has_next: page.hasNext };
  },
});

const deals = call({
  method: "GET",
  path: "/admin/deals",
  verbs: { "deal list": "Show the deals of a user, the newest first, as the API shows them." },
  fields,
  async serve({ state, history }, asked) {
    const query = queryOf(state, asked);
    if (query instanceof Refused) return query;
    const page = await pageFromHistory((each) => history.userDeals(each), query);
    if (page instanceof Refused) return page;
    const rows: object[] = JSON.parse(userDealListText(new Printers(state), page.rows));
    return { deals: rows.map((deal) => ({ user_id: asked.user_id, ...deal })), has_next: page.hasNext };
  },
});

/** The same of both; times of operators leave out the end, those of history have it. */
function queryOf(state: State, { user_id, account = "spot", market: name, side, from, to, ...page }: Asked) {
  const market = name && state.markets.findLast((each) => each.name === name && isOf(productOfAccount(account), each));
  if (name !== undefined && typeof market !== "object") return marketNotFound(name);
  return {
    ...{ userId: user_id, account, marketId: typeof market === "object" ? market.id : undefined, side },
    ...{ startTime: from, endTime: to && to - 1, page: page.page ?? 1, limit: rangeOf(page).limit },
  };
}

export const PAST_CALLS: readonly AdminCall[] = [finishedOrders, deals];
