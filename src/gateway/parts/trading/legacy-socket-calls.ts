/**
 * Queries of accounts about their orders and deals on the legacy sockets: order.query, order.account_query,
 * deals.query_user.
 */
import { isWithinReach } from "../../../history/page.ts";
import { offsetText } from "../../legacy/pages.ts";
import { printOwnDeal } from "../../legacy/records/deal-shape.ts";
import { accountAsked, NOT_OF_MARKET, type PageAsked, sideAsked } from "../../legacy/sockets/asked.ts";
import type { LegacySocketCalls } from "../../legacy/sockets/generation.ts";
import { lateData } from "../../legacy/sockets/late-data.ts";
import { inListed } from "../../legacy/sockets/listed.ts";
import { OrderTexts } from "../../legacy/sockets/records/orders.ts";
import { openOrders } from "../../reading/open-orders.ts";
import { invalidArgument } from "../../ws/refused.ts";

/** The empty client id of past deals: history does not keep the client id of a deal's order. */
const NOT_KEPT = { clientId: "" };

export const legacyOrderCalls: LegacySocketCalls = (context) => {
  const { backend, printers } = context;
  const { state, history } = backend;
  const texts = new OrderTexts(state, printers);

  const orders = inListed<PageAsked & { account_id?: number }>(context, (market, asked, { userId }) => {
    const account = accountAsked(state, market, asked.account_id);
    if (account === undefined) return NOT_OF_MARKET;
    const query = { userId, account, marketId: market.id, side: sideAsked(asked) } as const;
    const { offset, limit } = asked;
    const page = openOrders(state, { ...query, page: 1, offset, limit });
    return { data: offsetText(asked, page, (order) => texts.order(order)) };
  });

  return {
    "order.query": orders,
    "order.account_query": orders,

    "deals.query_user": inListed<PageAsked>(context, (market, asked, { userId }) => {
      const { offset, limit } = asked;
      const query = {
        userId,
        account: "spot",
        marketId: market.id,
        side: sideAsked(asked),
        page: 1,
        offset,
        limit,
      } as const;
      if (!isWithinReach(query)) return invalidArgument("offset must lie within the reach of history.");
      const printer = printers.of(market.id);
      return {
        later: () =>
          lateData(history.userDeals(query), (page) =>
            offsetText(asked, page, (deal) => printOwnDeal(deal, printer, NOT_KEPT)),
          ),
      };
    }),
  };
};
