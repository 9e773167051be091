import { liabilityCounts } from "../../../../src/engine/liabilities/counts.ts";
import { balancesOwed, worthOwed } from "../../../../src/engine/liabilities/owed.ts";
import type { State } from "../../../../src/engine/state.ts";
import { holdingsOf } from "../../../../src/engine/wallet/worth.ts";
import type { Differ } from "../compare-records.ts";
import { ASSETS } from "../markets.ts";
import { keptBy, type SpotPart } from "../part.ts";

const TEN_MINUTES_MS = 600_000;

/** When the last count was. */
const kept = keptBy(() => ({ lastAt: Number.NEGATIVE_INFINITY }));

/**
 * Counts of what the venue owes, in plain words; and from the first one on, whether anybody is owed less than he has
 * after his debts. Domain 6.9.
 */
export const liabilities: SpotPart = {
  name: "liabilities",
  actions: {
    count_liabilities: {
      often: { usual: [0, 1, 4], crowd: [0] },
      make: () => ({ command: { kind: "count_liabilities" } }),
    },
    publish_liabilities: {
      often: { usual: [0, 1, 2], crowd: [0] },
      // Of a count that there is not: the seq of a true one is known to the venue alone.
      make: ({ random }) => ({
        command: {
          kind: "publish_liabilities",
          countSeq: random.pick([0, -1, 1_000_000_000]),
          roots: [{ ccy: random.pick(ASSETS), root: "ab".repeat(32), total: "1", leaves: 2 }],
          isComplete: random.chance(50),
        },
      }),
    },
  },
  ofVenue: {
    count_liabilities: (venue) => {
      const own = kept(venue);
      if (venue.timeMs - own.lastAt < TEN_MINUTES_MS) return "invalid_command";
      own.lastAt = venue.timeMs;
      return undefined;
    },
    publish_liabilities: () => "invalid_command",
  },
  compare: (state, venue, differ) => {
    const { lastAtMs } = liabilityCounts.of(state);
    differ("the last count", lastAtMs ?? Number.NEGATIVE_INFINITY, kept(venue).lastAt);
    if (lastAtMs !== undefined) compareOwed(state, differ);
  },
  faults: [
    {
      name: "what lies in orders is not owed",
      part: "liabilities",
      file: "liabilities/owed.ts",
      code: "const units = ledger.available(cell) + ledger.frozen(cell);",
      instead: "const units = ledger.available(cell);",
    },
  ],
};

/** Nobody is owed less than what he would have after paying all his debts, of any currency. */
function compareOwed(state: State, differ: Differ): void {
  const owed = new Map<string, bigint>();
  const owe = (userId: number, assetId: number, units: bigint) => {
    const key = `${userId} ${assetId}`;
    owed.set(key, (owed.get(key) ?? 0n) + units);
  };
  balancesOwed(state.ledger, owe);
  worthOwed(state, owe);
  for (let userId = 1; userId < state.users.count; userId++) {
    for (const [assetId, units] of holdingsOf(state, userId)) {
      const its = owed.get(`${userId} ${assetId}`) ?? 0n;
      differ(`owed to user ${userId} of ${assetId}`, its < units ? its : units, units);
    }
  }
}
