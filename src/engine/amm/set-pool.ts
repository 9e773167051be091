import { type Answer, accepted, refused } from "../answer.ts";
import type { Market } from "../listing/market.ts";
import { scheduleStatus } from "../listing/schedule.ts";
import { parseDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { SetPool } from "./command-schemas.ts";
import { POOL_TYPES, type PoolRange } from "./pool.ts";
import { openPool } from "./pool-quotes.ts";
import { newPool } from "./reserves.ts";

/** The fee rate of a market with a pool, of both roles, in 10^-8: a pool with a range has more depth for its money. */
const FEE_RATE_E8 = { infinite: 300_000, finite: 100_000 } as const;
const GRID_DIGITS = { usual: 3, least: 3, most: 5 } as const;

/**
 * Gives a spot market a pool, and the fee rates of such markets, which the operator may change after. A pool that
 * nobody has anything in can be given other terms. Source: domain 5.1, 5.2 and L8.
 */
export function setPool(state: State, command: SetPool): Answer {
  const type = POOL_TYPES.find((each) => each === command.type);
  const { gridDigits = GRID_DIGITS.usual } = command;
  const market = state.marketNamed(command.market, false);
  if (market === undefined || market.delisted) {
    return refused("market_not_found", `The spot market ${command.market} is not listed.`);
  }
  if (type === undefined) return refused("invalid_command", `type is one of ${POOL_TYPES.join(", ")}.`);
  if (gridDigits < GRID_DIGITS.least || gridDigits > GRID_DIGITS.most) {
    return refused("invalid_command", `grid_digits is from ${GRID_DIGITS.least} to ${GRID_DIGITS.most}.`);
  }
  const range = type === "finite" ? rangeOf(market, command) : undefined;
  if (typeof range === "string") return refused("invalid_command", range);
  if (type === "infinite" && [command.low, command.high, command.price].some((given) => given !== undefined)) {
    return refused("invalid_command", "low, high and price are those of a finite pool.");
  }
  if (market.pool !== undefined && market.pool.shares > 0n) {
    return refused("pool_in_use", `The pool of ${market.name} has providers; its terms stand.`);
  }

  // Nothing is refused below this line.
  const isNew = market.pool === undefined;
  const pool = market.pool ?? newPool(state, market);
  const before = isNew ? undefined : pool.type;
  pool.type = type;
  pool.range = range;
  pool.gridDigits = gridDigits;
  if (isNew) openPool(state, market, pool);
  if (type !== before) {
    market.makerFeeRateE8 = FEE_RATE_E8[type];
    market.takerFeeRateE8 = FEE_RATE_E8[type];
  }
  pool.note();
  scheduleStatus(state, market);
  emitRareEvent(state, { type: "pool_set", marketId: market.id, poolType: type });
  emitRareEvent(state, { type: "market_changed", market: market.name });
  return accepted({ marketId: market.id });
}

/** The range of a finite pool, or the sentence that says what is wrong with it. */
function rangeOf(market: Market, { low, high, price }: SetPool): PoolRange | string {
  const [from, to, start] = [low, high, price].map((text) =>
    text === undefined ? undefined : parseDecimal(text, market.pricePrecision),
  );
  if (from === undefined || to === undefined || start === undefined) {
    return `A finite pool has low, high and price, each with at most ${market.pricePrecision} decimals.`;
  }
  if (from === 0n || from >= to || to > market.maxPrice)
    return "low must be above 0, and high above low and no higher than prices go.";
  if (start === 0n || start > market.maxPrice) return "price must be above 0 and no higher than prices go.";
  return { low: from, high: to, price: start };
}
