/** What clients send of orders. */
import {
  type Command,
  ORDER_TYPES,
  type PlaceOrder,
  type Side,
  STP_MODES,
  TOO_LARGE,
} from "../../../../src/engine/command.ts";
import type { Draw } from "../draw.ts";

export const CLIENT_IDS = ["", "", "", "a", "a-second-client-id-of-32-letters"];

export type Terms = ReturnType<typeof order>;

export function order(draw: Draw) {
  const { random, settings } = draw;
  return {
    userId: draw.userId(),
    marketId: draw.marketId(),
    account: "spot" as "spot" | "margin",
    side: random.pick(["buy", "sell"] as const),
    hidden: random.chance(settings.hidden),
    stpMode: random.chance(settings.stp) ? random.pick(STP_MODES) : "none",
    clientId: random.pick(CLIENT_IDS),
  } as const;
}

export function limit(draw: Draw, side: Side) {
  const type = draw.random.chance(60) ? "limit" : draw.random.pick(ORDER_TYPES.filter((name) => name !== "market"));
  return { type, amountIn: "base", amount: draw.amount(), price: draw.price(side) } as const;
}

export function market(draw: Draw) {
  const { random, settings } = draw;
  const lots = draw.amount();
  if (random.chance(50)) return { type: "market", amountIn: "base", amount: lots, price: 0n } as const;
  const { scale, amountPrecision, pricePrecision } = settings;
  const units = lots * BigInt(settings.middle) * 10n ** BigInt(scale - amountPrecision - pricePrecision);
  const budget = lots < 0n ? lots : units + BigInt(random.whole(0, 20));
  const amount = budget > TOO_LARGE ? TOO_LARGE : budget;
  return { type: "market", amountIn: "quote", amount, price: 0n } as const;
}

export function changes(draw: Draw) {
  const { random } = draw;
  return {
    amount: random.chance(55) ? draw.amount() : undefined,
    price: random.chance(55) ? draw.price() : undefined,
  };
}

export function place(draw: Draw, terms: Terms): PlaceOrder {
  return { kind: "place_order", ...terms, ...limit(draw, terms.side) };
}

/** Whose and where something is; what is picked mostly says otherwise. */
export function own(draw: Draw) {
  const account = draw.random.chance(6) ? draw.random.pick(["spot", "spot", "margin"] as const) : undefined;
  return { userId: draw.userId(), marketId: draw.marketId(), account };
}

export function cancelMany(draw: Draw): Command {
  const { random } = draw;
  const userId = draw.userId();
  const marketId = random.chance(70) ? draw.marketId() : undefined;
  if (random.chance(55)) {
    const side = random.pick([undefined, "buy", "sell"] as const);
    return { kind: "cancel_all_orders", userId, marketId: marketId ?? 0, account: "spot", side };
  }
  return { kind: "cancel_by_client_id", userId, marketId, account: "spot", clientId: random.pick(NAMED) };
}

/** Client ids that most orders with one have. */
export const NAMED = ["", "a", "a", "a-second-client-id-of-32-letters"];

/** What may not be the user's or not be there at all. */
export function unknown(draw: Draw) {
  const { random } = draw;
  return {
    userId: draw.userId(),
    marketId: random.pick([draw.marketId(), 99]),
    account: random.pick([undefined, "spot", "margin"] as const),
  };
}

/** Commands that name what may not be theirs or not be there at all. */
export function blind(draw: Draw): Command {
  const { random } = draw;
  const named = unknown(draw);
  const orderId = random.whole(0, 60);
  const account = named.account ?? "spot";
  switch (random.whole(0, 4)) {
    case 0:
      return { kind: "cancel_order", ...named, orderId };
    case 1:
      return { kind: "modify_order", ...named, orderId, ...changes(draw) };
    case 2:
      return { ...place(draw, order(draw)), marketId: named.marketId, account: named.account ?? "margin" };
    case 3:
      return { kind: "cancel_all_orders", ...named, account };
    default:
      return { kind: "cancel_by_client_id", ...named, account, clientId: "a" };
  }
}
