import fc from "fast-check";
import { type Command, OFF_GRID, ORDER_TYPES, STP_MODES, TOO_LARGE } from "../../src/engine/command.ts";
import type { OrderRecord } from "../../src/engine/event.ts";
import type { MaintenanceScope } from "../../src/engine/maintenance/command-schemas.ts";
import { formatDecimal } from "../../src/engine/money/decimal.ts";
import type { BookMaker } from "../../src/engine/state.ts";
import { readStop } from "../../src/engine/stops/emit-stop.ts";
import type { StopRecord } from "../../src/engine/stops/stop-event.ts";
import { readOrder } from "../../src/engine/trading/emit.ts";
import { NONE } from "../../src/engine/trading/order.ts";
import { marketOf, Venue } from "../support/venue.ts";

/**
 * Something to do to a venue: a plain record that fast-check can shrink. It becomes a command when its turn comes, so
 * that cancels and changes find an order that rests.
 */
export type Action =
  | (Omit<Extract<Command, { kind: "place_order" }>, "kind" | "account"> & { readonly do: "place" })
  | {
      readonly do: "modify";
      readonly pick: number;
      readonly amount: bigint | undefined;
      readonly price: bigint | undefined;
    }
  | { readonly do: "cancel"; readonly pick: number }
  | (Omit<Extract<Command, { kind: "place_stop_order" }>, "kind" | "account"> & { readonly do: "stop" })
  | {
      readonly do: "modify_stop";
      readonly pick: number;
      readonly amount: bigint | undefined;
      readonly price: bigint | undefined;
      readonly trigger: bigint | undefined;
    }
  | { readonly do: "cancel_stop"; readonly pick: number }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "delist"; readonly marketId: number; readonly inMs: number }
  | {
      readonly do: "relist";
      readonly marketId: number;
      readonly inMs: number;
      /**
       * How long bids are taken for its opening auction, and from when on they stand; undefined: it opens without one.
       */
      readonly auction: readonly [ms: number, lockedAfterMs: number] | undefined;
    }
  | { readonly do: "open"; readonly marketId: number; readonly inMs: number }
  | { readonly do: "index"; readonly marketId: number; readonly prices: readonly bigint[] }
  | {
      readonly do: "interruption";
      readonly marketId: number;
      /** How many hundredths a price may go within a second before bids are taken for five; 0: as far as it likes. */
      readonly move: number;
    }
  | { readonly do: "bound"; readonly marketId: number; readonly maxAmount: bigint; readonly maxPrice: bigint }
  | {
      readonly do: "maintain";
      readonly scope: readonly MaintenanceScope[];
      /** ms from now: when it begins, how long it lasts, and where its protection period lies, if it has one. */
      readonly inMs: number;
      readonly ms: number;
      readonly protection: readonly [inMs: number, ms: number] | undefined;
    }
  | { readonly do: "command"; readonly command: Command };

/** Sizes of a venue in which actions meet: how far prices and amounts reach, and what users own. */
export interface Scene {
  readonly name: string;
  readonly scale: number;
  readonly precision: number;
  /** Lots. */
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  /** Ticks. */
  readonly maxPrice: bigint;
  /** Ticks around which nearly all orders are placed, so that much trades. */
  readonly prices: readonly [bigint, bigint];
  readonly amounts: readonly [bigint, bigint];
  /** Units that each user owns of each asset. */
  readonly funds: bigint;
  /** In which currency everybody wishes to pay fees from the start. */
  readonly deduction?: (typeof CURRENCIES)[number];
}

export const USERS = 4;
const CURRENCIES = ["AAA", "BBB", "USD"] as const;
const MARKETS = ["AAAUSD", "BBBUSD"] as const;

/** An everyday venue in small: ten ticks, orders of a few lots, users who run out of funds now and then. */
export const EVERYDAY: Scene = {
  name: "an everyday venue",
  scale: 6,
  precision: 2,
  minAmount: 2n,
  maxAmount: 1_000n,
  maxPrice: 100_000n,
  prices: [295n, 305n],
  amounts: [1n, 60n],
  funds: 6_000_000n,
};

