import { FLAG, type Side } from "../../engine/command.ts";
import type { Market } from "../../engine/listing/market.ts";
import { parseDecimal } from "../../engine/money/decimal.ts";
import { divCeil, divFloor } from "../../engine/money/rounding.ts";
import type { State } from "../../engine/state.ts";
import { NONE } from "../../engine/trading/order.ts";
import type { LadderShape } from "./dev-markets.ts";
import { FINE } from "./price-walk.ts";

const ONE_E8 = 100_000_000n;

/** One place of a ladder, the same on both sides. */
export interface Rung {
  /** Distance from the market's worth, 10^-8 of the price. */
  readonly offsetE8: bigint;
  /** Typical amount, lots. */
  readonly lots: bigint;
}

/** The rungs of a ladder from the inside out; undefined when its amounts do not fit the market's grid. */
export function rungsOf(shape: LadderShape, market: Market): Rung[] | undefined {
  let lots = parseDecimal(shape.innerAmount, market.amountPrecision);
  if (lots === undefined) return undefined;
  let offsetE8 = BigInt(shape.innerOffsetE8);
  const rungs: Rung[] = [];
  for (let index = 0; index < shape.rungs; index++) {
    rungs.push({ offsetE8, lots });
    offsetE8 = (offsetE8 * BigInt(shape.offsetGrowthPercent)) / 100n;
    lots = (lots * BigInt(shape.amountGrowthPercent)) / 100n;
  }
  return rungs;
}

/** Ticks at a distance from `worth` (millionths of a tick), rounded away from it, within what the market takes. */
export function priceAt(market: Market, worth: bigint, side: Side, offsetE8: bigint): bigint {
  const exact = side === "sell" ? worth * (ONE_E8 + offsetE8) : worth * (ONE_E8 - offsetE8);
  const ticks = side === "sell" ? divCeil(exact, ONE_E8 * FINE) : divFloor(exact, ONE_E8 * FINE);
  return ticks < 1n ? 1n : ticks > market.maxPrice ? market.maxPrice : ticks;
}

/** The mark that an order carries as its client id, so that a maker knows its orders again after a restart. */
export function rungName(side: Side, rung: number): string {
  return `${side}-${String(rung).padStart(2, "0")}`;
}

/**
 * The orders that a maker has in the book: the slot of each rung of a side, or NONE, and the orders that stand on no
 * rung.
 */
export interface OwnOrders {
  readonly buy: Int32Array;
  readonly sell: Int32Array;
  /** Order ids. */
  readonly strays: readonly number[];
}

/** Finds the orders of a user in a market, by the marks they carry. A second order on one rung is a stray. */
export function ownOrdersOf(state: State, userId: number, marketId: number, rungs: number): OwnOrders {
  const { orders, seats } = state;
  const buy = new Int32Array(rungs).fill(NONE);
  const sell = new Int32Array(rungs).fill(NONE);
  const strays: number[] = [];
  const seat = seats.find(userId, marketId, 0);
  for (let slot = seat === NONE ? NONE : seats.head(seat); slot !== NONE; slot = orders.seatNext(slot)) {
    const side = (orders.flags(slot) & FLAG.sell) === 0 ? "buy" : "sell";
    const places = side === "buy" ? buy : sell;
    const rung = rungNamed(side, orders.clientId.get(slot));
    if (rung === undefined || places[rung] !== NONE) strays.push(orders.orderId(slot));
    else places[rung] = slot;
  }
  return { buy, sell, strays };
}

/** The number in a mark of this side; undefined when it is none. May lie beyond the ladder. */
function rungNamed(side: Side, clientId: string | undefined): number | undefined {
  const found = /^(buy|sell)-(\d{2})$/.exec(clientId ?? "");
  return found?.[1] === side ? Number(found[2]) : undefined;
}
