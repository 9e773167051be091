/** The bounds of the HTTP listener. Each can be set for a test; the defaults serve a venue. */
export interface HttpLimits {
  /** A body above this is refused with 413 as soon as that is known. */
  readonly bodyBytesMax: number;
  /**
   * All bodies together that are not whole yet; beyond it the slowest are cut with 408. 256 of the largest; orders have
   * under 1 KiB.
   */
  readonly unfinishedBodyBytesMax: number;
  /** Request line and headers together; above it 431. Existing clients send well under 2 KiB. */
  readonly headBytesMax: number;
  /** Headers of one request; above it 431. Clients send about ten, proxies add a dozen. */
  readonly headersMax: number;
  /** From the first byte to the end of the head; then 408. */
  readonly headTimeoutMs: number;
  /** From the first byte to the end of the body; then 408. */
  readonly requestTimeoutMs: number;
  /**
   * How long an idle connection is kept. Above the 60 s of common load balancers, so that they are the ones to close.
   */
  readonly keepAliveTimeoutMs: number;
  /** A connection on which nothing moves in either direction is dropped: a reader that stopped reading. */
  readonly stallTimeoutMs: number;
  /**
   * How long an answer may wait until its reader has taken it; then the connection is dropped: a reader that trickles.
   */
  readonly answerTimeoutMs: number;
  /** Connections beyond it are closed at once. Below the usual limit of open files. */
  readonly connectionsMax: number;
  /** The same for one address. The machine's own are not counted: a proxy on it speaks for everybody. */
  readonly connectionsPerAddressMax: number;
  /**
   * A connection for which nobody has vouched after this is cut, and the oldest of them as soon as another needs its
   * place; 0: none is, and what is beyond the most is closed instead.
   */
  readonly guestMs: number;
  /** Unanswered requests of one connection; further ones wait, and reading pauses. */
  readonly pipelinedMax: number;
  /**
   * Bytes of answers that one connection has not taken; beyond it further requests wait, and reading pauses. Also what
   * one connection gets in its turn: with a thousand greedy ones the others wait for a thousand times this.
   */
  readonly untakenBytesMax: number;
  /** How long a refused connection is still read, so that the refusal reaches a client that is still sending. */
  readonly lingerMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  bodyBytesMax: 131_072,
  unfinishedBodyBytesMax: 32 * 1_048_576,
  headBytesMax: 16_384,
  headersMax: 100,
  headTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  stallTimeoutMs: 120_000,
  answerTimeoutMs: 60_000,
  connectionsMax: 10_000,
  connectionsPerAddressMax: 1_000,
  guestMs: 0,
  pipelinedMax: 64,
  untakenBytesMax: 65_536,
  lingerMs: 1_000,
};
