import { momentOf, type Strategy } from "../strategy.ts";
import { leg, open } from "./pair.ts";

/**
 * While the index is silent, or trading stands still, everybody knows where the price went but the venue: what is free
 * leaves.
 */
export const carryOff: Strategy = {
  name: "carry_off",
  play: (hand) => {
    const { random } = hand;
    const market = random.pick(["perp", "perp", "inverse", "other"] as const);
    const legs = [leg(hand, market, 50_000), leg(hand, market, 50_000)] as const;
    open(hand, 1_000, market, legs[0], legs[1], random.pick([10, 30, 60]));
    const ccy = market === "inverse" ? "BTC" : "USDT";
    for (let time = 0; time < 4; time++) {
      const atMs = Math.max(2_000, momentOf(hand));
      for (const { user, mode } of legs) {
        if (mode === "isolated") hand.at(atMs, { do: "margin", user, market, percent: random.pick([-100, -60, -20]) });
        if (random.chance(30)) hand.at(atMs, { do: "leverage", user, market, mode, leverage: hand.terms.maxLeverage });
        hand.at(atMs, { do: "transfer", user, ccy, out: true, percent: 100 });
      }
    }
  },
};