/**
 * Fees are deducted in a currency that is traded and mostly used up, so that what is spoken for must not be spent on
 * them.
 */
export const SHORT_OF_COINS: Scene = {
  ...EVERYDAY,
  name: "a venue short of the deduction currency",
  funds: 500_000n,
  deduction: "AAA",
};

/**
 * The largest numbers that listing checks let through: an order of 2^53 - 1 lots at 1023 ticks is worth nearly 2^63
 * units.
 */
export const EXTREME: Scene = {
  name: "a venue at the bounds of int64",
  scale: 0,
  precision: 0,
  minAmount: 1n,
  maxAmount: 2n ** 53n - 1n,
  maxPrice: 1_023n,
  prices: [1_015n, 1_023n],
  amounts: [2n ** 47n, 2n ** 51n],
  // Four times this is the most that custody may reach.
  funds: (2n ** 63n - 1n) / 4n,
};

export function sceneVenue(scene: Scene, makeBook?: BookMaker): Venue {
  const venue = new Venue(makeBook);
  for (const ccy of CURRENCIES) venue.listAsset(ccy, scene.scale);
  // The second market begins with an auction, of which all phases are a wait or two away.
  const auction = { biddingAt: venue.timeMs, noCancelAt: venue.timeMs + 999, onlineAt: venue.timeMs + 5_000 };
  for (const at of MARKETS.keys()) venue.accept({ ...listingOf(scene, at), ...(at === 1 ? auction : {}) });
  for (let user = 1; user <= USERS; user++) {
    venue.addUser(`user ${user}`);
    for (const ccy of CURRENCIES) venue.deposit(user, ccy, formatDecimal(scene.funds, scene.scale));
    if (scene.deduction !== undefined) venue.accept({ kind: "change_user", userId: user, feeDeduction: true });
  }
  if (scene.deduction !== undefined) {
    venue.accept({ kind: "set_fee_deduction", ccy: scene.deduction });
    venue.spotIndex(formatDecimal(scene.prices[0], scene.precision), MARKETS[0]);
  }
  return venue;
}

function listingOf(scene: Scene, at: number) {
  return {
    ...marketOf(CURRENCIES[at] as string, "USD"),
    amountPrecision: scene.precision,
    pricePrecision: scene.precision,
    minAmount: formatDecimal(scene.minAmount, scene.precision),
    maxAmount: formatDecimal(scene.maxAmount, scene.precision),
    maxPrice: formatDecimal(scene.maxPrice, scene.precision),
  };
}

/** Does an action; what cannot be done, such as a cancel where nothing rests, is left. */
export function doAction(venue: Venue, scene: Scene, action: Action): void {
  const command = commandOf(venue, scene, action);
  if (command !== undefined) venue.execute(command);
}

