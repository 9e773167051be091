/** A venue that runs, as the one who started it knows it, in this process or in another. */
export interface Running {
  /** Where the API listens, as `http://HOST:PORT`. */
  readonly url: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  /** The sample accounts. */
  readonly accounts: readonly Account[];
  /** Calling it again waits for the same. */
  stop(): Promise<void>;
}

/** Somebody who trades, with a key that reads and trades. */
export interface Account {
  readonly name: string;
  readonly userId: number;
  readonly accessId: string;
  readonly secretKey: string;
}
