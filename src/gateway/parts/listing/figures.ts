/** How a market stood that did not take something. */
import { type FigureSource, ofOrder } from "../../reading/figures.ts";

const standing = ofOrder(({ state, market }) => ({
  status: market.status,
  online_at: market.onlineAt,
  suspended: market.suspended,
  api_trading: market.apiTradingAvailable,
  ...(market.halt === undefined || market.status === "online"
    ? {}
    : { interrupted_at: market.halt.calledAt.at(-1) ?? 0 }),
  now: state.timeMs,
}));

export const LISTING_FIGURES: Readonly<Record<string, FigureSource>> = {
  market_not_open: standing,
  market_suspended: standing,
  api_trading_off: standing,
};
