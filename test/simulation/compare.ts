/** Lays the engine and the model side by side. Every difference is a sentence. */
import type { Engine, Outcome } from "../../src/engine/engine.ts";
import { refusalIn } from "../../src/engine/engine.ts";
import {
  type DealEvent,
  decodeEvents,
  decodeOrder,
  type LevelEvent,
  type OrderEvent,
  type OrderRecord,
} from "../../src/engine/event.ts";
import { CELL, cellKey, FUNDABLE_CELLS, VENUE } from "../../src/engine/ledger/cell.ts";
import { refusalOf } from "../../src/engine/refusal.ts";
import { decodeStop, type StopEvent, type StopRecord } from "../../src/engine/stop-event.ts";
import { readOrder } from "../../src/engine/trading/emit.ts";
import { readStop } from "../../src/engine/trading/emit-stop.ts";
import { NONE } from "../../src/engine/trading/order.ts";
import type {
  ModelBalance,
  ModelDeal,
  ModelEvent,
  ModelMarket,
  ModelOrder,
  ModelOutcome,
  ModelStop,
} from "./model/records.ts";
import type { ModelVenue } from "./model/venue.ts";

const TRAITS = ["userId", "marketId", "side", "type", "amountIn", "hidden", "stpMode", "clientId"] as const;
const ORDER_FIELDS = [
  ...TRAITS,
  "orderId",
  "makerFeeRateE8",
  "takerFeeRateE8",
  "createdAt",
  "updatedAt",
  "status",
  "price",
  "amount",
  "left",
  "filledLots",
  "filledValue",
  "baseFee",
  "quoteFee",
  "discountFee",
  "lastFilledLots",
  "lastFilledPrice",
] as const;
const STOP_FIELDS = [...TRAITS, "stopId", "createdAt", "updatedAt", "price", "amount", "trigger", "direction"] as const;
const DEAL_FIELDS = ["dealId", "marketId", "side", "price", "lots", "value"] as const;
const PARTY_FIELDS = ["userId", "orderId", "fee", "feeAssetId", "deducted"] as const;

/** What differs in what the last command answered, brought about and touched. */
export function compareOutcome(engine: Engine, outcome: Outcome, model: ModelVenue, told: ModelOutcome): string[] {
  const differences: string[] = [];
  const differ = (what: string, ours: unknown, models: unknown) => {
    if (ours !== models) differences.push(`${what}: ${show(ours)}, the model says ${show(models)}`);
  };
  differ("refusal", refusalIn(outcome), told.refusal);
  if (differences.length > 0) return differences;
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
  for (const balance of model.touched) compareBalance(engine, balance, differ);
  for (const { marketId, side, price, lots } of levels.values()) {
    differ(
      `lots published for ${side} @ ${price}`,
      lots,
      displayedAt(model.markets[marketId] as ModelMarket, side, price),
    );
  }
  return differences;
}

type Differ = (what: string, ours: unknown, models: unknown) => void;

/** What differs anywhere in the two venues. */
export function compareAll({ state }: Engine, model: ModelVenue): string[] {
  const differences: string[] = [];
  const differ: Differ = (what, ours, models) => {
    if (ours !== models) differences.push(`${what}: ${show(ours)}, the model says ${show(models)}`);
  };
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
    for (const user of model.users) compareBalance({ state }, model.balance(user.id, id), differ);
  }
  return differences;
}

function compareSide(state: Engine["state"], market: ModelMarket, side: number, differ: Differ): void {
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

function displayedAt(market: ModelMarket, side: "buy" | "sell", price: bigint): bigint {
  let lots = 0n;
  for (const order of side === "buy" ? market.buys : market.sells) {
    if (order.price === price && !order.hidden) lots += order.left;
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

function compareOrder(
  what: string,
  ours: OrderRecord | undefined,
  models: ModelOrder | undefined,
  differ: Differ,
): void {
  if (ours === undefined || models === undefined) differ(what, ours?.orderId, models?.orderId);
  else
    for (const field of ORDER_FIELDS)
      if (ours[field] !== models[field]) differ(`${what}: ${field}`, ours[field], models[field]);
}

function compareStop(what: string, ours: StopRecord | undefined, models: ModelStop | undefined, differ: Differ): void {
  if (ours === undefined || models === undefined) differ(what, ours?.stopId, models?.stopId);
  else
    for (const field of STOP_FIELDS)
      if (ours[field] !== models[field]) differ(`${what}: ${field}`, ours[field], models[field]);
}

function compareBalance({ state }: Pick<Engine, "state">, models: ModelBalance, differ: Differ): void {
  const { userId, assetId, available, frozen } = models;
  const cell = state.ledger.findSpotCell(userId, assetId);
  const has = cell < 0 ? 0n : state.ledger.available(cell);
  if (has !== available) differ(`available of user ${userId} in asset ${assetId}`, has, available);
  const held = cell < 0 ? 0n : state.ledger.frozen(cell);
  if (held !== frozen) differ(`frozen of user ${userId} in asset ${assetId}`, held, frozen);
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : String(value);
}
