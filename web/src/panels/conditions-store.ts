/**
 * The trails of one's waiting stop orders, and the groups that these and open orders belong to. Neither is told by the
 * records of stop orders, so they are read beside them: when a stop order comes, changes or goes, and on a beat while a
 * trail follows the price, which is not pushed.
 */
import { createEffect, createMemo, createRoot, createSignal, on } from "solid-js";
import { post } from "../api/client.ts";
import type { ConditionalOrder, Product } from "../api/records.ts";
import { isZero } from "../number/decimal.ts";
import { soon } from "../ui/soon.ts";
import { type OpenOrder, productOf, readAll, type StopOrder, stops } from "./orders-store.ts";

const READ_MS = 120;
/** While a trail follows the price, and after a reading that failed. */
const BEAT_MS = 5_000;

interface Conditions {
  readonly byStop: ReadonlyMap<number, ConditionalOrder>;
  readonly groupByOrder: ReadonlyMap<number, number>;
}

const NONE: Conditions = { byStop: new Map(), groupByOrder: new Map() };

export const isTrail = ({ trail, trail_rate }: ConditionalOrder) => !isZero(trail) || !isZero(trail_rate);

function conditionsOf(product: Product) {
  const [conditions, setConditions] = createSignal(NONE);
  /** A reading that ends after a later one has begun says nothing new. */
  let turn = 0;
  const read = async () => {
    const own = ++turn;
    try {
      const rows = await readAll<ConditionalOrder>(product, `/v2/ext/${product}/conditional-order`);
      if (own !== turn) return;
      const grouped = rows.filter(({ order_id }) => order_id !== 0);
      setConditions({
        byStop: new Map(rows.map((row) => [row.stop_id, row])),
        groupByOrder: new Map(grouped.map(({ order_id, group_id }) => [order_id, group_id])),
      });
      if (rows.some(isTrail)) reading.plan(BEAT_MS);
    } catch {
      if (own === turn) reading.plan(BEAT_MS);
    }
  };
  const reading = soon(() => {
    if (document.hidden) reading.plan(BEAT_MS);
    else void read();
  });
  createEffect(
    on(
      createMemo(() =>
        stops[product]
          .rows()
          .map(({ stop_id, updated_at }) => `${stop_id} ${updated_at}`)
          .join(),
      ),
      (ids) => {
        if (ids !== "") {
          reading.plan(READ_MS);
          return;
        }
        turn++;
        reading.cancel();
        setConditions(NONE);
      },
    ),
  );
  return conditions;
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
