import { ASSETS, listing as marketAt } from "../markets.ts";
import type { SpotPart } from "../part.ts";
import {
  changeInterruption,
  changeStatus,
  changeMarket as changing,
  indexPrices,
  oddAsset,
  oddListing,
} from "./actions.ts";
import { loseIndexes, setIndexPrices, tickIndexes } from "./index-price.ts";
import { changeMarket, listAsset, listMarket } from "./listing.ts";
import { marketsDue, openWaiting, runDue } from "./timing.ts";

/** Assets, markets, their terms, times and index prices. Domain 1.2, 2.12 and 4.11. */
export const listing: SpotPart = {
  name: "listing",
  setup: (settings) => [
    ...ASSETS.map((ccy) => ({ kind: "list_asset", ccy, scale: settings.scale }) as const),
    ...Array.from({ length: settings.markets }, (_, at) => marketAt(settings, at)),
  ],
  actions: {
    tick: { often: { usual: [2, 10], auctions: [4], crowd: [2] }, make: () => ({ command: { kind: "tick" } }) },
    index: {
      often: { usual: [0, 2, 10], auctions: [3], margin: [1] },
      make: (draw) => ({ command: indexPrices(draw) }),
    },
    market: { often: { usual: [0, 2, 5], margin: [0, 1] }, make: (draw) => ({ command: changing(draw) }) },
    interruption: {
      often: { usual: [0, 1, 3], auctions: [2], crowd: [0] },
      make: (draw) => ({ command: changeInterruption(draw) }),
    },
    status: {
      often: { usual: [0, 0, 1], auctions: [4], margin: [0, 0, 0, 1] },
      make: (draw) => ({ command: changeStatus(draw) }),
    },
    odd_listing: {
      often: { usual: [0, 1] },
      make: (draw) => ({ command: draw.random.chance(50) ? oddListing(draw) : oddAsset(draw) }),
    },
  },
  ofVenue: {
    tick: tickIndexes,
    list_asset: listAsset,
    list_market: listMarket,
    change_market: changeMarket,
    set_index_prices: setIndexPrices,
    set_cancel_only: (venue, { cancelOnly }) => {
      venue.cancelOnly = cancelOnly;
      return undefined;
    },
  },
  before: (venue) => {
    loseIndexes(venue);
    runDue(venue);
  },
  due: marketsDue,
  after: openWaiting,
  compare: (state, model, differ) => {
    differ("assets", state.assets.length, model.assets.length);
    differ("markets", state.markets.length, model.markets.length);
    differ("cancel-only", state.cancelOnly, model.cancelOnly);
    for (const market of model.markets) {
      const ours = state.markets[market.id];
      differ(`status of ${market.name}`, ours?.status, market.status);
      differ(`delisted ${market.name}`, ours?.delisted, market.delisted);
      differ(`latest price of ${market.name}`, state.lastPrice[market.id], market.latest);
      differ(`index of ${market.name}`, ours?.index.price, market.index);
      differ(`staleness of ${market.name}`, ours?.index.isStale, market.isStale);
      differ(`opening of ${market.name}`, ours?.onlineAt, market.onlineAt);
    }
  },
  faults: [
    {
      name: "a market is interrupted again and again",
      file: "trading/interruption.ts",
      code: "if (calledAt.length >= CALLS_MAX) return false;",
      instead: "",
    },
    {
      name: "an interrupted market opens wherever its orders say",
      file: "trading/interruption.ts",
      code: "return heldTo(state, market, EXTENDED_MOVES);",
      instead: "return undefined;",
    },
    {
      name: "no auction of an interruption is extended",
      file: "trading/interruption.ts",
      code: "if (price >= reach.low && price <= reach.high) return false;",
      instead: "return false;",
    },
    {
      name: "a reopened market is held to orders of the last second",
      file: "trading/auction.ts",
      code: "return openingWithin(state, market, reach, before)?.price;",
      instead: "return before < 0 ? undefined : opening.price;",
    },
    {
      name: "the price of a reopening is forgotten at once",
      file: "trading/interruption.ts",
      code: "market.halt = { ...halt, reopening: { atMs: state.timeMs, price } };",
      instead: "",
    },
    {
      name: "a silent index holds no prices",
      file: "rules-version.ts",
      code: "silentBands: 3,",
      instead: "silentBands: 99,",
    },
  ],
};
