/** Users' liquidity in pools, the income from it, and the pools themselves. */

import { weekOf, worthOf, yieldE8 } from "../../../engine/amm/figures.ts";
import { type Pool, proportionE8 } from "../../../engine/amm/pool.ts";
import { partOf } from "../../../engine/amm/reserves.ts";
import { USD_SCALE, usdSum } from "../../../engine/listing/usd-price.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import type { PoolIncomeRow } from "../../../history/pools/pool-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { AmmIncome, AmmLiquidity, AmmPool } from "../../current/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import { type MarketPrinter, NOTHING, type Printers, rateText } from "../../reading/market-printer.ts";
import { inMarket, inPastMarket, rowsOf } from "../../reading/named-markets.ts";
import { Refused } from "../../refused.ts";

export function poolHandlers(backend: Backend, printers: Printers): Handlers {
  const { state, history } = backend;
  return {
    "GET /assets/amm/liquidity": (call) => {
      call.answer(liquidityOfUser(state, printers, call.caller.userId));
    },

    "POST /assets/amm/add-liquidity": (call) => {
      const { caller, params } = call;
      const { market, base_ccy_amount: baseAmount, quote_ccy_amount: quoteAmount } = params;
      inMarket(state, "spot", call, market, ({ id }) => {
        const command = { kind: "add_liquidity", userId: caller.userId, market, baseAmount, quoteAmount } as const;
        execute(backend, call, command, () => call.answer(changeOf(state, printers.of(id), caller.userId)));
      });
    },

    "POST /assets/amm/remove-liquidity": (call) => {
      const { caller, params } = call;
      inMarket(state, "spot", call, params.market, ({ id, name }) => {
        const command = { kind: "remove_liquidity", userId: caller.userId, market: name } as const;
        execute(backend, call, command, () => call.answer(changeOf(state, printers.of(id), caller.userId)));
      });
    },

    "GET /assets/amm/liquidity-pool": (call) => {
      const rows = rowsOf(state, printers, "spot", call.params.market, (printer) => {
        const { pool } = printer.market;
        return pool && poolOf(state, printer, pool);
      });
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(rows);
    },

    "GET /assets/amm/income-history": (call) => {
      const { caller, params } = call;
      return inPastMarket(state, "spot", call, params.market, async ({ id: marketId }) => {
        const { start_time: startTime, end_time: endTime, page: number, limit } = params;
        const query = { userId: caller.userId, marketId, startTime, endTime, page: number, limit };
        const page = await pageFromHistory((each) => history.poolIncome(each), query);
        answerPage(call, page, (rows) => rows.map((row) => incomeOf(printers.of(marketId), row)));
      });
    },
  };
}

/**
 * Returns the user's present part of the reserves of a pool, in both currencies, and its proportion. Zero without
 * shares.
 */
function changeOf(state: State, { market, base, quote }: MarketPrinter, userId: number) {
  const pool = market.pool as Pool;
  const shares = pool.providers.get(userId)?.shares ?? 0n;
  const own = partOf(state, pool, shares);
  return {
    market: market.name,
    base_ccy_amount: formatDecimal(own.base, base.scale),
    quote_ccy_amount: formatDecimal(own.quote, quote.scale),
    liquidity_proportion: rateText(proportionE8(pool, shares)),
  };
}

/** Returns the liquidity of a user in each pool that the user has shares of. */
export function liquidityOfUser(state: State, printers: Printers, userId: number): AmmLiquidity[] {
  const own = state.markets.filter(({ pool }) => pool?.providers.has(userId) === true);
  return own.map(({ id }) => liquidityOf(state, printers.of(id), userId));
}

function liquidityOf(state: State, printer: MarketPrinter, userId: number): AmmLiquidity {
  const { market, ...own } = changeOf(state, printer, userId);
  return { market, base_ccy: printer.base.ccy, quote_ccy: printer.quote.ccy, ...own };
}

export function poolOf(state: State, printer: MarketPrinter, pool: Pool): AmmPool {
  const { market, base, quote } = printer;
  const all = partOf(state, pool, pool.shares);
  const week = weekOf(pool);
  return {
    market: market.name,
    type: pool.type,
    base_ccy: base.ccy,
    quote_ccy: quote.ccy,
    base_ccy_amount: formatDecimal(all.base, base.scale),
    quote_ccy_amount: formatDecimal(all.quote, quote.scale),
    total_liquidity: usdText(state, market.quoteAssetId, worthOf(state, pool, pool.shares)),
    apy_1day: rateText(yieldE8(state, pool, 1)),
    apy_7day: rateText(yieldE8(state, pool, 7)),
    value_7day: printer.value(week.traded),
    fee_dividend_7day: printer.value(week.dividends),
  };
}

/** Units of an asset in dollars; 0 while it has no price. */
function usdText(state: State, assetId: number, units: bigint): string {
  const worth = usdSum(state, [[assetId, units]]);
  return worth === undefined ? NOTHING : formatDecimal(worth, USD_SCALE);
}

function incomeOf({ market, base, quote }: MarketPrinter, row: PoolIncomeRow): AmmIncome {
  return {
    created_at: row.endedAt,
    market: market.name,
    base_ccy: base.ccy,
    quote_ccy: quote.ccy,
    base_ccy_amount: formatDecimal(row.base, base.scale),
    quote_ccy_amount: formatDecimal(row.quote, quote.scale),
    liquidity: formatDecimal(row.liquidity, quote.scale),
    liquidity_proportion: rateText(row.proportionE8),
    fee_dividend: formatDecimal(row.dividends, quote.scale),
  };
}
