import { CELL, cellKey, FUNDABLE_CELLS, VENUE } from "../../src/engine/ledger/cell.ts";
import type { State } from "../../src/engine/state.ts";
import { readStop } from "../../src/engine/stops/emit-stop.ts";
import { readOrder } from "../../src/engine/trading/emit.ts";
import { NONE } from "../../src/engine/trading/order.ts";
import { compareBalance, compareOrder, compareStop, type Differ, differInto } from "./compare-records.ts";
import type { ModelMarket, ModelOrder } from "./model/records.ts";
import type { ModelVenue } from "./model/venue.ts";

/** What differs anywhere in the two venues, as sentences. */
export function compareAll(state: State, model: ModelVenue): string[] {
  const differences: string[] = [];
  const differ = differInto(differences);
  differ("assets", state.assets.length, model.assets.length);
  differ("markets", state.markets.length, model.markets.length);
  differ("users", state.users.count - 1, model.users.length);
  differ("cancel-only", state.cancelOnly, model.cancelOnly);
  differ(
    "maintenance windows",
    state.maintenance.map((one) => one.maintenanceId).join(),
    model.windows.map((one) => one.id).join(),
  );
  for (const market of model.markets) {
    const ours = state.markets[market.id];
    const name = market.name;
    differ(`status of ${name}`, ours?.status, market.status);
    differ(`delisted ${name}`, ours?.delisted, market.delisted);
    differ(`latest price of ${name}`, state.lastPrice[market.id], market.latest);
    differ(`index of ${name}`, ours?.index.price, market.index);
    compareSide(state, market, 0, differ);
    compareSide(state, market, 1, differ);
    const stops = state.stops.ofMarket(market.id).map((slot) => readStop(state, slot));
    const models = model.stops.filter(({ marketId }) => marketId === market.id);
    differ(`stop orders of ${name}`, stops.length, models.length);
    for (const [at, stop] of stops.entries()) compareStop(`stop order ${at} of ${name}`, stop, models[at], differ);
  }
  for (const { id, ccy } of model.assets) {
    const venueHolds = (kind: number) => {
      const cell = state.ledger.find(cellKey(kind, VENUE, id));
      return cell < 0 ? 0n : state.ledger.available(cell);
    };
    differ(`fees in ${ccy}`, venueHolds(CELL.fee), model.fees[id] ?? 0n);
    differ(`custody of ${ccy}`, state.ledger.custody(id), model.custody[id] ?? 0n);
    for (const [cell, kind] of FUNDABLE_CELLS) differ(cell, venueHolds(kind), model.funded.get(cell)?.[id] ?? 0n);
    for (const user of model.users) compareBalance(state, model.balance(user.id, id), differ);
  }
  return differences;
}

function compareSide(state: State, market: ModelMarket, side: number, differ: Differ): void {
  const book = state.books[market.id];
  const queue = side === 0 ? market.buys : market.sells;
  let slot = book?.first(side) ?? NONE;
  for (const [at, order] of queue.entries()) {
    const ours = slot === NONE ? undefined : readOrder(state, slot);
    compareOrder(`${order.side} ${at} of ${market.name}`, ours, order, differ);
    if (slot !== NONE) {
      differ(`priority of order ${order.orderId}`, state.orders.prio(slot), order.prio);
      slot = book?.next(slot) ?? NONE;
    }
  }
  if (slot !== NONE)
    differ(`${side === 0 ? "buy" : "sell"} orders of ${market.name}`, readOrder(state, slot), undefined);
  const levels = [...(book?.levels(side) ?? [])].map(({ price, lots }) => `${lots}@${price}`);
  differ(`depth of ${market.name}`, levels.join(), depthOf(queue).join());
}

/** Displayed lots per price. */
function depthOf(queue: readonly ModelOrder[]): string[] {
  const levels: { price: bigint; lots: bigint }[] = [];
  for (const { hidden, price, left } of queue) {
    if (hidden) continue;
    const last = levels.at(-1);
    if (last?.price === price) last.lots += left;
    else levels.push({ price, lots: left });
  }
  return levels.map(({ price, lots }) => `${lots}@${price}`);
}
