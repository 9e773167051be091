/** Setting, changing and cancelling the exits of a position. Source: domain 4.10. */
import { type Answer, accepted, refused } from "../../answer.ts";
import { REFERENCE } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import { parseDecimal } from "../../money/decimal.ts";
import { INT64_MAX } from "../../money/int64.ts";
import { type Refusal, refusalOf } from "../../refusal.ts";
import type { State } from "../../state.ts";
import { ACTION, refuseCancelling, refuseTrading } from "../../trading/check.ts";
import { NONE } from "../../trading/order.ts";
import { referencePrice } from "../../trading/reference-price.ts";
import type { CancelExits, ModifyExit, SetExit } from "../command-schemas.ts";
import type { FuturesSpec } from "../positions/contract.ts";
import { heldLots, isHedge, rowOf } from "../positions/futures-seat.ts";
import { EXIT_FLAG, EXIT_KINDS, waitsForRise } from "./exit.ts";
import { emitExit, endExit, readExit } from "./exit-event.ts";

/** Exits of a part that a position may have of each kind. */
export const PARTIAL_EXITS_MAX = 20;

const EXIT_TRIGGERS = ["latest_price", "mark_price"] as const;

/** A position that a command names, and the kind of exit that it is about. */
interface Named {
  readonly market: Market;
  /** Slot of the position. */
  readonly position: number;
  /** EXIT_FLAG bits of kind and side. */
  readonly kind: number;
}

/** An exit as its command wants it. */
interface Wanted {
  readonly flags: number;
  readonly trigger: bigint;
  /** Lots; 0 = the whole position. */
  readonly amount: bigint;
}

/** Sets an exit. One of the whole position takes the place of the one that there is of its kind. */
export function setExit(state: State, command: SetExit): Answer {
  const named = positionOf(state, command, false);
  if ("refusal" in named) return named;
  const { exits } = state.futures;
  const flags = flagsOf(named.kind, command.triggerType);
  if (flags === undefined) return refused("invalid_command", `trigger_type is one of ${EXIT_TRIGGERS.join(", ")}.`);
  const { pricePrecision } = named.market;
  const trigger = parseDecimal(command.price, pricePrecision) ?? 0n;
  const amount = amountOf(named.market, command.amount);
  if (typeof amount === "string") return refused(amount, "The amount is not one that can be closed.");
  const wanted = { flags, trigger, amount };
  const refusal = refuseExit(state, named, wanted, NONE);
  if (refusal !== undefined) return refusal;

  // Nothing is refused below this line.
  if (amount === 0n) for (const slot of wholeOf(state, named)) endExit(state, slot, "replace");
  const slot = exits.allocate();
  exits.setExitId(slot, state.nextExitId++);
  exits.setPosition(slot, named.position);
  exits.setMarketId(slot, named.market.id);
  exits.setFlags(slot, flags);
  exits.setTrigger(slot, Number(trigger));
  exits.setAmount(slot, amount);
  exits.setCreatedAt(slot, state.timeMs);
  exits.setUpdatedAt(slot, state.timeMs);
  exits.enter(slot);
  emitExit(state, readExit(state, slot), "put");
  return answer(state, named, slot);
}

/**
 * Changes trigger, reference, amount or several of a waiting exit, which keeps its id. An amount makes it one of a
 * part.
 */
export function modifyExit(state: State, command: ModifyExit): Answer {
  const named = positionOf(state, command, false);
  if ("refusal" in named) return named;
  const { exits } = state.futures;
  const slot = ownExit(state, named, command.exitId);
  if (slot === NONE) return refused("order_not_found", "The position has no such exit.");
  const { triggerType, price } = command;
  if (triggerType === undefined && price === undefined && command.amount === undefined) {
    return refused("nothing_to_modify", "Name a trigger_type, a price, an amount or several.");
  }
  const flags = triggerType === undefined ? exits.flags(slot) : flagsOf(named.kind, triggerType);
  if (flags === undefined) return refused("invalid_command", `trigger_type is one of ${EXIT_TRIGGERS.join(", ")}.`);
  const { pricePrecision } = named.market;
  const trigger = price === undefined ? BigInt(exits.trigger(slot)) : (parseDecimal(price, pricePrecision) ?? 0n);
  const amount = command.amount === undefined ? exits.amount(slot) : amountOf(named.market, command.amount);
  if (typeof amount === "string") return refused(amount, "The amount is not one that can be closed.");
  const refusal = refuseExit(state, named, { flags, trigger, amount }, slot);
  if (refusal !== undefined) return refusal;

  // Nothing is refused below this line.
  exits.setAmount(slot, amount);
  exits.setUpdatedAt(slot, state.timeMs);
  exits.rearm(slot, Number(trigger), flags);
  emitExit(state, readExit(state, slot), "modify");
  return answer(state, named, slot);
}

/** Cancels one exit, or without an id all of a kind that the position has, oldest first. */
export function cancelExits(state: State, command: CancelExits): Answer {
  const named = positionOf(state, command, true);
  if ("refusal" in named) return named;
  const one = command.exitId === undefined ? undefined : ownExit(state, named, command.exitId);
  if (one === NONE) return refused("order_not_found", "The position has no such exit.");

  // Nothing is refused below this line.
  for (const slot of one === undefined ? ofKind(state, named) : [one]) endExit(state, slot, "cancel");
  return accepted({ positionId: state.futures.positions.positionId(named.position) });
}

