import { command, id } from "../credit/line.ts";
import { add } from "../pools/actions.ts";
import { pooledOf } from "../pools/pooled.ts";
import type { Strategy } from "../strategy.ts";

const RICH = { usdt: 1_000_000, btc: 20, dsc: 1_000_000 };

/**
 * Four accounts of one owner round a fee: who trades was invited by the second, whose agent is of the third; the fourth
 * provides the pool. Codes and shares change during the day, accounts invite each other in a circle, fees are deducted
 * in the coin.
 */
export const upline: Strategy = {
  name: "upline",
  play: (hand) => {
    const { random, terms } = hand;
    const { market } = pooledOf(terms);
    const [above, inviter, provider] = [hand.account(RICH), hand.account(RICH), hand.account(RICH)];
    const deducts = random.chance(50);
    const pair = [hand.account({ ...RICH, deducts }), hand.account({ ...RICH, deducts })] as const;
    const rates = ["0.1", "0.2", "0.25", "0.5"] as const;
    const code = (user: string, name: string) =>
      command({
        kind: "create_refer_code",
        userId: id(user),
        code: name,
        referrerRate: random.pick(rates),
        refereeRate: random.pick(rates),
      });
    const agent = (user: string, of: string) =>
      command({
        kind: "set_agent",
        userId: id(user),
        ofUserId: id(of),
        rate: random.pick([...rates, null]),
        remark: "",
      });
    for (let at = 0; at < 4; at++) hand.at(300 + at, code(inviter, `INV${at}`), code(pair[0], `PAIR${at}`));
    hand.at(310, agent(inviter, above), agent(above, inviter), agent(inviter, pair[0]));
    for (const user of [...pair, inviter])
      for (let at = 0; at < 4; at++)
        hand.at(320, command({ kind: "bind_referee", userId: id(user), code: `${random.pick(["INV", "PAIR"])}${at}` }));
    hand.at(400, add(provider, market, random.pick([250, 100_000])));
    const midnight = Math.ceil(terms.startMs / 86_400_000) * 86_400_000 - terms.startMs;
    const end = midnight < terms.lastsMs ? midnight : terms.lastsMs;
    const price = { of: "fair", ppm: 0 } as const;
    for (let atMs = 1_000, round = 0; atMs < end; atMs += random.pick([500, 2_000, 10_000]), round++) {
      const [seller, buyer] = round % 2 === 0 ? pair : [pair[1], pair[0]];
      const lots = { of: "power", percent: random.pick([5, 50]) } as const;
      hand.at(atMs, { do: "order", user: seller, market, side: "sell", type: "limit", price, lots });
      hand.at(atMs + 1, { do: "order", user: buyer, market, side: "buy", type: "ioc", price, lots });
      hand.at(atMs + 2, { do: "cancel", user: seller, market });
      if (random.chance(15)) hand.at(atMs + 3, agent(inviter, above), code(inviter, `MORE${round}`));
    }
  },
};
