/** The calls and values that the rules of ordering are given, and the effects that they have. */
import type { LogGroup } from "../../log/chain.ts";
import type { Leader } from "../entry.ts";
import type { OrderStore } from "../store.ts";

/** The node that holds the rules. */
export interface Self {
  readonly node: string;
  /** Drawn anew with each start. */
  readonly boot: string;
}

/** A proposal on its way to the leader. */
export interface Forward {
  readonly term: number;
  readonly node: string;
  readonly boot: string;
  /** The first that its process put to this leader. */
  readonly first: number;
  readonly token: number;
  readonly count: number;
  readonly payload: Uint8Array;
}

/** The calls of an ordering. None of them may call back before it returns. */
export interface OrderingPorts {
  /** A clock that only runs on, ms. */
  now(): number;
  /** Returns the time that groups are stamped with, ms since 1970. */
  timeMs(): number;
  readonly store: Pick<OrderStore, "put" | "lead" | "resign">;
  /** To the leader. May be lost. */
  forward(to: Leader, forward: Forward): void;
  /** Asks the leader whether it leads; what it says is told by `heard`. */
  ask(leader: Leader): void;
  /**
   * A group is in the log for good, at its place; undefined: it came from another node. `token`: what this process
   * called it, if it proposed it.
   */
  commit(group: LogGroup, place: number | undefined, token: number | undefined): void;
  /** This node leads from now on, or no more. */
  leads(isLeader: boolean): void;
  note(text: string): void;
  /** Nothing more can be done: the process has to end. Called at most once. */
  fail(error: Error): void;
}
