/** The product's part in the opening auction of a spot market. Source: domain 2.12. */
import type { Market } from "../listing/market.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import type { AuctionSettlement } from "../trading/settlement.ts";
import { lastFirst } from "./account.ts";
import { execute } from "./fill.ts";
import { freezeOf } from "./value.ts";

export const spotAuction: AuctionSettlement = {
  unmeetable: (state, market) => lastFirst().flatMap((account) => account.unmeetable(state, market)),

  /**
   * Before the fill the taker gets back what these lots froze, since a taker pays from what is available; a maker pays
   * from its freeze, of which a buy gets back by how much it meant to pay more.
   */
  execute(state, scratch, market) {
    const { trade } = scratch;
    const { orders } = state;
    const { taker, maker, price } = trade;
    release(state, scratch, market, taker, orders.price(taker));
    if (orders.side(maker) === 0 && orders.price(maker) > price) {
      release(state, scratch, market, maker, orders.price(maker) - price);
    }
    execute(state, scratch, market);
  },
};

/** Releases what the lots under way have frozen at `price`, or at a part of the order's price. */
function release(state: State, { trade }: Scratch, market: Market, slot: number, price: bigint): void {
  const { orders, seats, ledger, events } = state;
  const amount = freezeOf(market, orders.flags(slot), price, trade.lots);
  ledger.freeze(events, seats.givingCell(orders.seat(slot), orders.side(slot)), -amount, orders.orderId(slot));
}
