/** Exits that the price has reached close their positions, or part of them, at the market. Source: domain 4.10. */
import { AIMS, FLAG, ORDER_TYPES } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import type { Markets } from "../../part.ts";
import type { State } from "../../state.ts";
import { dueIn } from "../../stops/fire-stops.ts";
import { NONE } from "../../trading/order.ts";
import { enterOrder, type OrderOutcome } from "../../trading/place.ts";
import { firesTriggers, referencePrice } from "../../trading/reference-price.ts";
import { cancelReducing } from "../orders/close-position.ts";
import { cutOpening } from "../orders/reduce-only.ts";
import { isHedge } from "../positions/futures-seat.ts";
import { emitExit, readExit } from "./exit-event.ts";

const MARKET = ORDER_TYPES.indexOf("market") << FLAG.typeShift;

/** Whether the price has reached the trigger of a waiting exit. */
export function isExitDue(state: State, slot: number): boolean {
  const { exits } = state.futures;
  const market = state.markets[exits.marketId(slot)] as Market;
  const reference = Number(referencePrice(state, market, exits.reference(slot)));
  if (reference === 0 || !firesTriggers(state, market, exits.reference(slot))) return false;
  return exits.rises(slot) ? reference >= exits.trigger(slot) : reference <= exits.trigger(slot);
}

/**
 * Fires all that are due in these markets, in ascending id, and none that become due by it. Returns whether any was.
 */
export function fireExits(state: State, markets: Markets): boolean {
  const { exits } = state.futures;
  if (exits.live === 0) return false;
  const due = dueIn(state, markets, exits);
  // One that fires may close the position, and with it end others of these.
  const ids = due.map((slot) => exits.exitId(slot)).sort((left, right) => left - right);
  for (const exitId of ids) {
    const slot = exits.find(exitId);
    if (slot !== NONE) fire(state, slot);
  }
  return due.length > 0;
}

/** Whatever becomes of its order, the exit is gone. */
function fire(state: State, slot: number): void {
  const { draft } = state.scratch;
  const { exits, positions } = state.futures;
  const position = exits.position(slot);
  const isWhole = exits.isWhole(slot);
  const market = state.markets[exits.marketId(slot)] as Market;
  exits.setUpdatedAt(slot, state.timeMs);
  const record = readExit(state, slot);
  exits.remove(slot);

  const { userId, isShort } = record;
  const wanted = BigInt(record.amount);
  const row = positions.seat(position);
  if (isWhole) cancelReducing(state, row, isShort);
  const held = positions.amount(position);
  const sided = isHedge(state, userId) ? FLAG.sided | (isShort ? FLAG.short : 0) : 0;
  const aim = AIMS.indexOf(record.exit) << FLAG.aimShift;
  const orderId = state.nextOrderId;
  draft.left = isWhole || wanted > held ? held : wanted;
  draft.price = 0n;
  const outcome: OrderOutcome = { refusal: 0, orderEvent: -1 };
  draft.isFired = true;
  enterOrder(
    state,
    state.scratch,
    userId,
    market,
    FLAG.futures | MARKET | aim | sided | (isShort ? 0 : FLAG.sell),
    "",
    outcome,
  );
  if (!isWhole) cutOpening(state, market, row);
  if (outcome.refusal === 0) emitExit(state, record, "active_success", orderId);
  else emitExit(state, record, "active_fail", 0, outcome.refusal);
}
