/** One thing that the simulation of futures does: a command whose references are found when its turn comes. */
import type { Command, PositionSide } from "../../../src/engine/command.ts";
import { positionsIn } from "../../../src/engine/futures/positions/account-sums.ts";
import { isHedge } from "../../../src/engine/futures/positions/futures-seat.ts";
import type { Market } from "../../../src/engine/listing/market.ts";
import { formatDecimal } from "../../../src/engine/money/decimal.ts";
import type { State } from "../../../src/engine/state.ts";
import { readStop } from "../../../src/engine/stops/emit-stop.ts";
import { readOrder } from "../../../src/engine/trading/emit.ts";
import { NONE } from "../../../src/engine/trading/order.ts";
import { transferable } from "../../../src/engine/wallet/transfer.ts";
import { FUTURES, SPOT } from "./settings.ts";

/**
 * A command and how much time passes before it. What it names is relative: `pick` stands for one of the orders, stop
 * orders or positions there are then; market ids for the place in the list of names; with `near` prices count from the
 * index; `side` is left out in one-way mode; with `all` a transfer is of everything; times count from the moment of the
 * command.
 */
export interface FuturesStep {
  readonly waitMs: number;
  readonly command: Command;
  readonly pick?: number;
  readonly near?: boolean;
  readonly side?: PositionSide;
  readonly all?: boolean;
  /** Passes besides, whatever the seed waits for. */
  readonly passMs?: number;
}

/** Fields that steps bend. */
type Loose = { -readonly [Name in string]: unknown } & {
  kind: string;
  userId?: number;
  marketId?: number;
  price?: bigint;
  trigger?: bigint;
};

/** The command that the step is now. */
export function commandNow(step: FuturesStep, state: State, timeMs: number): Command {
  const command = { ...step.command } as unknown as Loose;
  if (step.pick !== undefined) pick(command, step.pick, state);
  else if (command.marketId !== undefined) command.marketId = marketAt(state, command.marketId)?.id ?? 99;
  if (step.near) bringNear(command, state);
  if (step.side !== undefined && command.userId !== undefined && state.users.has(command.userId)) {
    if (isHedge(state, command.userId)) command.positionSide ??= step.side;
    else delete command.positionSide;
  }
  if (command.quotes !== undefined) command.quotes = quotesNow(command.quotes as readonly Texts[], state);
  const legs = command.legs as readonly Texts[] | undefined;
  if (legs !== undefined) {
    const { positionSide } = command;
    const market = state.markets[command.marketId ?? 0];
    command.legs = legs.map((leg) => ({ ...(market && inDecimals(leg, market)), positionSide }));
    delete command.positionSide;
  }
  if (step.all) command.amount = everything(command, state) ?? command.amount;
  for (const name of TIMES) {
    const at = command[name];
    if (typeof at === "number" && at !== 0) command[name] = timeMs + at;
  }
  return command as unknown as Command;
}

/** Fields of a JSON command that count ticks from the index, ticks, and lots. */
type Texts = Readonly<Record<string, unknown>>;
const NEAR_FIELDS = new Set(["price", "trigger", "activation", "bidPrice", "askPrice"]);
const TICK_FIELDS = new Set(["trail"]);
const LOT_FIELDS = new Set(["amount", "display", "delta", "bidAmount", "askAmount"]);

/** As decimals of the market what a step counts in ticks and lots. */
function inDecimals(fields: Texts, { index, futures, pricePrecision, amountPrecision }: Market): Texts {
  const tick = futures?.tickSize ?? 1n;
  const decimal = (units: bigint, places: number) => (units < 0n ? "-1" : formatDecimal(units, places));
  const shown = Object.entries(fields).map(([name, value]) => {
    if (typeof value !== "string") return [name, value];
    if (NEAR_FIELDS.has(name)) return [name, decimal(((index.price + BigInt(value)) / tick) * tick, pricePrecision)];
    if (TICK_FIELDS.has(name)) return [name, decimal(BigInt(value) * tick, pricePrecision)];
    return [name, LOT_FIELDS.has(name) ? decimal(BigInt(value), amountPrecision) : value];
  });
  return Object.fromEntries(shown);
}

