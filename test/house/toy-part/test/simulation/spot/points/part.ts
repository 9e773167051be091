import { pointsOf } from "../../../../src/engine/points/points.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import type { ModelVenue } from "../model/venue.ts";
import { keptBy, type SpotPart } from "../part.ts";

const MAX = 1_000_000_000;
const DAY_MS = 86_400_000;

/** Points by user id, and the last midnight at which they earned. */
const kept = keptBy(() => ({ of: [] as number[], midnight: -1 }));

/** Points once more, in plain words. */
export const points: SpotPart = {
  name: "points",
  actions: {
    grant_points: {
      often: { usual: [0, 1, 3], auctions: [0], crowd: [0] },
      make: ({ random }) => ({
        command: {
          kind: "grant_points",
          userId: random.whole(1, 8),
          points: random.pick([0, -1, 7, 150, MAX, MAX - 100]),
          note: "",
        },
      }),
    },
    move_points: {
      often: { usual: [0, 1, 3], auctions: [0], crowd: [0] },
      make: (draw) => ({
        command: {
          kind: "move_points",
          userId: draw.userId(),
          toUserId: draw.random.whole(1, 8),
          points: draw.random.pick([0, 1, 50, 151, MAX]),
        },
      }),
    },
  },
  ofVenue: {
    grant_points: (venue, { userId, points: given }) => {
      const refusal = wrong(venue, given) ?? full(venue, userId, given);
      if (refusal !== undefined) return refusal;
      const own = kept(venue);
      if (own.midnight < 0) own.midnight = Math.floor(venue.timeMs / DAY_MS);
      own.of[userId] = (own.of[userId] ?? 0) + given;
      venue.outcome.madeId = own.of[userId];
      return undefined;
    },
  },
  ofUsers: {
    move_points: (venue, { userId, toUserId, points: moved }) => {
      const { of } = kept(venue);
      const refusal = wrong(venue, moved);
      if (refusal !== undefined) return refusal;
      if ((of[userId] ?? 0) < moved) return "not_enough_points";
      const other = full(venue, toUserId, moved);
      if (other !== undefined) return other;
      if (userId === toUserId) return "invalid_command";
      of[userId] = (of[userId] ?? 0) - moved;
      of[toUserId] = (of[toUserId] ?? 0) + moved;
      return undefined;
    },
  },
  before: (venue) => {
    const own = kept(venue);
    if (own.midnight < 0) return;
    for (; own.midnight < Math.floor(venue.timeMs / DAY_MS); own.midnight++) {
      for (const [userId, held] of own.of.entries()) {
        if (held !== undefined) own.of[userId] = Math.min(MAX, held + Math.floor(held / 100));
      }
    }
  },
  compare: (state, venue, differ) => {
    for (const { id } of venue.users) differ(`points of user ${id}`, pointsOf(state, id), kept(venue).of[id] ?? 0);
  },
  faults: [
    {
      name: "points are moved without being taken from their owner",
      file: "points/points.ts",
      code: "add(own, userId, -moved);",
      instead: "add(own, userId, 0);",
    },
  ],
};

function wrong(venue: ModelVenue, amount: number): Refusal | undefined {
  if (venue.cancelOnly) return "venue_cancel_only";
  return amount > 0 ? undefined : "invalid_command";
}

function full(venue: ModelVenue, userId: number, amount: number): Refusal | undefined {
  if (!venue.users.some(({ id }) => id === userId)) return "user_not_found";
  return (kept(venue).of[userId] ?? 0) + amount > MAX ? "too_many_points" : undefined;
}
