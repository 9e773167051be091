/** Placing, changing and cancelling stop orders. Source: domain 2.11, and 2.1 for the checks. */
import { ACCOUNTS, accountOf, FLAG, isMarketOrder, referenceOf, TRIGGER_TYPES } from "../command.ts";
import { type Market, marketTypeOf } from "../listing/market.ts";
import { refusalNumber } from "../refusal.ts";
import type { State } from "../state.ts";
import { endFree, isForSide } from "../trading/cancel.ts";
import { ACTION, CHECK, refuseCancelling, refuseLocked, refuseLots, refuseTrading } from "../trading/check.ts";
import { refuseDisplay } from "../trading/iceberg.ts";
import { NONE } from "../trading/order.ts";
import { orderFlagsOf } from "../trading/place.ts";
import { referencePrice } from "../trading/reference-price.ts";
import { readAscii, type WordBuffer } from "../words.ts";
import type { Condition } from "./condition.ts";
import { emitStop } from "./emit-stop.ts";
import { endStop } from "./grouped.ts";
import { STOP_FLAG } from "./stop-event.ts";

/** Stop orders that one account may have waiting in one market. */
export const STOP_ORDERS_MAX = 100;

/** A limit price may leave its trigger by half in the aggressive direction. */
const HIGHEST_BUY_PERCENT = 150n;
const LOWEST_SELL_PERCENT = 50n;

const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const ORDER_NOT_FOUND = refusalNumber("order_not_found");
const NOTHING_TO_MODIFY = refusalNumber("nothing_to_modify");
const TRIGGER_OFF_GRID = refusalNumber("trigger_off_grid");
const TRIGGER_TOO_HIGH = refusalNumber("trigger_too_high");
const FAR_FROM_TRIGGER = refusalNumber("price_far_from_trigger");
const TOO_MANY_STOPS = refusalNumber("too_many_stop_orders");
const MARKET_ORDER_PRICE = refusalNumber("market_order_price");
const NOT_MODIFIABLE = refusalNumber("order_not_modifiable");

/** Result of a command that concerns one stop order: a refusal number (0 = accepted) and the word of its event. */
export interface StopOutcome {
  refusal: number;
  stopEvent: number;
}

/** A stop order as its command wants it. */
export interface Wanted {
  readonly flags: number;
  readonly price: bigint;
  readonly amount: bigint;
  readonly trigger: bigint;
}

