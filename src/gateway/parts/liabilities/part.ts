import { type LiabilityCount, liabilityCounts } from "../../../engine/liabilities/counts.ts";
import type { State } from "../../../engine/state.ts";
import { headOf } from "../../../liabilities/hashes.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import type { Liabilities } from "../../current/types.generated.ts";
import { asJson, type JsonText, jsonList } from "../../reading/json-text.ts";
import { Refused } from "../../refused.ts";
import type { GatewayPart } from "../part.ts";

interface Printed {
  readonly record: Liabilities;
  readonly text: JsonText;
}

/** Counts are small and never change: each is printed once. */
const printed = new WeakMap<LiabilityCount, Printed>();

const countLiabilities = call({
  method: "POST",
  path: "/admin/liabilities",
  verbs: { "liability count": "Count what the venue owes its users, and publish the roots of the count." },
  fields: {},
  mayBy: () => ["treasurer"],
  serve: (backend) =>
    execute(backend, { kind: "count_liabilities" }, (result) => ({ seq: (result as { countSeq: number }).countSeq })),
});

const listLiabilities = call({
  method: "GET",
  path: "/admin/liabilities",
  verbs: {
    "liability list": "Show the counts of what the venue owes, the newest first, and the one that waits for its roots.",
  },
  fields: {},
  serve: ({ state }) => ({
    pending_seq: liabilityCounts.of(state).pending?.seq ?? null,
    liabilities: newest(state, Number.POSITIVE_INFINITY).map((count) => printedOf(state, count).record),
  }),
});

const CALLS: readonly AdminCall[] = [countLiabilities, listLiabilities];

/** Proof of liabilities, below /ext: the roots for everybody, and the leaves of an account for its keys. */
export const liabilities = {
  name: "liabilities",
  refusals: {},
  handlers: ({ state, liabilities: counted }) => ({
    "GET /ext/liabilities": (call) => {
      call.answer(jsonList(newest(state, call.params.limit), (count) => printedOf(state, count).text));
    },
    "GET /ext/liability-proof": (call) => {
      const { userId } = call.caller;
      const count = liabilityCounts.of(state).published.at(-1);
      const leaves = count && counted?.leavesOf(userId, count);
      if (count === undefined || leaves === undefined) {
        call.refuse(new Refused("unavailable", count === undefined ? NOT_COUNTED : NOT_HERE));
        return;
      }
      call.answer({
        ...printedOf(state, count).record,
        account_id: String(userId),
        leaves: leaves.map(([assetId, leaf]) => ({ ccy: state.assets[assetId]?.ccy ?? "", ...leaf })),
      });
    },
  }),
  calls: CALLS,
  nouns: { liability: "count what the venue owes its users" },
} satisfies GatewayPart;

const NOT_COUNTED = "The venue has not counted its liabilities yet; ask again after the first count.";
const NOT_HERE = "This node has been started since liabilities were counted; ask again after the next count.";

function newest(state: State, limit: number): LiabilityCount[] {
  return liabilityCounts.of(state).published.toReversed().slice(0, limit);
}

function printedOf({ assetByCcy }: State, count: LiabilityCount): Printed {
  const known = printed.get(count);
  if (known !== undefined) return known;
  const currencies = count.roots.map(({ ccy, root, total, leaves }) => {
    return { ccy, precision: assetByCcy.get(ccy)?.scale ?? 0, root, total, leaf_count: leaves };
  });
  const { seq, atMs: counted_at } = count;
  const record = { seq, counted_at, head: headOf({ seq, counted_at, currencies }), currencies };
  const made = { record, text: asJson(JSON.stringify(record)) };
  printed.set(count, made);
  return made;
}
