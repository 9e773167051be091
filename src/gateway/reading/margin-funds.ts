/** The funds and debts of a user in the margin account of a market, by its index now. Source: domain 3.2 to 3.4. */
import { isIndexFresh } from "../../engine/listing/index-freshness.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { MarginSpec } from "../../engine/margin/margin-state.ts";
import { figuresOf, liqPriceOf, type MarginFigures, ONE_E8, riskRateE8, worth } from "../../engine/margin/risk.ts";
import type { State } from "../../engine/state.ts";
import { NONE } from "../../engine/trading/order.ts";

/** Units of the base and of the quote currency. */
export interface UnitPair {
  readonly base: bigint;
  readonly quote: bigint;
}

export interface MarginFunds {
  readonly market: Market;
  readonly terms: MarginSpec;
  readonly available: UnitPair;
  readonly frozen: UnitPair;
  readonly principal: UnitPair;
  readonly interest: UnitPair;
  /** The units that may go back to the spot account, if only one of the two currencies does. */
  readonly transferable: UnitPair;
  /** In 10^-8; undefined without a loan. */
  readonly riskE8: bigint | undefined;
  /** Ticks; undefined where no index brings a liquidation. */
  readonly liqPrice: bigint | undefined;
}

const NOTHING: UnitPair = { base: 0n, quote: 0n };

/** Nothing of an account that is not there yet; undefined where the market is no margin market. */
export function marginFundsOf(state: State, userId: number, market: Market): MarginFunds | undefined {
  const terms = state.margin.terms.get(market.id);
  if (terms === undefined) return undefined;
  const { accounts } = state.margin;
  const row = accounts.find(userId, market.id);
  if (row === NONE) {
    const zeros = { available: NOTHING, frozen: NOTHING, principal: NOTHING, interest: NOTHING, transferable: NOTHING };
    return { market, terms, ...zeros, riskE8: undefined, liqPrice: undefined };
  }
  const pair = (read: (isQuote: boolean) => bigint): UnitPair => ({ base: read(false), quote: read(true) });
  const figures = figuresOf(state, row);
  const available = pair((isQuote) => state.ledger.available(accounts.cell(row, isQuote)));
  return {
    market,
    terms,
    available,
    frozen: pair((isQuote) => state.ledger.frozen(accounts.cell(row, isQuote))),
    principal: pair((isQuote) => accounts.principal(row, isQuote)),
    interest: pair((isQuote) => accounts.interest(row, isQuote)),
    transferable: accounts.owes(row) ? transferableOf(state, row, market, terms, figures, available) : available,
    riskE8: riskRateE8(market, market.index.price, figures),
    liqPrice: liqPriceOf(market, figures, terms.liqRateE8),
  };
}

/**
 * As much as leaves an account that owes something at its transfer rate: (assets - rate * debt) / price, floor. Example
 * E8 before it trades, with 10000 and a loan of 10000 USDT, 0.375 of interest and a rate of 1.25: 19999.625 - 12500 =
 * 7499.625.
 */
function transferableOf(
  { margin }: State,
  row: number,
  market: Market,
  { transferRateE8 }: MarginSpec,
  { baseHave, quoteHave, basePrincipal, quotePrincipal }: MarginFigures,
  available: UnitPair,
): UnitPair {
  const { price } = market.index;
  if (margin.accounts.debts(row) > 0 || margin.liquidations.has(row) || !isIndexFresh(market)) return NOTHING;
  const assets = worth(market, price, baseHave, quoteHave);
  const debt = worth(market, price, basePrincipal, quotePrincipal);
  const free = assets * ONE_E8 - debt * transferRateE8;
  if (free <= 0n) return NOTHING;
  const least = (one: bigint, other: bigint) => (one < other ? one : other);
  return {
    base: least(available.base, free / (ONE_E8 * price * market.unitsPerLotTick)),
    quote: least(available.quote, free / (ONE_E8 * market.unitsPerLot)),
  };
}
