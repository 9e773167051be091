import type { Command } from "../../../../src/engine/command.ts";
import type { Action } from "../step.ts";
import { type Hand, momentOf, type Strategy } from "../strategy.ts";

/**
 * Has a line of credit and lets a friend have it: by buying dear or selling cheap, by resting orders while the index
 * moves, by leverage, pools, transfers and withdrawals between users.
 */
export const line: Strategy = {
  name: "line",
  play: (hand) => {
    const { random, terms } = hand;
    const debtor = hand.account({ usdt: 40_000, btc: 0.2, dsc: 10_000 });
    const friend = hand.account({ usdt: 500_000, btc: 10, dsc: 500_000 });
    const ccy = random.pick(["USDT", "USDT", "BTC"] as const);
    const amount = ccy === "USDT" ? random.pick(["20000", "100000", "150000"]) : random.pick(["0.5", "2"]);
    hand.at(
      500,
      command({ kind: "grant_credit", userId: id(debtor), ccy, amount, dailyRate: "0.001", note: "a line" }),
    );
    hand.at(510, allowed(debtor, friend));
    for (
      let atMs = Math.min(2_000, momentOf(hand));
      atMs < terms.lastsMs;
      atMs += random.pick([1_000, 7_000, 20_000])
    ) {
      trade(hand, atMs, debtor, friend);
      hand.at(atMs + 500, random.pick(ways(hand, debtor, friend)));
      if (random.chance(10))
        hand.at(
          atMs + 600,
          command({ kind: "repay_credit", userId: id(debtor), ccy, amount: random.pick(["1", "5000"]), note: "" }),
        );
    }
  },
};

/** One gives and the other takes, far from the fair price or near it, as a taker or at rest. */
function trade(hand: Hand, atMs: number, debtor: string, friend: string): void {
  const { random } = hand;
  const market = random.pick(["coin", "coin", "spot"] as const);
  const buys = random.chance(60);
  const [gives, takes] = buys ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
  const ppm = random.pick([0, 2_000, 20_000, 95_000, 480_000]) * (buys ? 1 : -1);
  const price = { of: random.pick(["fair", "index"] as const), ppm };
  const lots = { of: "power", percent: random.pick([10, 60, 99]) } as const;
  const own = { do: "order", user: debtor, market, side: gives, price, lots } as const;
  const others = { do: "order", user: friend, market, side: takes, price, lots: { of: "power", percent: 90 } } as const;
  if (random.chance(50))
    hand.at(
      atMs,
      { ...others, type: "limit" },
      { ...own, type: random.pick(["ioc", "market", "fok", "limit"] as const) },
    );
  else hand.at(atMs, { ...own, type: "limit" });
  // What rests is met later, when the index is elsewhere.
  if (random.chance(40)) hand.at(atMs + random.pick([100, 6_000, 30_000]), { ...others, type: "ioc" });
  if (random.chance(30)) hand.at(atMs + 200, { do: "modify", user: debtor, market, price });
  if (random.chance(40)) hand.at(atMs + 300, { do: "cancel", user: friend, market });
}

/** How money leaves an account, or goes where it may be lost. */
export function ways({ random }: Pick<Hand, "random">, user: string, friend: string): Action[] {
  const ccy = random.pick(["USDT", "USDT", "BTC"] as const);
  const amount = ccy === "USDT" ? random.pick(["100", "10000", "40000", "120000"]) : random.pick(["0.01", "0.5"]);
  const userId = id(user);
  return [
    command({
      kind: "withdraw",
      userId,
      ccy,
      method: "inter_user",
      chain: "",
      toAddress: friend,
      memo: "",
      amount,
      remark: "",
      needsReview: random.chance(30),
    }),
    command({ kind: "review_withdrawal", withdrawId: random.whole(1, 6), approve: true, note: "as ever" }),
    command({ kind: "transfer_margin", userId, market: "BTCUSDT", ccy, amount, isIn: true }),
    { do: "transfer", user, ccy, out: false, percent: random.pick([10, 60, 100]) },
    { do: "transfer", user, ccy, out: true, percent: 100 },
    {
      do: "order",
      user,
      market: "perp",
      side: "buy",
      type: "limit",
      price: { of: "fair", ppm: random.pick([0, 20_000, 45_000]) },
      lots: { of: "power", percent: 80 },
    },
    {
      do: "order",
      user: friend,
      market: "perp",
      side: "sell",
      type: "limit",
      price: { of: "fair", ppm: random.pick([0, 20_000, 45_000]) },
      lots: { of: "power", percent: 50 },
    },
    command({
      kind: "sub_transfer",
      userId,
      fromUserId: userId,
      toUserId: id(friend),
      from: "SPOT",
      to: "SPOT",
      ccy,
      amount,
    }),
  ];
}

/** Lets a user withdraw to another one. */
export function allowed(user: string, friend: string): Action {
  return command({
    kind: "allow_withdraw_address",
    userId: id(user),
    chain: "",
    address: friend,
    memo: "",
    remark: "",
  });
}

export function command(one: Command): Action {
  return { do: "command", command: one };
}

/** The runner puts the id in. */
export function id(user: string): number {
  return user as unknown as number;
}
