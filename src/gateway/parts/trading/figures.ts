/** The figures that decide refusals of orders of both products: rows 3 to 9 of domain 2.1. */
import { FLAG } from "../../../engine/command.ts";
import { isolatedMargin } from "../../../engine/futures/positions/figures.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { HIGHEST_BUY_PERCENT, LOWEST_SELL_PERCENT, marketNeeds, protectionBound } from "../../../engine/spot/accept.ts";
import { freezeOf } from "../../../engine/spot/value.ts";
import { against, bestAgainst } from "../../../engine/trading/against.ts";
import { OPEN_ORDERS_MAX } from "../../../engine/trading/check.ts";
import { SLICES_MAX } from "../../../engine/trading/iceberg.ts";
import { NONE } from "../../../engine/trading/order.ts";
import { findOwn } from "../../../engine/trading/resting.ts";
import {
  amountAsked,
  type FigureSource,
  type OrderAskedFor,
  ofOrder,
  priceAsked,
  priceThere,
} from "../../reading/figures.ts";
import { futuresFunds } from "../../reading/futures-funds.ts";
import type { Figures } from "../../refused.ts";

/** Orders that are looked at to say what an order could have met. */
const STANDING_MAX = 1_000;

const band = ofOrder((asked) => {
  const { state, market, print, price, flags } = asked;
  const index = state.terms.bandIndex(market.id);
  return {
    side: sideOf(flags),
    price: priceAsked(print, price),
    index: print.priceOrNothing(index === 0n ? market.index.price : index),
    latest: print.priceOrNothing(state.lastPrice[market.id] as bigint),
    most_percent: Number(HIGHEST_BUY_PERCENT),
    least_percent: Number(LOWEST_SELL_PERCENT),
  };
});

const amount = ofOrder((asked) => ({
  amount: amountAsked(asked),
  min_amount: asked.print.amount(asked.market.minAmount),
  max_amount: asked.print.amount(asked.market.maxAmount),
  decimals: asked.market.amountPrecision,
  best_opposite: priceThere(asked.print, bestOf(asked)),
}));

const price = ofOrder(({ print, price: ticks, market }) => ({
  price: priceAsked(print, ticks),
  max_price: print.price(market.maxPrice),
  tick: print.price(market.futures?.tickSize ?? 1n),
  decimals: market.pricePrecision,
}));

const opposite = ofOrder((asked) => {
  const best = bestOf(asked);
  return {
    side: sideOf(asked.flags),
    price: asked.price === undefined || asked.price === 0n ? "market" : priceAsked(asked.print, asked.price),
    best_opposite: priceThere(asked.print, best),
    index: asked.print.priceOrNothing(asked.market.index.price),
    ...(asked.market.futures === undefined && best !== undefined ? reachable(asked) : {}),
  };
});

const ownOrder = ofOrder(({ orderId }): Figures => (orderId === undefined ? {} : { order_id: orderId }));

export const ORDER_FIGURES: Readonly<Record<string, FigureSource>> = {
  amount_off_grid: amount,
  amount_too_small: amount,
  amount_too_large: amount,
  price_off_grid: price,
  price_too_high: price,
  price_far_from_latest: band,
  price_far_from_index: band,
  no_counter_orders: opposite,
  would_take: opposite,
  not_fillable: opposite,
  display_too_small: ofOrder(({ market, print }) => ({
    min_amount: print.amount(market.minAmount),
    most_parts: Number(SLICES_MAX),
  })),
  too_many_open_orders: ofOrder(() => ({ most: OPEN_ORDERS_MAX })),
  order_not_found: ownOrder,
  order_not_modifiable: ownOrder,
  nothing_to_modify: ownOrder,
  amount_below_filled: ofOrder((asked) => {
    const { state, market, print, userId, orderId } = asked;
    const slot = orderId === undefined ? NONE : findOwn(state, userId, market.id, undefined, orderId);
    const filled = slot === NONE ? 0n : state.fills.filledLots(state.orders.fillRow(slot));
    return { order_id: orderId ?? 0, amount: amountAsked(asked), filled: print.amount(filled) };
  }),
  auction_locked: ofOrder(({ market }) => ({ no_cancel_at: market.noCancelAt, online_at: market.onlineAt })),
};

/**
 * The available balance of the currency that an order spends (of futures the settlement currency), and the amount that
 * the order needs.
 */
export const balanceOfOrder = ofOrder((asked): Figures => {
  const { state, market, print, userId, flags } = asked;
  if (market.futures !== undefined) {
    const sums = futuresFunds(state, userId, print.settle)?.sums;
    return {
      ccy: print.settle.ccy,
      available: print.value(sums === undefined ? 0n : isolatedMargin(sums)),
      needed: print.value(state.scratch.draft.needs),
      account: "FUTURES",
    };
  }
  const isSell = (flags & FLAG.sell) !== 0;
  const isMargin = (flags & FLAG.margin) !== 0;
  const asset = isSell ? print.base : print.quote;
  const { ledger, margin } = state;
  const cell = isMargin
    ? margin.accounts.cell(margin.accounts.find(userId, market.id), !isSell)
    : ledger.findSpotCell(userId, asset.id);
  return {
    ccy: asset.ccy,
    available: formatDecimal(cell < 0 ? 0n : ledger.available(cell), asset.scale),
    needed: formatDecimal(needsOf(asked), asset.scale),
    account: isMargin ? "MARGIN" : "SPOT",
  };
});

function needsOf({ state, market, userId, flags, amount: wanted, price: ticks, orderId }: OrderAskedFor): bigint {
  // What a change needs on top is what the engine drafted.
  if (orderId !== undefined || wanted === undefined) return state.scratch.draft.needs;
  if (ticks !== undefined && ticks > 0n) return freezeOf(market, flags, ticks, wanted);
  return marketNeeds(state, userId, market, flags, wanted, protectionBound(state, market, flags));
}

/** How much stands within the price of an order, as far as it is looked at. */
function reachable({ state, market, print, flags, price: ticks }: OrderAskedFor): Figures {
  if (ticks === undefined || ticks === 0n) return {};
  let lots = 0n;
  let looked = 0;
  for (const standing of against(state, market, flags)) {
    if ((flags & FLAG.sell) === 0 ? standing.price > ticks : standing.price < ticks) break;
    if (++looked > STANDING_MAX) break;
    lots += standing.lots;
  }
  return { within_price: print.amount(lots) };
}

function bestOf({ state, market, flags }: OrderAskedFor): bigint | undefined {
  return bestAgainst(state, market, flags);
}

function sideOf(flags: number): string {
  return (flags & FLAG.sell) === 0 ? "buy" : "sell";
}
