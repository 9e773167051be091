/** One thing that the simulation does: a command whose references are found when its turn comes. */
import { type Command, type PlaceOrder, TOO_LARGE } from "../../../src/engine/command.ts";
import { formatDecimal } from "../../../src/engine/money/decimal.ts";
import type { AdjustBalance } from "../../../src/engine/wallet/command-schemas.ts";
import type { Random } from "../random.ts";
import { droppable, noticeOf } from "./chains/reading.ts";
import { funds } from "./margin/account.ts";
import { least } from "./model/numbers.ts";
import type { ModelVenue } from "./model/venue.ts";
import { pickedPayment, spentBy } from "./payments/actions.ts";

/**
 * A command and how much time passes before it. So that commands before it can be dropped, what it names is relative:
 * `pick` stands for one of the orders, or stop orders, that rest then (with their owner and market), ids of markets
 * stand for the market that has, or last had, the name of the one listed under that id, and times count from the moment
 * of the command. With `all` an order is of all that its user has available, and a correction of all fees, or of all
 * that somebody has.
 */
export interface Step {
  readonly waitMs: number;
  readonly command: Command;
  readonly pick?: number;
  /** What of the picked one the command does not take over but has of its own. */
  readonly keeps?: "user" | "market";
  readonly all?: boolean;
  /** The command is the next that the venue is told of its chain. */
  readonly reads?: boolean;
}

/** A step that names one of those that rest then. */
export function picking(random: Random, command: Command): Omit<Step, "waitMs"> {
  const pick = random.whole(0, 9_999);
  return random.chance(6) ? { command, pick, keeps: random.pick(["user", "market"]) } : { command, pick };
}

/** The command that the step is now; where there is nothing to pick it names what does not exist. */
export function commandOf(step: Step, model: ModelVenue, timeMs: number): Command {
  const command = atTime(withMarket(step.command, model), timeMs);
  const { pick } = step;
  if (step.all && command.kind === "adjust_balance") {
    if (pick !== undefined) return spentBy(command, pick, model);
    return { ...command, amount: allFees(command, model) };
  }
  if (step.all && command.kind === "place_order") return { ...command, amount: allOf(command, model) };
  if (pick === undefined) return command;
  if (step.reads) return noticeOf(model, pick);
  switch (command.kind) {
    case "cancel_order":
    case "modify_order": {
      const orders = model.markets.flatMap(({ buys, sells }) => [...buys, ...sells]);
      const order = orders[pick % Math.max(1, orders.length)];
      if (order === undefined) return command;
      return { ...command, orderId: order.orderId, ...placeOf(order, command, step) };
    }
    case "cancel_stop_order":
    case "modify_stop_order": {
      const stop = model.stops[pick % Math.max(1, model.stops.length)];
      if (stop === undefined) return command;
      return { ...command, stopId: stop.stopId, ...placeOf(stop, command, step) };
    }
    case "cancel_maintenance": {
      const window = model.windows[pick % Math.max(1, model.windows.length)];
      return window === undefined ? command : { ...command, maintenanceId: window.id };
    }
    case "reorganise_chain":
      return { ...command, drop: droppable(model, command.depth, pick) };
    default:
      return pickedPayment(command, pick, model);
  }
}

/** Whose and where the command's order is: as the picked one's, or in a part not. */
function placeOf(picked: Place, { userId, marketId }: Place, { keeps }: Step): Place {
  return {
    userId: keeps === "user" ? userId : picked.userId,
    marketId: keeps === "market" ? marketId : picked.marketId,
  };
}

interface Place {
  readonly userId: number;
  readonly marketId: number;
}

/** As much as the user has or can pay at the best price, in what the amount of the order counts. */
function allOf({ userId, marketId, account, side, amountIn, amount }: PlaceOrder, model: ModelVenue): bigint {
  const market = model.markets[marketId];
  if (market === undefined) return amount;
  const { base, quote, lot, lotTick, latest, buys, sells } = market;
  const best = (side === "buy" ? sells : buys)[0]?.price ?? latest;
  const from = { userId, account: account === "margin" ? account : "spot" } as const;
  const has = funds(model, market, from, side === "buy" ? quote : base).available;
  if (side === "buy") return amountIn === "quote" ? has : has / (best * lotTick + 1n);
  return amountIn === "base" ? has / lot : least((has / lot) * best * lotTick, TOO_LARGE);
}

/** All that the venue has left of the fees in a currency. */
function allFees({ ccy, amount }: AdjustBalance, { assets, fees }: ModelVenue): string {
  const asset = assets.find((each) => each.ccy === ccy);
  return asset === undefined ? amount : formatDecimal(fees[asset.id] ?? 0n, asset.scale);
}

function withMarket(command: Command, model: ModelVenue): Command {
  if (!("marketId" in command) || command.marketId === undefined) return command;
  const name = model.markets[command.marketId]?.name;
  const latest = model.markets.findLast((market) => market.name === name);
  return latest === undefined ? command : { ...command, marketId: latest.id };
}

const TIMES = [
  "biddingAt",
  "noCancelAt",
  "onlineAt",
  "delistedAt",
  "startedAt",
  "endedAt",
  "protectDurationStart",
  "protectDurationEnd",
];

/** 0 stands for no time and stays. */
function atTime(command: Command, timeMs: number): Command {
  const fields = command as unknown as Record<string, unknown>;
  const named = TIMES.filter((name) => typeof fields[name] === "number" && fields[name] !== 0);
  if (named.length === 0) return command;
  const moved = Object.fromEntries(named.map((name) => [name, timeMs + (fields[name] as number)]));
  return { ...command, ...moved } as Command;
}
