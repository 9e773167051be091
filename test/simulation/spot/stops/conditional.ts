import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import type { Leg, PlaceConditional } from "../../../../src/engine/stops/forms.ts";
import type { Draw } from "../draw.ts";
import type { ModelMarket, ModelStop } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { reference, standing } from "../orders/checks.ts";
import { order as terms } from "../orders/deeds.ts";
import { accountFault, orderFault, placeOrder, type Wish } from "../orders/placing.ts";
import type { SpotPart } from "../part.ts";
import { cancelGroup, groups, heardOf } from "./groups.ts";
import { amountFault, pricesFault, tell } from "./stopping.ts";

const WAITING_MAX = 100;

/** Trailing stops, pairs and brackets. Domain 2.20. */
export const conditional: SpotPart = {
  name: "conditional",
  deeds: {
    conditional: {
      often: { usual: [0, 0, 0, 20], stops: [60], margin: [0, 0, 8], crowd: [0] },
      make: (draw) => ({ command: placing(draw) }),
    },
    cancel_group: {
      often: { usual: [0, 0, 0, 3], stops: [5], crowd: [0] },
      make: ({ random, ...draw }) => ({
        command: { kind: "cancel_group", userId: random.whole(1, draw.settings.users), groupId: random.whole(1, 40) },
      }),
    },
  },
  ofUsers: { place_conditional: place, cancel_group: cancelGroup },
  told: heardOf,
  compare: ({ stops }, venue, differ) => {
    const show = ({
      id,
      kind,
      orderId,
      stopIds,
    }: {
      id: number;
      kind: string;
      orderId: number;
      stopIds: readonly number[];
    }) => `${id} ${kind} ${orderId} ${stopIds}`;
    const ours = stops.groups.all.map(show);
    const theirs = groups(venue).all.map(({ id, kind, orderId = 0, stops: mine }) =>
      show({ id, kind, orderId, stopIds: mine.map(({ stopId }) => stopId) }),
    );
    differ("groups", ours.join(), theirs.join());
  },
  faults: [
    {
      name: "a trail does not follow a price that is better by one tick",
      part: "conditional",
      file: "stops/trails.ts",
      code: "return this.sells ? price > extreme : price < extreme;",
      instead: "return this.sells ? price > extreme + 1 : price < extreme - 1;",
    },
    {
      name: "the trigger of a trail is rounded towards the price",
      part: "conditional",
      file: "stops/condition.ts",
      code: "divFloor(BigInt(extreme) * (ONE_E8 - rate), ONE_E8)",
      instead: "divCeil(BigInt(extreme) * (ONE_E8 - rate), ONE_E8)",
    },
    {
      name: "the first fill of an order leaves the other of its pair",
      part: "conditional",
      file: "stops/grouped.ts",
      code: "  } else if (isFilled) {\n    endStops(state, group);",
      instead: "  } else if (isFilled && isOver) {\n    endStops(state, group);",
    },
    {
      name: "a trigger leaves the rest of an entry",
      part: "conditional",
      file: "stops/grouped.ts",
      code: "  leaveGroup(state, slot);\n  endGroup(state, group);",
      instead: "  leaveGroup(state, slot);\n  endStops(state, group);",
    },
    {
      name: "what protects an entry has the fee in its amount",
      part: "conditional",
      file: "stops/grouped.ts",
      code: "(fee === 0n ? 0n : divCeil(fee, market.unitsPerLot))",
      instead: "(fee === 0n ? 0n : divCeil(0n, market.unitsPerLot))",
    },
  ],
};

function placing(draw: Draw): PlaceConditional {
  const { random, settings } = draw;
  const { amountPrecision, pricePrecision } = settings;
  const { userId, marketId, account, side, hidden, stpMode, clientId } = terms(draw);
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
  const common = { kind: "place_conditional", userId, marketId, account } as const;
  const other = side === "buy" ? "sell" : "buy";
  switch (random.whole(0, 3)) {
    case 0:
      return { ...common, shape: "single", legs: [trail(side)] };
    case 1:
      return { ...common, shape: "oco", legs: [limit(side), random.chance(50) ? stop(side) : trail(side)] };
    case 2:
      return { ...common, shape: "oco", legs: [stop(side), random.chance(50) ? stop(other) : limit(other)] };
    default:
      return {
        ...common,
        shape: "bracket",
        legs: [
          random.chance(20) ? { ...base(side), type: "market" } : limit(side),
          stop(other),
          random.chance(70) ? stop(other) : trail(other),
        ],
      };
  }
}

