/** The state of connections whose end cancels orders. Source: domain 2.17. */
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import { TimerHeap } from "./timer-heap.ts";
import type { Scope } from "./timers.ts";

/** Whose orders go: those of a user in a scope, in these markets, ascending; in none: in all. */
export interface Whose {
  readonly userId: number;
  readonly scope: Scope;
  readonly marketIds: readonly number[];
}

/** A connection that a node of the venue holds. `graceMs`: how long after its end another one may take its place. */
export interface Watched extends Whose {
  readonly connection: number;
  readonly graceMs: number;
}

/** A connection that has ended: the orders go at `atMs` unless one like it is watched by then. */
export interface Absence extends Whose {
  readonly atMs: number;
}

/** A run of a node. Unless it is renewed by `untilMs`, all its connections have ended; 0: it needs no renewal. */
export interface WatchingNode {
  untilMs: number;
  /** By the node's number of the connection. */
  readonly connections: Map<number, Watched>;
}

export class Connections {
  /** By the name of the run. */
  readonly nodes = new Map<string, WatchingNode>();
  /** By numbers that are counted in the state. */
  readonly absences = new Map<number, Absence>();
  readonly heap = new TimerHeap((key) => this.absences.get(key)?.atMs);
  nextAbsence = 1;
  /** Watched connections by user, */
  readonly #watchedOf = new Map<number, number>();
  /** and numbers of absences. */
  readonly #absencesOf = new Map<number, Set<number>>();

  find(node: string, connection: number): Watched | undefined {
    return this.nodes.get(node)?.connections.get(connection);
  }

  /** Connections of a user that are watched, and those that ended and may be replaced. */
  countOf(userId: number): number {
    return (this.#watchedOf.get(userId) ?? 0) + (this.#absencesOf.get(userId)?.size ?? 0);
  }

  watch({ connections }: WatchingNode, watched: Watched): void {
    this.unwatch(connections, watched.connection);
    connections.set(watched.connection, watched);
    this.#count(watched.userId, 1);
  }

  /** Takes a connection out; undefined when it is not watched. */
  unwatch(connections: Map<number, Watched>, connection: number): Watched | undefined {
    const watched = connections.get(connection);
    if (watched === undefined) return undefined;
    connections.delete(connection);
    this.#count(watched.userId, -1);
    return watched;
  }

  addAbsence(absence: Absence, number = this.nextAbsence++): void {
    this.absences.set(number, absence);
    this.heap.set(number, absence.atMs);
    const ofUser = this.#absencesOf.get(absence.userId);
    if (ofUser === undefined) this.#absencesOf.set(absence.userId, new Set([number]));
    else ofUser.add(number);
  }

  /** Numbers of the absences of a user that `matches`. */
  absencesOf(userId: number, matches: (absence: Absence) => boolean): number[] {
    const numbers = [...(this.#absencesOf.get(userId) ?? [])];
    return numbers.filter((number) => matches(this.absences.get(number) as Absence));
  }

  endAbsences(userId: number, matches: (absence: Absence) => boolean): void {
    for (const number of this.absencesOf(userId, matches)) this.#endAbsence(number);
  }

  /** Takes out the absence that is over first, if it is by then. */
  takeDue(timeMs: number): Absence | undefined {
    const number = this.heap.takeDue(timeMs);
    return number === undefined ? undefined : this.#endAbsence(number);
  }

  /** Takes out the run of a node that was first to be renewed, if that was by then. */
  takeLost(timeMs: number): WatchingNode | undefined {
    for (const [node, { untilMs }] of this.nodes) {
      if (untilMs > 0 && untilMs <= timeMs && untilMs === this.#firstUntilMs) return this.takeNode(node);
    }
    return undefined;
  }

  /** Takes out the run of a node; its connections are counted until `unwatch` takes each. */
  takeNode(node: string): WatchingNode | undefined {
    const taken = this.nodes.get(node);
    this.nodes.delete(node);
    return taken;
  }

  /** When an absence or the time of a node is next over; undefined when none is. */
  get nextAtMs(): number | undefined {
    const nextMs = Math.min(this.heap.nextAtMs ?? Number.POSITIVE_INFINITY, this.#firstUntilMs);
    return nextMs === Number.POSITIVE_INFINITY ? undefined : nextMs;
  }

  /** Nodes are a handful. */
  get #firstUntilMs(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { untilMs } of this.nodes.values()) if (untilMs > 0 && untilMs < first) first = untilMs;
    return first;
  }

  #endAbsence(number: number): Absence {
    const absence = this.absences.get(number) as Absence;
    this.absences.delete(number);
    const ofUser = this.#absencesOf.get(absence.userId) as Set<number>;
    ofUser.delete(number);
    if (ofUser.size === 0) this.#absencesOf.delete(absence.userId);
    return absence;
  }

  #count(userId: number, more: number): void {
    const count = (this.#watchedOf.get(userId) ?? 0) + more;
    if (count === 0) this.#watchedOf.delete(userId);
    else this.#watchedOf.set(userId, count);
  }
}

export const connectionsOf = new Slot(() => new Connections());

/** Whether any connection is watched, of a run of a node that this state knows. */
export function watchesConnections(state: State): boolean {
  for (const { connections } of connectionsOf.of(state).nodes.values()) if (connections.size > 0) return true;
  return false;
}

/** Whether two are about the same orders. */
export function isSameWhose(one: Whose, other: Whose): boolean {
  return (
    one.userId === other.userId &&
    one.scope === other.scope &&
    one.marketIds.length === other.marketIds.length &&
    one.marketIds.every((marketId, at) => marketId === other.marketIds[at])
  );
}