/** Places the stop order in the record at `at`. It freezes nothing, so funds are not looked at before it fires. */
export function placeStop(state: State, record: WordBuffer, at: number, outcome: StopOutcome): void {
  const userId = record.i32[at * 2 + 1] as number;
  const market = state.markets[record.i32[at * 2 + 2] as number];
  if (market === undefined || market.delisted || !state.users.has(userId)) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  const flags = stopFlagsOf(market, record.i32[at * 2 + 3] as number);
  const price = isMarketOrder(flags) ? 0n : (record.i64[at + 2] as bigint);
  const wanted = { flags, price, amount: record.i64[at + 3] as bigint, trigger: record.i64[at + 4] as bigint };
  outcome.refusal =
    refuseStopOf(state, userId, market, flags) ||
    refuseWanted(state, market, wanted) ||
    refuseCount(state, userId, market, flags, 1);
  if (outcome.refusal !== 0) return;

  // Nothing is refused below this line.
  const idLength = (flags >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask;
  const clientId = idLength > 0 ? readAscii(record, at + 5, idLength) : "";
  const direction = isFromBelow(state, market, wanted) ? STOP_FLAG.lower : 0;
  const slot = enterStop(state, userId, market, { ...wanted, flags: flags | direction }, clientId);
  outcome.stopEvent = emitStop(state, slot, "put");
}

/** Rows 1 to 4: why a user may not leave a stop order of these flags in a market now; 0 = he may. */
export function refuseStopOf(state: State, userId: number, market: Market, flags: number): number {
  const { settlement } = market;
  return (
    settlement.refuseAccount(state, market, flags) ||
    settlement.refuseUser(state, userId, market, flags) ||
    settlement.refuseStop(state, userId, flags) ||
    refuseTrading(state, userId, market, ACTION.stop, flags)
  );
}

/** Whether an account has as many waiting stop orders in a market as it may, with `more` on top. */
export function refuseCount(state: State, userId: number, market: Market, flags: number, more: number): number {
  const waiting = state.stops.ofAccount(userId, market.id, ACCOUNTS.indexOf(accountOf(flags))).length;
  return waiting + more > STOP_ORDERS_MAX ? TOO_MANY_STOPS : 0;
}

/** Makes a stop order wait that has nothing against it. Returns its slot. */
export function enterStop(
  state: State,
  userId: number,
  market: Market,
  { flags, price, amount, trigger }: Wanted,
  clientId: string,
  condition?: Condition,
): number {
  const { stops } = state;
  const slot = stops.allocate();
  stops.setStopId(slot, state.nextStopId++);
  stops.setUserId(slot, userId);
  stops.setMarketId(slot, market.id);
  stops.setFlags(slot, flags);
  stops.setPrice(slot, price);
  stops.setAmount(slot, amount);
  stops.setTrigger(slot, Number(trigger));
  stops.setCreatedAt(slot, state.timeMs);
  stops.setUpdatedAt(slot, state.timeMs);
  if (clientId !== "") stops.clientId.set(slot, clientId);
  if (condition !== undefined) stops.condition.set(slot, condition);
  stops.enter(slot);
  return slot;
}

/**
 * Changes price, amount, trigger or several of a waiting stop order, which keeps its id. A new trigger looks anew where
 * the price stands.
 */
export function modifyStop(state: State, record: WordBuffer, at: number, outcome: StopOutcome): void {
  const { stops } = state;
  const market = state.markets[record.i32[at * 2 + 2] as number];
  if (market === undefined) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  const slot = findNamedStop(state, record, at);
  if (slot === NONE) {
    outcome.refusal = ORDER_NOT_FOUND;
    return;
  }
  const given = record.i32[at * 2 + 3] as number;
  const flags = stops.flags(slot);
  const wanted: Wanted = {
    flags,
    price: given & FLAG.priceGiven ? (record.i64[at + 3] as bigint) : stops.price(slot),
    amount: given & FLAG.amountGiven ? (record.i64[at + 4] as bigint) : stops.amount(slot),
    trigger: given & FLAG.triggerGiven ? (record.i64[at + 5] as bigint) : BigInt(stops.trigger(slot)),
  };
  const refusal =
    refuseTrading(state, stops.userId(slot), market, ACTION.modifyStop, flags) ||
    refuseChange(state, market, slot, given, wanted);
  if (refusal !== 0) {
    outcome.refusal = refusal;
    return;
  }

  // Nothing is refused below this line.
  stops.setPrice(slot, wanted.price);
  stops.setAmount(slot, wanted.amount);
  stops.setUpdatedAt(slot, state.timeMs);
  if (given & FLAG.triggerGiven) {
    // What sleeps keeps the side that it has of its entry.
    const isDormant = (flags & STOP_FLAG.dormant) !== 0;
    stops.rearm(slot, Number(wanted.trigger), isDormant ? stops.rises(slot) : isFromBelow(state, market, wanted));
  }
  outcome.stopEvent = emitStop(state, slot, "modify");
}

/** Cancels one waiting stop order of the caller; anybody else's is as if it were not there. */
export function cancelStop(state: State, record: WordBuffer, at: number, outcome: StopOutcome): void {
  const market = state.markets[record.i32[at * 2 + 2] as number];
  if (market === undefined) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  const slot = findNamedStop(state, record, at);
  outcome.refusal =
    slot === NONE
      ? ORDER_NOT_FOUND
      : refuseCancelling(state, market.settlement.marketType) || refuseLocked(state, market);
  if (outcome.refusal === 0) outcome.stopEvent = endStop(state, slot);
}

/** Cancels every waiting stop order of the caller with this client id, in one market or in all, oldest first. */
export function cancelStopsByClientId(state: State, record: WordBuffer, at: number, outcome: StopOutcome): void {
  const userId = record.i32[at * 2 + 1] as number;
  const marketId = record.i32[at * 2 + 2] as number;
  const flags = record.i32[at * 2 + 3] as number;
  outcome.refusal = refuseCancelling(state, marketTypeOf(flags));
  if (outcome.refusal !== 0) return;
  const clientId = readAscii(record, at + 2, (flags >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask);
  const account = ACCOUNTS.indexOf(accountOf(flags));
  const slots = marketId < 0 ? state.stops.ofUser(userId, account) : state.stops.ofAccount(userId, marketId, account);
  const isNamed = (slot: number) =>
    clientId !== "" && state.stops.clientId.get(slot) === clientId && isForSide(state.stops.flags(slot), flags);
  const marketOf = (slot: number) => state.markets[state.stops.marketId(slot)] as Market;
  outcome.refusal = endFree(state, slots.filter(isNamed), marketOf, (slot) => endStop(state, slot));
}

/** Cancels every stop order of a market that leaves, oldest first. */
export function endStopsOf(state: State, market: Market): void {
  for (const slot of state.stops.ofMarket(market.id)) endStop(state, slot);
}

/** Cancels every stop order of a user in the futures markets that `matches` picks, oldest first. */
export function endStopsOfUser(state: State, userId: number, matches: (market: Market) => boolean): void {
  for (const slot of state.stops.ofUser(userId, ACCOUNTS.indexOf("futures"))) {
    if (matches(state.markets[state.stops.marketId(slot)] as Market)) endStop(state, slot);
  }
}

/** The stop order with this id if it is this user's in this market; else NONE. */
export function findOwnStop({ stops }: State, userId: number, marketId: number, stopId: number): number {
  const slot = stops.find(stopId);
  return slot !== NONE && stops.userId(slot) === userId && stops.marketId(slot) === marketId ? slot : NONE;
}

/**
 * The waiting stop order that the command at `at` names, if it is its user's own in the market and account given; else
 * NONE.
 */
function findNamedStop(state: State, { i32, f64 }: WordBuffer, at: number): number {
  const slot = findOwnStop(state, i32[at * 2 + 1] as number, i32[at * 2 + 2] as number, f64[at + 2] as number);
  const flags = i32[at * 2 + 3] as number;
  if (slot === NONE || (flags & FLAG.accountGiven) === 0) return slot;
  return ((flags ^ state.stops.flags(slot)) & (FLAG.margin | FLAG.futures)) === 0 ? slot : NONE;
}

function refuseChange(state: State, market: Market, slot: number, given: number, wanted: Wanted): number {
  if ((given & (FLAG.priceGiven | FLAG.amountGiven | FLAG.triggerGiven)) === 0) return NOTHING_TO_MODIFY;
  if ((given & FLAG.priceGiven) !== 0 && isMarketOrder(wanted.flags)) return MARKET_ORDER_PRICE;
  // The trigger of a trail is not its owner's to say, and neither is the amount of what protects an entry.
  if (state.stops.isTrailing(slot) && (given & FLAG.triggerGiven) !== 0) return NOT_MODIFIABLE;
  if (protectsEntry(state, slot) && (given & FLAG.amountGiven) !== 0) return NOT_MODIFIABLE;
  const keepsAmount = (wanted.flags & STOP_FLAG.conditional) !== 0 && (given & FLAG.amountGiven) === 0;
  return (
    (keepsAmount
      ? 0
      : refuseAmount(state, market, wanted) ||
        refuseDisplay(market, state.stops.conditionOf(slot).display, wanted.amount)) ||
    (state.stops.isTrailing(slot) ? 0 : refusePrices(state, market, wanted))
  );
}

/** Whether it belongs to an entry that can still be filled. */
function protectsEntry({ stops }: State, slot: number): boolean {
  const group = stops.groups.ofStop(stops.stopId(slot));
  return group?.kind === "bracket" && group.orderId > 0;
}

/**
 * Rows 5 and 6. What an order is compared with when it is placed, a stop order's order is compared with when it fires.
 */
export function refuseWanted(state: State, market: Market, wanted: Wanted): number {
  return refuseAmount(state, market, wanted) || refusePrices(state, market, wanted);
}

/** Row 5 for the amount. */
export function refuseAmount(state: State, market: Market, { flags, amount }: Wanted): number {
  state.scratch.draft.left = amount;
  if ((flags & FLAG.inQuote) === 0) return refuseLots(state.scratch, market);
  return amount < 0n ? CHECK.amountOffGrid : 0;
}

/** Rows 5 and 6 for the price and the trigger. */
export function refusePrices(state: State, market: Market, { flags, price, amount, trigger }: Wanted): number {
  const inQuote = (flags & FLAG.inQuote) !== 0;
  const isMarket = isMarketOrder(flags);
  const tickSize = state.terms.tickSize(market.id);
  if (!isMarket && (price <= 0n || price % tickSize !== 0n)) return CHECK.priceOffGrid;
  if (price > market.maxPrice) return CHECK.priceTooHigh;
  if (trigger <= 0n || trigger % tickSize !== 0n) return TRIGGER_OFF_GRID;
  if (trigger > market.maxPrice) return TRIGGER_TOO_HIGH;
  // The trigger stands in for the best price, which is not known before it fires.
  if (inQuote && amount < trigger * market.minAmount * market.unitsPerLotTick) return CHECK.amountTooSmall;
  if (!isMarket && isFarFromTrigger(flags, price, trigger)) return FAR_FROM_TRIGGER;
  return 0;
}

function isFarFromTrigger(flags: number, price: bigint, trigger: bigint): boolean {
  if ((flags & FLAG.sell) !== 0) return price * 100n < trigger * LOWEST_SELL_PERCENT;
  return price * 100n > trigger * HIGHEST_BUY_PERCENT;
}

/**
 * Stop orders that are placed in an auction know no self-trade protection (domain 2.7), and those of spot markets no
 * trigger but the latest price.
 */
export function stopFlagsOf(market: Market, given: number): number {
  const asked = referenceOf(given);
  const reference = TRIGGER_TYPES[asked] !== undefined && market.settlement.hasReference(asked) ? asked : 0;
  const flags = orderFlagsOf(given) | (reference << FLAG.referenceShift);
  return market.status === "bidding" ? flags & ~(FLAG.stpMask << FLAG.stpShift) : flags;
}

/**
 * Whether the price has to rise to the trigger: it stands below it now. Where there is no price yet, a buy waits for a
 * rise and a sell for a fall, as stop orders mostly do.
 */
export function isFromBelow(state: State, market: Market, { flags, trigger }: Wanted): boolean {
  const reference = referencePrice(state, market, referenceOf(flags));
  if (reference === 0n) return (flags & FLAG.sell) === 0;
  return reference < trigger;
}
