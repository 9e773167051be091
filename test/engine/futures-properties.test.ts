import { test } from "node:test";
import fc from "fast-check";
import { LadderBook } from "../../src/engine/trading/ladder-book.ts";
import { PlainBook } from "../../src/engine/trading/plain-book.ts";
import { runs } from "../support/runs.ts";
import type { Venue } from "../support/venue.ts";
import { doFuturesDeed, type FuturesDeed, futuresDeedLists, futuresVenue } from "./futures-deeds.ts";

test("no sequence of futures commands creates or destroys money, breaks an invariant or tells an untruth", () => {
  fc.assert(
    fc.property(futuresDeedLists(120), (deeds) => {
      after(deeds);
    }),
    runs(150),
  );
});

test("the same futures commands give the same events and state, from the start or from any snapshot, on either book", () => {
  fc.assert(
    fc.property(futuresDeedLists(80), fc.nat(200), fc.boolean(), (deeds, cut, plain) => {
      const venue = after(deeds);
      venue.assertRepeatable(cut % venue.log.length, (orders, events, id) =>
        plain ? new PlainBook(orders, events, id) : new LadderBook(orders, events, id),
      );
    }),
    runs(60),
  );
});

/** A venue after these deeds, each of which it has been checked after. */
function after(deeds: readonly FuturesDeed[]): Venue {
  const venue = futuresVenue();
  for (const deed of deeds) doFuturesDeed(venue, deed);
  return venue;
}
