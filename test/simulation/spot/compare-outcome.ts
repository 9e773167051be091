import { type Engine, type Outcome, refusalIn } from "../../../src/engine/engine.ts";
import {
  type DealEvent,
  decodeEvents,
  decodeOrder,
  type LevelEvent,
  type OrderEvent,
} from "../../../src/engine/event.ts";
import { refusalOf } from "../../../src/engine/refusal.ts";
import { decodeStop, type StopEvent } from "../../../src/engine/stops/stop-event.ts";
import { compareBalance, compareOrder, compareStop, type Differ, differInto } from "./compare-records.ts";
import type { ModelDeal, ModelEvent, ModelMarket, ModelOutcome } from "./model/records.ts";
import type { ModelVenue } from "./model/venue.ts";
import { offered } from "./orders/slices.ts";

const DEAL_FIELDS = ["dealId", "marketId", "side", "price", "lots", "value"] as const;
const PARTY_FIELDS = ["userId", "orderId", "fee", "feeAssetId", "deducted"] as const;

/** What differs in what the last command answered, brought about and touched, as sentences. */
export function compareOutcome(engine: Engine, outcome: Outcome, model: ModelVenue, told: ModelOutcome): string[] {
  const differences: string[] = [];
  const differ = differInto(differences);
  differ("refusal", refusalIn(outcome), told.refusal);
  if (differences.length > 0) return differences;
  if (told.madeId !== undefined) differ("what was made", Object.values(outcome.result as object)[0], told.madeId);
  const { events } = engine;
  const order = outcome.orderEvent < 0 ? undefined : decodeOrder(events, outcome.orderEvent);
  const stop = outcome.stopEvent < 0 ? undefined : decodeStop(events, outcome.stopEvent).stop;
  compareOrder("order answered", order, told.order, differ);
  compareStop("stop order answered", stop, told.stop, differ);
  const heard: (OrderEvent | DealEvent | StopEvent)[] = [];
  const levels = new Map<string, LevelEvent>();
  for (const event of decodeEvents(events, outcome.from, outcome.to)) {
    if (event.kind === "order" || event.kind === "deal" || event.kind === "stop") heard.push(event);
    if (event.kind === "level") levels.set(`${event.marketId} ${event.side} ${event.price}`, event);
    if (event.kind === "posting" && event.userId > 0) model.balance(event.userId, event.assetId);
  }
  differ("events", heard.length, told.events.length);
  for (let at = 0; at < Math.min(heard.length, told.events.length); at++) {
    compareEvent(`event ${at}`, heard[at] as OrderEvent | DealEvent | StopEvent, told.events[at] as ModelEvent, differ);
    if (differences.length > 0) break;
  }
  for (const balance of model.touched) compareBalance(engine.state, balance, differ);
  for (const { marketId, side, price, lots } of levels.values()) {
    differ(
      `lots published for ${side} @ ${price}`,
      lots,
      displayedAt(model.markets[marketId] as ModelMarket, side, price),
    );
  }
  return differences;
}

function displayedAt(market: ModelMarket, side: "buy" | "sell", price: bigint): bigint {
  let lots = 0n;
  for (const order of side === "buy" ? market.buys : market.sells) {
    if (order.price === price && !order.hidden) lots += offered(order);
  }
  return lots;
}

function compareEvent(
  what: string,
  ours: OrderEvent | DealEvent | StopEvent,
  models: ModelEvent,
  differ: Differ,
): void {
  if (ours.kind === "deal" && models.kind === "deal") {
    compareDeal(`${what}, a deal`, ours, models.deal, differ);
  } else if (ours.kind === "order" && models.kind === "order") {
    const name = `${what}, ${ours.event} of order ${ours.order.orderId}`;
    differ(`${what}: order`, ours.event, models.event);
    compareOrder(name, ours.order, models.order, differ);
  } else if (ours.kind === "stop" && models.kind === "stop") {
    const name = `${what}, ${ours.event} of stop order ${ours.stop.stopId}`;
    differ(`${what}: stop order`, ours.event, models.event);
    differ(`${name}: order`, ours.orderId, models.orderId);
    differ(`${name}: refusal`, refusalOf(ours.refusal), models.refusal);
    compareStop(name, ours.stop, models.stop, differ);
  } else {
    differ(what, ours.kind, models.kind);
  }
}

function compareDeal(what: string, ours: DealEvent, models: ModelDeal, differ: Differ): void {
  for (const field of DEAL_FIELDS) differ(`${what}: ${field}`, ours[field], models[field]);
  for (const role of ["taker", "maker"] as const) {
    for (const field of PARTY_FIELDS) differ(`${what}: ${field} of ${role}`, ours[role][field], models[role][field]);
  }
}
