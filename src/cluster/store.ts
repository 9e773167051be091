import type { Base, GroupEntry, Leader } from "./entry.ts";

/** The store ends before what was read of it, or has begun anew. */
export class StoreWentBack extends Error {
  readonly code = "STORE_WENT_BACK";

  constructor() {
    super(
      "The store has lost what it had acknowledged: it was emptied, or restored from a copy. This node ends; " +
        "docs/guides/cluster.md says how its log goes back into the store.",
    );
    this.name = "StoreWentBack";
  }
}

/** The outcome of a put. */
export type PutOutcome =
  /** It is in the store: by this call, or by an earlier one of the same groups whose answer was lost. */
  | "in"
  /** Somebody else leads, or nobody: it is not in the store and never will be. */
  | "deposed"
  /** Something else stands at its place, written by the same leader: that must not be. */
  | "taken"
  /** The store has no room: it is not in. */
  | "full"
  /** No answer: the same must be put again until there is one. */
  | "unknown";

/** Where the log ends at one revision of the store. */
export interface StoreEnd {
  /** The last place where a group stands, or stood before it was taken out. */
  readonly place: number;
  /** Of who leads; 0: nobody. */
  readonly term: number;
}

/** A part of the store as it was at one revision. */
export interface Page {
  readonly revision: number;
  readonly base: Base | undefined;
  readonly groups: readonly PlacedGroup[];
  /** Whether the groups go to the end of the log. */
  readonly isWhole: boolean;
  readonly leader: Leader | undefined;
}

export interface PlacedGroup {
  readonly place: number;
  readonly entry: GroupEntry;
}

/** An event in the store. Events come in the order of the store. */
export type StoreEvent =
  | { readonly kind: "group"; readonly revision: number; readonly group: PlacedGroup }
  | { readonly kind: "leader"; readonly revision: number; readonly leader: Leader | undefined };

export interface WatchHandlers {
  onEvents(events: readonly StoreEvent[]): void;
  /** Nothing more is told. Not called after the watch was cancelled. */
  onEnd(): void;
}

/** A node's record of itself for the other nodes; it stays when the node is gone. */
export interface NodeRecord {
  readonly node: string;
  readonly boot: string;
  readonly address: string;
  /** The newest rules that its program has. */
  readonly rules: number;
  readonly version: string;
  /** So far its log is on its disk, and so far goes its newest snapshot. */
  readonly syncedSeq: number;
  readonly snapshotSeq: number;
  /** Hash of the state in it; undefined: there is none, or the program is older. */
  readonly snapshotState?: string | undefined;
}

/**
 * A server of the store, as this node reaches it. Of one that does not answer nothing else is known than what alarms
 * the others tell of.
 */
export interface StoreServer {
  readonly host: string;
  readonly isAnswering: boolean;
  /** Whether it leads the servers, and whether it knows who does. */
  readonly isLeader: boolean;
  readonly hasLeader: boolean;
  /** Bytes that its file takes on the disk, which its quota counts, and how many of them are in use. */
  readonly fileBytes: number;
  readonly usedBytes: number;
  readonly alarms: readonly string[];
  readonly version: string;
}

/** How the servers of the store stand. */
export interface StoreStatus {
  readonly servers: readonly StoreServer[];
  /** Of servers that the setting log does not name, too. */
  readonly alarms: readonly string[];
}

/** The calls of a store that the order of groups is kept by. Each is tried once; none calls back before it returns. */
export interface OrderStore {
  /**
   * Puts groups at consecutive places from the first one's on, if nothing is there and the leader is still that of
   * `term`.
   */
  put(term: number, groups: readonly PlacedGroup[], done: (outcome: PutOutcome) => void): void;
  /**
   * Makes this node the leader if the leader is still that of `over`, 0 for none. What came of it is told by the watch.
   */
  lead(over: number, done: () => void): void;
  /** Nobody leads from now on, if this node does, by `term`. */
  resign(term: number): void;
  /** The groups from place `from` on, or as many as come at once, as they are at the moment; undefined: no answer. */
  read(from: number, done: (page: Page | undefined) => void): void;
  /** The end at the moment, and not before the place in front of `from`; undefined: no answer. */
  endFrom(from: number, done: (end: StoreEnd | undefined) => void): void;
  /** Watches what happens from `revision` on. Returns the function that cancels the watch. */
  watch(revision: number, handlers: WatchHandlers): () => void;
}
