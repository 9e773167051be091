/** What a client of a socket says to log in. */
export interface Login {
  readonly accessId: string;
  /** Hexadecimal. */
  readonly signature: string;
  /** ms. */
  readonly timestamp: number;
  readonly remoteAddress: string;
}
