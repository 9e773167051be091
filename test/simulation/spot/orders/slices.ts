/** The part of an order that its book displays and trades at a time. Domain 2.21. */
import { least } from "../model/numbers.ts";
import type { ModelOrder } from "../model/records.ts";

const PARTS_MAX = 20n;

/** Why an order of so many lots in all may not display so few. */
export function displayFault(minAmount: bigint, display: bigint, lots: bigint): "display_too_small" | undefined {
  if (display === 0n) return undefined;
  return display < minAmount || display * PARTS_MAX < lots ? "display_too_small" : undefined;
}

/** Lots that an order offers in its turn. */
export function offered({ display, shown, left }: ModelOrder): bigint {
  return display === 0n ? left : shown;
}

/** Shows the next part of an iceberg. */
export function showNext(order: ModelOrder): void {
  order.shown = order.display === 0n ? 0n : least(order.display, order.left);
}

/**
 * Orders as one that takes all of them meets them: of one price the parts that are displayed now, then the next part of
 * each iceberg in turn until all are through, then hidden orders.
 */
export function partByPart(orders: readonly ModelOrder[]): ModelOrder[] {
  const met: ModelOrder[] = [];
  for (let from = 0; from < orders.length; ) {
    const { price } = orders[from] as ModelOrder;
    const level = orders.filter((order) => order.price === price);
    const displayed = level.filter(({ hidden }) => !hidden);
    let rests = displayed.map((order) => ({ order, left: order.left - offered(order) }));
    met.push(...displayed.map((order) => ({ ...order, left: offered(order) })));
    while (rests.some(({ left }) => left > 0n)) {
      rests = rests.flatMap(({ order, left }) => {
        if (left === 0n) return [];
        const part = least(order.display, left);
        met.push({ ...order, left: part });
        return [{ order, left: left - part }];
      });
    }
    met.push(...level.filter(({ hidden }) => hidden));
    from += level.length;
  }
  return met;
}
