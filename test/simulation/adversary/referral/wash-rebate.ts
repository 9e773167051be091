import { command, id } from "../credit/line.ts";
import { add, take } from "../pools/actions.ts";
import { pooledOf } from "../pools/pooled.ts";
import type { Strategy } from "../strategy.ts";

const RICH = { usdt: 1_000_000, btc: 20, dsc: 1_000_000 };

/**
 * Trades with himself beside a pool, or through it, of which he is the provider, through accounts that he has invited.
 */
export const washForRebate: Strategy = {
  name: "wash_for_rebate",
  play: (hand) => {
    const { random, terms } = hand;
    const { market } = pooledOf(terms);
    const owner = hand.account(RICH);
    const pair = [hand.account(RICH), hand.account(RICH)] as const;
    const rates = random.pick([
      ["0.5", "0"],
      ["0.25", "0.25"],
      ["0", "0.5"],
      ["0.1", "0"],
    ] as const);
    const code = "WASH";
    hand.at(
      300,
      command({ kind: "create_refer_code", userId: id(owner), code, referrerRate: rates[0], refereeRate: rates[1] }),
    );
    for (const user of pair) hand.at(310, command({ kind: "bind_referee", userId: id(user), code }));
    hand.at(400, add(owner, market, random.pick([250, 100_000])));
    const midnight = Math.ceil(terms.startMs / 86_400_000) * 86_400_000 - terms.startMs;
    const end = midnight < terms.lastsMs ? midnight : terms.lastsMs;
    const price = { of: "fair", ppm: 0 } as const;
    for (let atMs = 1_000, round = 0; atMs < end; atMs += random.pick([500, 2_000, 10_000]), round++) {
      const [seller, buyer] = round % 2 === 0 ? pair : [pair[1], pair[0]];
      const lots = { of: "power", percent: random.pick([5, 50]) } as const;
      hand.at(atMs, { do: "order", user: seller, market, side: "sell", type: "limit", price, lots });
      hand.at(atMs + 1, { do: "order", user: buyer, market, side: "buy", type: "ioc", price, lots });
      hand.at(atMs + 2, { do: "cancel", user: seller, market });
      if (random.chance(20))
        hand.at(atMs + 3, take(buyer, market, "buy", 20_000, 2), take(buyer, market, "sell", -20_000, 2));
    }
  },
};
