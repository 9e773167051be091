/** Queries of accounts about their stop orders on the legacy sockets: order.query_stop, order.account_query_stop. */
import { offsetText } from "../../legacy/pages.ts";
import { accountAsked, NOT_OF_MARKET, type PageAsked, sideAsked } from "../../legacy/sockets/asked.ts";
import type { LegacySocketCalls } from "../../legacy/sockets/generation.ts";
import { inListed } from "../../legacy/sockets/listed.ts";
import { OrderTexts } from "../../legacy/sockets/records/orders.ts";
import { cutPage } from "../../reading/cut-page.ts";
import { waitingStops } from "../../reading/waiting-stops.ts";

export const legacyStopCalls: LegacySocketCalls = (context) => {
  const { state } = context.backend;
  const texts = new OrderTexts(state, context.printers);
  const stops = inListed<PageAsked & { account_id?: number }>(context, (market, asked, { userId }) => {
    const account = accountAsked(state, market, asked.account_id);
    if (account === undefined) return NOT_OF_MARKET;
    const query = { userId, account, marketId: market.id, side: sideAsked(asked), clientId: undefined };
    const page = cutPage(waitingStops(state, query), { ...asked, page: 1 });
    return { data: offsetText(asked, page, (stop) => texts.stop(stop)) };
  });
  return { "order.query_stop": stops, "order.account_query_stop": stops };
};
