/** On which terms a spot market is traded on margin. Source: domain 3.2 to 3.4. */
import { type Answer, accepted, refused } from "../answer.ts";
import type { Market } from "../listing/market.ts";
import { parseDecimal } from "../money/decimal.ts";
import { INT64_MAX } from "../money/int64.ts";
import { parseRateE8 } from "../money/rate.ts";
import { divCeil } from "../money/rounding.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { SetMarginMarket } from "./command-schemas.ts";
import type { LoanSpec, MarginSpec } from "./margin-state.ts";
import { ONE_E8 } from "./risk.ts";

const LEVERAGE_MIN = 2;
const LEVERAGE_MAX = 10;
/** Transfer rates follow from the leverage, to a hundredth of a percent. */
const TRANSFER_STEP_E8 = 10_000n;

/** Rates of a market whose leverage is at most so much. */
const STANDARD_RATES = [
  { leverage: 3, liqRateE8: 112_000_000n, warnRateE8: 125_000_000n },
  { leverage: 5, liqRateE8: 108_000_000n, warnRateE8: 121_000_000n },
  { leverage: LEVERAGE_MAX, liqRateE8: 105_000_000n, warnRateE8: 110_000_000n },
] as const;

/** Makes a margin market, or changes one. Loans that were given keep their rate until they are renewed. */
export function setMarginMarket(state: State, command: SetMarginMarket): Answer {
  const market = state.marketNamed(command.market, false);
  if (market === undefined || market.delisted) {
    return refused("market_not_found", `There is no spot market ${command.market}.`);
  }
  if (market.index.sources.length === 0) {
    return refused("invalid_listing", "A margin market needs at least one source of its index.");
  }
  const known = state.margin.terms.get(market.id);
  const wanted = termsOf(state, market, command, known?.accountId ?? state.margin.terms.size + 1);
  if (typeof wanted === "string") return refused("invalid_listing", wanted);

  // Nothing is refused below this line.
  state.margin.terms.set(market.id, wanted);
  const { accounts } = state.margin;
  if (known !== undefined) {
    for (let row = 0; row < accounts.count; row++) {
      if (accounts.marketId(row) === market.id && accounts.owes(row)) state.margin.noted.add(row);
    }
  }
  emitRareEvent(state, { type: "margin_market_set", marketId: market.id });
  return accepted({ market: market.name });
}

/** The terms that a command asks for, or the sentence that says what is wrong with them. */
function termsOf(state: State, market: Market, command: SetMarginMarket, accountId: number): MarginSpec | string {
  const { leverage } = command;
  if (leverage < LEVERAGE_MIN || leverage > LEVERAGE_MAX) {
    return `leverage must be a whole number from ${LEVERAGE_MIN} to ${LEVERAGE_MAX}.`;
  }
  const standard = STANDARD_RATES.find((rates) => leverage <= rates.leverage) as (typeof STANDARD_RATES)[number];
  const highest = transferRate(leverage);
  const liqRateE8 = command.liqRate === undefined ? standard.liqRateE8 : parseDecimal(command.liqRate, 8);
  const warnRateE8 = command.warnRate === undefined ? standard.warnRateE8 : parseDecimal(command.warnRate, 8);
  const transferRateE8 = command.transferRate === undefined ? highest : parseDecimal(command.transferRate, 8);
  if (liqRateE8 === undefined || warnRateE8 === undefined || transferRateE8 === undefined) {
    return "Rates are decimals with at most 8 decimals.";
  }
  const isAscending = ONE_E8 < liqRateE8 && liqRateE8 < warnRateE8 && warnRateE8 < highest;
  if (!isAscending || transferRateE8 < warnRateE8 || transferRateE8 > 10n * ONE_E8) {
    return "1 < liq_rate < warn_rate < leverage / (leverage - 1), and transfer_rate is at least warn_rate.";
  }
  const terms = { base: undefined as LoanSpec | undefined, quote: undefined as LoanSpec | undefined };
  for (const loan of command.loans) {
    const asset = state.assetByCcy.get(loan.ccy);
    const which = asset?.id === market.quoteAssetId ? "quote" : asset?.id === market.baseAssetId ? "base" : undefined;
    if (asset === undefined || which === undefined) return `${loan.ccy} is not a currency of ${market.name}.`;
    if (terms[which] !== undefined) return `${loan.ccy} is named twice.`;
    const minAmount = parseDecimal(loan.minAmount, asset.scale);
    const maxAmount = parseDecimal(loan.maxAmount, asset.scale);
    const dailyRateE8 = parseRateE8(loan.dailyInterestRate);
    if (minAmount === undefined || maxAmount === undefined || minAmount <= 0n || maxAmount < minAmount) {
      return "A loan has a min_amount above 0 and a max_amount that is not below it.";
    }
    if (maxAmount > INT64_MAX) return "The max_amount of a loan is too large.";
    if (dailyRateE8 === undefined) return "daily_interest_rate must be from 0 to below 1, with at most 8 decimals.";
    terms[which] = { minAmount, maxAmount, dailyRateE8 };
  }
  return { accountId, leverage, liqRateE8, warnRateE8, transferRateE8, ...terms };
}

/** L / (L - 1), rounded up. Example: 10 gives 1.1112. */
function transferRate(leverage: number): bigint {
  return divCeil(BigInt(leverage) * ONE_E8, BigInt(leverage - 1) * TRANSFER_STEP_E8) * TRANSFER_STEP_E8;
}

/** How the market lends an asset; undefined where it does not. */
export function loanTermsOf(terms: MarginSpec, isQuote: boolean): LoanSpec | undefined {
  return isQuote ? terms.quote : terms.base;
}
