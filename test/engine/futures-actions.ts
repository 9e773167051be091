import fc from "fast-check";
import {
  type Command,
  OFF_GRID,
  ORDER_TYPES,
  STP_MODES,
  TRIGGER_TYPES,
  type TriggerType,
} from "../../src/engine/command.ts";
import type { OrderRecord } from "../../src/engine/event.ts";
import { EXIT_KINDS, type ExitKind } from "../../src/engine/futures/exits/exit.ts";
import { type ExitRecord, readExit } from "../../src/engine/futures/exits/exit-event.ts";
import { positionsIn } from "../../src/engine/futures/positions/account-sums.ts";
import { isHedge } from "../../src/engine/futures/positions/futures-seat.ts";
import type { ListMarket } from "../../src/engine/listing/command-schemas.ts";
import type { Market } from "../../src/engine/listing/market.ts";
import { formatDecimal } from "../../src/engine/money/decimal.ts";
import type { BookMaker } from "../../src/engine/state.ts";
import { readStop } from "../../src/engine/stops/emit-stop.ts";
import type { StopRecord } from "../../src/engine/stops/stop-event.ts";
import { readOrder } from "../../src/engine/trading/emit.ts";
import { NONE } from "../../src/engine/trading/order.ts";
import { Venue } from "../support/venue.ts";

/** Something to do to a venue of futures: a plain record that fast-check can shrink; see actions.ts. */
export type FuturesAction =
  | {
      readonly do: "place";
      readonly userId: number;
      readonly at: number;
      readonly side: "buy" | "sell";
      readonly type: (typeof ORDER_TYPES)[number];
      readonly lots: bigint;
      readonly ticks: bigint;
      readonly hidden: boolean;
      readonly stpMode: (typeof STP_MODES)[number];
      readonly isShort: boolean;
    }
  | {
      readonly do: "close";
      readonly userId: number;
      readonly at: number;
      readonly type: (typeof ORDER_TYPES)[number];
      readonly lots: bigint | undefined;
      readonly ticks: bigint;
      readonly isShort: boolean;
    }
  | {
      readonly do: "modify";
      readonly pick: number;
      readonly lots: bigint | undefined;
      readonly ticks: bigint | undefined;
    }
  | { readonly do: "cancel"; readonly pick: number }
  | {
      readonly do: "stop";
      readonly userId: number;
      readonly at: number;
      readonly side: "buy" | "sell";
      readonly type: (typeof ORDER_TYPES)[number];
      readonly lots: bigint;
      readonly ticks: bigint;
      readonly trigger: bigint;
      readonly triggerType: TriggerType;
      readonly isShort: boolean;
    }
  | {
      readonly do: "conditional";
      readonly userId: number;
      readonly at: number;
      readonly side: "buy" | "sell";
      readonly shape: "single" | "oco" | "bracket";
      readonly lots: bigint;
      readonly ticks: bigint;
      readonly trigger: bigint;
      readonly trail: bigint;
      readonly triggerType: TriggerType;
      readonly reduces: boolean;
      readonly isShort: boolean;
    }
  | { readonly do: "cancel group"; readonly userId: number; readonly pick: number }
  | { readonly do: "modify stop"; readonly pick: number; readonly trigger: bigint }
  | { readonly do: "cancel stop"; readonly pick: number }
  | ({ readonly do: "exit"; readonly exit: ExitKind; readonly lots: bigint | undefined } & ExitTrigger)
  | ({ readonly do: "modify exit"; readonly lots: bigint | undefined } & ExitTrigger)
  | { readonly do: "cancel exits"; readonly pick: number; readonly all: boolean }
  | { readonly do: "index"; readonly at: number; readonly ticks: bigint }
  | {
      readonly do: "leverage";
      readonly userId: number;
      readonly at: number;
      readonly leverage: number;
      readonly isolated: boolean;
    }
  | {
      readonly do: "margin";
      readonly userId: number;
      readonly at: number;
      readonly units: bigint;
      readonly isShort: boolean;
    }
  | {
      readonly do: "transfer";
      readonly userId: number;
      readonly ccy: string;
      readonly units: bigint;
      readonly out: boolean;
    }
  | { readonly do: "mode"; readonly userId: number; readonly hedge: boolean }
  | { readonly do: "fund"; readonly units: bigint }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "delist"; readonly at: number }
  | { readonly do: "settle switch"; readonly userId: number; readonly on: boolean };

interface ExitTrigger {
  readonly pick: number;
  /** Ticks above the index at which it takes profit; it stops a loss as many below. */
  readonly ticks: bigint;
  readonly byMark: boolean;
}

