import { momentOf, type Strategy } from "../strategy.ts";
import { anyFutures, fundsIn, leg, leverageOf, open } from "./pair.ts";

/**
 * One account closes, or opens, far from the mark into quotes of the other: it loses more than it has, the other wins
 * that.
 */
export const bankruptClose: Strategy = {
  name: "bankrupt_close",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const loser = { ...leg(hand, market, random.pick([100, 3_000])), leverage: leverageOf(hand, terms.maxLeverage) };
    const winner = leg(hand, market, 100_000);
    const isLong = random.chance(50);
    const [long, short] = isLong ? [loser, winner] : [winner, loser];
    if (random.chance(80)) open(hand, 1_000, market, long, short, random.pick([50, 95]));
    else hand.at(1_000, { do: "leverage", user: loser.user, market, mode: loser.mode, leverage: loser.leverage });
    const quoter = random.chance(50) ? winner.user : hand.account(fundsIn(market, 100_000));
    const start = random.chance(50) ? 2_000 : Math.max(2_000, momentOf(hand));
    for (let round = 0; round < random.whole(1, 3); round++) {
      const atMs = start + round * random.pick([100, 5_000, 30_000]);
      const ppm = random.pick([4_000, 9_000, 30_000, 95_000]) * (isLong ? -1 : 1);
      const price = { of: random.pick(["fair", "mark"] as const), ppm };
      const lots = random.chance(50)
        ? ({ of: "position", percent: 100 } as const)
        : ({ of: "power", percent: random.pick([30, 90]) } as const);
      const [quotes, closes] = isLong ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
      const rests = random.chance(40);
      // Who rests and who takes: both ways have been ways to pay from an empty account.
      const quote = () =>
        hand.at(atMs, { do: "order", user: quoter, market, side: quotes, type: "limit", price, lots });
      if (!rests) quote();
      switch (random.whole(0, 3)) {
        case 0:
          hand.at(atMs, { do: "close", user: loser.user, market, percent: random.pick([30, 100]) });
          break;
        case 1:
          hand.at(atMs, { do: "close", user: loser.user, market, price, percent: random.pick([50, 100]) });
          break;
        default:
          hand.at(atMs, {
            do: "order",
            user: loser.user,
            market,
            side: closes,
            type: rests ? "limit" : "ioc",
            price,
            lots,
          });
      }
      if (random.chance(30))
        hand.at(atMs, {
          do: "transfer",
          user: loser.user,
          ccy: market === "inverse" ? "BTC" : "USDT",
          out: true,
          percent: 100,
        });
      if (rests) quote();
      hand.at(atMs + 50, { do: "cancel", user: quoter, market });
    }
  },
};
