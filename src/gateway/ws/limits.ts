import type { SocketContract } from "./contract.ts";

/**
 * The bounds of the sockets, beside those that the listener has for every connection. Those that the contract names
 * come from there; each can be set for a test.
 */
export interface SocketLimits {
  /** Of one message; above it the connection is closed with 1009. */
  readonly requestBytesMax: number;
  /** Requests of a connection at once; they are earned back evenly over `requestsWindowMs`. */
  readonly requestsMax: number;
  readonly requestsWindowMs: number;
  /** A message counts as one request for each so many bytes that it comes to: reading it costs accordingly. */
  readonly bytesPerRequest: number;
  /** A connection that is this many requests beyond what it has earned is closed with 1008. */
  readonly requestsRefusedMax: number;
  /** Names that a connection follows over all channels. */
  readonly subscriptionsMax: number;
  /** Of these, names that are not listed: they wait until they are. A client that names many has the wrong list. */
  readonly unlistedMax: number;
  /**
   * Names that all connections follow together; beyond it a connection gets no more than its even share. About 150 MiB.
   */
  readonly budgetSubscriptions: number;
  /** The same of names that are not listed. About 30 MiB. */
  readonly budgetUnlisted: number;
  /** How far the time of a login may be from the venue's, either way. */
  readonly signWindowMs: number;
  /** A login ends after so long, unless another one has followed it. */
  readonly loginMs: number;
  /** A connection with more than this waiting to be sent is dropped. */
  readonly backlogBytesMax: number;
  /** A connection without any inbound frame for so long is dropped. */
  readonly idleCloseMs: number;
}

export function socketLimits({ limits, idleCloseMs }: SocketContract): SocketLimits {
  const limit = (name: string) => {
    const value = limits.get(name);
    if (value === undefined) throw new Error(`The contract of the sockets has no limit "${name}".`);
    return value;
  };
  return {
    requestBytesMax: limit("request_bytes_max"),
    requestsMax: limit("requests_max"),
    requestsWindowMs: limit("requests_window_ms"),
    requestsRefusedMax: 5 * limit("requests_max"),
    subscriptionsMax: limit("subscriptions_max"),
    bytesPerRequest: 2_048,
    unlistedMax: 100,
    budgetSubscriptions: 500_000,
    budgetUnlisted: 100_000,
    signWindowMs: limit("sign_window_ms"),
    loginMs: 24 * 3_600_000,
    backlogBytesMax: limit("backlog_bytes_max"),
    idleCloseMs,
  };
}