function commandOf(venue: Venue, scene: Scene, action: Action): Command | undefined {
  switch (action.do) {
    case "place": {
      const { do: _, ...order } = action;
      return { kind: "place_order", account: "spot", ...order, marketId: latestId(venue, order.marketId) };
    }
    case "modify": {
      const order = pickedOrder(venue, action.pick);
      if (order === undefined) return undefined;
      const { orderId, userId, marketId } = order;
      return { kind: "modify_order", orderId, userId, marketId, amount: action.amount, price: action.price };
    }
    case "cancel": {
      const order = pickedOrder(venue, action.pick);
      if (order === undefined) return undefined;
      return { kind: "cancel_order", orderId: order.orderId, userId: order.userId, marketId: order.marketId };
    }
    case "stop": {
      const { do: _, ...stop } = action;
      return { kind: "place_stop_order", account: "spot", ...stop, marketId: latestId(venue, stop.marketId) };
    }
    case "modify_stop": {
      const stop = pickedStop(venue, action.pick);
      if (stop === undefined) return undefined;
      const { do: _, pick: __, ...changes } = action;
      const { stopId, userId, marketId } = stop;
      return { kind: "modify_stop_order", stopId, userId, marketId, ...changes };
    }
    case "cancel_stop": {
      const stop = pickedStop(venue, action.pick);
      if (stop === undefined) return undefined;
      return { kind: "cancel_stop_order", stopId: stop.stopId, userId: stop.userId, marketId: stop.marketId };
    }
    case "wait":
      venue.timeMs += action.ms;
      return { kind: "tick" };
    case "delist":
      return {
        kind: "change_market",
        market: MARKETS[action.marketId] as string,
        delistedAt: venue.timeMs + action.inMs,
      };
    case "relist": {
      const from = venue.timeMs + action.inMs;
      const [ms, lockedAfterMs] = action.auction ?? [0, 0];
      const auction = action.auction === undefined ? {} : { biddingAt: from, noCancelAt: from + lockedAfterMs };
      return { ...listingOf(scene, action.marketId), onlineAt: from + ms, ...auction };
    }
    case "open":
      return {
        kind: "change_market",
        market: MARKETS[action.marketId] as string,
        onlineAt: venue.timeMs + action.inMs,
      };
    case "index":
      return {
        kind: "set_index_prices",
        market: MARKETS[action.marketId] as string,
        sources: action.prices.map((price, at) => ({
          exchange: `s${at}`,
          price: formatDecimal(price, scene.precision),
        })),
      };
    case "interruption":
      return {
        kind: "change_market",
        market: MARKETS[action.marketId] as string,
        interruption: action.move === 0 ? null : { move: `0.0${action.move}`, windowMs: 1_000, auctionMs: 5_000 },
      };
    case "bound":
      return {
        kind: "change_market",
        market: MARKETS[action.marketId] as string,
        maxAmount: formatDecimal(action.maxAmount, scene.precision),
        maxPrice: formatDecimal(action.maxPrice, scene.precision),
      };
    case "maintain": {
      const startedAt = venue.timeMs + action.inMs;
      const from = action.protection === undefined ? 0 : venue.timeMs + action.protection[0];
      return {
        kind: "plan_maintenance",
        scope: action.scope,
        startedAt,
        endedAt: startedAt + action.ms,
        protectDurationStart: from,
        protectDurationEnd: action.protection === undefined ? 0 : from + action.protection[1],
        announceUrl: "",
        announceEnabled: false,
      };
    }
    case "command":
      return action.command;
  }
}

/** The market that has the name now, or had it last. */
function latestId(venue: Venue, at: number): number {
  return venue.marketNamed(MARKETS[at] as string).id;
}

function pickedOrder({ state }: Venue, pick: number): OrderRecord | undefined {
  let left = pick % Math.max(1, state.orders.live);
  for (const book of state.books) {
    for (const side of [0, 1]) {
      for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) {
        if (left-- === 0) return readOrder(state, slot);
      }
    }
  }
  return undefined;
}

function pickedStop({ state }: Venue, pick: number): StopRecord | undefined {
  const slots = state.markets.flatMap(({ id }) => state.stops.ofMarket(id));
  const slot = slots[pick % Math.max(1, slots.length)];
  return slot === undefined ? undefined : readStop(state, slot);
}

/**
 * Quote units of `lots` at `ticks`, as a budget: cut down to int64 as the gateway does, and odd amounts left as they
 * are.
 */
function worth(scene: Scene, lots: bigint, ticks: bigint): bigint {
  const units = lots * ticks * 10n ** BigInt(scene.scale - 2 * scene.precision);
  return lots < 0n ? lots : units > TOO_LARGE ? TOO_LARGE : units;
}

/** Lists of actions for a scene; mostly orders near one price, with everything else in between. */
export function actionLists(scene: Scene, maxLength: number): fc.Arbitrary<Action[]> {
  return fc.array(actions(scene), { maxLength, size: "max" });
}

