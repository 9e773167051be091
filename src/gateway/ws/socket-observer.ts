/** Who gives refusals on sockets their names and hears why each of them was. */
import type { Refused } from "../refused.ts";

/** A request over a socket that was refused. */
export interface RefusedOnSocket {
  /** Where the socket stands. */
  readonly path: string;
  /** Empty where none could be read, and where nothing was asked for: a login that has ended. */
  readonly method: string;
  /** Who is logged in; 0: nobody. */
  readonly userId: number;
  /** The code that the client is told. */
  readonly code: number;
  readonly refused: Refused;
}

/** The data that a refusal carries beside its message. */
export interface Told {
  readonly requestId: string;
  /** As the header of reasons has it over HTTP. */
  readonly reason: string;
}

export interface SocketObserver {
  hears(refused: RefusedOnSocket): Told;
}

/**
 * The fields of it as they stand in a refusal, behind its message: JSON without braces; empty where nothing is told.
 */
export function toldFields(told: Told | undefined): string {
  if (told === undefined) return "";
  return `,"request_id":"${told.requestId}","reason":${JSON.stringify(told.reason)}`;
}
