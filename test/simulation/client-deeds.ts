/** What clients send. */
import {
  type Command,
  ORDER_TYPES,
  type PlaceOrder,
  type PlaceStopOrder,
  type Side,
  STP_MODES,
  TOO_LARGE,
} from "../../src/engine/command.ts";
import type { Draw } from "./draw.ts";
import { oddListing } from "./operator-deeds.ts";

const CLIENT_IDS = ["", "", "", "a", "a-second-client-id-of-32-letters"];

type Terms = ReturnType<typeof order>;

export function order(draw: Draw) {
  const { random, settings } = draw;
  return {
    userId: draw.userId(),
    marketId: draw.marketId(),
    account: "spot",
    side: random.pick(["buy", "sell"] as const),
    hidden: random.chance(settings.hidden),
    stpMode: random.chance(settings.stp) ? random.pick(STP_MODES) : "none",
    clientId: random.pick(CLIENT_IDS),
  } as const;
}

function limit(draw: Draw, side: Side) {
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

function stopWish(draw: Draw, side: Side) {
  const wish = draw.random.chance(30) ? market(draw) : limit(draw, side);
  return { ...wish, trigger: draw.price() };
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

export function placeStop(draw: Draw, terms: Terms): PlaceStopOrder {
  return { kind: "place_stop_order", ...terms, ...stopWish(draw, terms.side) };
}

export function cancelMany(draw: Draw): Command {
  const { random } = draw;
  const userId = draw.userId();
  const marketId = random.chance(70) ? draw.marketId() : undefined;
  const clientId = random.pick(["", "a", "a", "a-second-client-id-of-32-letters"]);
  if (random.chance(40)) {
    const side = random.pick([undefined, "buy", "sell"] as const);
    return { kind: "cancel_all_orders", userId, marketId: marketId ?? 0, account: "spot", side };
  }
  const kind = random.pick(["cancel_by_client_id", "cancel_stop_by_client_id"] as const);
  return { kind, userId, marketId, account: "spot", clientId };
}

/** Commands that name what may not be theirs or not be there at all. */
export function blind(draw: Draw): Command {
  const { random } = draw;
  const userId = draw.userId();
  const marketId = random.pick([draw.marketId(), 99]);
  const id = random.whole(0, 60);
  const account = random.pick([undefined, "spot", "margin"] as const);
  switch (random.whole(0, 9)) {
    case 0:
      return { kind: "cancel_order", userId, marketId, orderId: id, account };
    case 8:
      return { kind: "list_asset", ccy: random.pick(["BTC", "btc", "NEW"]), scale: random.pick([8, 18, 19]) };
    case 9:
      return oddListing(draw);
    case 1:
      return { kind: "modify_order", userId, marketId, orderId: id, account, ...changes(draw) };
    case 2:
      return { kind: "cancel_stop_order", userId, marketId, stopId: id, account };
    case 3:
      return { kind: "modify_stop_order", userId, marketId, stopId: id, account, ...changes(draw) };
    case 4:
      return { ...place(draw, order(draw)), account: account ?? "margin", marketId };
    case 5:
      return { ...placeStop(draw, order(draw)), account: account ?? "margin", marketId };
    case 6:
      return { kind: "cancel_all_orders", userId, marketId, account: account ?? "spot" };
    default:
      return { kind: "cancel_by_client_id", userId, marketId, account: account ?? "spot", clientId: "a" };
  }
}
