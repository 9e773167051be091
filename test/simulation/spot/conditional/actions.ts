/** What clients send of orders with conditions. */
import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Leg, PlaceConditional } from "../../../../src/engine/stops/command-schemas.ts";
import type { Draw } from "../draw.ts";
import { order as terms } from "../orders/actions.ts";

export function placeConditional(draw: Draw): PlaceConditional {
  const { random, settings } = draw;
  const { amountPrecision, pricePrecision } = settings;
  const { userId, marketId, side, hidden, stpMode, clientId } = terms(draw);
  const account = random.chance(20) ? "margin" : "spot";
  const price = (of?: "buy" | "sell") => formatDecimal(draw.price(of), pricePrecision);
  const lots = formatDecimal(draw.amount(), amountPrecision);
  const base = (of: "buy" | "sell") => ({ side: of, amount: lots, hidden, stpMode, clientId });
  const far = formatDecimal(BigInt(random.whole(1, settings.reach + 2)), pricePrecision);
  const trail = (of: "buy" | "sell"): Leg => ({
    ...base(of),
    type: "market",
    ...(random.chance(50) ? { trail: far } : { trailRate: random.pick(["0.0001", "0.001", "0.0123", "0.05", "0.6"]) }),
    ...(random.chance(30) ? { activation: price() } : {}),
    ...(random.chance(25) ? { triggerType: "index_price" } : {}),
  });
  const stop = (of: "buy" | "sell"): Leg => ({ ...base(of), type: "market", trigger: price() });
  const limit = (of: "buy" | "sell"): Leg => ({
    ...base(of),
    type: random.pick(["limit", "limit", "maker_only", "ioc"]),
    price: price(of),
  });
  const iceberg = (of: "buy" | "sell"): Leg => {
    const whole = draw.amount();
    const part = whole > 1n ? BigInt(random.whole(1, Math.min(Number(whole), 1_000_000))) : whole;
    const display = random.chance(80) && whole / 20n < part ? part : whole / BigInt(random.whole(2, 22));
    return {
      ...limit(of),
      type: random.pick(["limit", "limit", "limit", "maker_only", "fok"]),
      hidden: hidden && random.chance(20),
      amount: formatDecimal(whole, amountPrecision),
      display: formatDecimal(display, amountPrecision),
    };
  };
  const common = { kind: "place_conditional", userId, marketId, account } as const;
  const other = side === "buy" ? "sell" : "buy";
  switch (random.whole(0, 6)) {
    case 0:
      return { ...common, shape: "single", legs: [trail(side)] };
    case 1:
    case 2:
      return { ...common, shape: "single", legs: [iceberg(side)] };
    case 3:
      return { ...common, shape: "single", legs: [{ ...iceberg(side), trigger: price() }] };
    case 4:
      return {
        ...common,
        shape: "oco",
        legs: [random.chance(50) ? limit(side) : iceberg(side), random.chance(50) ? stop(side) : trail(side)],
      };
    case 5:
      return { ...common, shape: "oco", legs: [stop(side), random.chance(50) ? stop(other) : limit(other)] };
    default:
      return {
        ...common,
        shape: "bracket",
        legs: [
          random.chance(20) ? { ...base(side), type: "market" } : random.chance(30) ? iceberg(side) : limit(side),
          stop(other),
          random.chance(70) ? stop(other) : trail(other),
        ],
      };
  }
}

export function cancelGroup({ random, settings }: Draw): Command {
  return { kind: "cancel_group", userId: random.whole(1, settings.users), groupId: random.whole(1, 40) };
}
