/** The figures that decide refusals of stop orders. Source: domain 2.11. */
import { referenceOf } from "../../../engine/command.ts";
import { STOP_ORDERS_MAX } from "../../../engine/stops/stop-commands.ts";
import { referencePrice } from "../../../engine/trading/reference-price.ts";
import { type FigureSource, ofOrder, priceAsked } from "../../reading/figures.ts";

const trigger = ofOrder(({ state, market, print, flags, trigger: ticks, price }) => ({
  trigger_price: priceAsked(print, ticks),
  price: priceAsked(print, price),
  max_price: print.price(market.maxPrice),
  decimals: market.pricePrecision,
  compared_with: print.priceOrNothing(referencePrice(state, market, referenceOf(flags))),
}));

export const STOP_FIGURES: Readonly<Record<string, FigureSource>> = {
  trigger_off_grid: trigger,
  trigger_too_high: trigger,
  price_far_from_trigger: trigger,
  too_many_stop_orders: ofOrder(() => ({ most: STOP_ORDERS_MAX })),
};
