import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { COUNTS_KEPT_MAX, liabilityCounts } from "./counts.ts";

/**
 * Checks counts between two commands: they are bounded, in the order in which they were made, and each currency stands
 * in one once.
 */
export function checkLiabilities(state: State, { expect }: Census): void {
  const { pending, published, lastAtMs } = liabilityCounts.of(state);
  expect(published.length <= COUNTS_KEPT_MAX, () => "Too many counts of liabilities are kept.");
  const all = pending === undefined ? published : [...published, pending];
  for (const [at, { seq, atMs, roots }] of all.entries()) {
    const before = all[at - 1]?.seq ?? 0;
    expect(before < seq && seq <= state.seq, () => `The count of liabilities at seq ${seq} is out of order.`);
    expect(atMs <= (lastAtMs ?? -1), () => `The count of liabilities at seq ${seq} is newer than the last one.`);
    const ids = roots.map(({ ccy }) => state.assetByCcy.get(ccy)?.id ?? -1);
    const isAscending = ids.every((id, place) => id > (ids[place - 1] ?? -1));
    expect(isAscending, () => `The roots of the count at seq ${seq} are not one for each currency.`);
  }
}
