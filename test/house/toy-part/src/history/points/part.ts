import type { Kysely } from "kysely";
import { definePart } from "../part.ts";
import { counted, int, type TablesOf, table, text } from "../table.ts";

/** What changed somebody's points. */
const pointsRows = table(
  "points_changes",
  { change_id: counted, user_id: int, time_ms: int, kind: text, change: int },
  { key: "change_id", indexes: { points_by_user: { on: ["user_id", "change_id"] } } },
);

export interface PointsQuery {
  readonly userId: number;
}

export interface PointsChange {
  readonly createdAt: number;
  readonly kind: string;
  readonly change: number;
}

/** Points as users see them change. */
export const points = definePart({
  name: "points",
  version: 1,
  tables: [pointsRows],
  // No file from before this part can have an event of it.
  backfill: "none",
  migrations: {},
  begin: ({ inserter }) => {
    const insert = inserter(pointsRows);
    const note = (user_id: number, time_ms: number, kind: string, change: number) =>
      insert({ user_id, time_ms, kind, change });
    return {
      rareEvents: {
        points_granted: ({ userId, points }, timeMs) => note(userId, timeMs, "grant", points),
        points_earned: ({ userId, points }, timeMs) => note(userId, timeMs, "earn", points),
        points_redeemed: ({ userId, points }, timeMs) => note(userId, timeMs, "redeem", -points),
        points_moved: ({ userId, toUserId, points }, timeMs) => {
          note(userId, timeMs, "move", -points);
          note(toUserId, timeMs, "move", points);
        },
      },
    };
  },
  queries: ({ db }) => ({
    /** What changed the points of a user, newest first. */
    pointsChanges: (query: PointsQuery) => changesOf(db, query),
  }),
});

async function changesOf(db: Kysely<TablesOf<typeof pointsRows>>, { userId }: PointsQuery): Promise<PointsChange[]> {
  const rows = await db
    .selectFrom("points_changes")
    .selectAll()
    .where("user_id", "=", BigInt(userId))
    .orderBy("change_id", "desc")
    .limit(100)
    .execute();
  return rows.map(({ time_ms, kind, change }) => ({ createdAt: Number(time_ms), kind, change: Number(change) }));
}
