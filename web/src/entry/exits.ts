/**
 * Take profit and stop loss that come with an order: what they would bring, and what speaks against them before the
 * venue is asked.
 */
import { tickerOf } from "../market/markets.ts";
import { compare, type Decimal, isDecimal, isPositive } from "../number/decimal.ts";
import type { Draft, ExitKind, ExitType } from "./draft.ts";
import { gainAt } from "./estimate.ts";
import type { Outlook } from "./outlook.ts";

export const EXITS: ReadonlyArray<readonly [kind: ExitKind, word: string, action: string]> = [
  ["take_profit", "Take profit", "set-position-take-profit"],
  ["stop_loss", "Stop loss", "set-position-stop-loss"],
];

export interface Exits {
  readonly type: ExitType;
  readonly take_profit?: Decimal;
  readonly stop_loss?: Decimal;
}

/** Those that are filled in; undefined where none is. */
export function exitsOf(draft: Draft): Exits | undefined {
  if (!draft.hasExits()) return undefined;
  const prices = EXITS.flatMap(([kind]) => (draft.exits[kind]() === "" ? [] : [[kind, draft.exits[kind]()] as const]));
  return prices.length === 0 ? undefined : { type: draft.exitType(), ...Object.fromEntries(prices) };
}

/**
 * Returns the gain of an exit, of the whole position that the order leads to. Undefined without a valid price, while
 * the position is not known, and where the order reduces one.
 */
export function expectedGain(draft: Draft, outlook: Outlook, kind: ExitKind): Decimal | undefined {
  const [price, to] = [draft.exits[kind](), outlook.position()];
  if (!isDecimal(price) || !isPositive(price) || to === undefined || to.reduces) return undefined;
  return gainAt(draft.market(), to.isLong, to.whole, to.cost, price);
}

/** Why an exit cannot be meant so; undefined where nothing speaks against it. */
export function exitFault(draft: Draft, outlook: Outlook, kind: ExitKind): string | undefined {
  const text = draft.exits[kind]();
  if (text === "") return undefined;
  const word = kind === "take_profit" ? "take profit" : "stop loss";
  if (!isDecimal(text) || !isPositive(text)) return `Enter the price of the ${word}, or leave it empty.`;
  if (outlook.position()?.reduces) return "The order only reduces your position: set exits at the position itself.";
  const isLong = draft.side() === "buy";
  const isAbove = isLong === (kind === "take_profit");
  const ticker = tickerOf(draft.market().key);
  const now = draft.exitType() === "mark_price" ? ticker?.mark_price : ticker?.last;
  for (const [bound, name] of [
    [draft.isMarket() ? undefined : draft.price(), "the price of the order"],
    [now, draft.exitType() === "mark_price" ? "the mark price" : "the last price"],
  ] as const) {
    if (bound === undefined || !isDecimal(bound) || !isPositive(bound)) continue;
    const is = compare(text, bound);
    if (isAbove ? is <= 0 : is >= 0)
      return `The ${word} of a ${isLong ? "long" : "short"} position lies ${isAbove ? "above" : "below"} ${name}.`;
  }
  return undefined;
}
