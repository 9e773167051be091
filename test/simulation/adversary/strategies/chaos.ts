import type { Action, Price } from "../step.ts";
import { type Hand, momentOf, type Strategy } from "../strategy.ts";
import type { MarketKey } from "../terms.ts";
import { leverageOf } from "./pair.ts";

/**
 * No plan at all: three accounts do anything, often in the same instant. What nobody thought of is found here or
 * nowhere.
 */
export const chaos: Strategy = {
  name: "chaos",
  play: (hand) => {
    const { random, terms } = hand;
    const money = { futures: 20_000, futuresBtc: 0.4, usdt: 50_000, btc: 1, dsc: 20_000 };
    const users = [hand.account(money), hand.account({ ...money, hedge: random.chance(30) }), hand.account(money)];
    const market = random.pick(["perp", "perp", "perp", "inverse"] as const);
    for (const user of users) {
      hand.at(0, {
        do: "leverage",
        user,
        market,
        mode: random.pick(["cross", "isolated"] as const),
        leverage: leverageOf(hand, terms.maxLeverage),
      });
    }
    let atMs = random.chance(50) ? 500 : momentOf(hand);
    for (let at = 0; at < 150; at++) {
      atMs += random.pick([0, 0, 0, 100, 1_000, 4_000]);
      hand.at(
        atMs,
        action(hand, random.pick(users), random.chance(85) ? market : random.pick(["perp", "spot", "coin"] as const)),
      );
    }
  },
};

/** Anything that an account can do in a market. */
export function action(hand: Hand, user: string, market: MarketKey): Action {
  const { random, terms } = hand;
  const isFutures = market === "perp" || market === "inverse";
  const price = {
    of: random.pick(["fair", "mark", "last", "bid", "ask"] as const),
    ppm: random.pick([0, random.whole(-1_000, 1_000), random.whole(-99_000, 99_000)]),
  } satisfies Price;
  const side = random.pick(["buy", "sell"] as const);
  const lots = random.pick([
    { is: random.whole(1, 400) },
    { of: "power", percent: random.pick([10, 50, 95]) },
    { of: "depth", percent: 100 },
    { of: "position", percent: random.pick([50, 100, 200]) },
  ] as const);
  const where = { user, market } as const;
  const stp = random.chance(20) ? { stp: random.pick(["ct", "cm", "both"] as const) } : {};
  const order = { ...where, side, lots, price, hidden: random.chance(15), ...stp } as const;
  const ccy = market === "inverse" ? "BTC" : "USDT";
  switch (isFutures ? random.whole(0, 15) : random.pick([0, 1, 2, 3, 4, 5, 13])) {
    case 0:
    case 6:
    case 7:
    case 8:
      return { do: "order", ...order, type: "limit" };
    case 1:
      return { do: "order", ...order, type: random.pick(["market", "ioc", "fok"] as const) };
    case 2:
      return { do: "cancel", ...where };
    case 3:
      return {
        do: "stop",
        ...order,
        type: random.pick(["market", "limit"] as const),
        trigger: { of: "fair", ppm: random.whole(-20_000, 20_000) },
      };
    case 4:
      return { do: "transfer", user, ccy, out: random.chance(60), percent: random.pick([30, 100]) };
    case 5:
      return { do: "order", ...order, type: "maker_only" };
    case 9:
      return { do: "close", ...where, percent: random.pick([30, 100]) };
    case 10:
      return { do: "close", ...where, percent: 100, price };
    case 11:
      return { do: "margin", ...where, percent: random.pick([-100, -40, 50]) };
    case 12:
      return {
        do: "leverage",
        ...where,
        mode: random.pick(["cross", "isolated"] as const),
        leverage: leverageOf(hand, terms.maxLeverage),
      };
    case 13:
      return random.chance(70)
        ? { do: "modify", ...where, price }
        : { do: "modify", ...where, percent: random.pick([30, 250]) };
    default:
      return {
        do: "exit",
        ...where,
        exit: random.pick(["take_profit", "stop_loss"] as const),
        trigger: { of: "fair", ppm: random.whole(-20_000, 20_000) },
        by: random.pick(["latest_price", "mark_price"] as const),
      };
  }
}
