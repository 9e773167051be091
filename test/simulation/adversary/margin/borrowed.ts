import type { Action } from "../step.ts";
import { type Hand, momentOf, type Strategy } from "../strategy.ts";

const market = "spot" as const;

/**
 * Borrows to the limit and loses what is lent to another account of his: by trading far from the index, by resting
 * orders while it moves, by quotes that wait for what a liquidation sells, or by taking out what is left.
 */
export const borrowed: Strategy = {
  name: "borrowed",
  play: (hand) => {
    const { random, terms } = hand;
    const debtor = hand.account({ usdt: 20_000, btc: 0.4 });
    const other = hand.account({ usdt: 500_000, btc: 10 });
    const isQuote = random.chance(60);
    const ccy = isQuote ? "USDT" : "BTC";
    hand.at(500, transferMargin(debtor, ccy, isQuote ? "10000" : "0.2", true));
    const start = random.chance(60) ? 1_000 : Math.max(1_000, momentOf(hand));
    hand.at(start, {
      do: "borrow",
      user: debtor,
      market,
      isQuote: random.chance(80) ? isQuote : !isQuote,
      percent: 100,
    });
    // Who owes a currency has given it for the other: then it is the index that decides.
    const [gives, takes] = isQuote ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
    const sign = isQuote ? 1 : -1;
    const away = random.pick([0, 0, 5_000, 45_000, 95_000, 300_000]) * sign;
    meet(hand, start + 100, debtor, other, gives, takes, away);
    for (let atMs = start + 2_000; atMs < terms.lastsMs; atMs += random.pick([2_000, 9_000, 20_000])) {
      hand.at(atMs, random.pick(actions(hand, debtor, other, gives, takes, sign)));
      if (random.chance(30))
        meet(hand, atMs + 10, debtor, other, takes, gives, -random.pick([3_000, 30_000, 80_000]) * sign);
    }
  },
};

/** The debtor rests an order, or takes one, against the other account. */
function meet(
  hand: Hand,
  atMs: number,
  debtor: string,
  other: string,
  gives: "buy" | "sell",
  takes: "buy" | "sell",
  ppm: number,
): void {
  const { random } = hand;
  const price = { of: random.pick(["fair", "index"] as const), ppm };
  const own = {
    do: "order",
    user: debtor,
    market,
    side: gives,
    price,
    lots: lots(random.pick([40, 99])),
    margin: true,
  } as const;
  const others = { do: "order", user: other, market, side: takes, price, lots: lots(90) } as const;
  if (random.chance(50)) hand.at(atMs, { ...own, type: "limit" }, { ...others, type: "ioc" });
  else hand.at(atMs, { ...others, type: "limit" }, { ...own, type: random.pick(["ioc", "market", "limit"] as const) });
}

/** So many percent of what a user's money can carry. */
export function lots(percent: number) {
  return { of: "power", percent } as const;
}

function actions(
  { random }: Hand,
  debtor: string,
  other: string,
  gives: "buy" | "sell",
  takes: "buy" | "sell",
  sign: number,
): Action[] {
  const most = lots(60);
  const waits = { of: "index", ppm: -random.pick([2_000, 30_000, 49_000, 90_000]) * sign } as const;
  return [
    // The one who stands alone in the book meets what has to be sold.
    {
      do: "order",
      user: other,
      market,
      side: gives,
      type: "limit",
      price: waits,
      lots: most,
      hidden: random.chance(50),
    },
    { do: "order", user: other, market, side: gives, type: "limit", price: waits, lots: most },
    {
      do: "order",
      user: other,
      market,
      side: takes,
      type: "limit",
      price: { of: "index", ppm: 4_000 * sign },
      lots: most,
    },
    { do: "cancel", user: other, market },
    { do: "cancel", user: debtor, market, margin: true },
    { do: "borrow", user: debtor, market, isQuote: random.chance(50), percent: 100 },
    transferMargin(
      debtor,
      random.pick(["USDT", "BTC"] as const),
      random.pick(["0.01", "100", "2000"]),
      random.chance(20),
    ),
    {
      do: "command",
      command: { kind: "repay", userId: debtor as unknown as number, market: "BTCUSDT", ccy: "USDT", amount: "500" },
    },
  ];
}

/** Into the margin account of the spot market, or out of it. */
export function transferMargin(user: string, ccy: string, amount: string, isIn: boolean): Action {
  // The runner puts the id in.
  const userId = user as unknown as number;
  return { do: "command", command: { kind: "transfer_margin", userId, market: "BTCUSDT", ccy, amount, isIn } };
}
