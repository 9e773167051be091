/**
 * Where parts hear of what happens in other parts. The list of parts fills it once, when it is loaded (parts.ts); it
 * stands in a file of its own so that who tells need not know who hears.
 */
import type { MarketType } from "./listing/market.ts";
import type { Part } from "./part.ts";
import type { Settlement } from "./trading/settlement.ts";

export type Hooks = Pick<
  Part,
  | "settlement"
  | "onListed"
  | "onDelisting"
  | "lookAfterAccounts"
  | "onIndexPrice"
  | "barsWithdrawal"
  | "holdings"
  | "owed"
  | "onDeal"
  | "onGroupedOrder"
  | "onDeposit"
  | "refuseOutflow"
  | "owes"
  | "owesAsset"
  | "refuseTrading"
  | "refuseResult"
  | "looksAtFairOrders"
  | "isLeveraged"
  | "due"
  | "dueIn"
  | "isOverdueIn"
>;

let parts: readonly Hooks[] | undefined;

/** Everybody who may hear. Throws before the parts are there: nobody would, and nobody would notice. */
export function hooks(): readonly Hooks[] {
  if (parts === undefined) throw new Error("The parts of the engine are not loaded: import parts.ts.");
  return parts;
}

export function fillHooks(all: readonly Hooks[]): void {
  parts = all;
}

/** How orders and fills are settled in markets of this type, where nothing else is said when they are listed. */
export function settlementOf(marketType: MarketType): Settlement {
  const found = hooks().find(({ settlement }) => settlement?.marketType === marketType)?.settlement;
  if (found === undefined) throw new Error(`No part settles markets of the type ${marketType}.`);
  return found;
}
