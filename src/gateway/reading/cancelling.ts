/** The cancelling of orders and of stop orders, by id and by client id: one way for both kinds, for every surface. */
import type { Account, Command, PositionSide } from "../../engine/command.ts";
import type { Engine, Outcome } from "../../engine/engine.ts";
import { decodeOrder, EVENT, eventKind, type OrderRecord, orderEventName } from "../../engine/event.ts";
import { decodeStop, type StopRecord, stopEventName } from "../../engine/stops/stop-event.ts";
import { recordWords, type WordBuffer } from "../../engine/words.ts";
import type { Refused } from "../refused.ts";
import type { Answering } from "./answering.ts";
import { type BatchElement, execute, executeBatch, type Submitting } from "./execute.ts";
import type { JsonText } from "./json-text.ts";

/** Whose order, and where it is looked for. */
interface Within {
  readonly userId: number;
  readonly marketId: number;
  /** Undefined: in every account of the market. */
  readonly account: Account | undefined;
}

interface Named {
  readonly userId: number;
  /** Undefined: in every market. */
  readonly marketId: number | undefined;
  readonly account: Account;
  readonly positionSide?: PositionSide | undefined;
  readonly clientId: string;
}

interface Owned {
  readonly userId: number;
  readonly clientId: string;
}

/** A kind of order that its user may cancel. */
export interface Cancelled<Row extends Owned> {
  byId(within: Within, id: number): Command;
  byClientId(named: Named): Command;
  /** The order as it ended, after a command that ended one. */
  endedBy(outcome: Outcome, events: WordBuffer): Row;
  /** The kind of the events that tell the end of one. */
  readonly event: number;
  /** The order that ended, where the event at `at` tells an end. */
  endedAt(events: WordBuffer, at: number): Row | undefined;
}

export const ORDERS: Cancelled<OrderRecord> = {
  byId: (within, orderId) => ({ kind: "cancel_order", ...within, orderId }),
  byClientId: (named) => ({ kind: "cancel_by_client_id", ...named }),
  endedBy: ({ orderEvent }, events) => decodeOrder(events, orderEvent),
  event: EVENT.order,
  endedAt: (events, at) => (orderEventName(events, at) === "finish" ? decodeOrder(events, at) : undefined),
};

export const STOP_ORDERS: Cancelled<StopRecord> = {
  byId: (within, stopId) => ({ kind: "cancel_stop_order", ...within, stopId }),
  byClientId: (named) => ({ kind: "cancel_stop_by_client_id", ...named }),
  endedBy: ({ stopEvent }, events) => decodeStop(events, stopEvent).stop,
  event: EVENT.stop,
  endedAt: (events, at) => (stopEventName(events, at) === "cancel" ? decodeStop(events, at).stop : undefined),
};

/** Cancels the order of this id. One of somebody else is refused as if it did not exist. */
export function cancelOne<Row extends Owned>(
  backend: Submitting,
  call: Answering,
  kind: Cancelled<Row>,
  within: Within,
  id: number,
  cancelled: (row: Row) => void,
): void {
  execute(backend, call, kind.byId(within, id), (outcome, { events }) => cancelled(kind.endedBy(outcome, events)));
}

/** As `cancelOne` for each of the ids, which fails alone. */
export function cancelBatch<Row extends Owned>(
  backend: Submitting,
  call: Answering,
  kind: Cancelled<Row>,
  within: Within,
  ids: readonly (number | Refused)[],
  print: (row: Row) => JsonText,
  settled: (elements: readonly BatchElement<never>[]) => void,
): void {
  executeBatch(
    backend,
    call,
    ids,
    (id) => kind.byId(within, id),
    (outcome, { events }) => print(kind.endedBy(outcome, events)),
    settled,
  );
}

/** Cancels all orders to which the user gave this name; one element for each, in the order of their ending. */
export function cancelNamed<Row extends Owned>(
  backend: Submitting,
  call: Answering,
  kind: Cancelled<Row>,
  named: Named,
  print: (row: Row) => JsonText,
  settled: (elements: readonly BatchElement<never>[]) => void,
): void {
  execute(backend, call, kind.byClientId(named), (outcome, engine) =>
    settled(endedOf(outcome, engine, named, kind).map((row) => ({ data: print(row) }))),
  );
}

/**
 * Returns the orders that a command by client id ended, in the order of its events. Others that fell due at the
 * command's time may have ended too; they are left out.
 */
function endedOf<Row extends Owned>(
  { from, to }: Outcome,
  { events }: Engine,
  { userId, clientId }: Named,
  { event, endedAt }: Cancelled<Row>,
): Row[] {
  const rows: Row[] = [];
  for (let at = from; at < to; at += recordWords(events, at)) {
    const row = eventKind(events, at) === event ? endedAt(events, at) : undefined;
    if (row !== undefined && row.userId === userId && row.clientId === clientId) rows.push(row);
  }
  return rows;
}
