/**
 * Pools of spot markets, as operators set them up and look at them. Fields are named as in the records that the API
 * answers.
 */
import { POOL_TYPES, type Pool } from "../../../engine/amm/pool.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, oneOf, optional, required, whole } from "../../admin/field.ts";
import { type MarketPrinter, Printers } from "../../reading/market-printer.ts";
import { marketName } from "../listing/listing-calls.ts";
import { poolOf } from "./pools.ts";

const price = decimal("PRICE");

const setPool = call({
  method: "POST",
  path: "/admin/pools",
  verbs: {
    "pool set": "Give a spot market a pool, with the fee rates of such markets; or an empty pool other terms.",
  },
  fields: {
    market: required(marketName, "the spot market"),
    type: required(oneOf(POOL_TYPES), "infinite: at every price; finite: within a range"),
    low: optional(price, "of a finite pool, the lowest price"),
    high: optional(price, "of a finite pool, the highest price"),
    price: optional(price, "of a finite pool, the price that it begins with"),
    grid_digits: optional(whole("N", 3, 5), "digits of the prices that it quotes; 3 unless given"),
  },
  serve: (backend, { grid_digits: gridDigits, ...terms }) =>
    execute(backend, { kind: "set_pool", ...terms, gridDigits }, (result) => {
      const { marketId } = result as { marketId: number };
      return rowOf(backend.state, new Printers(backend.state).of(marketId));
    }),
});

const listPools = call({
  method: "GET",
  path: "/admin/pools",
  verbs: {
    "pool list": "Show the pools of listed markets: what each holds, how many provide for it and what it brings.",
  },
  fields: {},
  serve({ state }) {
    const printers = new Printers(state);
    const markets = state.markets.filter(({ pool, delisted }) => pool !== undefined && !delisted);
    return { pools: markets.map(({ id }) => rowOf(state, printers.of(id))) };
  },
});

function rowOf(state: Parameters<typeof poolOf>[0], printer: MarketPrinter): object {
  const pool = printer.market.pool as Pool;
  const { range, gridDigits } = pool;
  const ends = range && {
    low: printer.price(range.low),
    high: printer.price(range.high),
    price: printer.price(range.price),
  };
  return { ...poolOf(state, printer, pool), ...ends, grid_digits: gridDigits, providers: pool.providers.size };
}

export const POOL_CALLS: readonly AdminCall[] = [setPool, listPools];
