/** Tells a history the events that it has missed: a reader of the log sends them over a port, batch by batch. */
import type { MessagePort } from "node:worker_threads";

/** Batches under way at once. */
const BATCHES_AHEAD_MAX = 3;

export type BackfillMessage =
  | { readonly kind: "events"; readonly events: Uint8Array<ArrayBuffer>; readonly lastSeq: number }
  /** The log is told to its end. */
  | { readonly kind: "end" };

export interface BackfillBatch {
  readonly events: Uint8Array<ArrayBuffer>;
  readonly lastSeq: number;
}

/** The side of who tells. */
export class BackfillSender {
  readonly #port: MessagePort;
  #leave = BATCHES_AHEAD_MAX;
  #wanted: (() => void) | undefined;
  #isClosed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", () => {
      this.#leave++;
      this.#wanted?.();
    });
    port.on("close", () => {
      this.#isClosed = true;
      this.#wanted?.();
    });
  }

  /** Nobody listens any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  tell(events: Uint8Array<ArrayBuffer>, lastSeq: number): void {
    this.#leave--;
    this.#port.postMessage({ kind: "events", events, lastSeq } satisfies BackfillMessage, [events.buffer]);
  }

  /** Settles when more may be told. */
  async room(): Promise<void> {
    while (this.#leave <= 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wanted = resolve;
      });
    }
  }

  end(): void {
    this.#port.postMessage({ kind: "end" } satisfies BackfillMessage);
    this.#port.close();
  }
}

/**
 * Batches as they come; ends with what is told, or when who tells has failed. Leaving the loop ends it on both sides.
 */
export async function* backfillFrom(port: MessagePort): AsyncGenerator<BackfillBatch> {
  const told: BackfillMessage[] = [];
  let wake = () => {};
  let isOver = false;
  port.on("message", (message: BackfillMessage) => {
    told.push(message);
    wake();
  });
  port.on("close", () => {
    isOver = true;
    wake();
  });
  try {
    while (true) {
      const next = told.shift();
      if (next?.kind === "end" || (next === undefined && isOver)) return;
      if (next !== undefined) {
        yield next as BackfillBatch;
        port.postMessage("more");
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    port.close();
  }
}