function actions(scene: Scene): fc.Arbitrary<Action> {
  const userId = fc.integer({ min: 1, max: USERS });
  const marketId = fc.constantFrom(0, 0, 1);
  const side = fc.constantFrom("buy" as const, "sell" as const);
  const account = fc.constant("spot" as const);
  const odd = fc.constantFrom(OFF_GRID, 0n, TOO_LARGE, scene.maxAmount, scene.maxPrice);
  const price = fc.oneof({ weight: 30, arbitrary: fc.bigInt(...scene.prices) }, { weight: 1, arbitrary: odd });
  const amount = fc.oneof({ weight: 30, arbitrary: fc.bigInt(...scene.amounts) }, { weight: 1, arbitrary: odd });
  const stpMode = fc.constantFrom("none" as const, ...STP_MODES);
  const clientId = fc.constantFrom("", "", "a", "a-second-client-id-of-32-letters");
  const kind = <Kind extends Command["kind"]>(name: Kind) => fc.constant(name);
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const command = (arbitrary: fc.Arbitrary<Command>) =>
    fc.record({ do: fc.constant("command" as const), command: arbitrary });
  const order = {
    do: fc.constant("place" as const),
    userId,
    marketId,
    side,
    hidden: fc.boolean(),
    stpMode,
    clientId,
  };
  const rate = fc.constantFrom("0", "0.00000001", "0.001", "0.3", "0.99999999");
  const level = fc.constantFrom("low", "high");
  const ms = fc.constantFrom(0, 1, 999, 5_000, 61_000);
  const market = fc.constantFrom(...MARKETS);
  // Whatever stops trading must be undone soon, or nothing else is tried.
  const seldom = fc.nat(9).map((digit) => digit === 9);
  return fc.oneof(
    {
      weight: 120,
      arbitrary: fc.record({
        ...order,
        type: fc.constantFrom(...ORDER_TYPES.filter((type) => type !== "market"), "limit" as const, "limit" as const),
        amountIn: fc.constant("base" as const),
        amount,
        price,
      }),
    },
    {
      weight: 12,
      arbitrary: fc.record({
        ...order,
        type: fc.constant("market" as const),
        amountIn: fc.constant("base" as const),
        amount,
        price: fc.constant(0n),
      }),
    },
    {
      weight: 12,
      arbitrary: fc.record({
        ...order,
        type: fc.constant("market" as const),
        amountIn: fc.constant("quote" as const),
        amount: fc.tuple(amount, fc.bigInt(1n, scene.prices[1])).map(([lots, ticks]) => worth(scene, lots, ticks)),
        price: fc.constant(0n),
      }),
    },
    {
      weight: 40,
      arbitrary: fc.record({
        do: fc.constant("modify" as const),
        pick: fc.nat(),
        amount: optional(amount),
        price: optional(price),
      }),
    },
    { weight: 12, arbitrary: fc.record({ do: fc.constant("cancel" as const), pick: fc.nat() }) },
    {
      weight: 25,
      arbitrary: fc.record({
        ...order,
        do: fc.constant("stop" as const),
        type: fc.constantFrom(...ORDER_TYPES.filter((type) => type !== "market"), "limit" as const),
        amountIn: fc.constant("base" as const),
        amount,
        price,
        trigger: price,
      }),
    },
    {
      weight: 10,
      arbitrary: fc
        .tuple(fc.record({ ...order, do: fc.constant("stop" as const), trigger: price }), amount, fc.boolean())
        .map(([stop, lots, inQuote]) => ({
          ...stop,
          type: "market" as const,
          amountIn: inQuote ? ("quote" as const) : ("base" as const),
          amount: inQuote ? worth(scene, lots, scene.prices[1]) : lots,
          price: 0n,
        })),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant("modify_stop" as const),
        pick: fc.nat(),
        amount: optional(amount),
        price: optional(price),
        trigger: optional(price),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("cancel_stop" as const), pick: fc.nat() }) },
    {
      weight: 1,
      arbitrary: command(
        fc.record({ kind: kind("cancel_stop_by_client_id"), userId, marketId: optional(marketId), account, clientId }),
      ),
    },
    {
      weight: 1,
      arbitrary: command(
        fc.record({ kind: kind("cancel_all_orders"), userId, marketId, account, side: optional(side) }),
      ),
    },
    {
      weight: 1,
      arbitrary: command(
        fc.record({ kind: kind("cancel_by_client_id"), userId, marketId: optional(marketId), account, clientId }),
      ),
    },
    { weight: 1, arbitrary: command(fc.record({ kind: kind("cancel_order"), userId, marketId, orderId: fc.nat(50) })) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), ms }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("interruption" as const),
        marketId,
        move: fc.integer({ min: 0, max: 2 }),
      }),
    },
    {
      weight: 2,
      arbitrary: command(
        fc.record({
          kind: kind("deposit"),
          userId,
          ccy: fc.constantFrom(...CURRENCIES),
          amount: fc.constantFrom("0", "1", "1000", "9223372036854775807"),
          note: fc.constant(""),
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: command(
        fc.record({
          kind: kind("adjust_balance"),
          userId,
          cell: fc.constantFrom(undefined, undefined, "sys:fee", "sys:lend_pool"),
          ccy: fc.constantFrom(...CURRENCIES),
          amount: fc.constantFrom("1", "-1", "-1000", "9223372036854775807"),
          note: fc.constantFrom("test", ""),
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: command(
        fc.record({
          kind: kind("change_user"),
          userId,
          tradeBarred: optional(seldom),
          makerFeeRate: optional(fc.option(rate, { nil: null })),
          takerFeeRate: optional(fc.option(rate, { nil: null })),
          feeLevel: optional(fc.option(level, { nil: null })),
          feeDeduction: optional(fc.boolean()),
          byUser: optional(fc.boolean()),
        }),
      ),
    },
    {
      weight: 1,
      arbitrary: command(
        fc.record({
          kind: kind("set_fee_deduction"),
          ccy: optional(fc.option(fc.constantFrom(...CURRENCIES), { nil: null })),
          discountRate: optional(fc.constantFrom("0", "0.2", "0.99999999")),
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: command(fc.record({ kind: kind("set_fee_level"), level, makerFeeRate: rate, takerFeeRate: rate })),
    },
    { weight: 1, arbitrary: command(fc.record({ kind: kind("delete_fee_level"), level })) },
    {
      weight: 2,
      arbitrary: command(
        fc.record({
          kind: kind("change_market"),
          market,
          makerFeeRate: optional(rate),
          takerFeeRate: optional(rate),
          suspended: optional(seldom),
        }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("bound" as const),
        marketId,
        maxAmount: fc.constantFrom(scene.minAmount, scene.amounts[1], scene.maxAmount, scene.maxAmount),
        maxPrice: fc.constantFrom(1n, scene.prices[0], scene.maxPrice, scene.maxPrice),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("delist" as const), marketId, inMs: ms }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("relist" as const),
        marketId,
        inMs: ms,
        auction: optional(fc.tuple(ms, fc.constantFrom(0, 1, 999, 6_000))),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("open" as const), marketId: fc.constant(1), inMs: ms }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("index" as const),
        marketId,
        prices: fc.array(fc.bigInt(...scene.prices), { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("maintain" as const),
        scope: fc.subarray(["SPOT" as const, "FUTURES" as const, "ALL_SITE" as const]),
        inMs: fc.constantFrom(-500, 0, 1, 999, 5_000),
        ms: fc.constantFrom(0, 1, 1, 1_000),
        protection: optional(fc.tuple(fc.constantFrom(-500, 0, 1, 999, 5_000), fc.constantFrom(0, 1, 1, 1_000))),
      }),
    },
    {
      weight: 3,
      arbitrary: command(
        fc.record({ kind: kind("cancel_maintenance"), maintenanceId: fc.integer({ min: 0, max: 3 }) }),
      ),
    },
    {
      weight: 1,
      arbitrary: command(
        fc.record({
          kind: kind("set_cancel_only"),
          cancelOnly: seldom,
          reason: fc.constant(""),
        }),
      ),
    },
  );
}
