/** The figures that decide refusals to add liquidity to pools or to remove it. Source: domain 5. */
import { ADDITION_USD_MIN_E8 } from "../../../engine/amm/add.ts";
import { freeAt } from "../../../engine/amm/remove.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { USD_SCALE, usdPriceOf, usdValue } from "../../../engine/listing/usd-price.ts";
import { formatDecimal, parseDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { type AskedFor, type FigureSource, marketIn } from "../../reading/figures.ts";
import type { Figures } from "../../refused.ts";

/**
 * Returns the amounts offered, their worth in USD by indexes if all of it is taken, the least worth, and the pool's
 * reserves and index. Undefined when the market has no pool.
 */
function pool(asked: AskedFor): Figures | undefined {
  const { state, printers, command } = asked;
  const market = marketIn(asked);
  if (market?.pool === undefined) return undefined;
  const print = printers.of(market.id);
  const { baseAmount, quoteAmount } = command as unknown as Readonly<Record<string, unknown>>;
  const { cells } = market.pool;
  const worth = [worthOf(state, print.base, baseAmount), worthOf(state, print.quote, quoteAmount)];
  return {
    base_amount: String(baseAmount ?? ""),
    quote_amount: String(quoteAmount ?? ""),
    worth_usd: worth.includes(undefined) ? "not known" : formatDecimal((worth[0] ?? 0n) + (worth[1] ?? 0n), USD_SCALE),
    min_usd: formatDecimal(ADDITION_USD_MIN_E8, USD_SCALE),
    base_reserve: formatDecimal(state.ledger.available(cells.base), print.base.scale),
    quote_reserve: formatDecimal(state.ledger.available(cells.quote), print.quote.scale),
    index: print.priceOrNothing(market.index.price),
  };
}

function worthOf(state: State, asset: Asset, amount: unknown): bigint | undefined {
  const units = typeof amount === "string" ? parseDecimal(amount, asset.scale) : undefined;
  const price = usdPriceOf(state, asset.id);
  return units === undefined || price === undefined ? undefined : usdValue(asset, units, price);
}

function lock(asked: AskedFor): Figures | undefined {
  const market = marketIn(asked);
  const { userId } = asked.command as unknown as Readonly<Record<string, unknown>>;
  const provider = typeof userId === "number" ? market?.pool?.providers.get(userId) : undefined;
  if (market === undefined || provider === undefined) return undefined;
  return { added_at: provider.addedAt, free_at: freeAt(market, provider), now: asked.state.timeMs };
}

export const POOL_FIGURES: Readonly<Record<string, FigureSource>> = {
  pool_price_off_index: pool,
  liquidity_too_small: pool,
  liquidity_too_large: pool,
  liquidity_locked: lock,
};
