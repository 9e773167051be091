import { timersOf } from "../../../../src/engine/cancel-after/timers.ts";
import { isLocked } from "../listing/listing.ts";
import type { ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { endResting } from "../orders/book.ts";
import { keptBy, type ModelDue, type SpotPart } from "../part.ts";

const SCOPES = ["SPOT", "MARGIN", "FUTURES", "ALL"];
const RANK = 50;

interface Timer {
  readonly userId: number;
  readonly scope: string;
  readonly at: number;
}

/** Timers that run, and orders that an auction keeps for now. */
const kept = keptBy(() => ({ timers: [] as Timer[], held: new Set<ModelOrder>() }));

/** Cancelling by the clock once more, in plain words. Domain 2.16. */
export const cancelAfter: SpotPart = {
  name: "cancel-after",
  deeds: {
    cancel_after: {
      often: { usual: [0, 2, 10], auctions: [4], crowd: [0] },
      make: (draw) => ({
        command: {
          kind: "set_cancel_after",
          userId: draw.userId(),
          scope: draw.random.pick([...SCOPES, ...SCOPES, "ALL", "spot"]),
          timeoutMs: draw.random.pick([0, 999, 1_000, 1_000, 1_500, 5_000, 30_000, 600_000, 600_001, -1]),
        },
      }),
    },
  },
  ofUsers: {
    set_cancel_after: (venue, { userId, scope, timeoutMs }) => {
      if (venue.user(userId) === undefined) return "user_not_found";
      if (!SCOPES.includes(scope)) return "invalid_command";
      if (timeoutMs !== 0 && (timeoutMs < 1_000 || timeoutMs > 600_000)) return "invalid_command";
      const own = kept(venue);
      own.timers = own.timers.filter((timer) => timer.userId !== userId || timer.scope !== scope);
      if (timeoutMs > 0) own.timers.push({ userId, scope, at: venue.timeMs + timeoutMs });
      return undefined;
    },
  },
  due: (venue) => [...timersDue(venue), ...heldDue(venue)],
  compare: (state, venue, differ) => {
    for (const { id } of venue.users) {
      const mine = kept(venue).timers.filter(({ userId }) => userId === id);
      const words = (at: (scope: string) => number | undefined) => SCOPES.map((scope) => at(scope) ?? "-").join();
      differ(
        `timers of user ${id}`,
        words((scope) => timersOf(state, id).find((timer) => timer.scope === scope)?.atMs),
        words((scope) => mine.find((timer) => timer.scope === scope)?.at),
      );
    }
  },
  faults: [
    {
      name: "a timer cancels orders that were placed after it ran out",
      part: "cancel-after",
      file: "cancel-after/fire.ts",
      code: "beforeOrderId: state.nextOrderId });",
      instead: "beforeOrderId: state.nextOrderId + 1_000 });",
    },
    {
      name: "a timer of margin orders cancels those of spot",
      part: "cancel-after",
      file: "cancel-after/timers.ts",
      code: 'return scope === (isMargin ? "MARGIN" : "SPOT");',
      instead: 'return scope !== "FUTURES";',
    },
    {
      name: "a timer that is put off runs out at its first time",
      part: "cancel-after",
      file: "cancel-after/timer-heap.ts",
      code: "if (atMs === top.atMs && this.earliest.get(top.key) === atMs) return;",
      instead: "if (this.earliest.get(top.key) === top.atMs && atMs !== undefined) return;",
    },
  ],
};

function timersDue(venue: ModelVenue): ModelDue[] {
  const own = kept(venue);
  const place = ({ userId, scope }: Timer) => userId * SCOPES.length + SCOPES.indexOf(scope);
  const first = own.timers.toSorted((one, other) => one.at - other.at || place(one) - place(other))[0];
  if (first === undefined) return [];
  const run = () => {
    own.timers = own.timers.filter((timer) => timer !== first);
    fire(venue, first);
  };
  return [{ at: first.at, rank: RANK, id: -1, run }];
}

function fire(venue: ModelVenue, { userId, scope }: Timer): void {
  for (const market of venue.markets) {
    for (const account of ["spot", "margin"]) {
      if (scope !== "ALL" && scope.toLowerCase() !== account) continue;
      const orders = ordersOf(market).filter((order) => order.userId === userId && order.account === account);
      if (isLocked(market, venue.timeMs)) for (const order of orders) kept(venue).held.add(order);
      else for (const order of orders) endResting(venue, market, order);
    }
  }
}

/** What auctions kept is cancelled once they have ended, as far as it has not traded. */
function heldDue(venue: ModelVenue): ModelDue[] {
  const { held } = kept(venue);
  return venue.markets.flatMap((market): ModelDue[] => {
    const mine = ordersOf(market).filter((order) => held.has(order));
    if (mine.length === 0 || isLocked(market, venue.timeMs)) return [];
    const place = (order: ModelOrder) => order.userId * 2 + (order.account === "margin" ? 1 : 0);
    const run = () => {
      for (const order of mine) held.delete(order);
      const inOrder = mine.sort((one, other) => place(one) - place(other) || one.orderId - other.orderId);
      for (const order of inOrder) endResting(venue, market, order);
    };
    return [{ at: venue.timeMs, rank: RANK, id: market.id, isWaiting: true, run }];
  });
}

/** Oldest first. */
function ordersOf(market: ModelMarket): ModelOrder[] {
  return [...market.buys, ...market.sells].sort((one, other) => one.orderId - other.orderId);
}
