import { command, id } from "../credit/line.ts";
import { transferMargin } from "../margin/borrowed.ts";
import type { Action } from "../step.ts";
import { open } from "../strategies/pair.ts";
import { type Hand, momentOf, type Strategy } from "../strategy.ts";
import { CHAIN } from "../wallet/part.ts";

/**
 * A main account and two accounts under it. One of them owes: a line of credit, a loan on margin, a deposit that its
 * chain takes back, or a thin position. What it has goes to the others by transfers between them, before and after, and
 * out of the venue.
 */
export const accomplice: Strategy = {
  name: "accomplice",
  play: (hand) => {
    const { random, terms } = hand;
    const main = hand.account({ usdt: 60_000, btc: 1, futures: 20_000 });
    const under = { under: main };
    const subs = [
      hand.account({ usdt: 20_000, btc: 0.4, futures: 20_000, ...under }),
      hand.account({ usdt: 20_000, btc: 0.4, futures: 20_000, ...under }),
    ] as const;
    const family = [main, ...subs];
    const debtor = random.pick(family);
    owe(hand, debtor, family);
    const pair = { mode: random.pick(["cross", "isolated"] as const), leverage: terms.maxLeverage };
    if (random.chance(60))
      open(hand, 900, "perp", { user: subs[0], ...pair }, { user: subs[1], ...pair }, random.pick([50, 95]));
    for (let atMs = momentOf(hand); atMs < terms.lastsMs; atMs += random.pick([500, 4_000, 15_000])) {
      for (let at = 0; at < 3; at++) hand.at(atMs + at, random.pick(actions(hand, main, subs, debtor)));
    }
  },
};

function owe(hand: Hand, user: string, family: readonly string[]): void {
  const { random } = hand;
  const userId = id(user);
  const place = { chain: CHAIN, txId: "tx-1", output: 0, toAddress: "in-1" } as const;
  for (const owner of family)
    hand.at(
      300,
      command({
        kind: "allow_withdraw_address",
        userId: id(owner),
        chain: CHAIN,
        address: "out-1",
        memo: "",
        remark: "",
      }),
    );
  switch (random.whole(0, 3)) {
    case 0:
      hand.at(
        400,
        command({ kind: "grant_credit", userId, ccy: "USDT", amount: "40000", dailyRate: "0.001", note: "a line" }),
      );
      return;
    case 1:
      hand.at(400, transferMargin(user, "USDT", "15000", true));
      hand.at(410, { do: "borrow", user, market: "spot", isQuote: true, percent: 100 });
      return;
    case 2:
      hand.at(400, command({ kind: "assign_address", userId, chain: CHAIN, renewals: 0, address: "in-1", memo: "" }));
      hand.at(410, command({ kind: "deposit_seen", ...place, memo: "", ccy: "BTC", amount: "2", height: 10 }));
      hand.at(420, command({ kind: "chain_head", chain: CHAIN, height: 12 }));
      hand.at(random.pick([2_000, 30_000, 60_000]), command({ kind: "deposit_gone", ...place }));
      return;
    default:
      hand.at(400, { do: "transfer", user, ccy: "USDT", out: false, percent: 100 });
  }
}

function actions(hand: Hand, main: string, subs: readonly [string, string], debtor: string): Action[] {
  const { random } = hand;
  const [from, to] = random.pick([
    [main, subs[0]],
    [subs[0], main],
    [subs[1], main],
    [main, subs[1]],
    [subs[0], subs[1]],
    [subs[1], subs[0]],
  ] as const);
  const userId = id(main);
  const ccy = random.pick(["USDT", "USDT", "BTC"] as const);
  const amount = ccy === "USDT" ? random.pick(["100", "5000", "20000", "60000"]) : random.pick(["0.01", "0.4", "2"]);
  const kinds = [
    ["SPOT", "SPOT"],
    ["SPOT", "FUTURES"],
    ["FUTURES", "SPOT"],
    ["FUTURES", "FUTURES"],
  ] as const;
  const [fromKind, toKind] = random.pick(kinds);
  const [seller, buyer] = random.chance(50) ? [debtor, subs[1]] : [subs[0], debtor];
  const price = { of: "fair", ppm: random.pick([0, 20_000, 95_000]) * random.pick([-1, 1]) } as const;
  const lots = { of: "power", percent: 95 } as const;
  const give = { kind: "sub_transfer", userId, fromUserId: id(from), toUserId: id(to), ccy, amount } as const;
  return [
    command({ ...give, from: fromKind, to: toKind }),
    command({ ...give, from: "SPOT", to: "SPOT" }),
    command({ ...give, from: fromKind, to: toKind }),
    { do: "transfer", user: from, ccy: "USDT", out: random.chance(70), percent: 100 },
    command({
      kind: "withdraw",
      userId: id(random.pick([main, from])),
      ccy,
      amount,
      method: "on_chain",
      chain: CHAIN,
      toAddress: "out-1",
      memo: "",
      remark: "",
      needsReview: false,
    }),
    command({ kind: "freeze_sub_account", userId, subUserId: id(random.pick(subs)), frozen: random.chance(40) }),
    { do: "order", user: seller, market: "spot", side: "sell", type: "limit", price, lots },
    { do: "order", user: buyer, market: "spot", side: "buy", type: "ioc", price, lots },
    { do: "order", user: debtor, market: "spot", side: "buy", type: "limit", price, lots, margin: true },
    { do: "margin", user: from, market: "perp", percent: -90 },
    transferMargin(debtor, "USDT", random.pick(["100", "15000"]), random.chance(30)),
    command({ kind: "withdrawal_started", withdrawId: random.whole(1, 6) }),
  ];
}
