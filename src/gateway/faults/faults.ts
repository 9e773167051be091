/**
 * Faults on purpose, as a venue of the dev profile meets them: what the laboratory injects, see
 * src/lab/dev/injected-faults.ts.
 */
import type { RequestContext } from "../http/request-context.ts";
import type { Refused } from "../refused.ts";
import type { FaultSpec } from "./terms.ts";

/** A socket, as far as a fault can disturb it. */
export interface Disturbed {
  /** 0: nobody is logged in. */
  readonly userId: number;
  follows(channel: string): boolean;
  /** Closes it as a venue that goes away does. */
  goAway(): void;
  /** Sends it nothing for so many ms, and then all at once. */
  stall(ms: number): void;
}

/** A request to the venue, as far as a fault can tell one request from another. */
export interface Asked {
  /** Where: over HTTP as it was asked for and as it is known, over sockets where the socket stands. */
  readonly paths: readonly string[];
  /** Of a request over a socket its method and channels; none over HTTP. */
  readonly names: readonly string[];
  /** Who has proved to be asking; 0 is nobody. */
  readonly userId: number;
  /** As a note has it. */
  readonly what: string;
}

/**
 * The outcome of a request that is struck: it is refused, served later, or its connection is cut before or after that.
 */
export type Strike =
  /** `after`: it is served, and refused in the place of its answer. */
  | { readonly refused: Refused; readonly when: NonNullable<FaultSpec["when"]> }
  | { readonly delayMs: number }
  | { readonly cut: NonNullable<FaultSpec["when"]> };

/** A fault that holds. */
export interface Fault extends FaultSpec {
  readonly faultId: number;
  /** How often it has struck. */
  readonly struck: number;
}

/** The faults of a venue. Undefined outside the dev profile, where nothing goes wrong on purpose. */
export interface Faults {
  /** Whether a request has to ask; the one look that all others cost. */
  readonly isOnRequests: boolean;
  /** Whose sockets are disturbed. */
  attach(sockets: () => Iterable<Disturbed>): void;
  list(): readonly Fault[];
  /** The number of a fault that is about to begin. */
  reserve(): number;
  /** Begins a fault, whose terms are sound. Sockets are disturbed at once, and the fault is over; the others hold. */
  begin(faultId: number, terms: FaultSpec): Fault;
  /** False when there is no such fault; without a number all end. */
  end(faultId?: number): boolean;
  /** Returns the outcome that a fault gives to a request; undefined when no fault strikes it. */
  strikes(asked: Asked): Strike | undefined;
  /** Whether a fault takes a request over HTTP over; `goOn` serves it, should that come to it. */
  takes(context: RequestContext, goOn: () => void): boolean;
  /** Does something after so many ms, unless the venue ends before; `fail` hears of what that throws. */
  later(ms: number, goOn: () => void, fail: (error: unknown) => void): void;
}
