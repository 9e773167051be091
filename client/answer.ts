/**
 * The answer of every call of the client: errors are values, and each says whether what was asked for may have
 * happened.
 */

export type Answer<T> = Done<T> | Failed;

export interface Done<T> {
  readonly ok: true;
  readonly data: T;
  /** The venue's name for this request in its own records, where it says so. */
  readonly requestId: string | undefined;
  /** Whether more rows follow; of pages only. */
  readonly hasNext?: boolean | undefined;
  /** How many rows there are on all pages, where the venue counts them. */
  readonly total?: number | undefined;
}

export interface Failed {
  readonly ok: false;
  /** The venue's code (`CODES` lists them), or one of `CLIENT_CODES`, which are below 0. */
  readonly code: number;
  readonly message: string;
  readonly requestId: string | undefined;
  /** The rule that refused; dev venues say it. */
  readonly reason: string | undefined;
  /** `unknown`: it may have happened or may yet happen, and only a query tells. */
  readonly outcome: "not_done" | "unknown";
}

/** Codes for what goes wrong on this side. */
export const CLIENT_CODES = {
  /** No answer came, or none that can be read. */
  noAnswer: -1,
  /** The call needs a key, and the client was made without one. */
  noKey: -2,
  /** The quota would have been there only after the time that the call may wait. */
  quota: -3,
  /** A parameter is a number with a fraction: decimals are texts. */
  fraction: -4,
  /** The client or the socket was closed. */
  closed: -5,
} as const;

export function failed(code: number, message: string, outcome: Failed["outcome"] = "not_done"): Failed {
  return { ok: false, code, message, requestId: undefined, reason: undefined, outcome };
}

/** Codes after which only a query tells what happened. */
const UNKNOWN_AFTER: ReadonlySet<number> = new Set([4002, 4003, 23001, 24001, 33001, 34001]);

/** Returns what a code of the venue says about what happened. */
export function outcomeOf(code: number): Failed["outcome"] {
  return UNKNOWN_AFTER.has(code) ? "unknown" : "not_done";
}