function answer({ futures }: State, { position }: Named, slot: number): Answer {
  return accepted({ positionId: futures.positions.positionId(position), exitId: futures.exits.exitId(slot) });
}

/** The open position that a command names; else why nothing can be done about it now. */
function positionOf(
  state: State,
  command: SetExit | ModifyExit | CancelExits,
  cancels: boolean,
): Named | (Answer & { refusal: Refusal }) {
  const { userId, marketId, positionSide } = command;
  const market = state.markets[marketId];
  if (market?.futures === undefined || market.delisted || !state.users.has(userId)) {
    return no("market_not_found", "There is no such futures market, or no such user.");
  }
  const closed = cancels ? refuseCancelling(state, "FUTURES") : refuseTrading(state, userId, market, ACTION.stop, 0);
  if (closed !== 0) return no(refusalOf(closed) as Refusal, "The market takes nothing of the kind at present.");
  if (!EXIT_KINDS.some((kind) => kind === command.exit)) {
    return no("invalid_command", `exit is one of ${EXIT_KINDS.join(", ")}.`);
  }
  if (positionSide !== undefined && positionSide !== "long" && positionSide !== "short") {
    return no("invalid_command", "position_side is long or short.");
  }
  if ((positionSide !== undefined) !== isHedge(state, userId)) {
    return no("position_side_mismatch", "position_side is given in hedge mode, and there only.");
  }
  const row = rowOf(state, userId, marketId);
  const isShort = positionSide === undefined ? heldLots(state, row, true) > 0n : positionSide === "short";
  const position = row === NONE ? NONE : state.futures.seats.position(row, isShort);
  if (position === NONE) {
    // An exit ends with its position: who names one that has gone hears that it has.
    if ("exitId" in command && command.exitId !== undefined) {
      return no("order_not_found", "There is no such exit, nor a position that could have it.");
    }
    return no("no_position", "There is no such position.");
  }
  const kind = (command.exit === "stop_loss" ? EXIT_FLAG.stopLoss : 0) | (isShort ? EXIT_FLAG.short : 0);
  return { market, position, kind };
}

function no(refusal: Refusal, detail: string): Answer & { refusal: Refusal } {
  return { refusal, detail };
}

/** The flags of an exit with this reference; undefined when there is no such reference. */
function flagsOf(kind: number, triggerType: string): number | undefined {
  if (triggerType === "latest_price") return kind;
  return triggerType === "mark_price" ? kind | EXIT_FLAG.mark : undefined;
}

/** Lots, 0 where no amount is given; else why it cannot be one. */
function amountOf({ amountPrecision }: Market, text: string | undefined): bigint | Refusal {
  if (text === undefined) return 0n;
  const lots = parseDecimal(text, amountPrecision);
  if (lots === undefined) return "amount_off_grid";
  return lots === 0n ? "amount_too_small" : lots > INT64_MAX ? "amount_too_large" : lots;
}

/** Returns why the trigger of an exit, or one more exit, is refused; `slot` is the exit that is changed. */
function refuseExit(state: State, named: Named, { flags, trigger, amount }: Wanted, slot: number): Answer | undefined {
  const { market } = named;
  if (trigger <= 0n || trigger % (market.futures as FuturesSpec).tickSize !== 0n) {
    return refused("trigger_off_grid", "The price is above 0 and on the market's grid.");
  }
  if (trigger > market.maxPrice) return refused("trigger_too_high", "The price is above the market's maximum.");
  const price = referencePrice(
    state,
    market,
    (flags & EXIT_FLAG.mark) === 0 ? REFERENCE.latest_price : REFERENCE.mark_price,
  );
  if (price === 0n) return refused("no_mark_price", "The market has no price yet to compare with.");
  if (waitsForRise(flags) ? price >= trigger : price <= trigger) {
    return refused("exit_fires_at_once", "The price has reached the trigger already.");
  }
  const { exits } = state.futures;
  const partial = ofKind(state, named).filter((other) => other !== slot && !exits.isWhole(other));
  if (amount > 0n && partial.length >= PARTIAL_EXITS_MAX) {
    return refused("too_many_exits", `A position has at most ${PARTIAL_EXITS_MAX} exits of a part of each kind.`);
  }
  return undefined;
}

/** Exits of the kind that the position has, by ascending id. */
function ofKind({ futures: { exits } }: State, { position, kind }: Named): number[] {
  const isLoss = kind & EXIT_FLAG.stopLoss;
  return exits.ofPosition(position).filter((slot) => (exits.flags(slot) & EXIT_FLAG.stopLoss) === isLoss);
}

function wholeOf(state: State, named: Named): number[] {
  return ofKind(state, named).filter((slot) => state.futures.exits.isWhole(slot));
}

function ownExit(state: State, named: Named, exitId: number): number {
  const slot = state.futures.exits.find(exitId);
  return ofKind(state, named).includes(slot) ? slot : NONE;
}
