/** Commands about cancelling by the clock, and when connections end. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { listOf, optional, text, whole } from "../field.ts";

const wholes = listOf("whole numbers", whole);

export const CANCEL_AFTER_SCHEMAS = {
  /**
   * Unless it is given again in time, all open orders of the user in this scope are cancelled `timeoutMs` from now; 0
   * ends it. A user has one timer for each scope. Answers `{ cancelsAtMs }`, 0 where there is none.
   */
  set_cancel_after: commandSchema({
    by: "user",
    since: "cancelAfter",
    isQuiet: true,
    fields: { userId: whole, scope: text, timeoutMs: whole },
    words: ({ userId, scope, timeoutMs }) =>
      timeoutMs === 0
        ? `end the timer of user ${userId} that cancels ${scope}`
        : `cancel the open orders of user ${userId} in ${scope} after ${timeoutMs} ms, unless told again`,
  }),
  /**
   * When this connection ends, the open orders of the user in this scope and in these markets (none: in all) are
   * cancelled, `graceMs` later unless one like it is watched by then. `node` names a run of a node that was renewed
   * before.
   */
  watch_connection: commandSchema({
    by: "user",
    since: "connectionsWatched",
    isQuiet: true,
    fields: { userId: whole, node: text, connection: whole, scope: text, marketIds: wholes, graceMs: whole },
    words: ({ userId, node, connection, scope, graceMs }) =>
      `cancel the open orders of user ${userId} in ${scope} ${graceMs} ms after connection ${connection} of ` +
      `${node} ends`,
  }),
  /** The end of this connection cancels nothing any more, and neither do the ends of earlier ones of the user. */
  unwatch_connection: commandSchema({
    by: "user",
    since: "connectionsWatched",
    isQuiet: true,
    fields: { userId: whole, node: text, connection: whole },
    words: ({ userId, node, connection }) =>
      `keep the orders of user ${userId} when connection ${connection} of ${node} ends`,
  }),
  /** These connections of a node have ended; without a list all of it, without a name those of all nodes. */
  end_connections: commandSchema({
    by: "venue",
    since: "connectionsWatched",
    fields: { node: optional(text), connections: optional(wholes) },
    words: ({ node, connections }) =>
      `${connections?.length ?? "all"} connections of ${node ?? "all nodes"} have ended`,
  }),
  /** A run of a node is there, and for `leaseMs` longer unless it is renewed; 0: for ever. Answers `{ isNew }`. */
  renew_connections: commandSchema({
    by: "venue",
    since: "connectionsWatched",
    isQuiet: true,
    fields: { node: text, leaseMs: whole },
    words: ({ node, leaseMs }) => `the connections of ${node} live on for ${leaseMs === 0 ? "ever" : `${leaseMs} ms`}`,
  }),
};

export type SetCancelAfter = CommandOf<typeof CANCEL_AFTER_SCHEMAS, "set_cancel_after">;
export type WatchConnection = CommandOf<typeof CANCEL_AFTER_SCHEMAS, "watch_connection">;
export type UnwatchConnection = CommandOf<typeof CANCEL_AFTER_SCHEMAS, "unwatch_connection">;
export type EndConnections = CommandOf<typeof CANCEL_AFTER_SCHEMAS, "end_connections">;
export type RenewConnections = CommandOf<typeof CANCEL_AFTER_SCHEMAS, "renew_connections">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof CANCEL_AFTER_SCHEMAS> {}
}
