import type { Kysely, Selectable } from "kysely";
import {
  FINISHED_TYPES,
  type FinishedType,
  POSITION_FLAG,
  POSITION_REASONS,
  type PositionReason,
} from "../../engine/futures/positions/position-event.ts";
import type { RecordOf } from "../../engine/record.ts";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { RowOf, TablesOf } from "../table.ts";
import {
  changeRecords,
  type DEAL_EFFECT_FIELDS,
  dealEffectRecords,
  type POSITION_CHANGE_FIELDS,
  type POSITION_FIELDS,
  type POSITION_TABLES,
  type positionChanges,
  positionRecords,
  type positionRows,
} from "./tables.ts";

type Db = Kysely<TablesOf<(typeof POSITION_TABLES)[number]>>;

/**
 * The kinds of changes that are told of a position besides its trades; the place in the list is the number in the
 * tables.
 */
export const POSITION_CHANGE_KINDS = ["margin", "funding", "settle"] as const;
export type PositionChangeKind = (typeof POSITION_CHANGE_KINDS)[number];

/** The reasons of position events that make a row of `position_changes`, and of which kind. */
export const CHANGE_KIND_OF: { readonly [Reason in PositionReason]?: PositionChangeKind } = {
  margin: "margin",
  leverage: "margin",
  funding: "funding",
  settle: "settle",
};

interface InTime extends PageRequest {
  readonly userId: number;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

export interface FinishedPositionsQuery extends InTime {
  readonly marketId?: number | undefined;
}

export interface PositionChangesQuery extends InTime {
  readonly kind: PositionChangeKind;
  readonly marketId: number;
  /** Absent: every position of the user in the market. */
  readonly positionId?: number | undefined;
}

export interface DealEffectsQuery {
  /** As many as a page has. */
  readonly deals: readonly { readonly dealId: number; readonly orderId: number }[];
}

interface PositionTraits {
  readonly isShort: boolean;
  readonly isIsolated: boolean;
  readonly leverage: number;
}

/** The effect of a deal on a position, and how the position stood then. */
export interface DealEffect extends Omit<PositionTraits, "isShort">, RecordOf<typeof DEAL_EFFECT_FIELDS> {
  readonly reason: PositionReason;
  /** Not "" when it was the position's last. */
  readonly finishedType: FinishedType;
}

/** A position that has ended: what it came to, and amount and costs as they stood before its end. */
export interface EndedPosition extends PositionTraits, RecordOf<typeof POSITION_FIELDS> {
  readonly finishedType: Exclude<FinishedType, "">;
}

/** A position after a change that was no trade. */
export interface PositionChangeRow extends PositionTraits, RecordOf<typeof POSITION_CHANGE_FIELDS> {}

/** Positions of a user that ended, the last to end first. */
export async function finishedPositionsOf(db: Db, query: FinishedPositionsQuery): Promise<Page<EndedPosition>> {
  const { skip, take } = windowOf(query);
  let rows = db
    .selectFrom("positions")
    .selectAll()
    .where("user_id", "=", BigInt(query.userId))
    .where("ended_ms", ">", 0n);
  if (query.marketId !== undefined) rows = rows.where("market_id", "=", BigInt(query.marketId));
  if (query.startTime !== undefined) rows = rows.where("ended_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("ended_ms", "<=", BigInt(query.endTime));
  const page = await rows.orderBy("ended_ms", "desc").orderBy("position_id", "desc").limit(take).offset(skip).execute();
  return pageOf(page.map(endedOf), query.limit);
}

/** The position that ended, whosever it is; undefined when there is none. */
export async function endedPositionOf(
  db: Db,
  { positionId }: { readonly positionId: number },
): Promise<EndedPosition | undefined> {
  const row = await db
    .selectFrom("positions")
    .selectAll()
    .where("position_id", "=", BigInt(positionId))
    .where("ended_ms", ">", 0n)
    .executeTakeFirst();
  return row && endedOf(row);
}

/** Changes of one kind, newest first. */
export async function positionChangesOf(db: Db, query: PositionChangesQuery): Promise<Page<PositionChangeRow>> {
  const { skip, take } = windowOf(query);
  let rows = db
    .selectFrom("position_changes")
    .selectAll()
    .where("user_id", "=", BigInt(query.userId))
    .where("market_id", "=", BigInt(query.marketId))
    .where("kind", "=", BigInt(POSITION_CHANGE_KINDS.indexOf(query.kind)));
  if (query.positionId !== undefined) rows = rows.where("position_id", "=", BigInt(query.positionId));
  if (query.startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(query.endTime));
  const page = await rows.orderBy("change_id", "desc").limit(take).offset(skip).execute();
  return pageOf(page.map(changeOf), query.limit);
}

/** Returns the effects of deals, each in its place; undefined where the effect is not known. */
export async function dealEffectsOf(db: Db, { deals }: DealEffectsQuery): Promise<(DealEffect | undefined)[]> {
  const rows = await db
    .selectFrom("deal_positions")
    .selectAll()
    .where(
      "deal_id",
      "in",
      deals.map(({ dealId }) => BigInt(dealId)),
    )
    .where("flags", "!=", 0n)
    .execute();
  const effects = new Map(rows.map((row) => [`${row.deal_id} ${row.order_id}`, row]));
  return deals.map(({ dealId, orderId }) => {
    const row = effects.get(`${dealId} ${orderId}`);
    if (row === undefined) return undefined;
    const flags = Number(row.flags);
    const { isIsolated, leverage } = traitsOf(flags);
    return {
      isIsolated,
      leverage,
      reason: POSITION_REASONS[(flags >> POSITION_FLAG.reasonShift) & POSITION_FLAG.reasonMask] as PositionReason,
      finishedType: FINISHED_TYPES[(flags >> POSITION_FLAG.finishedShift) & POSITION_FLAG.finishedMask] as FinishedType,
      ...dealEffectRecords.fieldsOf(row),
    };
  });
}

function traitsOf(flags: number): PositionTraits {
  return {
    isShort: (flags & POSITION_FLAG.short) !== 0,
    isIsolated: (flags & POSITION_FLAG.isolated) !== 0,
    leverage: flags >>> 16,
  };
}

function endedOf(row: Selectable<RowOf<typeof positionRows>>): EndedPosition {
  const flags = Number(row.flags);
  const ending = (flags >> POSITION_FLAG.finishedShift) & POSITION_FLAG.finishedMask;
  return {
    ...positionRecords.fieldsOf(row),
    ...traitsOf(flags),
    finishedType: FINISHED_TYPES[ending] as EndedPosition["finishedType"],
  };
}

function changeOf(row: Selectable<RowOf<typeof positionChanges>>): PositionChangeRow {
  return { ...changeRecords.fieldsOf(row), ...traitsOf(Number(row.flags)) };
}
