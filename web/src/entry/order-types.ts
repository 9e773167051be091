/** The types of orders and the prices that triggers look at, as the form and the lists name them. */
import type { OrderType } from "../api/records.ts";
import type { TriggerType } from "./draft.ts";

export const ORDER_TYPES: ReadonlyArray<readonly [type: OrderType, word: string, hint: string]> = [
  ["limit", "Limit", "Trades up to your price, the rest waits in the book"],
  ["market", "Market", "Trades at once at the prices of the book"],
  ["maker_only", "Maker only", "Refused if it would trade at once: you pay the maker's fee"],
  ["ioc", "IOC", "Immediate or cancel: trades up to your price at once, the rest ends"],
  ["fok", "FOK", "Fill or kill: trades whole and at once up to your price, or not at all"],
];

export const TRIGGERS: ReadonlyArray<readonly [type: TriggerType, word: string]> = [
  ["latest_price", "Last"],
  ["mark_price", "Mark"],
  ["index_price", "Index"],
];
