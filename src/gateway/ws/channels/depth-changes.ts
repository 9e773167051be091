import type { DepthRow } from "../../../feeds/depth.ts";

/**
 * Returns the changes that turn one side of a book into another: rows that are new or have another amount, and with
 * amount "0" those that are gone, best first. Both sides stand best first and write their prices with the same
 * decimals.
 */
export function changedRows(before: readonly DepthRow[], after: readonly DepthRow[], isAscending: boolean): DepthRow[] {
  const changed: DepthRow[] = [];
  let old = 0;
  for (const row of after) {
    for (; old < before.length && isBetter((before[old] as DepthRow)[0], row[0], isAscending); old++) {
      changed.push([(before[old] as DepthRow)[0], "0"]);
    }
    const same = before[old];
    if (same === undefined || same[0] !== row[0]) {
      changed.push(row);
    } else {
      if (same[1] !== row[1]) changed.push(row);
      old++;
    }
  }
  for (; old < before.length; old++) changed.push([(before[old] as DepthRow)[0], "0"]);
  return changed;
}

/** With the same decimals the longer text is the higher price, and of equally long ones the later in the alphabet. */
function isBetter(price: string, than: string, isAscending: boolean): boolean {
  if (price === than) return false;
  const isLower = price.length === than.length ? price < than : price.length < than.length;
  return isLower === isAscending;
}
