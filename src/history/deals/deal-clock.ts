import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { prepared } from "../part.ts";
import type { TablesOf } from "../table.ts";
import type { dealRows } from "./tables.ts";

/** Where a deal's id lies in time. */
export interface DealClock {
  /** Id of the first deal at `timeMs` or later; one above the last id when there is none. */
  firstIdAt(timeMs: number): number;
}

/** Turns times into deal ids by halving: ids rise with time, so no index by time is needed. */
export function dealClock(database: DatabaseSync, db: Kysely<TablesOf<typeof dealRows>>): DealClock {
  const query = db.selectFrom("deals").select(["deal_id", "time_ms"]).where("deal_id", ">=", 0n).orderBy("deal_id");
  const newest = db.selectFrom("deals").select(({ fn }) => fn.max("deal_id").as("deal_id"));
  const dealFrom = prepared(database, query);
  const newestDeal = prepared(database, newest);
  return {
    firstIdAt: (timeMs) => {
      let first = 1;
      let after = Number(newestDeal.get()?.["deal_id"] ?? 0) + 1;
      while (first < after) {
        const middle = Math.floor((first + after) / 2);
        const deal = dealFrom.get(middle);
        if (Number(deal?.["time_ms"]) >= timeMs) after = middle;
        else first = Number(deal?.["deal_id"]) + 1;
      }
      return first;
    },
  };
}
