/** The fields that a client of a socket sends to log in. */
export interface Login {
  readonly accessId: string;
  /** Hexadecimal. */
  readonly signature: string;
  /** ms. */
  readonly timestamp: number;
  readonly remoteAddress: string;
}
