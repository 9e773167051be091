/** The figures that decide refusals of orders and of changes of positions in futures markets. Source: domain 4. */
import { FLAG, REFERENCE } from "../../../engine/command.ts";
import { PARTIAL_EXITS_MAX } from "../../../engine/futures/exits/exit-commands.ts";
import { markOf } from "../../../engine/futures/funding/mark.ts";
import { HIGHEST_BUY_PERCENT, LOWEST_SELL_PERCENT } from "../../../engine/futures/orders/accept.ts";
import { closeAvailable } from "../../../engine/futures/orders/reduce-only.ts";
import { heldLots, isHedge, rowOf } from "../../../engine/futures/positions/futures-seat.ts";
import { bestAgainst } from "../../../engine/trading/against.ts";
import { NONE } from "../../../engine/trading/order.ts";
import { referencePrice } from "../../../engine/trading/reference-price.ts";
import {
  type AskedFor,
  amountAsked,
  type FigureSource,
  ofOrder,
  priceAsked,
  priceThere,
} from "../../reading/figures.ts";
import type { Figures } from "../../refused.ts";

const prices = ofOrder((asked) => {
  const { state, market, print, flags, price } = asked;
  return {
    side: (flags & FLAG.sell) === 0 ? "buy" : "sell",
    price: price === undefined || price === 0n ? "market" : priceAsked(print, price),
    mark: print.priceOrNothing(markOf(state, market)),
    index: print.priceOrNothing(market.index.price),
    best_opposite: priceThere(print, bestAgainst(state, market, flags)),
    most_percent: Number(HIGHEST_BUY_PERCENT),
    least_percent: Number(LOWEST_SELL_PERCENT),
  };
});

const position = ofOrder((asked) => {
  const { state, market, print, userId } = asked;
  const { futures } = market;
  if (futures === undefined) return {};
  const row = rowOf(state, userId, market.id);
  return {
    amount: amountAsked(asked),
    long: print.amount(heldLots(state, row, false)),
    short: print.amount(heldLots(state, row, true)),
    closable_long: print.amount(closeAvailable(state, row, false)),
    closable_short: print.amount(closeAvailable(state, row, true)),
    position_mode: isHedge(state, userId) ? "hedge" : "net",
    ...(row === NONE ? {} : { leverage: state.futures.seats.leverage(row) }),
    largest: print.amount(futures.levels.at(-1)?.amount ?? 0n),
    levels: futures.levels.map(({ amount, leverage }) => `${print.amount(amount)} at ${leverage}x`).join(" "),
  };
});

const index = ofOrder(({ state, market, print }) => ({
  index: print.priceOrNothing(market.index.price),
  index_updated_at: market.index.updatedAt,
  is_stale: market.index.isStale,
  mark: print.priceOrNothing(markOf(state, market)),
  now: state.timeMs,
}));

/** Of a take profit or stop loss: what it would wait for, and where that price is. */
function exit({ state, printers, command }: AskedFor): Figures | undefined {
  const { marketId, price, triggerType } = command as unknown as Readonly<Record<string, unknown>>;
  const market = typeof marketId === "number" ? state.markets[marketId] : undefined;
  if (market === undefined) return undefined;
  const print = printers.of(market.id);
  const at = (reference: number) => print.priceOrNothing(referencePrice(state, market, reference));
  return {
    trigger_price: String(price ?? "unchanged"),
    trigger_price_type: String(triggerType ?? "unchanged"),
    latest_price: at(REFERENCE.latest_price),
    mark_price: at(REFERENCE.mark_price),
    most_of_a_part: PARTIAL_EXITS_MAX,
  };
}

export const FUTURES_FIGURES: Readonly<Record<string, FigureSource>> = {
  no_mark_price: index,
  index_stale: index,
  price_outside_index: prices,
  buy_far_from_mark: prices,
  sell_far_from_mark: prices,
  position_side_mismatch: position,
  position_limit: position,
  leverage_above_level: position,
  exceeds_closable: position,
  no_position: position,
  not_isolated: position,
  futures_in_use: position,
  exit_fires_at_once: exit,
  too_many_exits: exit,
  leverage_not_offered: ofOrder(({ market }) => ({ offered: market.futures?.leverages.join(" ") ?? "" })),
};
