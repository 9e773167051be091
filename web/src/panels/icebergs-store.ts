/**
 * Which of one's open orders are icebergs, and how much of each the book shows at a time: the records of orders do not
 * tell. Read when the list of open orders has other orders than before.
 */
import { createEffect, createMemo, createRoot, createSignal, on } from "solid-js";
import type { IcebergOrder, Product } from "../api/records.ts";
import type { Decimal } from "../number/decimal.ts";
import { soon } from "../ui/soon.ts";
import { type OpenOrder, orders, productOf, readAll } from "./orders-store.ts";

/** A program that places many orders a second is no reason to ask as often. */
const READ_MS = 1_000;
const AGAIN_MS = 5_000;

const NONE: ReadonlyMap<number, Decimal> = new Map();

function icebergsOf(product: Product) {
  const [displays, setDisplays] = createSignal(NONE);
  /** A reading that ends after a later one has begun says nothing new. */
  let turn = 0;
  const read = async () => {
    const own = ++turn;
    try {
      const rows = await readAll<IcebergOrder>(product, `/v2/ext/${product}/iceberg-order`);
      if (own === turn) setDisplays(new Map(rows.map(({ order_id, display_amount }) => [order_id, display_amount])));
    } catch {
      if (own === turn) reading.plan(AGAIN_MS);
    }
  };
  const reading = soon(() => void read());
  createEffect(
    on(
      createMemo(() =>
        orders[product]
          .rows()
          .map(({ order_id }) => order_id)
          .join(),
      ),
      (ids) => {
        if (ids !== "") {
          reading.plan(READ_MS);
          return;
        }
        turn++;
        reading.cancel();
        setDisplays(NONE);
      },
    ),
  );
  return displays;
}

const displays = createRoot(() => ({ spot: icebergsOf("spot"), futures: icebergsOf("futures") }));

/** As much of an order as the book shows at a time; undefined where it shows all of it. */
export function displayOf({ marketType, order_id }: OpenOrder): Decimal | undefined {
  return displays[productOf(marketType)]().get(order_id);
}
