/** The venue lists no futures yet. Clients ask for the list before they do anything else. */
import { marketNotFound } from "../../refusals.ts";
import type { Handlers } from "../api.ts";

export const futuresMarketHandlers: Handlers = {
  "GET /futures/market": (call) => {
    const named = call.params.market?.[0];
    if (named === undefined) call.answer([]);
    else call.refuse(marketNotFound(named));
  },
};
