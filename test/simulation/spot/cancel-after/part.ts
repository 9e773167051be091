import { connectionsOf } from "../../../../src/engine/cancel-after/connections.ts";
import { timersOf } from "../../../../src/engine/cancel-after/timers.ts";
import { isLocked } from "../listing/listing.ts";
import type { ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { endResting } from "../orders/book.ts";
import { keptBy, type ModelDue, type SpotPart } from "../part.ts";

const SCOPES = ["SPOT", "MARGIN", "FUTURES", "ALL"];
const RANK = 50;

/** Of a connection: in these markets, where it names any. */
interface Whose {
  readonly userId: number;
  readonly scope: string;
  readonly markets?: readonly number[];
}

interface Timer extends Whose {
  readonly at: number;
}

interface Connection extends Whose {
  readonly node: string;
  readonly number: number;
  readonly markets: readonly number[];
  readonly grace: number;
}

/**
 * Timers that run, and orders that an auction keeps for now; nodes with the time by which they must be heard of, and
 * their connections.
 */
const kept = keptBy(() => ({
  timers: [] as Timer[],
  held: new Set<ModelOrder>(),
  nodes: new Map<string, number>(),
  connections: [] as Connection[],
  /** Connections that ended and may be replaced, in that order. */
  gone: [] as Timer[],
}));

const NODES = ["a", "b"];

/** Cancelling by the clock and when connections end once more, in plain words. Domain 2.16 and 2.17. */
export const cancelAfter: SpotPart = {
  name: "cancel-after",
  actions: {
    cancel_after: {
      often: { usual: [0, 2, 10], auctions: [4], crowd: [0] },
      make: (draw) => ({
        command: {
          kind: "set_cancel_after",
          userId: draw.userId(),
          scope: draw.random.pick([...SCOPES, ...SCOPES, "ALL", "spot"]),
          timeoutMs: draw.random.pick([0, 999, 1_000, 1_000, 1_500, 5_000, 30_000, 600_000, 600_001, -1]),
        },
      }),
    },
    watch: {
      often: { usual: [0, 2, 10], auctions: [4], crowd: [0] },
      make: (draw) => ({
        command: {
          kind: "watch_connection",
          userId: draw.userId(),
          node: draw.random.pick([...NODES, ...NODES, ...NODES, "c"]),
          connection: draw.random.whole(1, 4),
          scope: draw.random.pick([...SCOPES, "ALL", "ALL", "all"]),
          marketIds: draw.random.pick([[], [], [draw.marketId()], [draw.marketId(), draw.marketId()], [99]]),
          graceMs: draw.random.pick([0, 0, 1, 1_000, 5_000, 600_001, -1]),
        },
      }),
    },
    unwatch: {
      often: { usual: [0, 1], auctions: [1], crowd: [0] },
      make: (draw) => ({
        command: {
          kind: "unwatch_connection",
          userId: draw.userId(),
          node: draw.random.pick(NODES),
          connection: draw.random.whole(1, 4),
        },
      }),
    },
    connections_end: {
      often: { usual: [0, 2, 10], auctions: [4], crowd: [0] },
      make: (draw) => ({
        command: {
          kind: "end_connections",
          node: draw.random.pick([...NODES, ...NODES, ...NODES, undefined]),
          connections: draw.random.pick([[1], [2, 3], [4, 3, 9], [1, 2, 3, 4], undefined]),
        },
      }),
    },
    node_lives: {
      often: { usual: [0, 2, 10], auctions: [4], crowd: [0] },
      make: (draw) => ({
        command: {
          kind: "renew_connections",
          node: draw.random.pick(NODES),
          leaseMs: draw.random.pick([0, 1_000, 5_000, 30_000, -1]),
        },
      }),
    },
  },
  ofUsers: {
    watch_connection: (venue, { userId, node, connection: number, scope, marketIds, graceMs: grace }) => {
      if (venue.user(userId) === undefined) return "user_not_found";
      if (!SCOPES.includes(scope)) return "invalid_command";
      const markets = [...new Set(marketIds)].sort((one, other) => one - other);
      if (markets.some((id) => venue.markets[id]?.delisted !== false)) return "market_not_found";
      const own = kept(venue);
      if (grace < 0 || grace > 600_000 || !own.nodes.has(node)) return "invalid_command";
      own.gone = own.gone.filter(
        (gone) => gone.userId !== userId || gone.scope !== scope || String(gone.markets) !== String(markets),
      );
      own.connections = own.connections.filter((each) => each.node !== node || each.number !== number);
      own.connections.push({ userId, node, number, scope, markets, grace });
      return undefined;
    },
    unwatch_connection: (venue, { userId, node, connection }) => {
      if (venue.user(userId) === undefined) return "user_not_found";
      const own = kept(venue);
      own.connections = own.connections.filter(
        (each) => each.userId !== userId || each.node !== node || each.number !== connection,
      );
      own.gone = own.gone.filter((gone) => gone.userId !== userId);
      return undefined;
    },
    set_cancel_after: (venue, { userId, scope, timeoutMs }) => {
      if (venue.user(userId) === undefined) return "user_not_found";
      if (!SCOPES.includes(scope)) return "invalid_command";
      if (timeoutMs !== 0 && (timeoutMs < 1_000 || timeoutMs > 600_000)) return "invalid_command";
      const own = kept(venue);
      own.timers = own.timers.filter((timer) => timer.userId !== userId || timer.scope !== scope);
      if (timeoutMs > 0) own.timers.push({ userId, scope, at: venue.timeMs + timeoutMs });
      return undefined;
    },
  },
  ofVenue: {
    end_connections: (venue, { node, connections: numbers }) => {
      const own = kept(venue);
      for (const name of node === undefined ? [...own.nodes.keys()] : [node]) {
        const ofNode = own.connections.filter((each) => each.node === name);
        if (numbers === undefined) own.nodes.delete(name);
        const inTurn = numbers?.flatMap((number) => ofNode.find((each) => each.number === number) ?? []) ?? ofNode;
        for (const connection of inTurn) endConnection(venue, connection, venue.timeMs);
      }
      return undefined;
    },
    renew_connections: (venue, { node, leaseMs }) => {
      if (leaseMs < 0) return "invalid_command";
      kept(venue).nodes.set(node, leaseMs === 0 ? Number.POSITIVE_INFINITY : venue.timeMs + leaseMs);
      return undefined;
    },
  },
  due: (venue) => [...timersDue(venue), ...nodesDue(venue), ...goneDue(venue), ...heldDue(venue)],
  compare: (state, venue, differ) => {
    for (const { id } of venue.users) {
      const mine = kept(venue).timers.filter(({ userId }) => userId === id);
      const words = (at: (scope: string) => number | undefined) => SCOPES.map((scope) => at(scope) ?? "-").join();
      differ(
        `timers of user ${id}`,
        words((scope) => timersOf(state, id).find((timer) => timer.scope === scope)?.atMs),
        words((scope) => mine.find((timer) => timer.scope === scope)?.at),
      );
    }
    const { nodes, absences } = connectionsOf.of(state);
    const { connections, gone } = kept(venue);
    const ours = [...nodes].flatMap(([node, { connections: ofNode }]) =>
      [...ofNode.values()].map((each) => `${node}${each.connection} ${each.userId} ${each.scope} ${each.marketIds}`),
    );
    const theirs = connections.map((each) => `${each.node}${each.number} ${each.userId} ${each.scope} ${each.markets}`);
    differ("connections", ours.sort().join(), theirs.sort().join());
    const absent = [...absences.values()].map(({ userId, scope, marketIds, atMs }) => [userId, scope, marketIds, atMs]);
    differ("ended", String(absent), String(gone.map(({ userId, scope, markets, at }) => [userId, scope, markets, at])));
  },
  faults: [
    {
      name: "the end of a connection cancels in markets that it did not name",
      part: "cancel-after",
      file: "cancel-after/fire.ts",
      code: "if (marketIds.length > 0 && !marketIds.includes(market.id)) continue;",
      instead: "if (marketIds.length > 1 && !marketIds.includes(market.id)) continue;",
    },
    {
      name: "a connection takes the place of one that was about other orders",
      part: "cancel-after",
      file: "cancel-after/connections.ts",
      code: "one.scope === other.scope &&",
      instead: "",
    },
    {
      name: "a node that is not renewed keeps its connections",
      part: "cancel-after",
      file: "cancel-after/ended.ts",
      code: "for (const connection of [...lost.connections.keys()]) {",
      instead: "for (const connection of [...lost.connections.keys()].slice(1)) {",
    },
    {
      name: "a timer cancels orders that were placed after it ran out",
      part: "cancel-after",
      file: "cancel-after/fire.ts",
      code: "beforeOrderId: state.nextOrderId });",
      instead: "beforeOrderId: state.nextOrderId + 1_000 });",
    },
    {
      name: "a timer of margin orders cancels those of spot",
      part: "cancel-after",
      file: "cancel-after/timers.ts",
      code: 'return scope === (isMargin ? "MARGIN" : "SPOT");',
      instead: 'return scope !== "FUTURES";',
    },
    {
      name: "a timer that is put off runs out at its first time",
      part: "cancel-after",
      file: "cancel-after/timer-heap.ts",
      code: "if (atMs === top.atMs && this.earliest.get(top.key) === atMs) return;",
      instead: "if (this.earliest.get(top.key) === top.atMs && atMs !== undefined) return;",
    },
  ],
};

function timersDue(venue: ModelVenue): ModelDue[] {
  const own = kept(venue);
  const place = ({ userId, scope }: Timer) => userId * SCOPES.length + SCOPES.indexOf(scope);
  const first = own.timers.toSorted((one, other) => one.at - other.at || place(one) - place(other))[0];
  if (first === undefined) return [];
  const run = () => {
    own.timers = own.timers.filter((timer) => timer !== first);
    fire(venue, first);
  };
  return [{ at: first.at, rank: RANK, id: -1, run }];
}

/** Nodes that nobody has heard of in time. */
function nodesDue(venue: ModelVenue): ModelDue[] {
  const own = kept(venue);
  return [...own.nodes].flatMap(([node, until]): ModelDue[] => {
    if (until === Number.POSITIVE_INFINITY) return [];
    const run = () => {
      own.nodes.delete(node);
      const lost = own.connections.filter((each) => each.node === node);
      for (const connection of lost) endConnection(venue, connection, until);
    };
    return [{ at: until, rank: RANK, id: -1, run }];
  });
}

/** Connections that nobody has replaced in time. */
function goneDue(venue: ModelVenue): ModelDue[] {
  const own = kept(venue);
  return own.gone.map((gone) => ({
    at: gone.at,
    rank: RANK,
    id: -1,
    run: () => {
      own.gone = own.gone.filter((each) => each !== gone);
      fire(venue, gone);
    },
  }));
}

function endConnection(venue: ModelVenue, connection: Connection, at: number): void {
  const own = kept(venue);
  own.connections = own.connections.filter((each) => each !== connection);
  const { userId, scope, markets, grace } = connection;
  if (grace > 0) own.gone.push({ userId, scope, markets, at: at + grace });
  else fire(venue, connection);
}

function fire(venue: ModelVenue, { userId, scope, markets = [] }: Whose): void {
  for (const market of venue.markets) {
    if (markets.length > 0 && !markets.includes(market.id)) continue;
    for (const account of ["spot", "margin"]) {
      if (scope !== "ALL" && scope.toLowerCase() !== account) continue;
      const orders = ordersOf(market).filter((order) => order.userId === userId && order.account === account);
      if (isLocked(market, venue.timeMs)) for (const order of orders) kept(venue).held.add(order);
      else for (const order of orders) endResting(venue, market, order);
    }
  }
}

/** What auctions kept is cancelled once they have ended, as far as it has not traded. */
function heldDue(venue: ModelVenue): ModelDue[] {
  const { held } = kept(venue);
  return venue.markets.flatMap((market): ModelDue[] => {
    const mine = ordersOf(market).filter((order) => held.has(order));
    if (mine.length === 0 || isLocked(market, venue.timeMs)) return [];
    const place = (order: ModelOrder) => order.userId * 2 + (order.account === "margin" ? 1 : 0);
    const run = () => {
      for (const order of mine) held.delete(order);
      const inOrder = mine.sort((one, other) => place(one) - place(other) || one.orderId - other.orderId);
      for (const order of inOrder) endResting(venue, market, order);
    };
    return [{ at: venue.timeMs, rank: RANK, id: market.id, isWaiting: true, run }];
  });
}

/** Oldest first. */
function ordersOf(market: ModelMarket): ModelOrder[] {
  return [...market.buys, ...market.sells].sort((one, other) => one.orderId - other.orderId);
}
