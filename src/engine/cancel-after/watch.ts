/**
 * Cancelling orders when a connection ends: which connections are watched, and what becomes of them. Source: domain
 * 2.17.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import type { State } from "../state.ts";
import type { EndConnections, RenewConnections, UnwatchConnection, WatchConnection } from "./command-schemas.ts";
import { type Absence, connectionsOf, isSameWhose, type Watched } from "./connections.ts";
import { endWatched } from "./ended.ts";
import { fireNow } from "./fire.ts";
import { isScope, refuseScope, TIMEOUT_MAX_MS } from "./set.ts";

/**
 * Connections of a user that may be watched, those that ended and may be replaced included. Nobody trades over more.
 */
export const CONNECTIONS_PER_USER_MAX = 100;
/** Markets that a connection may name; who means more means all. */
export const MARKETS_PER_CONNECTION_MAX = 100;

/**
 * Watches a connection, or watches it otherwise than before. It takes the place of those that ended and were about the
 * same orders.
 */
export function watchConnection(state: State, command: WatchConnection): Answer {
  const { userId, node, connection, scope, graceMs } = command;
  if (!state.users.has(userId)) return refused("user_not_found", `There is no user ${userId}.`);
  if (!isScope(scope)) return refuseScope();
  const marketIds = [...new Set(command.marketIds)].sort((one, other) => one - other);
  if (marketIds.length > MARKETS_PER_CONNECTION_MAX) {
    return refused("invalid_command", `market_list may name at most ${MARKETS_PER_CONNECTION_MAX} markets.`);
  }
  const missing = marketIds.find((marketId) => state.markets[marketId]?.delisted !== false);
  if (missing !== undefined) return refused("market_not_found", `There is no market ${missing}.`);
  if (graceMs < 0 || graceMs > TIMEOUT_MAX_MS) {
    return refused("invalid_command", `grace_ms must be from 0 to ${TIMEOUT_MAX_MS}.`);
  }
  const own = connectionsOf.of(state);
  const watching = own.nodes.get(node);
  if (watching === undefined) return refused("invalid_command", "The node of this connection watches none.");
  const watched: Watched = { userId, scope, marketIds, connection, graceMs };
  const isReplaced = (absence: Absence) => isSameWhose(absence, watched);
  const replaced =
    own.absencesOf(userId, isReplaced).length + (watching.connections.get(connection)?.userId === userId ? 1 : 0);
  if (own.countOf(userId) - replaced >= CONNECTIONS_PER_USER_MAX) {
    const message = `At most ${CONNECTIONS_PER_USER_MAX} connections of an account can be watched.`;
    return refused("invalid_command", message);
  }

  own.endAbsences(userId, isReplaced);
  own.watch(watching, watched);
  return accepted({});
}

/** Watches a connection no more. Those of the user that ended stay without effect, too. */
export function unwatchConnection(state: State, { userId, node, connection }: UnwatchConnection): Answer {
  if (!state.users.has(userId)) return refused("user_not_found", `There is no user ${userId}.`);
  const own = connectionsOf.of(state);
  const watching = own.nodes.get(node);
  if (watching?.connections.get(connection)?.userId === userId) own.unwatch(watching.connections, connection);
  own.endAbsences(userId, () => true);
  return accepted({});
}

/** Connections have ended: these of a node, all of a node, or all. What is not watched is passed over. */
export function endConnections(state: State, { node, connections }: EndConnections): Answer {
  const own = connectionsOf.of(state);
  const names = node === undefined ? [...own.nodes.keys()] : [node];
  for (const name of names) {
    const watching = own.nodes.get(name);
    if (watching === undefined) continue;
    if (connections === undefined) own.takeNode(name);
    for (const connection of connections ?? [...watching.connections.keys()]) {
      endWatched(state, watching.connections, connection, state.timeMs);
    }
  }
  fireNow(state);
  return accepted({});
}

/**
 * A node is there, and will be for `leaseMs`; 0: until it says otherwise. Answers whether it is new: then none of its
 * connections is watched.
 */
export function renewConnections(state: State, { node, leaseMs }: RenewConnections): Answer {
  if (leaseMs < 0 || leaseMs > TIMEOUT_MAX_MS) {
    return refused("invalid_command", `leaseMs must be from 0 to ${TIMEOUT_MAX_MS}.`);
  }
  const { nodes } = connectionsOf.of(state);
  const untilMs = leaseMs === 0 ? 0 : state.timeMs + leaseMs;
  const watching = nodes.get(node);
  if (watching === undefined) nodes.set(node, { untilMs, connections: new Map() });
  else watching.untilMs = untilMs;
  return accepted({ isNew: watching === undefined });
}
