/** Warnings about what looks like a slip of the hand: said below the form, and asked about before the order is sent. */
import { tickerOf } from "../market/markets.ts";
import { compare, type Decimal, isDecimal, isPositive, minus, over } from "../number/decimal.ts";
import { percent, shown } from "../number/show.ts";
import { exitAt } from "./bracket.ts";
import type { Draft } from "./draft.ts";
import { levelsFor } from "./funds.ts";
import type { Outlook } from "./outlook.ts";

/** A limit price worse than the last price by more than this is asked about. */
const PRICE_OFF = "0.05";
/** So is an order at the market that would fill so much worse than the best price. */
const SLIPPAGE = "0.01";

export function warningsOf(draft: Draft, outlook: Outlook): readonly string[] {
  return [priceWarning(draft), slippageWarning(draft, outlook), stopLossWarning(draft, outlook)].flatMap(
    (each) => each ?? [],
  );
}

/** How much worse a price is than another for who buys or sells, as a rate; negative where it is better. */
function worseBy(price: Decimal, than: Decimal, isBuy: boolean): Decimal {
  return over(isBuy ? minus(price, than) : minus(than, price), than, 6);
}

function priceWarning(draft: Draft): string | undefined {
  const [price, last, isBuy] = [draft.price(), tickerOf(draft.market().key)?.last, draft.side() === "buy"];
  if (draft.isMarket() || last === undefined || !isDecimal(price) || !isPositive(last)) return undefined;
  const off = worseBy(price, last, isBuy);
  if (compare(off, PRICE_OFF) <= 0) return undefined;
  return (
    `The price is ${percent(off, 1)} ${isBuy ? "above" : "below"} ` +
    `the last price, ${shown(last, draft.market().priceDecimals)}.`
  );
}

function slippageWarning(draft: Draft, outlook: Outlook): string | undefined {
  const [met, best] = [outlook.fill(), levelsFor(draft.side())[0]?.[0]];
  // Only an order that meets the book at once has a fill to tell of.
  if (met === undefined || best === undefined) return undefined;
  if (!met.isWhole) return "The order is larger than all levels of the book that are seen.";
  const off = worseBy(met.average, best, draft.side() === "buy");
  if (compare(off, SLIPPAGE) <= 0) return undefined;
  return (
    `The order would fill ${percent(off, 1)} worse than the best price, on ` +
    `average at ${shown(met.average, draft.market().priceDecimals, "nearest")}.`
  );
}

function stopLossWarning(draft: Draft, outlook: Outlook): string | undefined {
  const [stop, at] = [exitAt(draft, "stop_loss"), outlook.liquidationAt()];
  if (stop === undefined || at === undefined || at === "none") return undefined;
  const isBeyond = draft.side() === "buy" ? compare(stop, at) <= 0 : compare(stop, at) >= 0;
  if (!isBeyond) return undefined;
  return `The position would be liquidated at about ${shown(at, draft.market().priceDecimals)}, before the stop loss.`;
}
