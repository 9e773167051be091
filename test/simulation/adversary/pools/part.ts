import { EARNING } from "../../../../src/engine/amm/pool.ts";
import { claimsOf } from "../../../../src/engine/amm/provider.ts";
import { partOf } from "../../../../src/engine/amm/reserves.ts";
import type { Kept, PlayPart } from "../play-part.ts";
import type { Stage } from "../stage.ts";
import { worthOf } from "../worth.ts";
import { poolListings, tradeHonestly } from "./pooled.ts";
import { Shares } from "./shares.ts";
import { justInTime, lastShare, lentPool, offIndex, sandwich, squeezeAdd, thinRange } from "./strategies.ts";

/** Pools of spot markets, in plays that are about them. */
export const pools: PlayPart = {
  name: "pools",
  strategies: [justInTime, sandwich, thinRange, lastShare, offIndex, squeezeAdd, lentPool],
  laws: [(court) => new Shares(court)],
  forItsOwn: (script, terms) => {
    tradeHonestly(script, terms);
    return poolListings(terms);
  },
  accounts: keptBy,
};

/** Shares of what pools hold, and what they have earned. */
function* keptBy(stage: Stage, userId: number): Generator<Kept> {
  for (const { pool, baseAssetId, quoteAssetId } of stage.state.markets) {
    const provider = pool?.providers.get(userId);
    if (pool === undefined || provider === undefined) continue;
    const { base, quote } = partOf(stage.state, pool, provider.shares);
    const claims = claimsOf(pool, provider);
    const ofBase = base + (claims[EARNING.dividendBase] as bigint);
    const ofQuote = quote + (claims[EARNING.dividendQuote] as bigint);
    yield { equity: worthOf(stage, baseAssetId, ofBase) + worthOf(stage, quoteAssetId, ofQuote) };
  }
}
