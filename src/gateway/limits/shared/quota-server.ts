/**
 * The server that nodes share quotas on: see scripts.ts for what it is asked. Every call rejects at once where there is
 * no connection.
 */
export interface QuotaServer {
  /** Runs the script of checks. */
  check(keys: readonly string[], values: readonly (string | number)[]): Promise<readonly number[]>;
  /** Tells that a node is there; gives how many are. */
  beat(node: string): Promise<number>;
  /** A node leaves. */
  leave(node: string): Promise<unknown>;
  /** Why there is no connection, as the end of a sentence; undefined while nothing is known. Tells no password. */
  readonly trouble: string | undefined;
  close(): void;
}
