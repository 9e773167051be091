import { test } from "node:test";
import fc from "fast-check";
import { LadderBook } from "../../src/engine/trading/ladder-book.ts";
import { PlainBook } from "../../src/engine/trading/plain-book.ts";
import { runs } from "../support/runs.ts";
import type { Venue } from "../support/venue.ts";
import { doFuturesAction, type FuturesAction, futuresActionLists, futuresVenue } from "./futures-actions.ts";

test("no sequence of futures commands creates or destroys money, breaks an invariant or tells an untruth", () => {
  fc.assert(
    fc.property(futuresActionLists(120), (actions) => {
      after(actions);
    }),
    runs(150),
  );
});

test("the same futures commands give the same events and state, from the start or from any snapshot, on either book", () => {
  fc.assert(
    fc.property(futuresActionLists(80), fc.nat(200), fc.boolean(), (actions, cut, plain) => {
      const venue = after(actions);
      venue.assertRepeatable(cut % venue.log.length, (orders, events, id) =>
        plain ? new PlainBook(orders, events, id) : new LadderBook(orders, events, id),
      );
    }),
    runs(60),
  );
});

/** A venue after these actions, each of which it has been checked after. */
function after(actions: readonly FuturesAction[]): Venue {
  const venue = futuresVenue();
  for (const action of actions) doFuturesAction(venue, action);
  return venue;
}
