import { ACCOUNTS, SIDES } from "../../engine/command.ts";
import { decodeStop } from "../../engine/stops/stop-event.ts";
import { flagsAt } from "../../engine/words.ts";
import { definePart } from "../part.ts";
import { type FiredStopsQuery, firedStopOf, firedStopsOf } from "./stop-queries.ts";
import { firedStops, stopRows } from "./tables.ts";

/** Stop orders that fired. Source: domain 2.11; only what fired is kept. */
export const stops = definePart({
  name: "stops",
  version: 1,
  tables: [firedStops],
  backfill: "needed",
  migrations: {},
  begin: ({ inserter }) => {
    const insert = inserter(firedStops);
    return {
      stop: (events, at) => {
        const { event, stop, orderId, refusal } = decodeStop(events, at);
        if (event !== "active_success" && event !== "active_fail") return;
        insert({
          ...stopRows.rowOf(stop),
          account: ACCOUNTS.indexOf(stop.account),
          side: SIDES.indexOf(stop.side),
          flags: flagsAt(events, at),
          order_id: orderId,
          refusal,
        });
      },
    };
  },
  queries: ({ db }) => ({
    /** Stop orders of a user that fired, newest stop id first. */
    firedStops: (query: FiredStopsQuery) => firedStopsOf(db, query),
    firedStop: (query: { readonly userId: number; readonly marketId: number; readonly stopId: number }) =>
      firedStopOf(db, query),
    /** For operators. */
    firedStopOfAnybody: (query: { readonly stopId: number }) => firedStopOf(db, query),
  }),
});
