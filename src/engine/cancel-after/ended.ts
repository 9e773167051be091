/**
 * Connections that have ended: their orders are cancelled, at once or when nobody has come back in time. Source: domain
 * 2.17.
 */
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { connectionsOf, type Watched, type Whose } from "./connections.ts";
import { cancelTimers } from "./timers.ts";

/** A connection has ended at `atMs`; nothing happens when it is not watched. */
export function endWatched(state: State, connections: Map<number, Watched>, connection: number, atMs: number): void {
  const own = connectionsOf.of(state);
  const watched = own.unwatch(connections, connection);
  if (watched === undefined) return;
  const { userId, scope, marketIds, graceMs } = watched;
  const whose = { userId, scope, marketIds };
  if (graceMs > 0) own.addAbsence({ ...whose, atMs: atMs + graceMs });
  else cancelFor(state, whose, atMs);
}

/**
 * Ends what is over by `timeMs`: nodes that were not renewed, with all that they held, and at most `most` of the
 * connections that nobody has replaced. Returns the number of these connections.
 */
export function endOverdue(state: State, timeMs: number, most: number): number {
  const own = connectionsOf.of(state);
  for (let lost = own.takeLost(timeMs); lost !== undefined; lost = own.takeLost(timeMs)) {
    for (const connection of [...lost.connections.keys()]) {
      endWatched(state, lost.connections, connection, lost.untilMs);
    }
  }
  for (let count = 0; count < most; count++) {
    const over = own.takeDue(timeMs);
    if (over === undefined) return count;
    cancelFor(state, over, over.atMs);
  }
  return most;
}

/** From here on the orders that are open now are cancelled. */
function cancelFor(state: State, { userId, scope, marketIds }: Whose, atMs: number): void {
  cancelTimers.of(state).firing.push({ userId, scope, marketIds, atMs, beforeOrderId: state.nextOrderId });
  emitRareEvent(state, { type: "connection_lost", userId, scope, marketIds, atMs });
}
