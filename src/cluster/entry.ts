import type { LogGroup } from "../log/chain.ts";

/** Who proposed a group: a node, as which process it ran, and what that process calls the group. */
export interface Origin {
  readonly node: string;
  /** Drawn anew with each start. */
  readonly boot: string;
  readonly token: number;
}

/** A group of commands at its place in the store. */
export interface GroupEntry extends LogGroup {
  /** Of the group before, as hexadecimal digits. */
  readonly prevHash: string;
  readonly origin: Origin;
}

/** The leader, as nodes know it. */
export interface Leader {
  /** Revision at which the store took it: what another revision stands for by then is refused. */
  readonly term: number;
  readonly node: string;
  readonly boot: string;
  /** Where other nodes reach it, as `host:port`. */
  readonly address: string;
}

/** The end of a log. */
export interface Tail {
  readonly seq: number;
  readonly hash: Uint8Array;
  readonly timeMs: number;
}

/**
 * The point that the groups in the store follow: the beginning of the venue, or the last group that was taken out of
 * the store.
 */
export interface Base {
  readonly place: number;
  readonly seq: number;
  /** Hexadecimal digits. */
  readonly hash: string;
  readonly timeMs: number;
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}
