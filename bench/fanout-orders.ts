/** What bench fanout and its server processes say to each other. */

/**
 * A tick of the server sends each socket one update, or all that some groups of commands and a beat make, or a great
 * many.
 */
export type Mode = "apart" | "joined" | "flood";

export type Order =
  /** The payloads that bare ws is to send, in base64, by tick. */
  | { readonly kind: "load"; readonly mode: Mode; readonly ticks: readonly (readonly string[])[] }
  /** Ticks for so long: each as soon as the readers have taken the last or, with `everyMs`, at that pace. */
  | { readonly kind: "run"; readonly mode: Mode; readonly ms: number; readonly everyMs?: number }
  | { readonly kind: "look" };

export interface Ran {
  readonly ticks: number;
  /** CPU time of the process. */
  readonly cpuMs: number;
  /** When each tick began, in µs of the clock that all processes share; only of a run with a pace. */
  readonly beganUs: readonly number[];
  readonly rssBytesMax: number;
}

export interface Look {
  readonly sockets: number;
  /** Sockets of which bytes wait in the process. */
  readonly backlogged: number;
  readonly rssBytes: number;
}

/** Groups of commands that become durable in a tick. */
export const GROUPS = { joined: 8, flood: 100 } as const;

/** Updates per tick and socket: beside "apart" the best quotes after each group, then depth and deals. */
export const UPDATES: Readonly<Record<Mode, number>> = { apart: 1, joined: GROUPS.joined + 2, flood: GROUPS.flood + 2 };
