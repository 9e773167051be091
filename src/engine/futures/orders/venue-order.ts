import { FLAG, ORDER_TYPES } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";
import { enterAccepted } from "../../trading/place.ts";
import { isHedge } from "../positions/futures-seat.ts";

const IOC = ORDER_TYPES.indexOf("ioc") << FLAG.typeShift;

/**
 * Places an order that the venue itself decided on, in a user's name or its own: it trades at once as far as its price
 * in ticks reaches, and its rest is cancelled. `flags` are its side and aim; it only reduces, so that nothing has to be
 * checked.
 */
export function placeForVenue(
  state: State,
  market: Market,
  userId: number,
  flags: number,
  lots: bigint,
  price: bigint,
): void {
  const { contract, draft, trade } = state.scratch;
  if (lots <= 0n || price <= 0n) return;
  const sells = (flags & FLAG.sell) !== 0;
  // Who sells to reduce reduces a long position.
  const sided = isHedge(state, userId) ? FLAG.sided | (sells ? 0 : FLAG.short) : 0;
  draft.left = lots;
  draft.price = price;
  contract.freezePrice = price;
  trade.bound = price;
  const seat = state.seats.find(userId, market.id, 0);
  enterAccepted(state, state.scratch, userId, market, seat, flags | FLAG.futures | IOC | sided, "");
}
