/**
 * Take profit and stop loss of a bracket, which the venue keeps and wakes with each fill of the entry (domain 2.20):
 * what they would bring, what speaks against them, and what the venue is told.
 */
import { compare, type Decimal, greater, isDecimal, isPositive, lesser, over, times } from "../number/decimal.ts";
import type { Draft, ExitKind } from "./draft.ts";
import { gainAt } from "./estimate.ts";
import { valuedAt } from "./funds.ts";
import { followed, trailedFrom, trailOf } from "./trail.ts";

/** Decimals of a value that is worked out of contracts. */
const VALUE_DECIMALS = 18;

/** Whether the exit is a stop loss of a bracket that follows the price. */
export function trails(draft: Draft, kind: ExitKind): boolean {
  return draft.isBracket() && kind === "stop_loss" && draft.lossBy() !== "trigger";
}

/**
 * The price that an exit of the order is triggered at, a trail's as if the price turned at once; undefined until one is
 * typed, and for an order without exits.
 */
export function exitAt(draft: Draft, kind: ExitKind): Decimal | undefined {
  if (!draft.isBracket() && !draft.hasExits()) return undefined;
  if (trails(draft, kind)) return trailedFrom(draft, valuedAt(draft, draft.side()), draft.side() === "sell");
  const text = draft.exits[kind]();
  return isDecimal(text) && isPositive(text) ? text : undefined;
}

/** Returns the gain of an exit, of all that is ordered; undefined while a figure of it is missing. */
export function bracketGain(draft: Draft, kind: ExitKind): Decimal | undefined {
  const [at, entry, amount] = [exitAt(draft, kind), valuedAt(draft, draft.side()), draft.knownAmount()];
  if (at === undefined || entry === undefined || amount === undefined) return undefined;
  const market = draft.market();
  const cost = market.isInverse ? over(amount, entry, VALUE_DECIMALS) : times(amount, entry);
  return gainAt(market, draft.side() === "buy", amount, cost, at);
}

/** Why an exit of a bracket cannot be meant so; undefined where nothing speaks against it. */
export function bracketFault(draft: Draft, kind: ExitKind): string | undefined {
  if (trails(draft, kind)) return trailOf(draft) === undefined ? "Enter how far the price has to turn." : undefined;
  const at = exitAt(draft, kind);
  const word = kind === "take_profit" ? "take profit" : "stop loss";
  if (at === undefined) return `Enter the price of the ${word}: a bracket has both.`;
  const entry = entryOf(draft);
  const isAbove = (draft.side() === "buy") === (kind === "take_profit");
  if (entry === undefined || (isAbove ? compare(at, entry) > 0 : compare(at, entry) < 0)) return undefined;
  const does = draft.side() === "buy" ? "buys" : "sells";
  return `The ${word} of an order that ${does} lies ${isAbove ? "above" : "below"} the price at which it would fill.`;
}

/** The price at which the entry would fill: its own, or the price of now where that is the better one. */
function entryOf(draft: Draft): Decimal | undefined {
  const [price, now] = [draft.price(), followed(draft)];
  const known = now !== undefined && isPositive(now) ? now : undefined;
  if (draft.isMarket()) return known;
  if (!isDecimal(price) || known === undefined) return isDecimal(price) ? price : undefined;
  return draft.side() === "buy" ? lesser(price, known) : greater(price, known);
}

/** The fields of a request that tell of the two exits. */
export function exitsOfBracket(draft: Draft): object {
  const trail = trails(draft, "stop_loss") ? trailOf(draft) : undefined;
  return {
    take_profit_price: draft.exits.take_profit(),
    ...(trail === undefined
      ? { stop_loss_price: draft.exits.stop_loss() }
      : Object.fromEntries(Object.entries(trail).map(([name, distance]) => [`stop_loss_${name}`, distance]))),
  };
}
