/** The events of positions, as records of 64-bit words like those of event.ts. */
import type { WordBuffer } from "../../words.ts";

/** The reasons for which an event changes a position. New ones are appended. */
export const POSITION_REASONS = ["increase", "reduce", "margin", "leverage", "funding", "settle"] as const;
export type PositionReason = (typeof POSITION_REASONS)[number];

/** How a position came to its end; "" while it is open. */
export const FINISHED_TYPES = [
  "",
  "limit",
  "market",
  "market_close_all",
  "take_profit",
  "stop_loss",
  "liq",
  "adl",
  "sys",
] as const;
export type FinishedType = (typeof FINISHED_TYPES)[number];

/** A position as it stands after a change, and the change. Values in units of the settlement asset. */
export interface PositionEvent {
  readonly kind: "position";
  readonly reason: PositionReason;
  readonly positionId: number;
  readonly userId: number;
  readonly marketId: number;
  readonly isShort: boolean;
  readonly isIsolated: boolean;
  readonly leverage: number;
  /** Not "" in its last event. */
  readonly finishedType: FinishedType;
  /** Lots; 0 in its last event. */
  readonly amount: bigint;
  readonly entryCost: bigint;
  readonly settleCost: bigint;
  /** 0 of a cross position. */
  readonly margin: bigint;
  readonly realized: bigint;
  readonly topAmount: bigint;
  readonly topCost: bigint;
  readonly topMargin: bigint;
  /** Ticks at which lots of it were traded first and last. */
  readonly firstPrice: bigint;
  readonly latestPrice: bigint;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The deal, or 0. */
  readonly dealId: number;
  /** The order whose execution it was, or 0. */
  readonly orderId: number;
  /**
   * Lots more or fewer, what these were worth, and of a reduction the profit; fee on top. Of a settlement the value at
   * mark and the profit, of funding what was received, below 0 what was paid.
   */
  readonly lots: bigint;
  readonly value: bigint;
  /** Of a reduction what these had cost at entry. */
  readonly entered: bigint;
  readonly pnl: bigint;
  readonly fee: bigint;
  /** Change of its isolated margin. */
  readonly marginChange: bigint;
  /** Units that the insurance fund paid of a close below bankruptcy. */
  readonly covered: bigint;
  /** Ticks; liquidation and bankruptcy price after a change of margin or leverage, else 0. */
  readonly liqPrice: bigint;
  readonly bkrPrice: bigint;
}

/** The last event of a position. */
export type EndingEvent = PositionEvent & { readonly finishedType: Exclude<FinishedType, ""> };

export const POSITION_FLAG = {
  short: 1,
  isolated: 2,
  reasonShift: 2,
  reasonMask: 31,
  finishedShift: 7,
  finishedMask: 15,
} as const;
export const POSITION_WORDS = 26;

/**
 * Layout of a position record, in words: 0 head + market, 1 user + flags, 2 id, 3 amount, 4 entry cost, 5 settle cost,
 * 6 margin, 7 realized, 8-10 the most of amount, entry cost and margin, 11 created, 12 updated, 13 deal, 14 order, 15
 * lots, 16 value, 17 pnl, 18 fee, 19 margin change, 20 covered, 21 liquidation price, 22 bankruptcy price, 23 first and
 * 24 latest price, 25 entered. Leverage stands in the flags above bit 16.
 */
export function decodePosition(buffer: WordBuffer, at: number): PositionEvent {
  const { i32, f64, i64 } = buffer;
  const flags = i32[at * 2 + 3] as number;
  return {
    kind: "position",
    reason: POSITION_REASONS[(flags >> POSITION_FLAG.reasonShift) & POSITION_FLAG.reasonMask] as PositionReason,
    positionId: f64[at + 2] as number,
    userId: i32[at * 2 + 2] as number,
    marketId: i32[at * 2 + 1] as number,
    isShort: (flags & POSITION_FLAG.short) !== 0,
    isIsolated: (flags & POSITION_FLAG.isolated) !== 0,
    leverage: flags >>> 16,
    finishedType: FINISHED_TYPES[(flags >> POSITION_FLAG.finishedShift) & POSITION_FLAG.finishedMask] as FinishedType,
    amount: i64[at + 3] as bigint,
    entryCost: i64[at + 4] as bigint,
    settleCost: i64[at + 5] as bigint,
    margin: i64[at + 6] as bigint,
    realized: i64[at + 7] as bigint,
    topAmount: i64[at + 8] as bigint,
    topCost: i64[at + 9] as bigint,
    topMargin: i64[at + 10] as bigint,
    createdAt: f64[at + 11] as number,
    updatedAt: f64[at + 12] as number,
    dealId: f64[at + 13] as number,
    orderId: f64[at + 14] as number,
    lots: i64[at + 15] as bigint,
    value: i64[at + 16] as bigint,
    pnl: i64[at + 17] as bigint,
    fee: i64[at + 18] as bigint,
    marginChange: i64[at + 19] as bigint,
    covered: i64[at + 20] as bigint,
    liqPrice: i64[at + 21] as bigint,
    bkrPrice: i64[at + 22] as bigint,
    firstPrice: i64[at + 23] as bigint,
    latestPrice: i64[at + 24] as bigint,
    entered: i64[at + 25] as bigint,
  };
}
