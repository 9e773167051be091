/** Checks before a market is listed: rules that the venue would refuse by, and slips that it would take. */
import { compare, decimalsOf, isDecimal, plus } from "../number/decimal.ts";

/** Texts as they stand in the fields; empty: not given. */
export interface Listing {
  readonly market: string;
  readonly isFutures: boolean;
  readonly isInverse: boolean;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  /** Decimals that the ledger keeps; undefined where the asset is not known. */
  readonly baseScale: number | undefined;
  readonly quoteScale: number | undefined;
  readonly amountDecimals: string;
  readonly priceDecimals: string;
  readonly minAmount: string;
  readonly makerFeeRate: string;
  readonly takerFeeRate: string;
  readonly chains: readonly string[];
  readonly sources: readonly { readonly exchange: string; readonly weight: string }[];
  readonly levels: number;
}

/** The markets, chains and exchanges that the venue has already. */
export interface Listed {
  readonly markets: readonly string[];
  /** Chains that money moves on. */
  readonly chains: readonly string[];
  /** Exchanges that some index is made of. */
  readonly exchanges: readonly string[];
}

export interface Check {
  readonly says: string;
  /** `wrong`: the venue would refuse it. `doubtful`: it would not. */
  readonly verdict: "right" | "wrong" | "doubtful";
}

const WEIGHTS_WHOLE = "1";
const FEE_RATE_HIGH = "0.01";

export function listingChecks(of: Listing, has: Listed): readonly Check[] {
  const ask = (is: boolean, right: string, wrong: string, verdict: "wrong" | "doubtful" = "wrong"): Check =>
    is ? { says: right, verdict: "right" } : { says: wrong, verdict };
  const { baseCcy, quoteCcy, baseScale, quoteScale } = of;
  const [amount, price] = [Number(of.amountDecimals), Number(of.priceDecimals)];
  const [least, maker, taker] = [of.minAmount, of.makerFeeRate, of.takerFeeRate];
  const areRates = isDecimal(maker) && isDecimal(taker);
  const spent = of.isInverse ? baseCcy : quoteCcy;
  const checks: Check[] = [
    ask(
      baseScale !== undefined && quoteScale !== undefined && baseCcy !== quoteCcy,
      `${baseCcy} and ${quoteCcy} are assets of the venue.`,
      "Base and quote currency must be two listed assets: list what is missing in the first step.",
    ),
    ask(
      !has.markets.includes(of.market),
      `No market is called ${of.market} yet.`,
      `${of.market} is listed: what is given here would change that market.`,
    ),
    ask(
      of.market === `${baseCcy}${quoteCcy}`,
      `${of.market} is named after its currencies.`,
      `Clients expect the name ${baseCcy}${quoteCcy}.`,
      "doubtful",
    ),
    ask(
      isDecimal(least) && compare(least, "0") > 0 && decimalsOf(least) <= amount,
      "The minimum order is on the grid of amounts.",
      `The minimum order must be above 0 with at most ${amount} decimals.`,
    ),
    ask(
      areRates && [maker, taker].every((rate) => compare(rate, "0") >= 0 && compare(rate, "1") < 0),
      "The fee rates are shares.",
      "Fee rates are decimals from 0 to below 1: 0.001 is 0.1 %.",
    ),
  ];
  if (areRates) {
    checks.push(
      ask(
        compare(maker, taker) <= 0 && compare(taker, FEE_RATE_HIGH) <= 0,
        "Takers pay at least what makers pay, and at most 1 %.",
        "Makers would pay more than takers, or takers more than 1 %.",
        "doubtful",
      ),
    );
  }
  if (!of.isFutures && baseScale !== undefined && quoteScale !== undefined) {
    checks.push(
      ask(
        amount <= baseScale && amount + price <= quoteScale,
        "Every value of a trade is a whole number of units (L1).",
        `L1: decimals of amounts (${amount}) must not exceed those of ${baseCcy} (${baseScale}), ` +
          `and with those of prices (${price}) not those of ${spent} (${quoteScale}).`,
      ),
    );
  }
  if (of.isFutures) {
    checks.push(
      ask(
        !of.isInverse || amount === 0,
        "Amounts are on the grid of the contract.",
        "The amount of an inverse contract counts whole contracts: its decimals are 0.",
      ),
      ask(of.levels > 0, `${of.levels} position levels.`, "A futures market needs position levels."),
      ask(
        of.sources.length > 0,
        "The index has sources.",
        "Without sources of an index no mark can be worked out, and nothing trades.",
        "doubtful",
      ),
    );
  }
  if (of.sources.length > 0) {
    const unknown = of.sources.map(({ exchange }) => exchange).filter((name) => !has.exchanges.includes(name));
    const weights = of.sources.reduce((sum, { weight }) => (isDecimal(weight) ? plus(sum, weight) : sum), "0");
    checks.push(
      ask(
        unknown.length === 0,
        "Every source of the index feeds another market already.",
        `${unknown.join(", ")} feeds no other index: check the spelling.`,
        "doubtful",
      ),
      ask(
        compare(weights, WEIGHTS_WHOLE) === 0,
        "The weights of the index come to 1.",
        `The weights of the index come to ${weights}, not to 1.`,
        "doubtful",
      ),
    );
  }
  const strange = of.chains.filter((name) => !has.chains.includes(name));
  if (of.chains.length > 0) {
    checks.push(
      ask(
        strange.length === 0,
        "The venue moves money on every chain named.",
        `The venue moves no money on ${strange.join(", ")}: deposits would not be seen.`,
        "doubtful",
      ),
    );
  }
  return checks;
}