function place(
  venue: ModelVenue,
  { userId, marketId, account: named, shape, legs }: PlaceConditional,
): Refusal | undefined {
  const market = venue.listed(marketId);
  if (market === undefined || venue.user(userId) === undefined) return "market_not_found";
  const account = named as "spot" | "margin";
  const read = legs.map((leg) => readLeg(venue, market, { userId, account }, leg));
  if (read.some((leg) => leg === undefined)) return "invalid_command";
  const all = read as ModelLeg[];
  const stops = all.filter(({ isStop }) => isStop);
  const order = all.find(({ isStop }) => !isStop);
  if (shape === "bracket") {
    const [entry, profit, loss] = all as [ModelLeg, ModelLeg, ModelLeg];
    if (entry.isStop || !profit.isStop || isTrailing(profit) || profit.stop.trigger === 0n) return "invalid_command";
    const floor = isTrailing(loss) ? 0n : loss.stop.trigger;
    const { side, trigger } = profit.stop;
    if (side === "sell" ? trigger <= floor : floor !== 0n && trigger >= floor) return "invalid_command";
  } else if (stops.length === 0 || (order !== undefined && !["limit", "maker_only"].includes(order.wish.type))) {
    return "invalid_command";
  }
  for (const leg of stops) {
    const fault =
      accountFault(venue, market, { userId, account }) ??
      standing(venue, market, userId, "stop", leg.stop.type, undefined) ??
      (shape === "bracket" ? undefined : amountFault(market, leg.stop)) ??
      (isTrailing(leg) && leg.stop.trigger === 0n ? undefined : pricesFault(market, leg.stop));
    if (fault !== undefined) return fault;
  }
  const mine = venue.stops.filter(
    (stop) => stop.userId === userId && stop.marketId === marketId && stop.account === account,
  );
  if (mine.length + stops.length > WAITING_MAX) return "too_many_stop_orders";
  const fault = order === undefined ? undefined : orderFault(venue, order.wish);
  if (fault !== undefined) return fault;

  const own = groups(venue);
  const groupId = shape === "single" ? 0 : ++own.count;
  const entered = stops.map(({ stop }, at): ModelStop => {
    const isExit = shape === "bracket";
    const isAtOnce = stop.trigger === 0n;
    const rises = isAtOnce ? stop.side === "buy" : (stop.side === "sell") === (at === 0);
    return {
      ...stop,
      stopId: venue.nextStopId++,
      groupId,
      amount: isExit ? 0n : stop.amount,
      direction: isExit || isAtOnce ? (rises ? "lower" : "higher") : stop.direction,
      waits: isExit ? "sleeps" : isAtOnce ? "to begin" : "for price",
    };
  });
  venue.stops.push(...entered);
  const orderId = order === undefined ? undefined : venue.nextOrderId;
  if (shape !== "single") own.all.push({ id: groupId, kind: shape as "oco" | "bracket", orderId, stops: [...entered] });
  for (const stop of entered) tell(venue, "put", stop);
  if (order !== undefined) placeOrder(venue, order.wish);
  venue.outcome.order = undefined;
  return undefined;
}

interface ModelLeg {
  readonly isStop: boolean;
  readonly wish: Wish;
  /** Without its ids. */
  readonly stop: ModelStop;
}

const isTrailing = ({ stop }: ModelLeg) => (stop.trail as bigint) > 0n || (stop.trailRateE8 as number) > 0;

function readLeg(
  venue: ModelVenue,
  market: ModelMarket,
  owner: { readonly userId: number; readonly account: "spot" | "margin" },
  leg: Leg,
): ModelLeg | undefined {
  const { side, type, stpMode, hidden, clientId } = leg as Wish & Leg;
  const trail = leg.trail === undefined ? 0n : units(leg.trail);
  const trailRateE8 = leg.trailRate === undefined ? 0 : Math.round(Number(leg.trailRate) * 1e8);
  const isTrailed = leg.trail !== undefined || leg.trailRate !== undefined;
  const activation = leg.activation === undefined ? 0n : units(leg.activation);
  const triggerType = leg.triggerType === "index_price" ? "index_price" : "latest_price";
  if (trailRateE8 > 50_000_000) return undefined;
  if (leg.trail !== undefined) {
    const now = triggerType === "index_price" ? market.index : reference(market);
    const from = activation > 0n ? activation : now;
    if (trail <= 0n || (from > 0n && trail * 2n > from) || trail > market.maxPrice) return undefined;
  }
  const trigger = isTrailed ? activation : leg.trigger === undefined ? 0n : units(leg.trigger);
  const price = leg.price === undefined ? 0n : units(leg.price);
  const common = { ...owner, marketId: market.id, side, type, amountIn: "base", hidden, clientId, price } as const;
  const amount = units(leg.amount);
  const looked = triggerType === "index_price" ? market.index : reference(market);
  return {
    isStop: isTrailed || leg.trigger !== undefined,
    wish: { ...common, stpMode, amount },
    stop: {
      ...common,
      stpMode: market.status === "bidding" ? "none" : stpMode,
      stopId: 0,
      createdAt: venue.timeMs,
      updatedAt: venue.timeMs,
      amount,
      trigger,
      direction: (looked === 0n ? side === "buy" : looked < trigger) ? "lower" : "higher",
      trail,
      trailRateE8,
      activation: isTrailed ? trigger : 0n,
      extreme: 0n,
      triggerType,
    },
  };
}

/** A decimal with all the decimals that it may have; below 0 there is none. */
function units(text: string): bigint {
  return text.startsWith("-") ? -1n : BigInt(text.replace(".", ""));
}
