import type { SpotPart } from "../part.ts";
import { auction } from "./actions.ts";

/** Call auctions: what is gathered while bids are taken trades at one price. Domain 2.12. */
export const auctions: SpotPart = {
  name: "auctions",
  actions: {
    auction: { often: { usual: [0, 0, 3, 15], auctions: [30] }, make: (draw) => ({ command: auction(draw) }) },
  },
  faults: [
    {
      name: "of two opening prices as near to the index the higher is taken",
      from: 33,
      file: "trading/opening-price.ts",
      code: "(distance(next) < distance(near) ? next : near)",
      instead: "(distance(next) <= distance(near) ? next : near)",
    },
    {
      name: "an opening price does not heed what it leaves over",
      file: "trading/opening-price.ts",
      code: "return left === right ? 0 : left < right ? 1 : -1;",
      instead: "return 0;",
    },
    {
      name: "hidden orders do not count for the price of an auction",
      file: "trading/ladder-book.ts",
      code: "lots += orders.left(slot);",
      instead: "lots += 0n;",
    },
    {
      name: "in an auction who came first takes",
      file: "trading/auction.ts",
      code: "orders.prio(buy) > orders.prio(sell)",
      instead: "orders.prio(buy) < orders.prio(sell)",
    },
    {
      name: "an auction does not lock",
      file: "listing/status.ts",
      code: "market.noCancelAt <= timeMs;",
      instead: "market.noCancelAt < timeMs - 10 ** 15;",
    },
  ],
};
