import { command, id } from "../credit/line.ts";
import { type Hand, momentOf, type Strategy } from "../strategy.ts";
import { lifeOf } from "./life.ts";

const market = "fresh" as const;

/**
 * Bids in an opening auction for show and goes in its last instant, or comes in the last instant before it locks, opens
 * and leaves; trades with himself far off at the opening, and looks for orders that are hidden by such as are refused
 * where there is one.
 */
export const lastSecond: Strategy = {
  name: "last_second",
  play: (hand) => {
    const { random, terms } = hand;
    const users = [hand.account({ usdt: 500_000 }), hand.account({ usdt: 500_000 })] as const;
    for (const user of users)
      hand.at(1, command({ kind: "deposit", userId: id(user), ccy: "ETH", amount: "200", note: "" }));
    const { biddingMs, lockedMs, onlineMs, leavesMs } = lifeOf(terms);
    const instants = [biddingMs, lockedMs - 1, lockedMs, onlineMs - 1, onlineMs, onlineMs + 1, leavesMs - 1, leavesMs];
    for (let round = 0; round < 20; round++) {
      const atMs = random.pick([...instants, momentOf(hand)]);
      const [user, other] = random.chance(50) ? users : [users[1], users[0]];
      act(hand, atMs, user, other);
    }
    for (let atMs = onlineMs + 500; atMs < leavesMs; atMs += random.pick([3_000, 11_000])) probe(hand, atMs, users[0]);
  },
};

function act(hand: Hand, atMs: number, user: string, other: string): void {
  const { random } = hand;
  const side = random.pick(["buy", "sell"] as const);
  const back = side === "buy" ? "sell" : "buy";
  const price = { of: "fair", ppm: random.pick([0, 5_000, 90_000, 300_000, 490_000]) * random.pick([-1, 1]) } as const;
  const lots = { of: "power", percent: random.pick([1, 50, 95]) } as const;
  const order = { user, market, side, price, lots } as const;
  switch (random.whole(0, 4)) {
    case 0:
      hand.at(atMs, { do: "order", ...order, type: "limit", hidden: random.chance(30) });
      return;
    case 1:
      hand.at(
        atMs,
        { do: "order", ...order, type: "limit" },
        { do: "order", ...order, user: other, side: back, type: "limit" },
      );
      return;
    case 2:
      hand.at(atMs, { do: "cancel", user, market });
      return;
    case 3:
      hand.at(atMs, { do: "modify", user, market, price });
      return;
    default:
      hand.at(atMs, { do: "stop", ...order, type: random.pick(["market", "limit"] as const), trigger: price });
  }
}

/**
 * An order that only makes is refused where a hidden one stands; one that fills whole or not at all, where too little
 * does.
 */
function probe(hand: Hand, atMs: number, user: string): void {
  const { random } = hand;
  const side = random.pick(["buy", "sell"] as const);
  const price = { of: "last", ppm: random.whole(-20_000, 20_000) } as const;
  const lots = { is: random.pick([10, 1_000]) } as const;
  hand.at(atMs, { do: "order", user, market, side, price, lots, type: random.pick(["maker_only", "fok"] as const) });
  hand.at(atMs + 1, { do: "cancel", user, market });
}
