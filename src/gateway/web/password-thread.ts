/** Hashes passwords in a thread of its own, one after the other. The thread begins with the first of them. */
import type { Argon2Parameters } from "node:crypto";
import { Worker } from "node:worker_threads";

export type HashOptions = Argon2Parameters;

interface Asked {
  readonly resolve: (hash: Buffer) => void;
  readonly reject: (error: Error) => void;
}

export class PasswordThread {
  #worker: Worker | undefined;
  /** In the order in which they are answered. */
  #asked: Asked[] = [];

  hash(terms: HashOptions): Promise<Buffer> {
    const worker = this.#worker ?? this.#begin();
    worker.ref();
    worker.postMessage(terms);
    return new Promise((resolve, reject) => this.#asked.push({ resolve, reject }));
  }

  /** Ends the thread; what is being hashed is rejected. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #begin(): Worker {
    const worker = new Worker(new URL("./password-worker.ts", import.meta.url), { name: "passwords", execArgv: [] });
    this.#worker = worker;
    worker.on("message", (hash: Uint8Array) => {
      this.#asked.shift()?.resolve(Buffer.from(hash));
      // An idle thread keeps no process alive.
      if (this.#asked.length === 0) worker.unref();
    });
    worker.on("error", (error) => this.#end(error));
    worker.on("exit", () => this.#end(new Error("The thread that hashes passwords has ended.")));
    return worker;
  }

  /** The next password begins another thread. */
  #end(error: unknown): void {
    this.#worker = undefined;
    for (const { reject } of this.#asked.splice(0)) reject(error as Error);
  }
}
