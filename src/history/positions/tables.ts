import { counted, int, table } from "../table.ts";

/**
 * Positions as they stand, or stood before their end; flags as in the engine's position event (POSITION_FLAG). ended_ms 0: it is
 * open.
 */
export const positionRows = table(
  "positions",
  {
    position_id: int,
    user_id: int,
    market_id: int,
    flags: int,
    amount: int,
    entry_cost: int,
    settle_cost: int,
    realized: int,
    top_amount: int,
    top_cost: int,
    top_margin: int,
    created_ms: int,
    ended_ms: int,
  },
  {
    key: "position_id",
    indexes: { positions_ended: { on: ["user_id", "ended_ms", "position_id"], where: "ended_ms > 0" } },
  },
);

/**
 * What a deal changed: of an order that closed one position and opened another in one deal, the one that it opened. How the position
 * stood then, flags as of a position; what the deal realized, moved of its margin and was paid by the insurance fund, of both together.
 */
export const dealPositions = table(
  "deal_positions",
  {
    deal_id: int,
    order_id: int,
    position_id: int,
    flags: int,
    amount: int,
    entry_cost: int,
    margin: int,
    pnl: int,
    margin_change: int,
    covered: int,
  },
  { key: ["deal_id", "order_id"] },
);

/** Changes of positions that were no trades; kind is a place in POSITION_CHANGE_KINDS. */
export const positionChanges = table(
  "position_changes",
  {
    change_id: counted,
    user_id: int,
    market_id: int,
    kind: int,
    position_id: int,
    time_ms: int,
    flags: int,
    amount: int,
    settle_cost: int,
    margin: int,
    change: int,
    liq_price: int,
    bkr_price: int,
    rate_e8: int,
  },
  { key: "change_id", indexes: { position_changes_by_user: { on: ["user_id", "market_id", "kind", "change_id"] } } },
);

export const POSITION_TABLES = [positionRows, dealPositions, positionChanges] as const;