export const FUTURES_USERS = 4;
/** Stands for a price off the grid among prices counted from the index. */
const NOT_ON_GRID = -1_000n;
const SCALE = 6;
/** Users can afford some dozen lots, and run out of money now and then. */
const FUNDS = 400_000n;
/**
 * Linear: two decimals each; inverse: whole contracts at one decimal. All trade around 300 ticks; two settle in one
 * asset.
 */
const MARKETS: readonly ListMarket[] = (["linear", "inverse", "linear"] as const).map((contractType, at) => ({
  kind: "list_market",
  market: ["AAAUSD", "AAAUSDINV", "AAAUSDTOO"][at] as string,
  marketType: "FUTURES",
  contractType,
  baseCcy: "AAA",
  quoteCcy: "USD",
  amountPrecision: contractType === "linear" ? 2 : 0,
  pricePrecision: contractType === "linear" ? 2 : 1,
  minAmount: contractType === "linear" ? "0.02" : "2",
  maxPrice: contractType === "linear" ? "1000" : "2000",
  makerFeeRate: "0.001",
  takerFeeRate: "0.002",
  tickSize: contractType === "linear" ? "0.01" : "0.1",
  leverages: [1, 3, 10, 50],
  levels: [20, 200, 2000].map((lots, level) => ({
    amount: contractType === "linear" ? formatDecimal(BigInt(lots), 2) : String(lots),
    leverage: [50, 10, 3][level] as number,
    maintenanceMarginRate: ["0.005", "0.02", "0.1"][level] as string,
    minInitialMarginRate: ["0.02", "0.1", "0.3"][level] as string,
  })),
}));

export function futuresVenue(makeBook?: BookMaker): Venue {
  const venue = new Venue(makeBook);
  for (const ccy of ["AAA", "USD"]) venue.listAsset(ccy, SCALE);
  for (const market of MARKETS) venue.accept(market);
  for (const at of MARKETS.keys()) venue.accept(indexOf(venue, at, 300n));
  for (let user = 1; user <= FUTURES_USERS; user++) {
    venue.addUser(`user ${user}`);
    for (const ccy of ["AAA", "USD"]) {
      const amount = formatDecimal(FUNDS, SCALE);
      venue.deposit(user, ccy, amount);
      venue.accept({ kind: "transfer", userId: user, from: "SPOT", to: "FUTURES", ccy, amount });
    }
  }
  return venue;
}

/** Does an action; what cannot be done, such as a cancel where nothing rests, is left. */
export function doFuturesAction(venue: Venue, action: FuturesAction): void {
  const command = commandOf(venue, action);
  if (command !== undefined) venue.execute(command);
}

function marketAt(venue: Venue, at: number): Market {
  return venue.state.markets[at] as Market;
}

function indexOf(venue: Venue, at: number, ticks: bigint): Command {
  const { name, pricePrecision } = marketAt(venue, at);
  const sources = [{ exchange: "one", price: formatDecimal(ticks, pricePrecision) }];
  return { kind: "set_index_prices", market: name, marketType: "FUTURES", sources };
}

/** A price so many ticks above the index, so that trading follows it wherever it jumps. */
function near(venue: Venue, at: number, ticks: bigint): bigint {
  return ticks === NOT_ON_GRID ? OFF_GRID : marketAt(venue, at).index.price + ticks;
}

/** The position side that an order must name, by its user's mode. */
function sideOf(venue: Venue, userId: number, isShort: boolean) {
  return isHedge(venue.state, userId) ? ({ positionSide: isShort ? "short" : "long" } as const) : {};
}

