import { sql } from "kysely";
import type { OpenTables } from "../part.ts";
import type { TablesOf } from "../table.ts";
import type { dealRows } from "./tables.ts";

/** Where a deal's id lies in time. */
export interface DealClock {
  /** Id of the first deal at `timeMs` or later; one above the last id when there is none. */
  firstIdAt(timeMs: number): Promise<number>;
}

/** Turns times into deal ids by halving: ids rise with time, so no index by time is needed. */
export function dealClock({ db, prepared }: OpenTables<TablesOf<typeof dealRows>>): DealClock {
  const query = db
    .selectFrom("deals")
    .select(["deal_id", "time_ms"])
    .where("deal_id", ">=", 0n)
    .orderBy("deal_id")
    .limit(sql.lit(1));
  const newest = db.selectFrom("deals").select(({ fn }) => fn.max("deal_id").as("deal_id"));
  const dealFrom = prepared(query);
  const newestDeal = prepared(newest);
  return {
    firstIdAt: async (timeMs) => {
      let first = 1;
      let after = Number((await newestDeal())?.["deal_id"] ?? 0) + 1;
      while (first < after) {
        const middle = Math.floor((first + after) / 2);
        const deal = await dealFrom(middle);
        if (Number(deal?.["time_ms"]) >= timeMs) after = middle;
        else first = Number(deal?.["deal_id"]) + 1;
      }
      return first;
    },
  };
}
