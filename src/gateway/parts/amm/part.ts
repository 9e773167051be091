import type { GatewayPart } from "../part.ts";
import { POOL_FIGURES } from "./figures.ts";
import { legacyPoolHandlers } from "./legacy-pools.ts";
import { POOL_CALLS } from "./pool-calls.ts";
import { poolHandlers } from "./pools.ts";

const wrong = (rule: string, why: string) => ({ v2: 3639, v1: 2, rule, message: `Invalid Parameter: ${why}` });

/** Pools of spot markets. */
export const amm = {
  name: "amm",
  refusals: {
    pool_not_found: wrong("5.1", "the market has no pool."),
    pool_in_use: wrong("5.1", "the pool has providers; its terms stand."),
    pool_price_off_index: wrong("5.1", "the price of the pool must lie within 5 % of the index of its market."),
    liquidity_too_small: wrong("5.4", "an addition to a pool must be worth at least 200 USD."),
    liquidity_too_large: wrong("5.4", "the pool cannot hold so much."),
    liquidity_locked: wrong("5.4", "liquidity stays in a pool for 24 hours after the last addition."),
    no_liquidity: wrong("5.4", "there is nothing of the account in the pool."),
  },
  figures: POOL_FIGURES,
  handlers: poolHandlers,
  legacy: legacyPoolHandlers,
  calls: POOL_CALLS,
  nouns: { pool: "give spot markets pools, and show them" },
} satisfies GatewayPart;
