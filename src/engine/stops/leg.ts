/** Orders of a command that places several, as the engine's numbers. Source: domain 2.20. */
import {
  type Account,
  AIMS,
  FLAG,
  OFF_GRID,
  ORDER_TYPES,
  orderFlags,
  POSITION_SIDES,
  REFERENCE,
  SIDES,
  STP_MODES,
  TRIGGER_TYPES,
} from "../command.ts";
import type { Market } from "../listing/market.ts";
import { parseDecimal } from "../money/decimal.ts";
import { onGrid } from "../money/on-grid.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { referencePrice } from "../trading/reference-price.ts";
import type { Leg } from "./command-schemas.ts";
import { TRAIL_RATE_MAX_E8, TRAIL_RATE_MIN_E8 } from "./condition.ts";
import { stopFlagsOf } from "./stop-commands.ts";

/** Longest client id, as the flags of records have room for. */
const CLIENT_ID_CHARS_MAX = 32;
const RATE_SCALE = 8;
/** Types that rest when they do not trade at once. */
const RESTING: ReadonlySet<string> = new Set(["limit", "maker_only"]);

/** An order of several, checked for what can be meant at all; lots and ticks. */
export interface ReadLeg {
  readonly isStop: boolean;
  readonly isTrail: boolean;
  readonly canRest: boolean;
  readonly flags: number;
  readonly price: bigint;
  readonly amount: bigint;
  /** As much as is displayed of it at a time; 0: all of it. */
  readonly display: bigint;
  /** Of a trail its activation price; 0: none. */
  readonly trigger: bigint;
  readonly trail: number;
  readonly trailRateE8: number;
  readonly clientId: string;
}

/** Returns an order of a command as numbers, or the end of a sentence that says what is wrong with it. */
export function readLeg(state: State, market: Market, account: Account, leg: Leg): ReadLeg | string {
  const { side, type, stpMode = "none", positionSide, triggerType = "latest_price", clientId = "" } = leg;
  if (!isOne(SIDES, side)) return "side is not one that there is";
  if (!isOne(ORDER_TYPES, type)) return "type is not one that there is";
  if (!isOne(STP_MODES, stpMode)) return "stp_mode is not one that there is";
  if (positionSide !== undefined && !isOne(POSITION_SIDES, positionSide))
    return "position_side is not one that there is";
  if (!isOne(TRIGGER_TYPES, triggerType)) return "trigger_price_type is not one that there is";
  if (clientId.length > CLIENT_ID_CHARS_MAX || !/^[\x20-\x7e]*$/.test(clientId)) return "client_id is too long";
  const isFutures = market.futures !== undefined;
  const reference = REFERENCE[triggerType];
  if (!isFutures && reference === REFERENCE.mark_price) return "a spot market has no mark price";
  if (leg.reduces === true && positionSide !== undefined && (side === "buy") !== (positionSide === "short")) {
    return "a reduce-only order of a long position sells, and one of a short position buys";
  }
  if (leg.reduces === true && !isFutures) return "only orders of futures can be reduce-only";

  const trail = leg.trail === undefined ? 0n : ticksOf(leg.trail, market);
  const trailRate = leg.trailRate === undefined ? 0n : (parseDecimal(leg.trailRate, RATE_SCALE) ?? OFF_GRID);
  const isTrail = leg.trail !== undefined || leg.trailRate !== undefined;
  if (isTrail && leg.trigger !== undefined) return "a trail has no trigger of its own";
  if (!isTrail && leg.activation !== undefined) return "only a trail has an activation price";
  if (leg.trail !== undefined && leg.trailRate !== undefined) return "a trail has an amount or a rate, not both";
  if (isTrail && type !== "market") return "a stop order with a trail becomes a market order";

  const activation = leg.activation ?? leg.trigger;
  const trigger = activation === undefined ? 0n : ticksOf(activation, market);
  const price = type === "market" ? 0n : leg.price === undefined ? OFF_GRID : ticksOf(leg.price, market);
  const traits = { side, type, amountIn: "base", hidden: leg.hidden ?? false, stpMode, account, clientId } as const;
  const asked = orderFlags({ ...traits, positionSide });
  const aim = leg.reduces === true ? AIMS.indexOf("reduce") << FLAG.aimShift : 0;
  const isStop = isTrail || leg.trigger !== undefined;
  const stopFlags = () =>
    (stopFlagsOf(market, asked) & ~(FLAG.referenceMask << FLAG.referenceShift)) | (reference << FLAG.referenceShift);
  const amount = onGrid(leg.amount, market.amountPrecision);
  const display = leg.display === undefined ? 0n : onGrid(leg.display, market.amountPrecision);
  const fault =
    (isTrail ? trailFault(state, market, reference, trigger, trail, trailRate) : undefined) ??
    (leg.display === undefined ? undefined : displayFault(state, leg, amount, display));
  if (fault !== undefined) return fault;
  return {
    isStop,
    isTrail,
    canRest: RESTING.has(type),
    flags: (isStop ? stopFlags() : asked) | aim,
    price,
    amount,
    display,
    trigger,
    trail: Number(trail),
    trailRateE8: Number(trailRate),
    clientId,
  };
}

/** A distance is on the price grid, and at most half of the price that the trail begins with. */
function trailFault(
  state: State,
  market: Market,
  reference: number,
  activation: bigint,
  trail: bigint,
  rateE8: bigint,
): string | undefined {
  if (rateE8 !== 0n) {
    const isRate = rateE8 >= BigInt(TRAIL_RATE_MIN_E8) && rateE8 <= BigInt(TRAIL_RATE_MAX_E8);
    return isRate ? undefined : "trail_rate must be from 0.0001 to 0.5";
  }
  if (trail <= 0n || trail % state.terms.tickSize(market.id) !== 0n) {
    return "trail must be above 0 and have no more decimals than prices of the market";
  }
  const from = activation > 0n ? activation : referencePrice(state, market, reference);
  if (from > 0n && trail * 2n > from) return "trail must be at most half of the price that it begins with";
  return trail > market.maxPrice ? "trail must be below the highest price of the market" : undefined;
}

/** A part is shown of an order that rests, and is less than the whole. */
function displayFault(state: State, { type, hidden }: Leg, amount: bigint, display: bigint): string | undefined {
  if (!holds(state, "icebergs")) return "an order cannot be displayed in part yet";
  if (!RESTING.has(type)) return "only limit and maker_only orders can have a display_amount";
  if (hidden === true) return "a hidden order displays nothing: leave out is_hide or display_amount";
  if (display <= 0n) return "display_amount must be above 0 and have no more decimals than amounts of the market";
  return amount > 0n && display >= amount ? "display_amount must be less than the amount" : undefined;
}

function ticksOf(text: string, market: Market): bigint {
  return onGrid(text, market.pricePrecision);
}

function isOne<Word extends string>(words: readonly Word[], text: string): text is Word {
  return (words as readonly string[]).includes(text);
}
