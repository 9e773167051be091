/** Lays an order, a stop order or a balance of the engine beside the model's. */

import { ORDER_FIELDS, type OrderRecord } from "../../../src/engine/event.ts";
import type { State } from "../../../src/engine/state.ts";
import type { StopRecord } from "../../../src/engine/stops/stop-event.ts";
import type { ModelBalance, ModelOrder, ModelStop } from "./model/records.ts";

const TRAITS = ["userId", "marketId", "account", "side", "type", "amountIn", "hidden", "stpMode", "clientId"] as const;
/** Every figure of an order, but the result of futures, which the model knows nothing of. */
const COMPARED = [
  ...TRAITS,
  "status",
  ...(Object.keys(ORDER_FIELDS) as (keyof typeof ORDER_FIELDS)[]).filter((name) => name !== "realizedPnl"),
] as const;
const STOP_FIELDS = [
  ...TRAITS,
  "stopId",
  "createdAt",
  "updatedAt",
  "price",
  "amount",
  "trigger",
  "direction",
  ...(["trail", "trailRateE8", "activation", "groupId", "extreme", "display"] as const),
] as const;

/** Notes it where the engine says something else than the model. */
export type Differ = (what: string, ours: unknown, models: unknown) => void;

/** A `Differ` that makes sentences of the differences. */
export function differInto(differences: string[]): Differ {
  return (what, ours, models) => {
    if (ours !== models) differences.push(`${what}: ${show(ours)}, the model says ${show(models)}`);
  };
}

export function compareOrder(
  what: string,
  ours: OrderRecord | undefined,
  models: ModelOrder | undefined,
  differ: Differ,
): void {
  if (ours === undefined || models === undefined) differ(what, ours?.orderId, models?.orderId);
  else
    for (const field of COMPARED)
      if (ours[field] !== models[field]) differ(`${what}: ${field}`, ours[field], models[field]);
}

export function compareStop(
  what: string,
  ours: StopRecord | undefined,
  models: ModelStop | undefined,
  differ: Differ,
): void {
  if (ours === undefined || models === undefined) differ(what, ours?.stopId, models?.stopId);
  else
    for (const field of STOP_FIELDS)
      if (ours[field] !== models[field]) differ(`${what}: ${field}`, ours[field], models[field]);
}

export function compareBalance(state: State, models: ModelBalance, differ: Differ): void {
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
