import { decodeFrame, encodeFrame } from "./frame.ts";

/** Who proposed a group: a node, as which process it ran, and what that process calls the group. */
export interface Origin {
  readonly node: string;
  /** Drawn anew with each start. */
  readonly boot: string;
  readonly token: number;
}

/** A group of commands at its place in the log. */
export interface GroupEntry {
  readonly kind: "group";
  readonly generation: number;
  readonly term: number;
  readonly firstSeq: number;
  readonly count: number;
  readonly timeMs: number;
  /** Of the group before, as hexadecimal digits. */
  readonly prevHash: string;
  readonly origin: Origin;
  readonly payload: Uint8Array;
}

/** From here on another node leads. */
export interface TermEntry {
  readonly kind: "term";
  readonly generation: number;
  readonly term: number;
  readonly node: string;
  readonly boot: string;
}

/** The beginning of a generation: the log up to here stands on the disks of the nodes, and goes on in this stream. */
export interface SeedEntry {
  readonly kind: "seed";
  readonly generation: number;
  readonly term: number;
  /** Who leads at first. */
  readonly node: string;
  readonly boot: string;
  readonly venueId: string;
  /** End of the log that the generation goes on behind. */
  readonly seq: number;
  readonly hash: string;
  readonly timeMs: number;
}

/** What stands in a stream. */
export type Entry = GroupEntry | TermEntry | SeedEntry;

export function encodeEntry(entry: Entry): Uint8Array {
  if (entry.kind !== "group") return encodeFrame(entry);
  const { payload, ...head } = entry;
  return encodeFrame(head, payload);
}

/** Throws BadFrame. */
export function decodeEntry(bytes: Uint8Array): Entry {
  const { head, body } = decodeFrame(bytes);
  const entry = head as Entry;
  return entry.kind === "group" ? { ...entry, payload: body } : entry;
}
