import { command, id, ways } from "../credit/line.ts";
import type { Action } from "../step.ts";
import { momentOf, type Strategy } from "../strategy.ts";

/**
 * Has operators put his money into savings and take it back: around midnight and the instants in which it is booked,
 * with the same money in two accounts after each other, with borrowed money, and while what backs a line of credit lies
 * there.
 */
export const saver: Strategy = {
  name: "saver",
  play: (hand) => {
    const { random, terms } = hand;
    const users = [hand.account({ usdt: 50_000, btc: 1 }), hand.account({ usdt: 50_000, btc: 1 })] as const;
    const [one, other] = users;
    const midnight = Math.ceil(terms.startMs / 86_400_000) * 86_400_000 - terms.startMs;
    const end = midnight < terms.lastsMs ? midnight : momentOf(hand) + 5_000;
    if (random.chance(50)) {
      const line = { userId: id(one), ccy: "USDT", amount: "60000", dailyRate: "0.001", note: "a line" };
      hand.at(400, command({ kind: "grant_credit", ...line }));
    }
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      hand.at(
        410,
        command({ kind: "allow_withdraw_address", userId: id(from), chain: "", address: to, memo: "", remark: "" }),
      );
    const moments = [1_000, end - 5_000, end - 1, end, end + 1, end + 999, end + 1_000, end + 2_000];
    for (let round = 0; round < 16; round++) {
      const atMs = Math.max(600, random.pick(moments));
      const user = random.pick(users);
      const ccy = random.pick(["USDT", "USDT", "BTC"] as const);
      hand.at(atMs, move(user, ccy, random.pick(["FINANCIAL", "SPOT"] as const), random.pick([1, 0.4, 0.01])));
      if (random.chance(30)) hand.at(atMs, ...handOver(user, user === one ? other : one, ccy));
      if (random.chance(40))
        hand.at(atMs + random.pick([0, 1]), random.pick(ways(hand, user, user === one ? other : one)));
      if (random.chance(10))
        hand.at(atMs, command({ kind: "set_savings_rate", ccy, dailyRate: random.pick(["0", "0.002", "0.9"]) }));
    }
  },
};

function move(user: string, ccy: "USDT" | "BTC", to: "FINANCIAL" | "SPOT", share: number): Action {
  const amount = String((ccy === "USDT" ? 50_000 : 1) * share);
  return command({ kind: "move_savings", userId: id(user), to, ccy, amount, note: "asked for" });
}

/** Out of the one's savings, over to the other, into his. */
function handOver(from: string, to: string, ccy: "USDT" | "BTC"): Action[] {
  const amount = String(ccy === "USDT" ? 50_000 : 1);
  const withdrawal = { method: "inter_user", chain: "", toAddress: to, memo: "", remark: "", needsReview: false };
  return [
    move(from, ccy, "SPOT", 1),
    command({ kind: "withdraw", userId: id(from), ccy, amount, ...withdrawal }),
    move(to, ccy, "FINANCIAL", 1),
  ];
}
