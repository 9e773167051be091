/**
 * The trails of one's waiting stop orders, and the groups that these and open orders belong to. Neither is told by the
 * records of stop orders, so they are read beside them: when a stop order comes, changes or goes, and on a beat while a
 * trail follows the price, which is not pushed.
 */
import { createRoot } from "solid-js";
import { post } from "../api/client.ts";
import type { ConditionalOrder, Product } from "../api/records.ts";
import { isZero } from "../number/decimal.ts";
import { readBeside } from "./beside.ts";
import { type OpenOrder, productOf, readAll, type StopOrder, stops } from "./orders-store.ts";

const READ_MS = 120;

interface Conditions {
  readonly byStop: ReadonlyMap<number, ConditionalOrder>;
  readonly groupByOrder: ReadonlyMap<number, number>;
}

const NONE: Conditions = { byStop: new Map(), groupByOrder: new Map() };

export const isTrail = ({ trail, trail_rate }: ConditionalOrder) => !isZero(trail) || !isZero(trail_rate);

function conditionsOf(product: Product) {
  return readBeside<Conditions>({
    rows: () =>
      stops[product]
        .rows()
        .map(({ stop_id, updated_at }) => `${stop_id} ${updated_at}`)
        .join(),
    none: NONE,
    read: async () => {
      const rows = await readAll<ConditionalOrder>(product, `/v2/ext/${product}/conditional-order`);
      const grouped = rows.filter(({ order_id }) => order_id !== 0);
      return {
        byStop: new Map(rows.map((row) => [row.stop_id, row])),
        groupByOrder: new Map(grouped.map(({ order_id, group_id }) => [order_id, group_id])),
      };
    },
    readMs: READ_MS,
    // A trail follows the price, which is not pushed.
    doMove: ({ byStop }) => [...byStop.values()].some(isTrail),
  });
}

const conditions = createRoot(() => ({ spot: conditionsOf("spot"), futures: conditionsOf("futures") }));

/** The trail and the group of a stop order; undefined where it has neither, or until they have been read. */
export function conditionOf({ marketType, stop_id }: StopOrder): ConditionalOrder | undefined {
  return conditions[productOf(marketType)]().byStop.get(stop_id);
}

/** The group that an open order belongs to; undefined where it stands alone. */
export function groupOf({ marketType, order_id }: OpenOrder): number | undefined {
  return conditions[productOf(marketType)]().groupByOrder.get(order_id);
}

export async function cancelGroup(product: Product, group_id: number): Promise<void> {
  await post(`/v2/ext/${product}/cancel-group`, { group_id });
}