function quotesNow(quotes: readonly Texts[], state: State): Texts[] {
  return quotes.flatMap((quote) => {
    const market = marketAt(state, quote.marketId as number);
    return market === undefined ? [] : [{ ...inDecimals(quote, market), marketId: market.id }];
  });
}

const TIMES = ["delistedAt", "startedAt", "endedAt", "protectDurationStart", "protectDurationEnd"];

/** The spot market at place 0, then the futures markets; where one has left the list, its last one. */
function marketAt(state: State, place: number): Market | undefined {
  const name = place === 0 ? SPOT : FUTURES[place - 1];
  return state.markets.findLast((market) => market.name === name && (market.futures === undefined) === (place === 0));
}

function pick(command: Loose, number: number, state: State): void {
  if (command.kind === "cancel_maintenance") {
    command.maintenanceId = state.maintenance[0]?.maintenanceId ?? 0;
    return;
  }
  const found = command.kind.includes("stop")
    ? pickedOf(
        state.markets.flatMap(({ id }) => state.stops.ofMarket(id)),
        number,
      )
    : undefined;
  if (command.kind.includes("stop")) {
    if (found === undefined) return;
    const { stopId, userId, marketId } = readStop(state, found);
    Object.assign(command, { stopId, userId, marketId });
  } else if (command.kind.includes("order")) {
    const slot = pickedOf([...allResting(state)], number);
    if (slot === undefined) return;
    const { orderId, userId, marketId } = readOrder(state, slot);
    Object.assign(command, { orderId, userId, marketId });
  } else {
    const { positions } = state.futures;
    const open = state.markets.flatMap((market) => (market.futures ? [...positionsIn(state, market.id)] : []));
    const slot = pickedOf(open, number);
    if (slot === undefined) return;
    const userId = positions.userId(slot);
    const positionSide = positions.isShort(slot) ? "short" : "long";
    Object.assign(command, { userId, marketId: positions.marketId(slot), positionSide });
    const exitId = pickedOf(state.futures.exits.ofPosition(slot), number);
    // What names no exit means all of them.
    if (command.exitId !== undefined && exitId !== undefined) command.exitId = state.futures.exits.exitId(exitId);
    if (!isHedge(state, userId)) delete command.positionSide;
  }
}

function pickedOf<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)];
}

/** Slots of all orders that rest on a side of a market, in priority. */
export function* restingOrders({ books }: State, marketId: number, side: number): Generator<number> {
  const book = books[marketId];
  if (book === undefined) return;
  for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) yield slot;
}

/** Slots of all orders that rest. */
export function* allResting(state: State): Generator<number> {
  for (const { id } of state.markets) for (const side of [0, 1]) yield* restingOrders(state, id, side);
}

function bringNear(command: Loose, state: State): void {
  const market = state.markets[command.marketId ?? 0];
  if (market === undefined) return;
  const futures = market.futures === undefined ? state.futuresByName.get(market.name) : market;
  const index = futures?.index.price ?? 0n;
  const tick = market.futures?.tickSize ?? 1n;
  const near = (away: bigint) => ((index + away) / tick) * tick;
  if (command.price !== undefined) command.price = command.type === "market" ? 0n : near(command.price);
  if (command.trigger !== undefined) command.trigger = near(command.trigger);
  if (command.kind === "set_protection") Object.assign(command, inDecimals(command, market));
  if (!command.kind.includes("exit")) return;
  // Exits come in decimals.
  const decimal = (units: unknown, places: number) =>
    typeof units !== "bigint" ? undefined : units < 0n ? "-1" : formatDecimal(units, places);
  Object.assign(command, {
    price: decimal(command.price, market.pricePrecision),
    amount: decimal(command.amount, market.amountPrecision),
  });
}

/** All that can be transferred. */
function everything(command: Loose, state: State): string | undefined {
  const asset = state.assetByCcy.get(command.ccy as string);
  if (asset === undefined || command.userId === undefined) return undefined;
  const cell = state.ledger.findSpotCell(command.userId, asset.id);
  const spot = cell < 0 ? 0n : state.ledger.available(cell);
  const free = command.from === "SPOT" ? spot : transferable(state, command.userId, asset);
  return free > 0n ? formatDecimal(free, asset.scale) : undefined;
}
