import type { Strategy } from "../strategy.ts";
import { anyFutures, fundsIn, leg, open } from "./pair.ts";

/** One lot at an extreme price in an empty book, held over a minute's sample: it should move no mark. */
export const thinBook: Strategy = {
  name: "thin_book",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const pairs = random.whole(1, 3);
    const rich = random.pick([5_000, 100_000]);
    const up = random.chance(50);
    const first = leg(hand, market, rich);
    for (let at = 0; at < pairs; at++) {
      const other = { ...leg(hand, market, rich / 20), mode: "isolated" as const, leverage: terms.maxLeverage };
      const [long, short] = up ? [first, other] : [other, first];
      open(hand, 1_000 + at, market, long, short, random.pick([30, 90]));
    }
    const far = random.pick([10_000, 40_000, 95_000, 99_000]) * (up ? 1 : -1);
    const near = far - random.pick([100, 10_000]) * (up ? 1 : -1);
    const bidder = random.chance(50) ? first.user : hand.account(fundsIn(market, rich));
    const [far_, near_] = up ? (["sell", "buy"] as const) : (["buy", "sell"] as const);
    const from = random.whole(2, 50) * 1_000;
    // A lot now and then, or as much as an impact price asks for, for as long as it takes.
    const patient = random.chance(30);
    const least = { perp: 1, inverse: 60, other: 1 }[market as string] ?? 1;
    const enough = { perp: 6_000, inverse: 36_000, other: 12_000 }[market as string] ?? 1;
    const lots = { is: patient ? enough : least * random.pick([1, 10]) };
    const of = "fair" as const;
    const push = () => {
      hand.at(from, {
        do: "order",
        user: first.user,
        market,
        side: far_,
        type: "limit",
        price: { of, ppm: far },
        lots: { of: "position", percent: 90 },
      });
      hand.at(from, { do: "order", user: bidder, market, side: near_, type: "limit", price: { of, ppm: near }, lots });
    };
    push();
    const to = patient ? terms.lastsMs : from + random.pick([62_000, 70_000, 130_000]);
    hand.at(to, { do: "cancel", user: first.user, market }, { do: "cancel", user: bidder, market });
    hand.at(to + 1_000, { do: "close", user: first.user, market, percent: 100 });
  },
};
