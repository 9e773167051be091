/**
 * The part of the fast path for moves (trading/move.ts) in a linear futures market: the checks of accept.ts and the
 * sums of held-order.ts for an order that goes to another price, keeps its lots and trades nothing. Everything else is
 * left to them.
 */
import { FLAG } from "../../command.ts";
import { isIndexFresh } from "../../listing/index-freshness.ts";
import type { Market } from "../../listing/market.ts";
import * as money from "../../money/int64.ts";
import type { Scratch } from "../../scratch.ts";
import type { State } from "../../state.ts";
import { isEquityUnknown } from "../positions/account-sums.ts";
import * as settings from "../positions/futures-seat.ts";
import * as accepting from "./accept.ts";
import * as openings from "./opening.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { isFarFromReference, noteFreezePrice } = accepting;
const { isHedge } = settings;
const { refuseOpening } = openings;
const SIDED = FLAG.sided;
const AIMED = FLAG.aimMask << FLAG.aimShift;

/**
 * Whether the resting order in `slot` may go to the drafted price. Notes its freeze price, and what its value, its fees
 * and the freeze of its seat grow by. False also where the general way has to look closer.
 */
export function mayMove(
  state: State,
  scratch: Scratch,
  market: Market,
  slot: number,
  seat: number,
  flags: number,
): boolean {
  const { contract, draft } = scratch;
  const { orders, seats, futures, terms } = state;
  if ((flags & AIMED) !== 0 || ((flags & SIDED) !== 0) !== isHedge(state, seats.userId(seat))) return false;
  if (futures.live.mark(market.id) === int64(0n) || !isIndexFresh(market)) return false;
  if (futures.silent.size > 0 && isEquityUnknown(state, futures.seats.account(futures.held.row(slot)))) return false;
  if (int64(draft.price % terms.tickSize(market.id)) !== int64(0n)) return false;
  contract.reference = market.index.price;
  if (isFarFromReference(scratch, flags)) return false;
  // It meets nobody, so its own price is its worst.
  contract.worst = draft.price;
  noteFreezePrice(state, scratch, market, flags);
  return refuseOpening(state, scratch, futures.held.row(slot), market, flags, orders.takerFeeRateE8(slot), slot) === 0;
}

/** Brings the sums of its seat to the drafted price. */
export function holdMoved(state: State, { contract }: Scratch, slot: number): void {
  const { orders, futures } = state;
  const { seats, accounts } = futures;
  const row = futures.held.row(slot);
  const side = orders.side(slot);
  futures.held.setFreezePrice(slot, contract.freezePrice);
  seats.setValue(row, side, int64(seats.value(row, side) + contract.moreValue));
  seats.setFees(row, side, int64(seats.fees(row, side) + contract.moreFees));
  if (contract.moreFrozen === int64(0n)) return;
  const account = seats.account(row);
  seats.setFrozen(row, int64(seats.frozen(row) + contract.moreFrozen));
  accounts.setFrozen(account, int64(accounts.frozen(account) + contract.moreFrozen));
  futures.noteFreeze(account);
}
