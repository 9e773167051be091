import type { Client } from "pg";
import { connect, drop, refuseOldServer } from "./connection.ts";
import { endSleepingWriter, pidOf, tryLock, writerName } from "./open.ts";

/** A server that leaves the writer without an answer for so long counts as gone. */
const ANSWER_MS_MAX = 60_000;

/**
 * The two connections of who writes, or waits to: one holds the lock, so that it is not lost with a statement that
 * fails, one writes.
 */
export class WriterSession {
  readonly client: Client;
  readonly #lock: Client;
  #lost: string | undefined;

  static async open(address: string, onLost: () => void): Promise<WriterSession> {
    let session: WriterSession | undefined;
    let early: string | undefined;
    const lost = (reason: string) => {
      early ??= reason;
      if (session !== undefined) session.#lose(reason, onLost);
    };
    const lock = await connect({ address, name: "history lock", answerMsMax: ANSWER_MS_MAX }, lost);
    try {
      await refuseOldServer(lock);
      // By its name others find what belongs to the lock.
      const name = writerName(await pidOf(lock));
      const client = await connect({ address, name, answerMsMax: ANSWER_MS_MAX }, lost);
      session = new WriterSession(lock, client);
      if (early !== undefined) session.#lost = early;
      return session;
    } catch (error) {
      drop(lock);
      throw error;
    }
  }

  private constructor(lock: Client, client: Client) {
    this.#lock = lock;
    this.client = client;
  }

  #lose(reason: string, onLost: () => void): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    onLost();
  }

  /** Throws when one of the connections is gone: with the lock's the right to write is. */
  assertHeld(): void {
    if (this.#lost !== undefined) throw new Error(`the connection was lost (${this.#lost})`);
  }

  /** It is no use waiting any longer. */
  giveUp(reason: string): void {
    this.#lost ??= reason;
    drop(this.client);
    drop(this.#lock);
  }

  async tryLock(): Promise<boolean> {
    this.assertHeld();
    return await tryLock(this.#lock);
  }

  /** As endSleepingWriter. */
  async endSleepingWriter(idleMs: number): Promise<boolean> {
    return await endSleepingWriter(this.client, idleMs);
  }

  end(): void {
    this.giveUp("it was ended");
  }
}
