/** How much a user could order: a question that is asked between commands. */
import { FLAG, TYPE } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import { refusalNumber } from "../../refusal.ts";
import type { State } from "../../state.ts";
import { isHedge } from "../positions/futures-seat.ts";
import { refuseContract } from "./accept.ts";

const WOULD_TAKE = refusalNumber("would_take");

/**
 * The most lots that a limit order of this user at this price (ticks) would be taken with now, by the checks of such an
 * order (2.1); 0 where none would. It counts as if all of it were traded at its own price. In hedge mode it is for the
 * position that it opens. Halves what is left in question: some sixty times those checks at most, none of which walks
 * the book.
 */
export function largestOrder(state: State, userId: number, market: Market, isSell: boolean, price: bigint): bigint {
  const { draft } = state.scratch;
  // One that only makes is not matched to be checked. That it would take is asked last, and is no objection here.
  const kind = FLAG.futures | (TYPE.maker_only << FLAG.typeShift) | (isSell ? FLAG.sell : 0);
  const flags = isHedge(state, userId) ? kind | FLAG.sided | (isSell ? FLAG.short : 0) : kind;
  const isTaken = (lots: bigint): boolean => {
    draft.price = price;
    draft.left = lots;
    const refusal = refuseContract(state, state.scratch, userId, market, flags);
    return refusal === 0 || refusal === WOULD_TAKE;
  };
  if (!isTaken(market.minAmount)) return 0n;
  let taken = market.minAmount;
  let beyond = market.maxAmount + 1n;
  while (beyond - taken > 1n) {
    const middle = (taken + beyond) / 2n;
    if (isTaken(middle)) taken = middle;
    else beyond = middle;
  }
  return taken;
}
