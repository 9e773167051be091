import type { Fields } from "../../engine/record.ts";
import { recordRows } from "../record-rows.ts";
import { counted, int, table } from "../table.ts";

/** The row of a position besides its flags. */
export const POSITION_FIELDS = {
  ...{ positionId: "id", userId: "id", marketId: "id", amount: "lots", entryCost: "value", settleCost: "value" },
  ...{ realized: "value", topAmount: "lots", topCost: "value", topMargin: "value", createdAt: "ms", updatedAt: "ms" },
} as const satisfies Fields;

export const positionRecords = recordRows(POSITION_FIELDS, { updatedAt: "ended_ms" });
const { position_id, user_id, market_id, ...figures } = positionRecords.columns;

/**
 * Positions as they stand, or stood before their end; flags as in the engine's position event (POSITION_FLAG). ended_ms
 * 0: it is open.
 */
export const positionRows = table(
  "positions",
  { position_id, user_id, market_id, flags: int, ...figures },
  {
    key: "position_id",
    indexes: { positions_ended: { on: ["user_id", "ended_ms", "position_id"], where: "ended_ms > 0" } },
  },
);

/**
 * How a position stood after a deal, and what the deal realized, moved of its margin and was paid by the insurance
 * fund.
 */
export const DEAL_EFFECT_FIELDS = {
  ...{ amount: "lots", entryCost: "value", margin: "value", pnl: "value", marginChange: "value", covered: "value" },
} as const satisfies Fields;

export const dealEffectRecords = recordRows(DEAL_EFFECT_FIELDS, {});

/**
 * The effect of a deal on a position. Where an order closed one position and opened another in one deal, the position
 * is the one that it opened. A row has how the position stood then, flags as of a position, and the amounts that the
 * deal realized, moved and was paid, of both positions together.
 */
export const dealPositions = table(
  "deal_positions",
  { deal_id: int, order_id: int, position_id: int, flags: int, ...dealEffectRecords.columns },
  { key: ["deal_id", "order_id"] },
);

/** The row of a change of a position that was no trade, besides its flags: how the position stood after it. */
export const POSITION_CHANGE_FIELDS = {
  ...{ positionId: "id", userId: "id", marketId: "id", createdAt: "ms", amount: "lots", settleCost: "value" },
  margin: "value",
  /** Signed: of margin or, of funding and settlements, of what is realized. */
  change: "value",
  ...{ liqPrice: "ticks", bkrPrice: "ticks" },
  /** Of funding the rate; else 0. */
  rateE8: "rateE8",
} as const satisfies Fields;

export const changeRecords = recordRows(POSITION_CHANGE_FIELDS, { createdAt: "time_ms" });
const { position_id: changed, user_id: owner, market_id: where, time_ms, ...after } = changeRecords.columns;

/** Changes of positions that were no trades; kind is a place in POSITION_CHANGE_KINDS. */
export const positionChanges = table(
  "position_changes",
  {
    ...{ change_id: counted, user_id: owner, market_id: where, kind: int, position_id: changed, time_ms, flags: int },
    ...after,
  },
  { key: "change_id", indexes: { position_changes_by_user: { on: ["user_id", "market_id", "kind", "change_id"] } } },
);

export const POSITION_TABLES = [positionRows, dealPositions, positionChanges] as const;
