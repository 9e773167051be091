/**
 * What the lane for moves (trading/move.ts) asks and does in a linear futures market: the checks of accept.ts and the sums of
 * held-order.ts for an order that goes to another price, keeps its lots and trades nothing. Everything else is left to them.
 */
import { FLAG } from "../../command.ts";
import * as money from "../../money/int64.ts";
import * as rates from "../../money/rate.ts";
import type { State } from "../../state.ts";
import * as drafts from "../../trading/draft.ts";
import { NONE } from "../../trading/order.ts";
import * as settings from "../positions/futures-seat.ts";
import * as accepting from "./accept.ts";
import * as power from "./buying-power.ts";
import * as freezes from "./freeze.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { HIGHEST_BUY_PERCENT, LOWEST_SELL_PERCENT } = accepting;
const { feeOn } = rates;
const { draft } = drafts;
const { covers, surelyCovers } = power;
const { freezeOfSide, openingLots } = freezes;
const { isHedge } = settings;
const SELL = FLAG.sell;
const SIDED = FLAG.sided;
const AIMED = FLAG.aimMask << FLAG.aimShift;

/**
 * Whether the resting order in `slot` may go to the drafted price. Notes its freeze price, and what its value, its fees and
 * the freeze of its seat grow by. False also where the general way has to look closer.
 */
export function mayMove(state: State, marketId: number, slot: number): boolean {
  const { orders, seats, futures, terms, markets } = state;
  const flags = orders.flags(slot);
  const seat = orders.seat(slot);
  const side = flags & SELL;
  const hedges = isHedge(state, seats.userId(seat));
  if ((flags & AIMED) !== 0 || ((flags & SIDED) !== 0) !== hedges) return false;
  const unit = terms.unitsPerLotTick(marketId);
  const mark = futures.live.mark(marketId);
  const { price, isStale } = (markets[marketId] as { index: { price: bigint; isStale: boolean } }).index;
  const index = int64(price);
  if (unit === int64(0n) || mark === int64(0n) || index === int64(0n) || isStale) return false;
  if (int64(futures.live.openInterest(marketId) + draft.left) > terms.openMost(marketId)) return false;
  if (int64(draft.price % terms.tickSize(marketId)) !== int64(0n)) return false;
  const scaled = int64(draft.price * 100n);
  if (side === 0 ? scaled > int64(index * HIGHEST_BUY_PERCENT) : scaled < int64(index * LOWEST_SELL_PERCENT))
    return false;

  // A sell can open at the mark, if that is better.
  draft.freezePrice = draft.price;
  if (side !== 0 && mark > draft.price) draft.freezePrice = mark;
  const before = int64(int64(futures.freezePrice(slot) * draft.left) * unit);
  const after = int64(int64(draft.freezePrice * draft.left) * unit);
  const rate = BigInt(orders.takerFeeRateE8(slot) | 0);
  draft.moreValue = int64(after - before);
  draft.moreFees = int64(feeOn(after, rate) - feeOn(before, rate));

  const row = futures.seats.rowOf(seat);
  const opposite = futures.seats.position(row, side === 0);
  const isWorse = side === 0 ? draft.price > mark : draft.price < mark;
  draft.needs = 0n;
  draft.opening = futures.seats.lots(row, side);
  if (!hedges && opposite !== NONE) {
    const lots = futures.seats.lots(row, side);
    draft.opening = openingLots(lots, futures.positions.amount(opposite), futures.seats.reducing(row, side), false);
  }
  noteFrozen(state, row, side);
  const closes = draft.opening !== futures.seats.lots(row, side);
  const account = futures.seats.account(row);
  const isIsolated = futures.seats.isIsolated(row);
  if (draft.moreFrozen > int64(0n)) draft.needs = draft.moreFrozen;
  else if (!isWorse) return true;
  if (isWorse) {
    if (isIsolated) return false;
    // What trades worse than the mark loses that at once, whether it opens or closes.
    const worse = BigInt((side === 0 ? 1 : -1) | 0);
    draft.needs = int64(draft.needs + int64(int64(int64(draft.price - mark) * worse) * int64(draft.left * unit)));
    return surelyCovers(state, account, isIsolated);
  }
  return surelyCovers(state, account, isIsolated) || (!closes && covers(state, account, isIsolated));
}

/** Notes by how much the freeze of a side changes of which the drafted lots can open. */
function noteFrozen({ futures: { seats } }: State, row: number, side: number): void {
  const lots = seats.lots(row, side);
  const value = seats.value(row, side);
  const fees = seats.fees(row, side);
  const leverage = seats.leverage(row);
  const parts = BigInt(leverage | 0);
  const most = int64(value + int64(parts - 1n));
  // Mostly all of them can, and then this is what freezeOfSide comes to.
  if (draft.opening === lots) {
    draft.moreFrozen = int64(
      int64(int64(int64(most + draft.moreValue) / parts) - int64(most / parts)) + draft.moreFees,
    );
    return;
  }
  draft.moreFrozen = 0n;
  if (draft.opening === int64(0n)) return;
  const [moreValue, moreFees] = [int64(value + draft.moreValue), int64(fees + draft.moreFees)];
  const before = freezeOfSide(lots, value, fees, draft.opening, leverage);
  draft.moreFrozen = int64(freezeOfSide(lots, moreValue, moreFees, draft.opening, leverage) - before);
}

/** Brings the sums of its seat to the drafted price. */
export function holdMoved(state: State, slot: number): void {
  const { orders, futures } = state;
  const { seats, accounts } = futures;
  const row = seats.rowOf(orders.seat(slot));
  const side = orders.side(slot);
  futures.setFreezePrice(slot, draft.freezePrice);
  seats.setValue(row, side, int64(seats.value(row, side) + draft.moreValue));
  seats.setFees(row, side, int64(seats.fees(row, side) + draft.moreFees));
  if (draft.moreFrozen === int64(0n)) return;
  const account = seats.account(row);
  seats.setFrozen(row, int64(seats.frozen(row) + draft.moreFrozen));
  accounts.setFrozen(account, int64(accounts.frozen(account) + draft.moreFrozen));
  futures.noteFreeze(account);
}
