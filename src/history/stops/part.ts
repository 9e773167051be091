import { ACCOUNTS, accountOf, clientIdAt, FLAG } from "../../engine/command.ts";
import { STOP_WORDS, stopEventName } from "../../engine/stops/stop-event.ts";
import { definePart } from "../part.ts";
import { type FiredStopsQuery, firedStopOf, firedStopsOf } from "./stop-queries.ts";
import { firedStops } from "./tables.ts";

/** Stop orders that fired. Source: domain 2.11; only what fired is kept. */
export const stops = definePart({
  name: "stops",
  version: 1,
  tables: [firedStops],
  past: "needed",
  migrations: {},
  begin: ({ inserter }) => {
    const insert = inserter(firedStops);
    return {
      /** Word positions as in decodeStop of engine/stops/stop-event.ts. */
      stop: (events, at) => {
        const event = stopEventName(events, at);
        if (event !== "active_success" && event !== "active_fail") return;
        const { i32, f64, i64 } = events;
        const flags = i32[at * 2 + 3] as number;
        insert({
          stop_id: f64[at + 2] as number,
          user_id: i32[at * 2 + 2] as number,
          account: ACCOUNTS.indexOf(accountOf(flags)),
          market_id: i32[at * 2 + 1] as number,
          side: flags & FLAG.sell,
          flags,
          price: i64[at + 3] as bigint,
          amount: i64[at + 4] as bigint,
          trigger_price: i64[at + 5] as bigint,
          created_ms: f64[at + 6] as number,
          updated_ms: f64[at + 7] as number,
          order_id: f64[at + 8] as number,
          refusal: f64[at + 9] as number,
          client_id: clientIdAt(events, at + STOP_WORDS, flags),
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
