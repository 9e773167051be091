import type { GatewayPart } from "../part.ts";
import { legacyPoolHandlers } from "./legacy-pools.ts";
import { POOL_CALLS } from "./pool-calls.ts";
import { poolHandlers } from "./pools.ts";

const wrong = (why: string) => ({ v2: 3639, v1: 2, message: `Invalid Parameter: ${why}` });

/** Pools of spot markets. */
export const amm = {
  name: "amm",
  refusals: {
    pool_not_found: wrong("the market has no pool."),
    pool_in_use: wrong("the pool has providers; its terms stand."),
    pool_price_off_index: wrong("the price of the pool must lie within 5 % of the index of its market."),
    liquidity_too_small: wrong("an addition to a pool must be worth at least 200 USD."),
    liquidity_too_large: wrong("the pool cannot hold so much."),
    liquidity_locked: wrong("liquidity stays in a pool for 24 hours after the last addition."),
    no_liquidity: wrong("there is nothing of the account in the pool."),
  },
  handlers: poolHandlers,
  legacy: legacyPoolHandlers,
  calls: POOL_CALLS,
  nouns: { pool: "give spot markets pools, and show them" },
} satisfies GatewayPart;
