import { AIMS, clientIdAt, FLAG, TYPE } from "../../command.ts";
import { refusalNumber } from "../../refusal.ts";
import type { State } from "../../state.ts";
import { endWhere } from "../../trading/cancel.ts";
import { CHECK, PLACING, refuseTrading } from "../../trading/check.ts";
import { NONE } from "../../trading/order.ts";
import { enterOrder, type OrderOutcome, orderFlagsOf } from "../../trading/place.ts";
import type { WordBuffer } from "../../words.ts";
import { heldLots, isHedge, rowOf } from "../positions/futures-seat.ts";
import { refuseContract } from "./accept.ts";
import { closeAvailable, reducingSide, wouldReduce } from "./reduce-only.ts";

const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const SIDE_MISMATCH = refusalNumber("position_side_mismatch");
const NO_POSITION = refusalNumber("no_position");
const EXCEEDS_CLOSABLE = refusalNumber("exceeds_closable");
/** The aim of an order that closes a position, or part of it. */
const REDUCES = AIMS.indexOf("reduce") << FLAG.aimShift;

/**
 * Closes a position, or part of it, by an order that only reduces. A part is cut to what no other order would reduce;
 * the whole takes the place of the user's orders that would have reduced it. Source: domain 4.2.
 */
export function closePosition(state: State, record: WordBuffer, at: number, outcome: OrderOutcome): void {
  const { draft } = state.scratch;
  const userId = record.i32[at * 2 + 1] as number;
  const market = state.markets[record.i32[at * 2 + 2] as number];
  const given = record.i32[at * 2 + 3] as number;
  if (market?.futures === undefined || market.delisted || !state.users.has(userId)) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  const flags = orderFlagsOf(given) & ~(FLAG.sell | FLAG.inQuote);
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  outcome.refusal = refuseTrading(state, userId, market, PLACING[type] as number, flags | REDUCES);
  if (outcome.refusal !== 0) return;
  if (((flags & FLAG.sided) !== 0) !== isHedge(state, userId)) {
    outcome.refusal = SIDE_MISMATCH;
    return;
  }
  const row = rowOf(state, userId, market.id);
  const isShort = (flags & FLAG.sided) === 0 ? heldLots(state, row, true) > 0n : (flags & FLAG.short) !== 0;
  if (heldLots(state, row, isShort) === 0n) {
    outcome.refusal = NO_POSITION;
    return;
  }

  const closesAll = (given & FLAG.amountGiven) === 0;
  const amount = record.i64[at + 3] as bigint;
  const free = closesAll ? heldLots(state, row, isShort) : closeAvailable(state, row, isShort);
  if (!closesAll && amount <= 0n) outcome.refusal = amount < 0n ? CHECK.amountOffGrid : CHECK.amountTooSmall;
  else if (free === 0n) outcome.refusal = EXCEEDS_CLOSABLE;
  if (outcome.refusal !== 0) return;
  draft.isFired = false;
  draft.left = closesAll || amount > free ? free : amount;
  draft.price = type === TYPE.market ? 0n : (record.i64[at + 2] as bigint);
  const aim = AIMS.indexOf(closesAll ? "close_all" : "reduce") << FLAG.aimShift;
  const closing = flags | FLAG.futures | aim | (isShort ? 0 : FLAG.sell);
  const clientId = clientIdAt(record, at + 4, flags);
  if (closesAll) {
    outcome.refusal = refuseContract(state, state.scratch, userId, market, closing);
    if (outcome.refusal !== 0) return;
    cancelReducing(state, row, isShort);
  }
  enterOrder(state, state.scratch, userId, market, closing, clientId, outcome);
}

/** Cancels the user's orders that would reduce a position, oldest first. */
export function cancelReducing(state: State, row: number, isShort: boolean): void {
  if (row === NONE) return;
  const { orders, futures } = state;
  const side = reducingSide(isShort);
  endWhere(state, futures.seats.seat(row), (slot) => orders.side(slot) === side && wouldReduce(state, slot));
}
