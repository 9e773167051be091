/** Counting what the venue owes, and publishing the roots of the count. Source: domain 6.9. */
import { type Answer, accepted, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import type { CountLiabilities, PublishLiabilities } from "./command-schemas.ts";
import { liabilityCounts } from "./counts.ts";

/** From one count to the next: a count costs every node a copy of the balances, and seconds of a thread. */
export const COUNT_EVERY_MIN_MS = 600_000;

export function countLiabilities(state: State, _: CountLiabilities): Answer {
  const own = liabilityCounts.of(state);
  if (own.lastAtMs !== undefined && state.timeMs - own.lastAtMs < COUNT_EVERY_MIN_MS) {
    const seconds = Math.ceil((own.lastAtMs + COUNT_EVERY_MIN_MS - state.timeMs) / 1_000);
    const message = `Liabilities were counted less than 10 minutes ago; count again in ${seconds} s.`;
    return refused("invalid_command", message);
  }

  own.begin({ seq: state.seq, atMs: state.timeMs, roots: [] });
  return accepted({ countSeq: state.seq });
}

export function publishLiabilities(state: State, { countSeq, roots, isComplete }: PublishLiabilities): Answer {
  const own = liabilityCounts.of(state);
  const { pending } = own;
  if (pending?.seq !== countSeq) {
    return refused("invalid_command", `No count of liabilities at seq ${countSeq} waits for its roots.`);
  }
  let last = state.assetByCcy.get(pending.roots.at(-1)?.ccy ?? "")?.id ?? -1;
  for (const { ccy, root, total, leaves } of roots) {
    const asset = state.assetByCcy.get(ccy);
    if (asset === undefined) return refused("asset_not_found", `There is no currency ${ccy}.`);
    if (asset.id <= last) return refused("invalid_command", "Roots must come by ascending id of their currencies.");
    if (!isRoot(asset, root, total, leaves)) {
      const message =
        `The root of ${ccy} must have a hash of 64 hexadecimal digits, a total with ${asset.scale} decimals, and ` +
        "leaves.";
      return refused("invalid_command", message);
    }
    last = asset.id;
  }

  const all = [...pending.roots, ...roots.map(({ ccy, root, total, leaves }) => ({ ccy, root, total, leaves }))];
  const count = { ...pending, roots: all };
  if (isComplete) own.complete(count);
  else own.pending = count;
  return accepted({});
}

function isRoot({ scale }: Asset, root: string, total: string, leaves: number): boolean {
  const units = parseDecimal(total, scale);
  return /^[0-9a-f]{64}$/.test(root) && units !== undefined && units >= 0n && leaves >= 1;
}
