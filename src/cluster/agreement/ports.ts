/** What the rules of an agreement are given, and what they have done. */
import type { LogGroup } from "../../log/chain.ts";
import type { Entry, Origin, SeedEntry } from "../entry.ts";
import type { Message } from "../message.ts";

/** Streams that generations go round in: where one is stuck, the next one has another leader among the servers. */
export const SLOTS = 3;

/** What a node has on its disk beside the log: both are there before anything is done by them. */
export interface Standing {
  /** Nothing of an older generation is stored any more. */
  readonly promised: number;
  /** The generation that the end of the log belongs to. */
  readonly adopted: number;
}

/** The end of a log. */
export interface Tail {
  readonly seq: number;
  readonly hash: Uint8Array;
  readonly timeMs: number;
}

/** A group as another node's log has it, and who proposed it if that is still known there. */
export interface FetchedGroup extends LogGroup {
  readonly origin: Origin | undefined;
}

/** What an agreement does. None of it may call back before it returns. */
export interface AgreementPorts {
  /** A clock that only runs on, ms. */
  now(): number;
  /** What groups are stamped with, ms since 1970. */
  timeMs(): number;
  /** To all nodes, or to `to`. May be lost. */
  send(message: Message): void;
  /** Puts an entry into a stream if that ends at `expected`. Tried once; what became of it is told by `entered`, or never. */
  publish(slot: number, entry: Entry, expected: number): void;
  /** Puts a seed at the end of a stream unless one of its generation, or of a later one, is there; tells what is. */
  seed(slot: number, entry: SeedEntry): void;
  /** Reads entries, both ends included, and tells them by `entered`. */
  readEntries(slot: number, from: number, to: number): void;
  /** Asks other nodes for the groups behind `tail` up to `toSeq`: by `fetched`, or `strayed` if theirs do not continue it. */
  readGroups(tail: Tail, toSeq: number): void;
  /** Makes a log of that venue, in which what the others know up to `seq` may come as a snapshot: by `began`. */
  begin(venueId: string, seq: number): void;
  /** Takes all groups that end behind `seq` out of the log, which nobody was told of: by `began`. False: they are applied. */
  cut(seq: number): boolean;
  /** Hands a group to the disk; by `stored` it is there. */
  store(group: LogGroup): void;
  /** On the disk when it returns. */
  promise(standing: Standing): void;
  /** The group is in the log for good. `token` is what this process calls it, if it proposed it. */
  commit(group: LogGroup, token: number | undefined): void;
  /** This node leads from now on, or no longer. */
  leads(isLeader: boolean): void;
  /** What an operator should know, as a sentence. */
  note(text: string): void;
  /** The process has to end; started again it finds its way. */
  fail(error: Error): void;
}

/** Which process of which node this is. */
export interface Self {
  readonly node: string;
  /** All nodes, this one included, in the same order everywhere. */
  readonly nodes: readonly string[];
  /** Drawn anew with each start. */
  readonly boot: string;
}

export interface AgreementOptions extends Self {
  readonly standing: Standing;
  /** Undefined: there is no log yet. */
  readonly venueId: string | undefined;
  readonly tail: Tail;
  /** What stands before the first group of a venue's log. */
  readonly genesisOf: (venueId: string) => Uint8Array;
}

/** More than half of all nodes. */
export function quorumOf({ nodes }: Pick<Self, "nodes">): number {
  return Math.floor(nodes.length / 2) + 1;
}

/** Who leads a term. */
export interface Leader {
  readonly term: number;
  readonly node: string;
  readonly boot: string;
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}
