import type { Engine } from "../src/engine/engine.ts";
import { MARKETS, MID, mixSetup } from "./mix.ts";
import { newVenue } from "./workload.ts";

/** A venue with so many open positions, each user holding one in every market, half of them on isolated margin. */
export function venueWith(positions: number): Engine {
  const users = positions / MARKETS;
  const engine = newVenue(mixSetup("futures", users));
  for (let marketId = 0; marketId < MARKETS; marketId++) {
    for (let userId = 1; userId <= users; userId++) {
      const side = userId % 2 === 0 ? "buy" : "sell";
      const outcome = engine.execute(
        {
          kind: "place_order",
          userId,
          marketId,
          account: "futures",
          side,
          type: "limit",
          amountIn: "base",
          amount: 1_000n,
          price: BigInt(MID),
          hidden: false,
          stpMode: "none",
          clientId: "",
        },
        { seq: engine.state.seq + 1, timeMs: 1 },
      );
      if (outcome.refusal !== 0) throw new Error(`The order of user ${userId} was refused.`);
      engine.events.clear();
    }
  }
  if (engine.state.futures.positions.live !== positions) throw new Error("Not all positions were opened.");
  return engine;
}
