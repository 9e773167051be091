/** Checks the settings of a market's volatility interruption that an operator makes. Source: domain 2.9. */
import { parseRateE8 } from "../money/rate.ts";
import type { InterruptionSettings } from "./command-schemas.ts";
import type { Interruption, Market } from "./market.ts";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** The settings that a change leaves a market with, or the sentence that says why it cannot have them. */
export function changedInterruption(
  market: Pick<Market, "futures" | "interruption">,
  change: InterruptionSettings | null | undefined,
): Interruption | undefined | string {
  if (change === undefined) return market.interruption;
  if (change === null) return undefined;
  if (market.futures !== undefined) {
    return "A futures market has no call auction to reopen with: its mark is held to the index instead.";
  }
  const { move, windowMs, auctionMs } = change;
  const moveE8 = parseRateE8(move);
  if (moveE8 === undefined || moveE8 === 0)
    return "move of an interruption is a decimal above 0 and below 1 with at most 8 decimals.";
  if (!isSpan(windowMs) || !isSpan(auctionMs)) {
    return "window_ms and auction_ms of an interruption are from a second to a day.";
  }
  return { moveE8, windowMs, auctionMs };
}

function isSpan(spanMs: number): boolean {
  return spanMs >= SECOND_MS && spanMs <= DAY_MS;
}
