import { bankruptClose } from "./adversary/strategies/bankrupt-close.ts";
import { chaos } from "./adversary/strategies/chaos.ts";
import { dust } from "./adversary/strategies/dust.ts";
import { fundingEdge } from "./adversary/strategies/funding-edge.ts";
import { letGo } from "./adversary/strategies/let-go.ts";
import { shuffle } from "./adversary/strategies/shuffle.ts";
import { silentIndex } from "./adversary/strategies/silent-index.ts";
import { sweep } from "./adversary/strategies/sweep.ts";
import { thinBook } from "./adversary/strategies/thin-book.ts";
import { washDeduction } from "./adversary/strategies/wash-deduction.ts";
import type { Strategy } from "./adversary/strategy.ts";
import { accounts } from "./spot/accounts/part.ts";
import { auctions } from "./spot/auctions/part.ts";
import { listing } from "./spot/listing/part.ts";
import { maintenance } from "./spot/maintenance/part.ts";
import { orders } from "./spot/orders/part.ts";
import type { SpotPart } from "./spot/part.ts";
import { stops } from "./spot/stops/part.ts";

/** What the world of spot is made of, in the order in which it is set up and in which what is due happens. */
export const SPOT_PARTS: readonly SpotPart[] = [maintenance, listing, auctions, accounts, orders, stops];

/** What an adversary can play with, product by product. */
export const PLAY_PARTS: readonly { readonly name: string; readonly strategies: readonly Strategy[] }[] = [
  { name: "spot", strategies: [washDeduction, sweep] },
  {
    name: "futures",
    strategies: [thinBook, letGo, silentIndex, bankruptClose, fundingEdge, shuffle],
  },
  { name: "everything", strategies: [dust, chaos] },
];