function commandOf(venue: Venue, action: FuturesAction): Command | undefined {
  switch (action.do) {
    case "place": {
      const { userId, side, type, hidden, stpMode } = action;
      const marketId = marketAt(venue, action.at).id;
      const rest = { amount: action.lots, price: near(venue, action.at, action.ticks), hidden, stpMode, clientId: "" };
      const named = sideOf(venue, userId, action.isShort);
      return {
        kind: "place_order",
        userId,
        marketId,
        account: "futures",
        side,
        type,
        amountIn: "base",
        ...rest,
        ...named,
      };
    }
    case "close": {
      const { userId, type, lots, ticks } = action;
      const rest = { hidden: false, stpMode: "none", clientId: "", price: near(venue, action.at, ticks) } as const;
      const named = { ...sideOf(venue, userId, action.isShort), ...(lots === undefined ? {} : { amount: lots }) };
      return { kind: "close_position", userId, marketId: marketAt(venue, action.at).id, type, ...rest, ...named };
    }
    case "modify": {
      const order = pickedOrder(venue, action.pick);
      if (order === undefined) return undefined;
      const { orderId, userId, marketId } = order;
      const price = action.ticks === undefined ? undefined : near(venue, marketId, action.ticks);
      return { kind: "modify_order", orderId, userId, marketId, amount: action.lots, price };
    }
    case "cancel": {
      const order = pickedOrder(venue, action.pick);
      if (order === undefined) return undefined;
      return { kind: "cancel_order", orderId: order.orderId, userId: order.userId, marketId: order.marketId };
    }
    case "stop": {
      const { userId, side, type, lots: amount, triggerType } = action;
      const marketId = marketAt(venue, action.at).id;
      const rest = {
        amount,
        price: near(venue, action.at, action.ticks),
        hidden: false,
        stpMode: "none",
        clientId: "",
      } as const;
      const named = { userId, marketId, ...sideOf(venue, userId, action.isShort) };
      const order = { account: "futures", side, type, amountIn: "base", ...rest, ...named } as const;
      return { kind: "place_stop_order", ...order, trigger: near(venue, action.at, action.trigger), triggerType };
    }
    case "conditional":
      return conditional(venue, action);
    case "cancel group":
      return { kind: "cancel_group", userId: action.userId, groupId: action.pick };
    case "modify stop": {
      const stop = pickedStop(venue, action.pick);
      if (stop === undefined) return undefined;
      const { stopId, userId, marketId } = stop;
      return { kind: "modify_stop_order", stopId, userId, marketId, trigger: near(venue, marketId, action.trigger) };
    }
    case "cancel stop": {
      const stop = pickedStop(venue, action.pick);
      if (stop === undefined) return undefined;
      return { kind: "cancel_stop_order", stopId: stop.stopId, userId: stop.userId, marketId: stop.marketId };
    }
    case "exit": {
      const position = pickedPosition(venue, action.pick);
      if (position === undefined) return undefined;
      const { lots, exit } = action;
      return {
        kind: "set_exit",
        exit,
        ...position.named,
        ...exitTrigger(venue, action, exit, position),
        ...amountOf(venue, position, lots),
      };
    }
    case "modify exit": {
      const found = pickedExit(venue, action.pick);
      if (found === undefined) return undefined;
      const { exit, exitId } = found;
      const trigger = exitTrigger(venue, action, exit, found);
      const amount = amountOf(venue, found, action.lots);
      return { kind: "modify_exit", exit, exitId, ...namedBy(venue, found), ...trigger, ...amount };
    }
    case "cancel exits": {
      const found = pickedExit(venue, action.pick);
      if (found === undefined) return undefined;
      const { exit, exitId } = found;
      return { kind: "cancel_exits", exit, ...namedBy(venue, found), ...(action.all ? {} : { exitId }) };
    }
    case "index":
      return indexOf(venue, action.at, action.ticks);
    case "leverage": {
      const marginMode = action.isolated ? "isolated" : "cross";
      const { userId, leverage } = action;
      return { kind: "set_leverage", userId, marketId: marketAt(venue, action.at).id, marginMode, leverage };
    }
    case "margin": {
      const { positionSide } = { positionSide: undefined, ...sideOf(venue, action.userId, action.isShort) };
      const amount = formatDecimal(action.units, SCALE);
      return {
        kind: "adjust_margin",
        userId: action.userId,
        marketId: marketAt(venue, action.at).id,
        positionSide,
        amount,
      };
    }
    case "transfer": {
      const [from, to] = action.out ? ["FUTURES", "SPOT"] : ["SPOT", "FUTURES"];
      const amount = formatDecimal(action.units, SCALE);
      return {
        kind: "transfer",
        userId: action.userId,
        from: from as string,
        to: to as string,
        ccy: action.ccy,
        amount,
      };
    }
    case "mode":
      return {
        kind: "change_futures_settings",
        userId: action.userId,
        positionMode: action.hedge ? "hedge" : "one_way",
      };
    case "wait":
      venue.timeMs += action.ms;
      return { kind: "tick" };
    case "delist": {
      const { name } = marketAt(venue, action.at);
      return { kind: "change_market", market: name, marketType: "FUTURES", delistedAt: venue.timeMs + 1_000 };
    }
    case "settle switch":
      return { kind: "change_futures_settings", userId: action.userId, settleSwitch: action.on };
    case "fund":
      return {
        kind: "deposit",
        cell: "sys:ins_futures",
        ccy: "USD",
        amount: formatDecimal(action.units, SCALE),
        note: "",
      };
  }
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

interface Holding {
  readonly userId: number;
  readonly marketId: number;
  readonly isShort: boolean;
}

function namedBy(venue: Venue, { userId, marketId, isShort }: Holding) {
  return { userId, marketId, ...sideOf(venue, userId, isShort) };
}

function pickedPosition(venue: Venue, pick: number) {
  const { state } = venue;
  const { positions } = state.futures;
  const slots = state.markets.flatMap(({ id }) => [...positionsIn(state, id)]);
  const slot = slots[pick % Math.max(1, slots.length)];
  if (slot === undefined) return undefined;
  const [userId, marketId, isShort] = [positions.userId(slot), positions.marketId(slot), positions.isShort(slot)];
  return { userId, marketId, isShort, named: namedBy(venue, { userId, marketId, isShort }) };
}

function pickedExit({ state }: Venue, pick: number): ExitRecord | undefined {
  const slots = state.markets.flatMap(({ id }) => state.futures.exits.ofMarket(id));
  const slot = slots[pick % Math.max(1, slots.length)];
  return slot === undefined ? undefined : readExit(state, slot);
}

function exitTrigger({ state }: Venue, { ticks, byMark }: ExitTrigger, exit: ExitKind, { marketId, isShort }: Holding) {
  const { index, pricePrecision } = state.markets[marketId] as Market;
  const above = (exit === "take_profit") !== isShort ? ticks : -ticks;
  const price = ticks === NOT_ON_GRID ? "x" : formatDecimal(index.price + above, pricePrecision);
  return { price, triggerType: byMark ? "mark_price" : "latest_price" };
}

function amountOf({ state }: Venue, { marketId }: Holding, lots: bigint | undefined) {
  const { amountPrecision } = state.markets[marketId] as Market;
  return lots === undefined ? {} : { amount: formatDecimal(lots, amountPrecision) };
}

function conditional(venue: Venue, action: Extract<FuturesAction, { do: "conditional" }>): Command {
  const { userId, side, shape, triggerType, reduces } = action;
  const { id: marketId, pricePrecision, amountPrecision } = marketAt(venue, action.at);
  const text = (units: bigint, scale: number) => (units < 0n ? "x" : formatDecimal(units, scale));
  const { positionSide } = sideOf(venue, userId, action.isShort) as { positionSide?: "long" | "short" };
  const amount = text(action.lots, amountPrecision);
  const other = side === "buy" ? ("sell" as const) : ("buy" as const);
  const leg = { side, type: "market", amount, positionSide, stpMode: "cm" };
  const stop = { trigger: text(near(venue, action.at, action.trigger), pricePrecision), triggerType };
  const trail = { trail: text(action.trail, pricePrecision), triggerType };
  const limit = { ...leg, type: "limit", price: text(near(venue, action.at, action.ticks), pricePrecision) };
  const beyond = text(near(venue, action.at, side === "buy" ? action.trail + 8n : -action.trail - 8n), pricePrecision);
  const legs =
    shape === "single"
      ? [{ ...leg, ...trail, reduces }]
      : shape === "oco"
        ? [limit, { ...leg, ...(reduces ? stop : trail), reduces }]
        : [limit, { ...leg, side: other, trigger: beyond, reduces: true }, { ...leg, side: other, ...trail, reduces }];
  return { kind: "place_conditional", userId, marketId, account: "futures", shape, legs };
}

function pickedStop({ state }: Venue, pick: number): StopRecord | undefined {
  const slots = state.markets.flatMap(({ id }) => state.stops.ofMarket(id));
  const slot = slots[pick % Math.max(1, slots.length)];
  return slot === undefined ? undefined : readStop(state, slot);
}

/** Lists of actions; mostly orders near one price, with everything else in between. */
export function futuresActionLists(maxLength: number): fc.Arbitrary<FuturesAction[]> {
  const userId = fc.integer({ min: 1, max: FUTURES_USERS });
  const at = fc.constantFrom(0, 0, 1, 2);
  const ticks = fc.oneof(
    { weight: 30, arbitrary: fc.bigInt(-8n, 8n) },
    { weight: 1, arbitrary: fc.constantFrom(NOT_ON_GRID, -500n) },
  );
  const lots = fc.oneof(
    { weight: 30, arbitrary: fc.bigInt(1n, 60n) },
    { weight: 1, arbitrary: fc.bigInt(500n, 3000n) },
  );
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const type = fc.constantFrom(...ORDER_TYPES, "limit" as const, "limit" as const, "limit" as const);
  const is = <Name extends string>(name: Name) => fc.constant(name);
  const action = fc.oneof(
    {
      weight: 60,
      arbitrary: fc.record({
        do: is("place"),
        userId,
        at,
        side: fc.constantFrom("buy" as const, "sell" as const),
        type,
        lots,
        ticks,
        hidden: fc.boolean(),
        stpMode: fc.constantFrom("none" as const, ...STP_MODES),
        isShort: fc.boolean(),
      }),
    },
    {
      weight: 15,
      arbitrary: fc.record({ do: is("close"), userId, at, type, lots: optional(lots), ticks, isShort: fc.boolean() }),
    },
    {
      weight: 15,
      arbitrary: fc.record({ do: is("modify"), pick: fc.nat(), lots: optional(lots), ticks: optional(ticks) }),
    },
    { weight: 5, arbitrary: fc.record({ do: is("cancel"), pick: fc.nat() }) },
    {
      weight: 10,
      arbitrary: fc.record({
        do: is("stop"),
        userId,
        at,
        side: fc.constantFrom("buy" as const, "sell" as const),
        type,
        lots,
        ticks,
        trigger: ticks,
        triggerType: fc.constantFrom(...TRIGGER_TYPES),
        isShort: fc.boolean(),
      }),
    },
    {
      weight: 10,
      arbitrary: fc.record({
        do: is("conditional"),
        userId,
        at,
        side: fc.constantFrom("buy" as const, "sell" as const),
        shape: fc.constantFrom("single" as const, "oco" as const, "bracket" as const),
        lots,
        ticks,
        trigger: ticks,
        trail: fc.bigInt(1n, 10n),
        triggerType: fc.constantFrom(...TRIGGER_TYPES),
        reduces: fc.boolean(),
        isShort: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: is("cancel group"), userId, pick: fc.integer({ min: 1, max: 20 }) }) },
    { weight: 2, arbitrary: fc.record({ do: is("modify stop"), pick: fc.nat(), trigger: ticks }) },
    { weight: 1, arbitrary: fc.record({ do: is("cancel stop"), pick: fc.nat() }) },
    {
      weight: 16,
      arbitrary: fc.record({
        do: is("exit"),
        pick: fc.nat(),
        exit: fc.constantFrom(...EXIT_KINDS),
        lots: optional(lots),
        ticks,
        byMark: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: is("modify exit"),
        pick: fc.nat(),
        lots: optional(lots),
        ticks,
        byMark: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: is("cancel exits"), pick: fc.nat(), all: fc.boolean() }) },
    {
      // Mostly small steps, but also such as empty accounts, and the insurance fund with them.
      weight: 14,
      arbitrary: fc.record({
        do: is("index"),
        at,
        ticks: fc.oneof(fc.bigInt(280n, 320n), fc.bigInt(230n, 370n), fc.bigInt(120n, 600n)),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        do: is("leverage"),
        userId,
        at,
        leverage: fc.constantFrom(1, 3, 10, 50, 7),
        isolated: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: is("margin"),
        userId,
        at,
        units: fc.bigInt(-60_000n, 60_000n),
        isShort: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: is("transfer"),
        userId,
        ccy: fc.constantFrom("AAA", "USD"),
        units: fc.bigInt(1n, 400_000n),
        out: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: is("mode"), userId, hedge: fc.boolean() }) },
    // Rarely, for nothing is traded there afterwards.
    { weight: 1, arbitrary: fc.record({ do: is("delist"), at }) },
    { weight: 1, arbitrary: fc.record({ do: is("settle switch"), userId, on: fc.boolean() }) },
    // Seconds, minutes, and what lies in between two fundings.
    {
      weight: 8,
      arbitrary: fc.record({
        do: is("wait"),
        ms: fc.constantFrom(1_000, 2_000, 20_000, 60_000, 3_600_000, 28_800_000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: is("fund"), units: fc.bigInt(1n, 100_000n) }) },
  );
  // Modes and leverages are settled first, or hardly anybody ever could change them.
  const modes = fc.array(
    fc.oneof(
      fc.record({ do: is("mode"), userId, hedge: fc.constant(true) }),
      fc.record({ do: is("leverage"), userId, at, leverage: fc.constantFrom(10, 50), isolated: fc.boolean() }),
    ),
    { maxLength: 6 },
  );
  return fc
    .tuple(modes, fc.array(action, { maxLength, size: "max" }))
    .map(([first, rest]) => [...first, ...rest] as FuturesAction[]);
}
