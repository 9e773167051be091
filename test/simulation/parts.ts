import { accounts } from "./spot/accounts/part.ts";
import { auctions } from "./spot/auctions/part.ts";
import { listing } from "./spot/listing/part.ts";
import { maintenance } from "./spot/maintenance/part.ts";
import { orders } from "./spot/orders/part.ts";
import type { SpotPart } from "./spot/part.ts";
import { stops } from "./spot/stops/part.ts";

/** What the world of spot is made of, in the order in which it is set up and in which what is due happens. */
export const SPOT_PARTS: readonly SpotPart[] = [maintenance, listing, auctions, accounts, orders, stops];
